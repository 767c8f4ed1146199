#include "host/batch/frame.h"
#include "host/pairs.h"
#include "host/wide_pairs.h"
#include "shaders/batch/decide.glsl"

#if REAL == 64
#define PAIRS struct wide_pair
#define OF_PAIRS(name) wide_##name
#else
#define PAIRS struct pair
#define OF_PAIRS(name) name
#endif

/* r = b - A y, in pairs, rounded. */
static void residual(const struct batch_system *A, const scalar_t *b, const scalar_t *y, scalar_t *r)
{
    PAIRS sum[BATCH_ROWS];
    memset(sum, 0, A->n * sizeof *sum);
    for (uint32_t k = 0; k < A->width; k++)
        for (uint32_t i = 0; i < A->n; i++) {
            PAIRS term = OF_PAIRS(exact_product)(A->val[k * A->n + i], y[A->col[k * A->n + i]]);
            sum[i] = OF_PAIRS(pair_plus)(sum[i], term);
        }
    for (uint32_t i = 0; i < A->n; i++)
        r[i] = OF_PAIRS(pair_plus)((PAIRS){b[i], 0}, (PAIRS){-sum[i].high, -sum[i].low}).high;
}

static batch_view view_of(const struct batch_system *A, uint32_t limit, real norm, real best)
{
    real goal = A->number[NUMBER_GOAL];
    return (batch_view){.state = A->word[WORD_STATE],
                        .iteration = A->word[WORD_ITERATION],
                        .cycle = A->word[WORD_CYCLE],
                        .limit = limit,
                        .norm = norm,
                        .is_finite = isfinite(norm),
                        .before = A->number[NUMBER_BEFORE],
                        .recurrence = square_root(A->number[NUMBER_RR]) * A->number[NUMBER_SCALE],
                        .goal = goal,
                        .fits = isfinite(best) && isfinite(goal) && best <= goal};
}

static void leave(const struct batch_system *A, batch_view v, uint32_t next, int e)
{
    if (next == NEXT_CYCLE) {
        real stop = scaled(v.goal, -e);
        A->number[NUMBER_BEFORE] = v.norm;
        A->number[NUMBER_SCALE] = power_of_two(e);
        A->number[NUMBER_STOP] = stop * stop;
        A->word[WORD_CYCLE] = v.cycle + 1;
        A->word[WORD_FRESH] = 1;
    }
    if (next == NEXT_GO_ON)
        A->number[NUMBER_STOP] /= 4;
    A->word[WORD_STATE] = next == NEXT_END ? batch_state_of(v) : STATE_RUNNING;
    A->word[WORD_ENDED] = next == NEXT_END;
}

/* Measures a system whose iterations have ended. */
static void measure(const struct batch_residual_args *a, const struct batch_system *A)
{
    scalar_t r[BATCH_ROWS];
    const scalar_t *y = a->y + A->at;
    residual(A, a->b + A->at, y, r);
    int e = batch_largest_exponent(r, A->n);
    real norm = batch_norm(r, A->n, e);
    if (A->word[WORD_CYCLE] == 0 || (isfinite(norm) && norm < A->number[NUMBER_BEST])) {
        A->number[NUMBER_BEST] = norm;
        memcpy(a->x + A->at, y, A->n * sizeof *y);
    }
    batch_view v = view_of(A, a->limit, norm, A->number[NUMBER_BEST]);
    uint32_t next = batch_next_of(v);
    for (uint32_t i = 0; i < A->n && next == NEXT_CYCLE; i++)
        a->r[A->at + i] = scaled(r[i], -e);
    leave(A, v, next, e);
}

KERNEL(batch_residual)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        const struct batch_system A = BATCH_SYSTEM(a, s);
        if (!A.word[WORD_ENDED] && A.word[WORD_STATE] != STATE_RUNNING)
            measure(a, &A);
        if (!A.word[WORD_ENDED])
            __atomic_fetch_add(a->running, 1, __ATOMIC_RELAXED);
    }
}
