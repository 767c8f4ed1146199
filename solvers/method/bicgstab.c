/* BiCGStab(4) with a preconditioner on the right: G. L. G. Sleijpen, D. R. Fokkema, "BiCGstab(l) for linear
 * equations involving unsymmetric matrices with complex spectrum" (1993). The notation is theirs, with q for
 * gamma. Products with A need no A^T, and A need not be symmetric. If the spectrum lies along the imaginary
 * axis, as with convection by central differences, steps of degree 4 still lower the residual. A cycle is
 * four iterations of two products each, and a step that minimises the residual.
 *
 *   j = 0 .. 3:
 *   beta = alpha rho_j / rho_j-1    u_i = r_i - beta u_i, i <= j    z = M^-1 u_j    (4 + 3j) n      direction
 *   u_j+1 = A z                                                                     matrix + 2n     spmv
 *   r~ . u_j+1                                                                      2n           dot_stripes
 *   alpha = rho_j / r~ . u_j+1    r_i -= alpha u_i+1, i <= j
 *   y += alpha u_0    z = M^-1 r_j    r.r                                           (7 + 3j) n      step
 *   r_j+1 = A z                                                                     matrix + 2n     spmv
 *   r~ . r_j+1, and after j = 3 all r_i . r_j instead                              2n, 5n          gram
 *
 *   q from the least squares    y += sum q_i r_i-1    r -= sum q_i r_i    u_0 -= sum q_i u_i
 *   r.r    r~ . r                                                                   15n             end
 *
 * x = M^-1 y, once at the end. A non-diagonal preconditioner is applied before the products. The shadow
 * vector r~ is the residual in the first start, and signs from a hash in later starts, different in each;
 * with few rows, and after a breakdown, its elements are numbers (shaders/solver/shadow.h). */
#include "shaders/solver/bicgstab.h"
#include "solvers/method.h"
#include "solvers/method/form.h"

/* In the order of shaders/solver/bicgstab.glsl; three more values of rho follow. */
enum { START, FAULT, OMEGA, ALPHA, ENDED, LEAST, MARKED, SINCE, PIVOT, RHO, NUMBERS = RHO + BICGSTAB_L };

/* Element indices in all columns of u fit in a word. */
enum { MOST_ROWS = UINT32_MAX / (BICGSTAB_L + 1) };

struct bicgstab {
    struct vec rest; /* r_1 to r_4; r_0 is k->r */
    struct vec u;    /* u_0 to u_4 */
    struct vec shadow;
    struct vec y, best; /* y = M x; the y of the least residual at the end of a cycle */
    struct vec z;       /* M^-1 times a vector, to which A is then applied */
    uint32_t form;      /* FORM_... */
    bicgstab_numbers w;
};

static void room(struct krylov *k)
{
    struct bicgstab *own = k->own = room_host(k->room, sizeof *own, "BiCGStab(4)");
    if (!own)
        return;
    if (k->r.n > MOST_ROWS) {
        k->room->status =
            fail(k->message, VKS_LIMIT, "bicgstab takes at most %u rows; A has %u", MOST_ROWS, k->r.n);
        return;
    }
    own->w = (bicgstab_numbers)(uintptr_t)state_method(k->state);
    own->rest = room_vecs(k->room, k->r.n, BICGSTAB_L, k->r.precision, "powers of A times the residual");
    own->u = room_vecs(k->room, k->r.n, BICGSTAB_L + 1, k->r.precision, "powers of A times the direction");
    own->shadow = krylov_vec(k);
    own->y = krylov_vec(k);
    own->best = krylov_vec(k);
    own->z = krylov_vec(k);
}

/* The form of M may change with its values. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct bicgstab *own = k->own;
    own->form = form_of(k->M);
    (void)f;
    return VKS_OK;
}

/* alpha is zero, so the first beta is zero. */
static void numbers_at_start(const struct krylov *k, double *number)
{
    number[START] = k->broke_down ? -(double)k->starts : k->starts;
    number[OMEGA] = 1;
    number[RHO + BICGSTAB_L - 1] = 1;
}

static void start(struct rec *r, const struct krylov *k)
{
    const struct bicgstab *own = k->own;
    run(r, bicgstab_start, few_groups(stripes_of_elements(k->r.n)), .w = own->w, .r = vec_reals(k->r),
        .weight = vec_reals(k->weight), .shadow = vec_reals(own->shadow), .u = vec_all(own->u),
        .y = vec_reals(own->y), .best = vec_reals(own->best), .s = reduction_sums(&k->sums), .n = k->r.n,
        .stride = k->sums.stride, .weighted = k->weight.n > 0);
    bill(r, 5 * vec_bytes(k->r) + vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, 0, 2);
}

static struct vec residual(const struct krylov *k, uint32_t j)
{
    const struct bicgstab *own = k->own;
    return j ? vec_column(own->rest, j - 1) : k->r;
}

/* Records u_j, and u_j+1 = A M^-1 u_j with its shadow sum. */
static void direct(struct rec *r, const struct krylov *k, uint32_t j)
{
    const struct bicgstab *own = k->own;
    struct vec product = vec_column(own->u, j + 1);
    run_always(r, bicgstab_direction, few_groups(groups_each(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .rest = vec_all(own->rest), .u = vec_all(own->u),
               .d = vec_reals(k->M->diagonal.d), .z = vec_reals(own->z), .y = vec_reals(own->y),
               .best = vec_reals(own->best), .history = vec_reals(k->history), .s = reduction_sums(&k->sums),
               .n = k->r.n, .stride = k->sums.stride, .kept = k->history.n, .j = j, .form = own->form);
    bill(r, (3 + 3 * j + (own->form != FORM_GIVEN) + (own->form == FORM_EACH)) * vec_bytes(k->r));
    if (own->form == FORM_GIVEN)
        precond_apply(r, k->M, vec_column(own->u, j), own->z);
    spmv(r, k->A, own->z, product);
    dot_stripes(r, &k->sums, BICGSTAB_GAMMA, product, own->shadow);
    stripe_levels(r, &k->sums, k->r.n, BICGSTAB_GAMMA, 1);
}

/* Subtracts alpha times the products from the residuals; r_j+1 = A M^-1 r_j. */
static void step(struct rec *r, const struct krylov *k, uint32_t j)
{
    const struct bicgstab *own = k->own;
    run_always(r, bicgstab_step, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .rest = vec_all(own->rest), .u = vec_all(own->u),
               .d = vec_reals(k->M->diagonal.d), .weight = vec_reals(k->weight), .y = vec_reals(own->y),
               .z = vec_reals(own->z), .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride,
               .j = j, .form = own->form, .weighted = k->weight.n > 0);
    bill(r, (6 + 3 * j + (own->form != FORM_GIVEN) + (own->form == FORM_EACH)) * vec_bytes(k->r) +
                vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, BICGSTAB_RR, 1);
    if (own->form == FORM_GIVEN)
        precond_apply(r, k->M, residual(k, j), own->z);
    spmv(r, k->A, own->z, residual(k, j + 1));
    if (j + 1 == BICGSTAB_L)
        return;
    dot_stripes(r, &k->sums, BICGSTAB_RHO, residual(k, j + 1), own->shadow);
    stripe_levels(r, &k->sums, k->r.n, BICGSTAB_RHO, 1);
}

static void end_cycle(struct rec *r, const struct krylov *k)
{
    const struct bicgstab *own = k->own;
    run_always(r, bicgstab_gram, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .rest = vec_all(own->rest), .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride, .kept = k->history.n);
    stripe_levels(r, &k->sums, k->r.n, BICGSTAB_GRAM, BICGSTAB_PRODUCTS);
    run_always(r, bicgstab_end, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .rest = vec_all(own->rest), .u = vec_all(own->u), .y = vec_reals(own->y),
               .shadow = vec_reals(own->shadow), .weight = vec_reals(k->weight),
               .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride,
               .weighted = k->weight.n > 0);
    bill(r, (5 + 15) * vec_bytes(k->r) + vec_bytes(k->weight));
    stripe_levels(r, &k->sums, k->r.n, 0, 2);
}

static void unit(struct rec *r, const struct krylov *k)
{
    for (uint32_t j = 0; j < BICGSTAB_L; j++) {
        direct(r, k, j);
        step(r, k, j);
    }
    end_cycle(r, k);
}

static void finish(struct rec *r, const struct krylov *k)
{
    const struct bicgstab *own = k->own;
    run_always(r, keep_best, groups_each(k->r.n), .c = krylov_control(k),
               .least = state_number(k->state, LEAST), .best = vec_reals(own->best), .x = vec_reals(own->y),
               .n = k->r.n);
    precond_apply(r, k->M, own->y, k->x);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    static const char *const what[] = {
        [BICGSTAB_NO_RHO] = "the residual is orthogonal to its shadow vector",
        [BICGSTAB_NO_GAMMA] = "A times a direction is orthogonal to the shadow vector",
        [BICGSTAB_NO_OMEGA] = "the last coefficient of the polynomial is zero"};
    static const char *const name[] = {
        [BICGSTAB_NO_RHO] = "r~.r", [BICGSTAB_NO_GAMMA] = "r~.u", [BICGSTAB_NO_OMEGA] = "omega = 0, r~.r"};
    const double *number = e->last->method;
    uint32_t iteration = e->last->control.iteration + 1, fault = (uint32_t)number[FAULT];
    if (e->reason == VKS_REASON_BREAKDOWN)
        diagnosis_detail(f, "iteration %u: %s = %.3e: %s", iteration, name[fault], number[PIVOT],
                         what[fault]);
    else if (e->reason == VKS_REASON_STAGNATED && e->last->control.state == STATE_STAGNATED)
        diagnosis_detail(f, "the residual has not fallen by a tenth in %u iterations", BICGSTAB_PATIENCE);
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in iteration %u", iteration);
}

const struct method method_bicgstab = {.preconditioned = true,
                                       .needs_linear = true,
                                       .corrects = true,
                                       .rows = BICGSTAB_ROWS,
                                       .numbers = NUMBERS,
                                       .steps = BICGSTAB_L,
                                       .products = 2,
                                       .sees_each = true,
                                       .room = room,
                                       .update_values = update_values,
                                       .numbers_at_start = numbers_at_start,
                                       .start = start,
                                       .unit = unit,
                                       .finish = finish,
                                       .explain = explain};
