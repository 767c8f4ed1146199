#include "kernel.glsl"
#include "exact.glsl"
#include "sum.glsl"
#include "multigrid/rounding.glsl"
#include "multigrid/sweep.glsl"

/* The columns of the pivots k, k + 1 ... (SWEEP_PIVOTS of them), each at the time when its pivot is swept, after the
 * earlier ones: panel[q n + i] for row i of pivot k + q; and the factors of each pivot. One workgroup, and n <=
 * SWEEP_MOST.
 *
 * A pivot is x' A x, where x is 1 in its row, zero in later rows, and solves the earlier equations. If that is zero up
 * to rounding, the pivot is dropped: its row and column become zero. So a singular matrix gets a generalised inverse.
 * Rounding is relative to the sum of x_i^2 reference[i] over the rows: lane l takes the rows l, l + 32 ..., a halving
 * tree follows, and the row of the pivot is added last. Other negative pivots are kept, so an indefinite matrix has an
 * indefinite inverse, which a method detects. Traffic: 16 n. */
ARGS {
    reals matrix;    /* its pivots before k are swept */
    reals reference; /* x' D x for the unknown of each row */
    reals panel;
    reals factors;
    uint  n;
    uint  k;
};

#define OWN (SWEEP_MOST / 256u)

shared real term[SWEEP_MOST];
shared real pivot_row[SWEEP_PIVOTS];

real own[OWN][SWEEP_PIVOTS]; /* rows ME, ME + 256 ... */

/* Publishes the column of pivot q, and its row in the other columns. */
void show(uint q)
{
    [[unroll]] for (uint s = 0; s < OWN; s++) {
        uint i = ME + 256u * s;
        if (i >= n)
            continue;
        real x = own[s][q];
        panel.at[n * q + i] = x;
        term[i] = i < k + q ? (x * x) * reference.at[i] : real(0);
        if (i == k + q)
            [[unroll]] for (uint p = 0; p < SWEEP_PIVOTS; p++)
                pivot_row[p] = own[s][p];
    }
}

sweep decide_sweep(uint q)
{
    real sum = real(0), pivot = pivot_row[q];
    for (uint i = LANE; i < k + q; i += 32u)
        sum = sum + term[i];
    real size = squad_sum(sum) + reference.at[k + q];
    real inverse = is_rounding(pivot, size) ? real(0) : divide(real(1), pivot);
    if (ME == 0) {
        factors.at[SWEEP_FACTORS * q] = pivot;
        factors.at[SWEEP_FACTORS * q + 1u] = inverse;
    }
    return sweep_of(pivot, inverse);
}

void sweep_own(sweep w, uint q)
{
    [[unroll]] for (uint s = 0; s < OWN; s++) {
        real c = own[s][q];
        bool is_row = ME + 256u * s == k + q;
        [[unroll]] for (uint p = 0; p < SWEEP_PIVOTS; p++)
            if (p != q)
                own[s][p] = is_row ? swept_row(w, pivot_row[p]) : swept(w, own[s][p], c, pivot_row[p]);
        own[s][q] = is_row ? w.inverse : swept_column(w, c);
    }
}

void main()
{
    [[unroll]] for (uint s = 0; s < OWN; s++)
        [[unroll]] for (uint p = 0; p < SWEEP_PIVOTS; p++) {
            uint i = ME + 256u * s;
            own[s][p] = i < n && k + p < n ? matrix.at[n * i + k + p] : real(0);
        }
    [[unroll]] for (uint q = 0; q < SWEEP_PIVOTS; q++)
        if (k + q < n) {
            show(q);
            barrier();
            sweep_own(decide_sweep(q), q);
            barrier();
        }
}
