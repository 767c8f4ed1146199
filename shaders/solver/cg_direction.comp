#define SUMS 2
#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/cg.glsl"

/* rho' = r . z, beta = rho' / rho, x = x + alpha p, p = M^-1 r + beta p, and the stopping test. x is updated here,
 * where p is read anyway: even in the iteration that ends the solve, so `pending`, not the state, decides. Traffic: x,
 * p, r and d read, x and p written: 6n (5n without a preconditioner, or if d is the same in all rows). */
ARGS {
    control    c;
    cg_numbers w;
    scalars    x;
    scalars    p;
    scalars    r;
    scalars    d; /* 1 / diagonal */
    reals      history; /* r . r of each iteration, the first `kept` */
    sums       s; /* in rows, `stride` apart */
    scalars    whole; /* r . z and r . r, for SUMS_WHOLE */
    uint       n;
    uint       stride;
    uint       kept;
};
CONSTANT(1, form);  /* FORM_...; for FORM_GIVEN, r is z */
CONSTANT(2, comes); /* SUMS_IN_STRIPES or SUMS_WHOLE: form of the sums */

void finish(real rho, real rr)
{
    uint k = c.iteration + 1;
    if (k <= kept)
        history.at[k - 1] = rr;
    w.rho = rho;
    c.rr = rr;
    c.iteration = k;
    c.seen = k;
    c.state = state_after(c, k, rho, rr);
}

/* Four loaded elements, a grid apart. */
struct four {
    scalar_t x[4], p[4], r[4], d[4];
};

uint grid()
{
    return gl_NumWorkGroups.x * 256u;
}

four four_at(uint first, scalar_t same)
{
    four e;
    for (uint u = 0; u < 4; u++) {
        uint i = first + u * grid();
        e.x[u] = i < n ? x.at[i] : scalar_t(0);
        e.p[u] = i < n ? p.at[i] : scalar_t(0);
        e.r[u] = i < n ? r.at[i] : scalar_t(0);
        e.d[u] = i < n && form == FORM_EACH ? d.at[i] : same;
    }
    return e;
}

void main()
{
    uint first = gl_WorkGroupID.x * 256u + ME, tiles = tiles_of(n);
    uint pending = w.pending; /* all loads are issued before the first result is needed */
    real alpha = w.alpha, rho_old = w.rho_old;
    scalar_t same = form == FORM_ONE ? d.at[0] : scalar_of(real(1));
    four e = four_at(first, same);
    scalar_t total[2];
    if (comes == SUMS_WHOLE)
        total = scalar_t[2](whole.at[0], whole.at[1]);
    else
        total = rest_of_stripes(s, tiles, stride, stride, gl_WorkGroupID.x == 0 ? 2 : 1);
    if (pending != PENDING_STEP) {
        if (pending == PENDING_BREAKDOWN && gl_WorkGroupID.x == 0 && ME == 0)
            c.state = finite(w.pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
        return;
    }
    real beta = divide(real_part(total[0]), rho_old);
    for (; first < n; first += 4u * grid()) {
        if (first != gl_WorkGroupID.x * 256u + ME)
            e = four_at(first, same);
        for (uint u = 0; u < 4; u++) {
            uint i = first + u * grid();
            scalar_t z = form == FORM_EACH || form == FORM_ONE ? mul(e.d[u], e.r[u]) : e.r[u];
            if (i < n) {
                x.at[i] = e.x[u] + alpha * e.p[u];
                p.at[i] = z + beta * e.p[u];
            }
        }
    }
    if (gl_WorkGroupID.x == 0 && ME == 0)
        finish(real_part(total[0]), real_part(total[1]));
}
