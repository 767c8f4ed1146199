#include "host/multigrid/rounding.h"
#include "host/multigrid/sweep.h"
#include "host/sum.h"

/* The columns of the pivots, swept so far. */
struct panel {
    real v[SWEEP_MOST][SWEEP_PIVOTS];
};

static struct sweep decide_sweep(const struct sweep_panel_args *a, const struct panel *p, uint32_t q)
{
    uint32_t k = a->k + q;
    real lane[32] = {0}, pivot = p->v[k][q];
    for (uint32_t i = 0; i < k; i++)
        lane[i % 32] += (p->v[i][q] * p->v[i][q]) * a->reference[i];
    real inverse = is_rounding(pivot, tile_lanes(lane) + a->reference[k]) ? 0 : 1 / pivot;
    a->factors[SWEEP_FACTORS * q] = pivot;
    a->factors[SWEEP_FACTORS * q + 1] = inverse;
    return sweep_of(pivot, inverse);
}

static void sweep_panel(const struct sweep_panel_args *a, struct panel *panel, uint32_t q)
{
    struct sweep w = decide_sweep(a, panel, q);
    real row[SWEEP_PIVOTS];
    memcpy(row, panel->v[a->k + q], sizeof row);
    for (uint32_t i = 0; i < a->n; i++) {
        real *v = panel->v[i], c = v[q];
        bool is_row = i == a->k + q;
        a->panel[(size_t)a->n * q + i] = c;
        for (uint32_t p = 0; p < SWEEP_PIVOTS; p++)
            v[p] = is_row ? swept_row(&w, row[p]) : swept(&w, v[p], c, row[p]);
        v[q] = is_row ? w.inverse : swept_column(&w, c);
    }
}

KERNEL(sweep_panel)
{
    struct panel panel = {0};
    uint32_t pivots = a->n - a->k < SWEEP_PIVOTS ? a->n - a->k : SWEEP_PIVOTS;
    for (uint32_t i = 0; i < a->n; i++)
        memcpy(panel.v[i], a->matrix + (size_t)a->n * i + a->k, pivots * sizeof(real));
    for (uint32_t q = 0; q < pivots; q++)
        sweep_panel(a, &panel, q);
}
