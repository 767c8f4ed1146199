#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "batch/batch.h"
#include "solver/cg.h"
#include "solver/state.h"

/* Conjugate gradients for each system of a batch: up to `turns` iterations in one dispatch. Operations, sums and bits
 * are those of spmv_..._dot, cg_update and cg_direction with one lane a row. Vectors stay in registers, p in shared
 * memory. Traffic per iteration: the matrices. */
ARGS {
    u32s        place; /* PLACE_... of each system */
    u32s        col;
    scalars     val;
    scalars     y;
    scalars     r;
    scalars     p;
    scalars     d;
    u32s        word;   /* WORD_... of each system */
    reals       numbers;/* NUMBER_... of each system */
    uint        first; /* of the systems of this dispatch */
    uint        end;
    uint        limit; /* iterations of a system */
    uint        turns;
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/frame.glsl"

scalar_t y_[TOGETHER_TILES], r_[TOGETHER_TILES], p_[TOGETHER_TILES], d_[TOGETHER_TILES], q_[TOGETHER_TILES];
real stop, scale, rho, rr;
uint k, state;

/* The terms of r . z and r . r. */
scalar_t[SUMS] sums_of_residual()
{
    scalar_t v[SUMS][TOGETHER_TILES];
    EACH_ROW(u) {
        v[0][u] = mul(conj(r_[u]), mul(d_[u], r_[u]));
        v[1][u] = mul(conj(r_[u]), r_[u]);
    }
    return system_sums(v, 2u);
}

void load(bool is_fresh)
{
    EACH_ROW(u) {
        bool is = row_of(u) < rows;
        uint i = at + row_of(u);
        y_[u] = is ? y.at[i] : scalar_t(0);
        r_[u] = is ? r.at[i] : scalar_t(0);
        d_[u] = is ? d.at[i] : scalar_t(0);
        p_[u] = is && !is_fresh ? p.at[i] : scalar_t(0);
        if (is_fresh)
            p_[u] = mul(d_[u], r_[u]);
    }
}

void leave()
{
    EACH_ROW(u)
        if (row_of(u) < rows) {
            uint i = at + row_of(u);
            y.at[i] = y_[u];
            r.at[i] = r_[u];
            p.at[i] = p_[u];
        }
    if (!leads())
        return;
    word.at[BATCH_WORDS * me + WORD_STATE] = state;
    word.at[BATCH_WORDS * me + WORD_ITERATION] = k;
    word.at[BATCH_WORDS * me + WORD_FRESH] = 0u;
    numbers.at[BATCH_NUMBERS * me + NUMBER_RR] = rr;
}

void set_state()
{
    state = CG_STATE_AFTER(finite(rr) && finite(rho), k, limit, rho, rr, stop, real(BATCH_CEILING));
}

/* r = r - alpha q */
void update(real alpha)
{
    EACH_ROW(u)
        r_[u] = r_[u] - alpha * q_[u];
}

/* y = y + scale alpha p, p = z + beta p */
void direct(real alpha, real beta)
{
    EACH_ROW(u) {
        y_[u] = y_[u] + alpha * p_[u];
        p_[u] = mul(d_[u], r_[u]) + beta * p_[u];
    }
}

/* TOGETHER. One iteration of a system that runs; false if it is the last, of the system or of the dispatch. */
bool iterate(bool runs, bool last)
{
    scalar_t v[SUMS][TOGETHER_TILES];
    hold(p_);
    EACH_ROW(u) {
        q_[u] = runs ? row_of_product(row_of(u)) : scalar_t(0);
        v[0][u] = mul(conj(p_[u]), q_[u]);
    }
    real pq = real_part(system_sums(v, 1u)[0]), alpha = divide(rho, pq);
    bool steps = runs && finite(pq) && pq > real(0);
    if (steps)
        update(alpha);
    else
        state = finite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
    scalar_t total[SUMS] = sums_of_residual();
    if (steps) {
        real after = real_part(total[0]);
        direct(alpha * scale, divide(after, rho));
        rho = after;
        rr = real_part(total[1]);
        k++;
        set_state();
    }
    bool goes_on = runs && state == STATE_RUNNING && !last;
    if (runs && !goes_on)
        leave();
    return goes_on;
}

/* Everything is written within the loop: after a loop with barriers, llvmpipe (Mesa 22) loses invocations that run its
 * inner loops at their own pace. */
void main()
{
    find_system();
    bool runs = exists && word.at[BATCH_WORDS * me + WORD_ENDED] == 0u &&
                word.at[BATCH_WORDS * me + WORD_STATE] == STATE_RUNNING;
    rows = runs ? rows : 0u;
    load(runs && word.at[BATCH_WORDS * me + WORD_FRESH] == 1u);
    stop = runs ? numbers.at[BATCH_NUMBERS * me + NUMBER_STOP] : real(0);
    scale = runs ? numbers.at[BATCH_NUMBERS * me + NUMBER_SCALE] : real(0);
    k = runs ? word.at[BATCH_WORDS * me + WORD_ITERATION] : 0u;
    scalar_t total[SUMS] = sums_of_residual();
    rho = real_part(total[0]);
    rr = real_part(total[1]);
    set_state();
    if (runs && state != STATE_RUNNING) {
        leave();
        runs = false;
    }
    uint turn = 0;
    while (some(runs)) {
        turn++;
        runs = iterate(runs, turn == turns);
    }
}
