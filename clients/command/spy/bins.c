#include "command/spy/bins.h"

#include <math.h>
#include <stdlib.h>

static void divide(uint32_t n, uint32_t longest, uint32_t pixels, uint32_t least_cell, uint32_t *cells,
                   uint32_t *cell)
{
    double room = fmax((double)pixels * n / longest, SPY_LEAST_SIDE);
    uint32_t most = (uint32_t)(room / least_cell);
    *cells = n < most || n <= room / 2 ? n : most;
    *cell = (uint32_t)fmax(round(room / *cells), 1);
}

vks_status spy_count(struct message *m, const struct triplets *t, uint32_t pixels, struct plot_density *d)
{
    uint32_t longest = t->rows > t->cols ? t->rows : t->cols;
    uint32_t least_cell = t->count <= 8 * (size_t)pixels ? 3 : 1;
    d->rows = t->rows;
    d->cols = t->cols;
    d->most = 0;
    divide(t->rows, longest, pixels, least_cell, &d->high, &d->cell_height);
    divide(t->cols, longest, pixels, least_cell, &d->wide, &d->cell_width);
    size_t cells = (size_t)d->high * d->wide;
    d->count = calloc(cells, sizeof *d->count);
    if (!d->count)
        return fail_memory(m, "the cells of a picture", cells * sizeof *d->count);
    for (size_t k = 0; k < t->count; k++) {
        uint64_t i = (uint64_t)t->row[k] * d->high / t->rows, j = (uint64_t)t->col[k] * d->wide / t->cols;
        uint32_t count = ++d->count[i * d->wide + j];
        d->most = count > d->most ? count : d->most;
    }
    return VKS_OK;
}
