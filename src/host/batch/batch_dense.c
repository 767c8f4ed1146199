#include "host/batch/direct.h"

/* A dense matrix by columns, with the right-hand side, and the column whose pivot each row has. */
struct dense {
    uint32_t n;
    scalar_t of[BATCH_DENSE][BATCH_DENSE], right[BATCH_DENSE];
    uint32_t column[BATCH_DENSE]; /* NO_ENTRY: none yet */
};

static void load(const struct batch_system *A, const scalar_t *right, struct dense *to)
{
    to->n = A->n;
    for (uint32_t j = 0; j < A->n; j++)
        memset(to->of[j], 0, A->n * sizeof **to->of);
    for (uint32_t i = 0; i < A->n; i++) {
        to->right[i] = right[i];
        to->column[i] = NO_ENTRY;
        for (uint32_t k = 0; k < A->width; k++)
            to->of[A->col[k * A->n + i]][i] += A->val[k * A->n + i];
    }
}

/* The row of the pivot: NaN counts as larger than all numbers. NO_ENTRY: there is none. */
static uint32_t find_pivot(const struct dense *d, uint32_t column)
{
    uint32_t row = NO_ENTRY;
    real most = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        real size = magnitude(d->of[column][i]);
        if (d->column[i] == NO_ENTRY && !isnan(most) && !(size <= most)) {
            most = size;
            row = i;
        }
    }
    return row;
}

static void subtract(struct dense *d, uint32_t row, uint32_t column)
{
    scalar_t factor[BATCH_DENSE];
    for (uint32_t i = 0; i < d->n; i++)
        factor[i] = divide(d->of[column][i], d->of[column][row]);
    for (uint32_t j = column + 1; j < d->n; j++) {
        scalar_t of_row = d->of[j][row];
        for (uint32_t i = 0; i < d->n; i++)
            d->of[j][i] -= mul(factor[i], of_row);
        d->of[j][row] = of_row;
    }
    for (uint32_t i = 0; i < d->n; i++)
        d->right[i] -= i == row ? 0 : mul(factor[i], d->right[row]);
}

static void eliminate(const struct batch_system *A, struct correction *c)
{
    struct dense d;
    load(A, c->x, &d);
    for (uint32_t column = 0; column < A->n; column++) {
        uint32_t row = find_pivot(&d, column);
        if (row == NO_ENTRY) {
            c->state = UNFIT_SINGULAR;
            c->fault = column;
            return;
        }
        if (!finite(d.of[column][row])) {
            c->state = STATE_NOT_FINITE;
            return;
        }
        d.column[row] = column;
        subtract(&d, row, column);
    }
    for (uint32_t i = 0; i < A->n; i++)
        c->x[d.column[i]] = divide(d.right[i], d.of[d.column[i]][i]);
}

KERNEL(batch_dense)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        const struct batch_system A = BATCH_SYSTEM(a, s);
        batch_correct(&A, a->r, a->y, eliminate);
    }
}
