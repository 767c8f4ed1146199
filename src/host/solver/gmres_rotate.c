#include "host/solver/control.h"
#include "host/solver/rows.h"
#include "shaders/solver/course_state.glsl"
#include "shaders/solver/gmres.h"

static scalar_t *at(const struct gmres_rotate_args *a, uint32_t column, uint32_t i)
{
    return a->e + (size_t)column * (a->m + 1) + i;
}

static void start(const struct gmres_rotate_args *a, real square)
{
    struct gmres_numbers *w = a->w;
    real norm = ROOT(square);
    w->column = w->combined = 0;
    w->unit = a->c->rr / square;
    w->inverse = 1 / norm;
    *at(a, GMRES_RIGHT, 0) = norm;
    if (!isfinite(w->inverse) || !isfinite(w->unit))
        a->c->state = STATE_NOT_FINITE;
}

/* Fetches the new column; returns the sum of its squares. */
static real fetch(const struct gmres_rotate_args *a, uint32_t j)
{
    real sum = 0;
    for (uint32_t i = 0; i <= j; i++) {
        scalar_t h = *at(a, GMRES_H, i) + *at(a, GMRES_AGAIN, i);
        *at(a, GMRES_R + j, i) = h;
        sum += magnitude_squared(h);
    }
    return sum;
}

static scalar_t turn(const struct gmres_rotate_args *a, uint32_t j)
{
    scalar_t top = *at(a, GMRES_R + j, 0);
    for (uint32_t i = 0; i < j; i++) {
        scalar_t below = *at(a, GMRES_R + j, i + 1);
        scalar_t cosine = *at(a, GMRES_COSINES, i), sine = *at(a, GMRES_SINES, i);
        *at(a, GMRES_R + j, i) = mul(conj(cosine), top) + mul(sine, below);
        top = mul(cosine, below) - mul(sine, top);
    }
    return top;
}

static uint32_t decide(const struct gmres_rotate_args *a, real norm)
{
    struct gmres_numbers *w = a->w;
    real rr = (norm * norm) * w->unit;
    course now = course_after(course(w->marked, w->since), rr);
    w->marked = now.marked;
    w->since = now.since;
    count_iteration(a->c, a->history, a->kept, rr);
    a->c->rr = rr;
    return course_state(a->c, a->c->iteration, rr, now, (real)COURSE_GROWTH, GMRES_PATIENCE);
}

static uint32_t rotate(const struct gmres_rotate_args *a, uint32_t j, real length, real next, real rounding)
{
    struct gmres_numbers *w = a->w;
    scalar_t top = turn(a, j);
    real pivot = ROOT(magnitude_squared(top) + next * next);
    w->next = next;
    w->whole = length;
    if (isfinite(pivot) && pivot <= rounding * length) {
        w->fault = GMRES_NO_PIVOT;
        w->combined = j;
        return STATE_BREAKDOWN;
    }
    scalar_t sine = next / pivot, right = -mul(sine, *at(a, GMRES_RIGHT, j));
    *at(a, GMRES_R + j, j) = pivot;
    *at(a, GMRES_COSINES, j) = divide(top, pivot);
    *at(a, GMRES_SINES, j) = sine;
    *at(a, GMRES_RIGHT, j + 1) = right;
    w->combined = isfinite(pivot) ? j + 1 : j;
    return decide(a, real_part(right));
}

static void solve_triangle(const struct gmres_rotate_args *a, uint32_t columns)
{
    scalar_t *y = at(a, GMRES_Y, 0);
    for (uint32_t i = 0; i < columns; i++)
        y[i] = mul(conj(*at(a, GMRES_COSINES, i)), *at(a, GMRES_RIGHT, i));
    for (uint32_t i = columns; i-- > 0;) {
        y[i] = divide(y[i], *at(a, GMRES_R + i, i));
        for (uint32_t k = 0; k < i; k++)
            y[k] -= mul(*at(a, GMRES_R + i, k), y[i]);
    }
}

static void undo_rotations(const struct gmres_rotate_args *a)
{
    scalar_t below = 1, *residual = at(a, GMRES_RESIDUAL, 0);
    for (uint32_t i = a->m; i-- > 0;) {
        residual[i + 1] = mul(conj(*at(a, GMRES_COSINES, i)), below);
        below = -mul(*at(a, GMRES_SINES, i), below);
    }
    *residual = below;
    *at(a, GMRES_RIGHT, 0) = *at(a, GMRES_RIGHT, a->m);
}

static void column_done(const struct gmres_rotate_args *a, real square)
{
    struct gmres_numbers *w = a->w;
    real rounding = (real)(sizeof(real) == 8 ? GMRES_ROUNDING_64 : GMRES_ROUNDING_32);
    uint32_t j = w->column;
    real length = ROOT(fetch(a, j) + square), next = ROOT(square);
    uint32_t state = rotate(a, j, length, isfinite(next) && next <= rounding * length ? 0 : next, rounding);
    bool is_last = state != STATE_RUNNING || j + 1 == a->m;
    w->combined = is_last ? w->combined : 0;
    w->column = is_last ? 0 : j + 1;
    w->inverse = 1 / next;
    a->c->state = state;
    solve_triangle(a, w->combined);
    if (is_last && state == STATE_RUNNING)
        undo_rotations(a);
}

KERNEL(gmres_rotate)
{
    if (!LEADS || !alive(a->c))
        return;
    real square = real_part(rest_of_stripes(a->s, tiles_of(a->n)));
    if (a->starts)
        start(a, square);
    else
        column_done(a, square);
}
