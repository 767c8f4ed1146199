/* Preconditioned conjugate gradients: Saad, "Iterative methods for sparse linear systems", algorithm 9.1, in
 * three dispatches an iteration: shaders/sparse/spmv_*_dot.comp, shaders/solver/cg_update.comp and
 * cg_direction.comp. The notation is Saad's. If M is diagonal, z = M^-1 r is never stored.
 *
 *   q = A p            p.q                            spmv_dot       matrix + 2n
 *   alpha = rho / p.q  r -= alpha q    rho' = r.z     cg_update      4n (3n)
 *   x += alpha p       p = z + (rho' / rho) p         cg_direction   6n (5n without a preconditioner)
 *
 * Any other M has its own dispatches between the last two, which also compute r . z. Then cg_direction reads
 * z instead of r.
 *
 * In CSR, if several lanes sum a row, the first dispatch becomes two, with another 2n. Systems of millions of
 * unknowns need additional small dispatches that add up partial sums. */
#include "solvers/method/cg.h"
#include "solvers/method/form.h"

#include <math.h>

/* Rows of sums. */
enum { P_Q, R_Z, R_R, ROWS };
/* In the order of shaders/solver/cg.glsl. */
enum { RHO, PQ, ALPHA, RHO_OLD, NUMBERS };

/* Allocates z once, if M is, or may become, one that kernels cannot apply themselves. */
static void take_z(struct krylov *k)
{
    struct cg *own = k->own;
    if ((!k->M->is_diagonal || k->M_changes) && !own->z.at)
        own->z = krylov_vec(k);
}

static void room(struct krylov *k)
{
    struct cg *own = k->own = room_host(k->room, sizeof *own, "conjugate gradients");
    if (!own)
        return;
    own->w = (cg_numbers)(uintptr_t)state_method(k->state);
    own->p = k->partners ? partners_vec(k->partners, k->r.precision, k->room) : krylov_vec(k);
    own->q = krylov_vec(k);
    take_z(k);
    if (!k->partners)
        return;
    allreduce_open(&own->of_start, k->partners, k->r.precision, 2, k->room);
    allreduce_open(&own->of_product, k->partners, k->r.precision, 1, k->room);
    allreduce_open(&own->of_residual, k->partners, k->r.precision, 2, k->room);
    own->of_residual.begins_exchange = true;
}

/* The form of M may change with its values. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct cg *own = k->own;
    own->form = form_of(k->M);
    take_z(k);
    (void)f;
    return k->room->status;
}

/* Returns z, or r if a kernel computes z from it. */
static struct vec direction_of(const struct krylov *k)
{
    return k->M->is_diagonal ? k->r : cg_of(k)->z;
}

/* With partners, cg_start has computed only the sums of this process. */
static void begin_with_all(struct rec *r, const struct krylov *k)
{
    struct cg *own = k->own;
    record_allreduce(r, &own->of_start, &k->sums, R_Z, OF_CHUNKS_BEHIND_TILES);
    run_always(r, cg_begin, 1, .c = krylov_control(k), .w = own->w, .whole = allreduce_sums(&own->of_start));
    partners_exchange(r, k->partners, own->p);
}

static void start(struct rec *r, const struct krylov *k)
{
    const struct cg *own = cg_of(k);
    if (own->form == FORM_GIVEN)
        precond_apply(r, k->M, k->r, own->p);
    run_always(r, cg_start, groups_tiles(k->r.n), .c = krylov_control(k), .w = own->w, .r = vec_reals(k->r),
               .d = vec_reals(k->M->diagonal.d), .p = vec_reals(own->p), .s = reduction_sums(&k->sums),
               .t = reduction_tickets(&k->sums), .n = k->r.n, .stride = k->sums.stride,
               .form = cg_plain_form(own));
    bill(r, (cg_plain_form(own) == FORM_EACH ? 3 : 2) * vec_bytes(k->r));
    if (k->partners)
        begin_with_all(r, k);
}

/* Sends the boundary of z to the partners, which compute their own p from it. */
static void send(struct rec *r, const struct krylov *k)
{
    const struct partners *w = k->partners;
    run_always(r, cg_boundary, groups_each(w->sends), .r = vec_reals(direction_of(k)),
               .d = vec_reals(k->M->diagonal.d), .index = w->index,
               .to = (reals)(uintptr_t)w->outgoing.address, .n = w->sends, .form = cg_of(k)->form);
}

/* Receives the partners' p, for the product of this process. */
static void receive(struct rec *r, const struct krylov *k)
{
    const struct partners *w = k->partners;
    struct vec p = cg_of(k)->p;
    uint32_t before = w->with->before, n = before + w->with->after;
    partners_await(r, k->partners);
    run_always(r, cg_ghosts, groups_each(n), .w = cg_of(k)->w, .z = (reals)(uintptr_t)w->incoming.address,
               .p = vec_reals(partners_wide(w, p)), .n = n, .before = before, .own = p.n);
}

/* `comes`: SUMS_..., the form of the sums of p . q. */
static void update(struct rec *r, const struct krylov *k, uint32_t comes)
{
    struct cg *own = k->own;
    run_always(r, cg_update, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .r = vec_reals(k->r), .q = vec_reals(own->q), .d = vec_reals(k->M->diagonal.d),
               .s = reduction_sums(&k->sums), .whole = allreduce_sums(&own->of_product), .n = k->r.n,
               .stride = k->sums.stride, .form = own->form, .comes = comes);
    bill(r, (own->form == FORM_EACH ? 4 : 3) * vec_bytes(k->r));
    if (own->form == FORM_GIVEN)
        precond_apply_dot(r, k->M, k->r, own->z, &k->sums, R_Z);
    if (!k->partners) {
        stripe_levels(r, &k->sums, k->r.n, R_Z, 2);
        return;
    }
    send(r, k);
    record_allreduce(r, &own->of_residual, &k->sums, R_Z, OF_STRIPES);
}

static void direct(struct rec *r, const struct krylov *k)
{
    const struct cg *own = cg_of(k);
    run_always(r, cg_direction, few_groups(groups_each(k->r.n)), .c = krylov_control(k), .w = own->w,
               .x = vec_reals(k->x), .p = vec_reals(own->p), .r = vec_reals(direction_of(k)),
               .d = vec_reals(k->M->diagonal.d), .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .whole = allreduce_sums(&own->of_residual), .n = k->r.n,
               .stride = k->sums.stride, .kept = k->history.n, .form = own->form,
               .comes = k->partners ? SUMS_WHOLE : SUMS_IN_STRIPES);
    bill(r, (own->form == FORM_EACH ? 6 : 5) * vec_bytes(k->r));
}

/* q = A p, and the sums of p . q. Returns SUMS_..., the form of these sums. */
static uint32_t multiply(struct rec *r, const struct krylov *k)
{
    struct cg *own = k->own;
    if (!k->partners)
        return spmv_dot(r, k->A, &k->sums, own->p, own->q) ? SUMS_IN_STRIPES : SUMS_IN_TILES;
    struct vec wide = partners_wide(k->partners, own->p);
    bool striped = spmv_sums(r, k->A, &k->sums, wide, own->p, own->q);
    record_allreduce(r, &own->of_product, &k->sums, P_Q, striped ? OF_STRIPES : OF_TILES);
    return SUMS_WHOLE;
}

/* cg_update and cg_direction check the state themselves: the last iteration's step runs after its end. */
static void unit(struct rec *r, const struct krylov *k)
{
    uint32_t comes = multiply(r, k);
    update(r, k, comes);
    direct(r, k);
    if (k->partners)
        receive(r, k);
}

/* q is unused between iterations. If the recurrence and the new residual differ, p changes by M^-1 times the
 * difference. This loses the fewest bits in f32 (docs/internals/solves.md). */
static void set_aside(struct rec *r, const struct krylov *k)
{
    const struct cg *own = cg_of(k);
    run(r, cg_keep, groups_each(k->r.n), .p = vec_reals(own->p), .r = vec_reals(direction_of(k)),
        .d = vec_reals(k->M->diagonal.d), .q = vec_reals(own->q), .n = k->r.n, .form = cg_plain_form(own));
    bill(r, (cg_plain_form(own) == FORM_EACH ? 4 : 3) * vec_bytes(k->r));
}

static void take_up(struct rec *r, const struct krylov *k, number scale)
{
    axpy(r, scale, cg_of(k)->q, cg_of(k)->p);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    double pq = e->last->method[PQ], rho = e->last->method[RHO];
    uint32_t iteration = e->last->control.iteration;
    if (e->last->control.state == STATE_NOT_POSITIVE && rho < 0)
        diagnosis_detail(f, "r.z = %.3e in iteration %u: A or its preconditioner is not positive definite",
                         rho, iteration);
    else if (e->last->control.state == STATE_NOT_POSITIVE)
        diagnosis_detail(f, "p.Ap = %.3e in iteration %u", pq, iteration + 1);
    else if (e->reason == VKS_REASON_STAGNATED && rho == 0)
        diagnosis_detail(f, "r.z = 0 in iteration %u, and the residual is not", iteration);
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in iteration %u",
                         pq > 0 && isfinite(pq) ? iteration : iteration + 1);
}

static const struct resume resume = {set_aside, take_up};

const struct method method_cg = {.preconditioned = true,
                                 .use = PRECOND_FOR_POSITIVE,
                                 .rows = ROWS,
                                 .numbers = NUMBERS,
                                 .room = room,
                                 .update_values = update_values,
                                 .start = start,
                                 .unit = unit,
                                 .resume = &resume,
                                 .fused = &cg_fused,
                                 .explain = explain};
