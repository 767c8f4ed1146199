#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "exact.glsl"
#include "solver/gmres.glsl"
#include "solver/course_state.glsl"

/* One workgroup: rotates column j of the Hessenberg matrix into the triangle, and updates the state from the residual's
 * norm. At the end of m columns, or of the iterations, the triangle gives the coefficients of the correction, and the
 * rotations the residual's. With `starts` it only sets the norm of the first residual. Traffic: independent of n. */
ARGS {
    control       c;
    gmres_numbers w;
    scalars       e;       /* GMRES_...: columns of m + 1 */
    reals         history; /* r . r of each iteration, the first `kept` */
    sums          s;
    uint          n;
    uint          m;
    uint          kept;
};
CONSTANT(1, starts);

uint at(uint column, uint i)
{
    return column * (m + 1u) + i;
}

shared scalar_t h[GMRES_MOST], cosines[GMRES_MOST], sines[GMRES_MOST], rights[GMRES_MOST + 1], y[GMRES_MOST];
shared scalar_t residual[GMRES_MOST + 1];
shared uint columns; /* columns in the correction; 0: the next column follows */
shared bool again;   /* and a new basis follows */

void start(real square)
{
    real norm = square_root(square);
    w.column = 0;
    w.combined = 0;
    w.unit = divide(c.rr, square);
    w.inverse = divide(real(1), norm);
    e.at[at(GMRES_RIGHT, 0)] = scalar_of(norm);
    if (!finite(w.inverse) || !finite(w.unit))
        c.state = STATE_NOT_FINITE;
}

/* Applies the earlier rotations to h; returns the element for the new rotation. The rows of a rotation are (conj(c), s)
 * and (-s, c), where s is real. */
scalar_t turn(uint j)
{
    scalar_t top = h[0];
    for (uint i = 0; i < j; i++) {
        scalar_t below = h[i + 1u];
        h[i] = mul(conj(cosines[i]), top) + mul(sines[i], below);
        top = mul(cosines[i], below) - mul(sines[i], top);
    }
    return top;
}

uint decide(real norm)
{
    real rr = (norm * norm) * w.unit;
    course now = course_after(course(w.marked, w.since), rr);
    w.marked = now.marked;
    w.since = now.since;
    count_iteration(c, history, kept, rr);
    c.rr = rr;
    return course_state(c, c.iteration, rr, now, real(COURSE_GROWTH), GMRES_PATIENCE);
}

/* Computes the rotation that zeroes `next`, and the state after iteration j. */
uint rotate(uint j, real length, real next, real rounding)
{
    scalar_t top = turn(j);
    real pivot = square_root(magnitude_squared(top) + next * next);
    w.next = next;
    w.whole = length;
    if (finite(pivot) && pivot <= rounding * length) {
        w.fault = real(GMRES_NO_PIVOT);
        columns = j;
        return STATE_BREAKDOWN;
    }
    scalar_t sine = scalar_of(divide(next, pivot));
    h[j] = scalar_of(pivot);
    cosines[j] = e.at[at(GMRES_COSINES, j)] = divide(top, pivot);
    sines[j] = e.at[at(GMRES_SINES, j)] = sine;
    rights[j + 1u] = e.at[at(GMRES_RIGHT, j + 1u)] = -mul(sine, rights[j]);
    columns = finite(pivot) ? j + 1u : j;
    return decide(real_part(rights[j + 1u]));
}

/* Completes column j; `square` is the square of its last element. */
void column_done(uint j, real square)
{
#if REAL == 64
    real rounding = real(GMRES_ROUNDING_64);
#else
    real rounding = real(GMRES_ROUNDING_32);
#endif
    real sum = real(0);
    for (uint i = 0; i <= j; i++)
        sum += magnitude_squared(h[i]);
    real length = square_root(sum + square), next = square_root(square);
    uint state = rotate(j, length, finite(next) && next <= rounding * length ? real(0) : next, rounding);
    bool is_last = state != STATE_RUNNING || j + 1u == m;
    again = is_last && state == STATE_RUNNING;
    columns = is_last ? columns : 0;
    w.combined = columns;
    w.column = is_last ? 0 : j + 1u;
    w.inverse = divide(real(1), next);
    c.state = state;
}

/* y from R y = g, g_i = cosine_i right_i; column j of R is h. Called by the whole workgroup. */
void solve_triangle(uint j)
{
    if (ME < columns)
        y[ME] = mul(conj(cosines[ME]), rights[ME]);
    for (uint step = 0; step < columns; step++) {
        uint i = columns - 1u - step;
        barrier();
        if (ME == i)
            y[i] = divide(y[i], i == j ? h[i] : e.at[at(GMRES_R + i, i)]);
        barrier();
        if (ME < i)
            y[ME] -= mul(i == j ? h[ME] : e.at[at(GMRES_R + i, ME)], y[i]);
    }
    barrier();
    if (ME < columns)
        e.at[at(GMRES_Y, ME)] = y[ME];
}

/* The residual over its signed norm, in terms of the m + 1 columns: the rotations undone. */
void undo_rotations()
{
    scalar_t below = scalar_of(real(1));
    for (uint step = 0; step < m; step++) {
        uint i = m - 1u - step;
        residual[i + 1u] = mul(conj(cosines[i]), below);
        below = -mul(sines[i], below);
    }
    residual[0] = below;
    e.at[at(GMRES_RIGHT, 0)] = rights[m];
}

void main()
{
    bool is_alive = alive_together(c);
    if (!is_alive)
        return;
    uint j = w.column;
    scalar_t total[SUMS] = rest_of_stripes(s, tiles_of(n), 0, 0, 1);
    if (starts != 0) {
        if (ME == 0)
            start(real_part(total[0]));
        return;
    }
    if (ME <= j) {
        h[ME] = e.at[at(GMRES_H, ME)] + e.at[at(GMRES_AGAIN, ME)];
        cosines[ME] = e.at[at(GMRES_COSINES, ME)];
        sines[ME] = e.at[at(GMRES_SINES, ME)];
        rights[ME] = e.at[at(GMRES_RIGHT, ME)];
    }
    barrier();
    if (ME == 0)
        column_done(j, real_part(total[0]));
    barrier();
    if (ME <= j)
        e.at[at(GMRES_R + j, ME)] = h[ME];
    if (columns != 0)
        solve_triangle(j);
    if (again && ME == 0)
        undo_rotations();
    barrier();
    if (again && ME <= m)
        e.at[at(GMRES_RESIDUAL, ME)] = residual[ME];
}
