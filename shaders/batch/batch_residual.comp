#define SUMS 1
#if REAL == 64
#define WIDE_PAIRS
#endif
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "pairs.glsl"
#include "batch/decide.glsl"

/* The true residual b - A y of each system whose iterations have ended, in pairs of floats (pairs.glsl), rounded to
 * reals; the best y becomes x; and what follows (decide.glsl): the end, or a cycle from r. Traffic: the matrices, b and
 * y read, x and r written, of the systems whose solve has not ended. */
ARGS {
    u32s        place; /* PLACE_... of each system */
    u32s        col;
    scalars     val;
    scalars     b;
    scalars     x;
    scalars     y;
    scalars     r;
    u32s        word;   /* WORD_... of each system */
    reals       numbers;/* NUMBER_... of each system */
    u32s        running; /* incremented for each system that goes on */
    uint        first; /* of the systems of this dispatch */
    uint        end;
    uint        limit; /* iterations of a system */
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/frame.glsl"
#include "batch/norm.glsl"

/* Row i of b - A y. */
scalar_t row_of_residual(uint i)
{
    pair_t sum = pair_t(0);
    for (uint k = 0; k < width; k++) {
        uint e = k * rows + i;
        sum = pair_plus(sum, exact_product(val.at[values_at + e], held[held_from() + col.at[columns_at + e]]));
    }
    return pair_plus(pair_t(b.at[at + i], 0), -sum).x;
}

batch_view view_of(real norm, real best)
{
    uint of_words = BATCH_WORDS * me, of_numbers = BATCH_NUMBERS * me;
    batch_view v;
    v.state = word.at[of_words + WORD_STATE];
    v.iteration = word.at[of_words + WORD_ITERATION];
    v.cycle = word.at[of_words + WORD_CYCLE];
    v.limit = limit;
    v.norm = norm;
    v.is_finite = finite(norm);
    v.before = numbers.at[of_numbers + NUMBER_BEFORE];
    v.recurrence = square_root(numbers.at[of_numbers + NUMBER_RR]) * numbers.at[of_numbers + NUMBER_SCALE];
    v.goal = numbers.at[of_numbers + NUMBER_GOAL];
    v.fits = finite(best) && finite(v.goal) && best <= v.goal;
    return v;
}

/* The numbers and words of a cycle that begins with r divided by 2^e. */
void begin_cycle(batch_view v, int e)
{
    uint of_words = BATCH_WORDS * me, of_numbers = BATCH_NUMBERS * me;
    real stop = scaled(v.goal, -e);
    numbers.at[of_numbers + NUMBER_BEFORE] = v.norm;
    numbers.at[of_numbers + NUMBER_SCALE] = power_of_two(e);
    numbers.at[of_numbers + NUMBER_STOP] = stop * stop;
    word.at[of_words + WORD_CYCLE] = v.cycle + 1u;
    word.at[of_words + WORD_FRESH] = 1u;
}

/* Writes what follows. By the leading lane. */
void leave(batch_view v, uint next, int e)
{
    uint of_words = BATCH_WORDS * me, of_numbers = BATCH_NUMBERS * me;
    if (next == NEXT_CYCLE)
        begin_cycle(v, e);
    if (next == NEXT_GO_ON)
        numbers.at[of_numbers + NUMBER_STOP] = numbers.at[of_numbers + NUMBER_STOP] / real(4);
    word.at[of_words + WORD_STATE] = next == NEXT_END ? batch_state_of(v) : STATE_RUNNING;
    word.at[of_words + WORD_ENDED] = uint(next == NEXT_END);
    if (next != NEXT_END)
        atomicAdd(running.at[0], 1u);
}

void main()
{
    scalar_t y_[TOGETHER_TILES], r_[TOGETHER_TILES];
    find_system();
    uint of_words = BATCH_WORDS * me, of_numbers = BATCH_NUMBERS * me;
    bool open = exists && word.at[of_words + WORD_ENDED] == 0u;
    bool iterates = open && word.at[of_words + WORD_STATE] == STATE_RUNNING; /* its iterations have not ended */
    bool measures = open && !iterates;
    EACH_ROW(u)
        y_[u] = row_of(u) < rows && measures ? y.at[at + row_of(u)] : scalar_t(0);
    hold(y_);
    EACH_ROW(u)
        r_[u] = row_of(u) < rows && measures ? row_of_residual(row_of(u)) : scalar_t(0);
    int e = system_exponent(r_);
    real norm = system_norm(r_, e), best = measures ? numbers.at[of_numbers + NUMBER_BEST] : real(0);
    bool better = measures && (word.at[of_words + WORD_CYCLE] == 0u || (finite(norm) && norm < best));
    best = better ? norm : best;
    batch_view v;
    uint next = NEXT_END;
    if (measures) {
        v = view_of(norm, best);
        next = batch_next_of(v);
    }
    system_sync(); /* all lanes have read the words and numbers */
    EACH_ROW(u)
        if (row_of(u) < rows && measures) {
            if (better)
                x.at[at + row_of(u)] = y_[u];
            if (next == NEXT_CYCLE)
                r.at[at + row_of(u)] = scaled(r_[u], -e);
        }
    if (!leads() || !open)
        return;
    if (iterates)
        atomicAdd(running.at[0], 1u);
    if (better)
        numbers.at[of_numbers + NUMBER_BEST] = best;
    if (measures)
        leave(v, next, e);
}
