#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "batch/batch.h"
#include "solver/cg.h"
#include "solver/state.h"

/* Conjugate gradients for each system of a batch. Operations, sums and bits are those of spmv_..._dot, cg_update and
 * cg_direction with one lane a row. Traffic per iteration: the matrices; per dispatch: y, r, p read and written, d. */
ARGS {
    u32s    place; /* PLACE_... of each system */
    u32s    col;
    scalars val;
    scalars y;
    scalars r;
    scalars p;
    scalars d;
    u32s    word;    /* WORD_... of each system */
    reals   numbers; /* NUMBER_... of each system */
    uint    first;   /* of the systems of this dispatch */
    uint    end;
    uint    limit; /* iterations of a system */
    uint    turns; /* iterations of this dispatch */
};
CONSTANT(1, squads);
CONSTANT(2, spread);

#include "batch/method.glsl"

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

void take_sums(scalar_t total[SUMS])
{
    rho = real_part(total[0]);
    rr = real_part(total[1]);
    state = CG_STATE_AFTER(finite(rr) && finite(rho), k, limit, rho, rr, stop, real(BATCH_CEILING));
}

void begin(bool is_fresh)
{
    EACH_ROW(u)
        p_[u] = is_fresh ? mul(d_[u], r_[u]) : p_[u];
    take_sums(sums_of_residual());
}

/* y = y + scale alpha p, p = z + beta p */
void direct(real alpha, real beta)
{
    EACH_ROW(u) {
        y_[u] = y_[u] + alpha * p_[u];
        p_[u] = mul(d_[u], r_[u]) + beta * p_[u];
    }
}

void step_of_method(bool runs)
{
    scalar_t q[TOGETHER_TILES], v[SUMS][TOGETHER_TILES];
    hold(p_);
    EACH_ROW(u) {
        q[u] = runs ? row_of_product(row_of(u)) : scalar_t(0);
        v[0][u] = mul(conj(p_[u]), q[u]);
    }
    real pq = real_part(system_sums(v, 1u)[0]), alpha = divide(rho, pq), before = rho;
    bool steps = runs && finite(pq) && pq > real(0);
    EACH_ROW(u)
        r_[u] = steps ? r_[u] - alpha * q[u] : r_[u];
    scalar_t total[SUMS] = sums_of_residual();
    if (steps) {
        k++;
        take_sums(total);
        direct(alpha * scale, divide(rho, before));
    } else {
        state = finite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
    }
}
