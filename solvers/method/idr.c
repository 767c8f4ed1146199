/* IDR(4) with a preconditioner on the right: M. B. van Gijzen, P. Sonneveld, "Algorithm 913: An elegant
 * IDR(s) variant that efficiently exploits biorthogonality properties" (2011). The notation is theirs.
 * Products with A need no A^T, and A need not be symmetric. A cycle is five products: four directions, and a
 * step that minimises the residual.
 *
 *   k = 0 .. 3:
 *   c from m c = f    v = r - sum c_i G_i    U_k = omega M^-1 v + sum c_i U_i    (11 - 2k) n    idr_direction
 *   G_k = A U_k                                                                matrix + 2n    spmv
 *   the shadow sums of G_k                                                     n              idr_shadow
 *   G_k, U_k made orthogonal    r -= beta G_k    x += beta U_k    r.r          (8 + 2k) n     idr_step
 *
 *   t = A M^-1 r                                                               matrix + 2n    spmv
 *   t.t    t.r    r.r                                                          2n             idr_minimum
 *   omega = t.r / t.t    x += omega M^-1 r    r -= omega t    r.r, P r         6n             idr_end
 *
 * The shadow vectors P are signs from a hash, different in each start, so P g consists of sums and
 * differences of elements of g. With few rows, and after a breakdown, they are numbers
 * (shaders/solver/shadow.h). One pass computes all four shadow sums, which alone determine the triangular
 * system that makes G_k orthogonal.
 *
 * A system of fewer than four rows has one direction per row, since no more are independent. The other
 * columns of G and U stay zero, and have no effect.
 *
 * A non-diagonal preconditioner is applied between idr_direction and idr_combine, and before t. */
#include "shaders/solver/idr.h"
#include "solvers/method.h"
#include "solvers/method/form.h"

#include <math.h>

/* In the order of shaders/solver/idr.glsl; the triangle m and its right sides follow. */
enum { START, FAULT, OMEGA, ENDED, LEAST, MARKED, SINCE, PIVOT, SQUARE, NUMBERS };

/* Element indices in all columns of G and U fit in a word. */
enum { MOST_ROWS = UINT32_MAX / IDR_S };

struct idr {
    struct vec g, u; /* IDR_S columns */
    struct vec z, t; /* M^-1 r and A M^-1 r, or M^-1 v and v */
    struct vec best; /* the x of the least residual at the end of a cycle */
    uint32_t form;   /* FORM_... */
    idr_numbers w;
};

static void room(struct krylov *k)
{
    struct idr *own = k->own = room_host(k->room, sizeof *own, "IDR(4)");
    if (!own)
        return;
    if (k->r.n > MOST_ROWS) {
        k->room->status =
            fail(k->message, VKS_LIMIT, "idr takes at most %u rows; A has %u", MOST_ROWS, k->r.n);
        return;
    }
    own->w = (idr_numbers)(uintptr_t)state_method(k->state);
    own->g = room_vecs(k->room, k->r.n, IDR_S, k->r.precision, "columns of G");
    own->u = room_vecs(k->room, k->r.n, IDR_S, k->r.precision, "columns of U");
    own->z = krylov_vec(k);
    own->t = krylov_vec(k);
    own->best = krylov_vec(k);
}

/* The form of M may change with its values. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct idr *own = k->own;
    own->form = form_of(k->M);
    (void)f;
    return VKS_OK;
}

static void numbers_at_start(const struct krylov *k, double *number)
{
    number[START] = k->broke_down ? -(double)k->starts : k->starts;
    number[OMEGA] = 1;
}

static void start(struct rec *r, const struct krylov *k)
{
    const struct idr *own = k->own;
    number zero = state_zero(k->state);
    for (uint32_t i = 0; i < IDR_S; i++) {
        fill(r, zero, vec_column(own->g, i));
        fill(r, zero, vec_column(own->u, i));
    }
    run(r, idr_start, few_groups(stripes_of_elements(k->r.n)), .w = own->w, .r = vec_reals(k->r),
        .weight = vec_reals(k->weight), .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride,
        .weighted = k->weight.n > 0);
    bill(r, vec_bytes(k->r) + vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, 0, 1 + IDR_S);
}

static uint32_t directions_of(const struct krylov *k)
{
    return k->r.n < IDR_S ? k->r.n : IDR_S;
}

/* Records U_k. */
static void direct(struct rec *r, const struct krylov *k, uint32_t column)
{
    const struct idr *own = k->own;
    bool given = own->form == FORM_GIVEN;
    uint32_t columns = IDR_S - column;
    run_always(r, idr_direction, few_groups(groups_each(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .d = vec_reals(k->M->diagonal.d), .g = vec_all(own->g),
               .u = vec_all(own->u), .v = vec_reals(own->t), .x = vec_reals(k->x),
               .best = vec_reals(own->best), .history = vec_reals(k->history), .s = reduction_sums(&k->sums),
               .n = k->r.n, .stride = k->sums.stride, .kept = k->history.n, .k = column, .form = own->form);
    bill(r, ((given ? 2 + columns : 2 + 2 * columns) + (own->form == FORM_EACH)) * vec_bytes(k->r));
    if (!given)
        return;
    precond_apply(r, k->M, own->t, own->z);
    run(r, idr_combine, groups_each(k->r.n), .w = own->w, .z = vec_reals(own->z), .u = vec_all(own->u),
        .n = k->r.n, .k = column);
    bill(r, (2 + columns) * vec_bytes(k->r));
}

static void step(struct rec *r, const struct krylov *k, uint32_t column)
{
    const struct idr *own = k->own;
    bool makes_z = column == directions_of(k) - 1 && own->form != FORM_GIVEN;
    run(r, idr_shadow, few_groups(stripes_of_elements(k->r.n)), .w = own->w,
        .g = vec_reals(vec_column(own->g, column)), .s = reduction_sums(&k->sums), .n = k->r.n,
        .stride = k->sums.stride);
    stripe_levels(r, &k->sums, k->r.n, IDR_SHADOW, IDR_S + 1);
    run_always(r, idr_step, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .x = vec_reals(k->x), .r = vec_reals(k->r), .d = vec_reals(k->M->diagonal.d),
               .weight = vec_reals(k->weight), .g = vec_all(own->g), .u = vec_all(own->u),
               .z = vec_reals(own->z), .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride,
               .k = column, .form = own->form, .weighted = k->weight.n > 0);
    bill(r, (9 + 2 * column + makes_z + (makes_z && own->form == FORM_EACH)) * vec_bytes(k->r) +
                vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, IDR_RR, 1);
}

static void end_cycle(struct rec *r, const struct krylov *k)
{
    const struct idr *own = k->own;
    if (own->form == FORM_GIVEN)
        precond_apply(r, k->M, k->r, own->z);
    spmv(r, k->A, own->z, own->t);
    run_always(r, idr_minimum, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .t = vec_reals(own->t), .r = vec_reals(k->r), .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride, .kept = k->history.n);
    stripe_levels(r, &k->sums, k->r.n, IDR_MINIMUM, IDR_ROWS - IDR_MINIMUM);
    run_always(r, idr_end, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .x = vec_reals(k->x), .r = vec_reals(k->r), .z = vec_reals(own->z), .t = vec_reals(own->t),
               .weight = vec_reals(k->weight), .s = reduction_sums(&k->sums), .n = k->r.n,
               .stride = k->sums.stride, .weighted = k->weight.n > 0);
    bill(r, 8 * vec_bytes(k->r) + vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, 0, 1 + IDR_S);
}

static void unit(struct rec *r, const struct krylov *k)
{
    const struct idr *own = k->own;
    uint32_t directions = directions_of(k);
    for (uint32_t column = 0; column < directions; column++) {
        direct(r, k, column);
        spmv(r, k->A, vec_column(own->u, column), vec_column(own->g, column));
        step(r, k, column);
    }
    end_cycle(r, k);
}

static void finish(struct rec *r, const struct krylov *k)
{
    const struct idr *own = k->own;
    run_always(r, keep_best, groups_each(k->r.n), .c = krylov_control(k),
               .least = state_number(k->state, LEAST), .best = vec_reals(own->best), .x = vec_reals(k->x),
               .n = k->r.n);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    const double *number = e->last->method;
    uint32_t product = e->last->control.iteration + 1;
    if (e->reason == VKS_REASON_BREAKDOWN && number[FAULT] == IDR_NO_PIVOT)
        diagnosis_detail(
            f, "product %u: p.g = %.3e, where g.g = %.3e: a direction has no part in its shadow vector",
            product, number[PIVOT], number[SQUARE]);
    else if (e->reason == VKS_REASON_BREAKDOWN)
        diagnosis_detail(f, "product %u: t.r = %.3e, where t.t = %.3e and t = A M^-1 r", product,
                         number[PIVOT], number[SQUARE]);
    else if (e->reason == VKS_REASON_STAGNATED && number[SINCE] >= IDR_PATIENCE)
        diagnosis_detail(f, "the residual has not fallen by a tenth in %u products", IDR_PATIENCE);
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in product %u", product);
}

const struct method method_idr = {.preconditioned = true,
                                  .corrects = true,
                                  .rows = IDR_ROWS,
                                  .numbers = NUMBERS,
                                  .steps = IDR_S + 1,
                                  .sees_each = true,
                                  .room = room,
                                  .update_values = update_values,
                                  .numbers_at_start = numbers_at_start,
                                  .start = start,
                                  .unit = unit,
                                  .finish = finish,
                                  .explain = explain};
