#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "batch/batch.h"
#include "batch/bicgstab.h"
#include "solver/state.h"

/* BiCGStab with right preconditioning for each system of a batch: Saad, "Iterative methods for sparse linear systems",
 * algorithm 7.7, A replaced by A M^-1. The shadow vector is the residual with which a cycle begins. Traffic per
 * iteration: the matrices twice; per dispatch: y, r, p and the shadow vector read and written, d. */
ARGS {
    u32s    place; /* PLACE_... of each system */
    u32s    col;
    scalars val;
    scalars y;
    scalars r;
    scalars p;
    scalars d;
    scalars shadow;
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

scalar_t shadow_[TOGETHER_TILES];

/* The terms of r~ . r and r . r. */
scalar_t[SUMS] sums_of_residual()
{
    scalar_t v[SUMS][TOGETHER_TILES];
    EACH_ROW(u) {
        v[0][u] = mul(conj(shadow_[u]), r_[u]);
        v[1][u] = mul(conj(r_[u]), r_[u]);
    }
    return system_sums(v, 2u);
}

void take_sums(scalar_t total[SUMS], real omega)
{
    rho = real_part(total[0]);
    rr = real_part(total[1]);
    state = BICGSTAB_STATE_AFTER(finite(rr) && finite(rho), k, limit, rho, omega, rr, stop, real(BATCH_CEILING));
}

void begin(bool is_fresh)
{
    EACH_ROW(u) {
        bool is = row_of(u) < rows;
        p_[u] = is_fresh ? r_[u] : p_[u];
        shadow_[u] = is_fresh || !is ? r_[u] : shadow.at[at + row_of(u)];
        if (is && is_fresh)
            shadow.at[at + row_of(u)] = r_[u];
    }
    take_sums(sums_of_residual(), real(1));
}

/* A M^-1 v */
scalar_t[TOGETHER_TILES] product(scalar_t v[TOGETHER_TILES], bool runs)
{
    scalar_t q[TOGETHER_TILES];
    EACH_ROW(u)
        q[u] = mul(d_[u], v[u]);
    hold(q);
    EACH_ROW(u)
        q[u] = runs ? row_of_product(row_of(u)) : scalar_t(0);
    return q;
}

/* y = y + scale (alpha M^-1 p + omega M^-1 r), r = r - omega t */
void lower(real alpha, real omega, scalar_t t[TOGETHER_TILES])
{
    EACH_ROW(u) {
        y_[u] = (y_[u] + alpha * scale * mul(d_[u], p_[u])) + omega * scale * mul(d_[u], r_[u]);
        r_[u] = r_[u] - omega * t[u];
    }
}

void step_of_method(bool runs)
{
    scalar_t a_p[TOGETHER_TILES] = product(p_, runs), sum[SUMS][TOGETHER_TILES];
    EACH_ROW(u)
        sum[0][u] = mul(conj(shadow_[u]), a_p[u]);
    real divisor = real_part(system_sums(sum, 1u)[0]), alpha = divide(rho, divisor), before = rho;
    bool steps = runs && finite(divisor) && divisor != real(0);
    EACH_ROW(u)
        r_[u] = steps ? r_[u] - alpha * a_p[u] : r_[u];
    scalar_t t[TOGETHER_TILES] = product(r_, runs);
    EACH_ROW(u) {
        sum[0][u] = mul(conj(t[u]), r_[u]);
        sum[1][u] = mul(conj(t[u]), t[u]);
    }
    scalar_t total[SUMS] = system_sums(sum, 2u);
    real omega = real_part(total[1]) > real(0) ? divide(real_part(total[0]), real_part(total[1])) : real(0);
    if (steps)
        lower(alpha, omega, t);
    total = sums_of_residual();
    if (steps) {
        k++;
        take_sums(total, omega);
        real beta = divide(rho, before) * divide(alpha, omega);
        EACH_ROW(u)
            p_[u] = r_[u] + beta * (p_[u] - omega * a_p[u]);
    } else {
        state = finite(divisor) ? STATE_BREAKDOWN : STATE_NOT_FINITE;
    }
}
