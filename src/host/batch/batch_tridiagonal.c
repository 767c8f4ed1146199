#include "host/batch/direct.h"

struct rows {
    scalar_t below[BATCH_ROWS], diagonal[BATCH_ROWS], above[BATCH_ROWS], right[BATCH_ROWS];
};

static void load(const struct batch_system *A, const scalar_t *right, struct rows *to)
{
    for (uint32_t i = 0; i < A->n; i++) {
        to->below[i] = to->diagonal[i] = to->above[i] = 0;
        to->right[i] = right[i];
        for (uint32_t k = 0; k < A->width; k++) {
            uint32_t j = A->col[k * A->n + i];
            scalar_t v = A->val[k * A->n + i];
            to->below[i] += j < i ? v : 0;
            to->diagonal[i] += j == i ? v : 0;
            to->above[i] += j > i ? v : 0;
        }
    }
}

/* Removes the neighbours `distance` rows away. */
static void reduce(uint32_t n, uint32_t distance, const struct rows *from, struct rows *to)
{
    scalar_t inverse[BATCH_ROWS];
    for (uint32_t i = 0; i < n; i++)
        inverse[i] = divide(1, from->diagonal[i]);
    for (uint32_t i = 0; i < n; i++) {
        bool has_before = i >= distance, has_after = i + distance < n;
        uint32_t before = has_before ? i - distance : i, after = has_after ? i + distance : i;
        scalar_t by_before = mul(from->below[i], has_before ? inverse[before] : 0),
                 by_after = mul(from->above[i], has_after ? inverse[after] : 0);
        scalar_t diagonal = from->diagonal[i] - mul(by_before, has_before ? from->above[before] : 0),
                 right = from->right[i] - mul(by_before, has_before ? from->right[before] : 0);
        to->diagonal[i] = diagonal - mul(by_after, has_after ? from->below[after] : 0);
        to->right[i] = right - mul(by_after, has_after ? from->right[after] : 0);
        to->below[i] = -mul(by_before, has_before ? from->below[before] : 0);
        to->above[i] = -mul(by_after, has_after ? from->above[after] : 0);
    }
}

static bool has_zero(const scalar_t *v, uint32_t n)
{
    bool is = false;
    for (uint32_t i = 0; i < n; i++)
        is = is || v[i] == 0;
    return is;
}

/* As many steps as the kernel has, which are those for the most rows that the same lanes take. */
static uint32_t steps_for(uint32_t n)
{
    uint32_t steps = n > BATCH_FEW ? 8 : 5;
    while (1u << steps < n)
        steps++;
    return steps;
}

static void eliminate(const struct batch_system *A, struct correction *c)
{
    struct rows rows[2];
    bool zero = false;
    uint32_t steps = steps_for(A->n);
    load(A, c->x, &rows[0]);
    for (uint32_t s = 0; s < steps; s++) {
        zero = zero || has_zero(rows[s % 2].diagonal, A->n);
        reduce(A->n, 1u << s, &rows[s % 2], &rows[(s + 1) % 2]);
    }
    const struct rows *last = &rows[steps % 2];
    for (uint32_t i = 0; i < A->n; i++)
        c->x[i] = divide(last->right[i], last->diagonal[i]);
    if (zero || has_zero(last->diagonal, A->n))
        c->state = STATE_BREAKDOWN;
}

KERNEL(batch_tridiagonal)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        const struct batch_system A = BATCH_SYSTEM(a, s);
        batch_correct(&A, a->r, a->y, eliminate);
    }
}
