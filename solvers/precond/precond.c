#include "solvers/precond.h"
#include "operator/operator.h"

#include <assert.h>
#include <stdlib.h>

/* Checks that A, if an operator, provides what these options require. */
static vks_status check_operator(struct message *m, const vks_matrix *A, vks_precond_kind kind, bool in_f32)
{
    const struct user_operator *o = operator_of(A);
    if (!o)
        return VKS_OK;
    if (precond_of(kind)->needs_entries)
        return fail(m, VKS_UNSUPPORTED, "%s needs entries, which an operator does not have",
                    vks_precond_name(kind));
    if (kind == VKS_PRECOND_JACOBI && !o->diagonal)
        return fail(m, VKS_UNSUPPORTED, "jacobi needs the diagonal, which the operator was not given");
    if (in_f32 && A->context->device->info.kind == DEVICE_HOST && !o->call.f32)
        return fail(m, VKS_UNSUPPORTED,
                    "a preconditioner in f32 on the host needs the rows_f32 of the operator");
    return VKS_OK;
}

/* Checks one preconditioner, without those nested in it. */
static vks_status check_one(const vks_matrix *A, const vks_precond_options *o)
{
    struct message *m = &A->context->message;
    vks_precond_options resolved = *o;
    if ((unsigned)o->kind >= VKS_PRECOND_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "unknown preconditioner %d", (int)o->kind);
    if (o->kind == VKS_PRECOND_AUTO)
        resolved.kind = precond_auto(A, PRECOND_FOR_ANY);
    const struct precond_ops *ops = precond_of(resolved.kind);
    TRY(check_operator(m, A, resolved.kind, o->in_f32));
    TRY(precond_options_check(m, &resolved));
    return ops->check ? ops->check(m, A, &resolved) : VKS_OK;
}

vks_status precond_check(const vks_matrix *A, const vks_precond_options *o)
{
    for (uint32_t depth = 0; o; o = o->inner) {
        if (depth++ == VKS_LARGEST_NESTING)
            return fail(&A->context->message, VKS_INVALID_ARGUMENT, "more than %u preconditioners are nested",
                        VKS_LARGEST_NESTING);
        TRY(check_one(A, o));
    }
    return VKS_OK;
}

vks_status precond_create(const vks_matrix *A, enum precision p, enum precond_use use,
                          const vks_precond_options *o, struct diagnosis *f, struct precond **out)
{
    vks_precond_kind kind = o->kind == VKS_PRECOND_AUTO ? precond_auto(A, use) : o->kind;
    bool narrowed = o->in_f32 && real_precision(p) == PRECISION_F64;
    struct precond *M = *out = calloc(1, sizeof *M);
    if (!M)
        return fail_memory(&A->context->message, "a preconditioner", sizeof *M);
    *M = (struct precond){.ops = precond_of(narrowed ? PRECOND_NARROWED : kind),
                          .kind = kind,
                          .device = A->context->device,
                          .message = &A->context->message,
                          .A = A,
                          .precision = real_precision(p),
                          .use = use,
                          .linear = true,
                          .symmetric = true,
                          .levels = 1};
    room_open(&M->room, M->device);
    vks_status s = M->ops->setup(M, o, f);
    if (s) {
        precond_destroy(M);
        *out = NULL;
    }
    return s;
}

void precond_take_facts(struct precond *M, const struct precond *inner)
{
    M->linear = inner->linear;
    M->symmetric = inner->symmetric;
    M->method = inner->method;
    M->levels = inner->levels;
    M->hierarchy = inner->hierarchy;
    M->blocks = inner->blocks;
    M->largest_block = inner->largest_block;
    M->pivots_set = inner->pivots_set;
    M->steps = inner->steps;
    M->entries = inner->entries;
}

vks_status precond_refresh(struct precond *M, struct diagnosis *f)
{
    return M->ops->refresh ? M->ops->refresh(M, f) : VKS_OK;
}

void precond_solved(const struct precond *M, uint32_t iterations, double digits)
{
    if (M->ops->solved)
        M->ops->solved(M, iterations, digits);
}

void precond_destroy(struct precond *M)
{
    if (!M)
        return;
    if (M->ops->release)
        M->ops->release(M);
    room_close(&M->room);
    free(M);
}

vks_status precond_must_be_symmetric(const struct precond *M, const char *method)
{
    if (M->linear && M->symmetric)
        return VKS_OK;
    return fail(M->message, VKS_INVALID_ARGUMENT,
                "%s needs a preconditioner that is linear and symmetric; %s%s%s is not %s", method,
                vks_precond_name(M->kind), M->method ? " with " : "", M->method ? M->method : "",
                M->linear ? "symmetric" : "linear");
}

vks_status precond_must_be_linear(const struct precond *M, const char *method)
{
    if (M->linear)
        return VKS_OK;
    return fail(M->message, VKS_INVALID_ARGUMENT, "%s needs a preconditioner that is linear; %s%s%s is not",
                method, vks_precond_name(M->kind), M->method ? " with " : "", M->method ? M->method : "");
}

uint64_t precond_bytes(const struct precond *M)
{
    return M->room.bytes + M->bytes;
}

const struct precond *precond_in(const struct precond *M, enum precision p)
{
    if (M->precision == p)
        return M;
    return M->narrow && M->narrow->precision == p ? M->narrow : NULL;
}

static void check(const struct precond *M, struct vec in, struct vec out)
{
    assert(vecs_fit(in, out) && in.precision == M->precision && in.n == M->A->csr.n && in.at != out.at);
    (void)M, (void)in, (void)out;
}

void precond_apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    check(M, in, out);
    enum precision before = rec_precision(r, M->precision);
    M->ops->apply(r, M, in, out);
    r->precision = before;
}

void precond_apply_dot(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                       const struct reduction *sums, uint32_t row)
{
    check(M, in, out);
    enum precision before = rec_precision(r, M->precision);
    if (M->ops->apply_dot) {
        M->ops->apply_dot(r, M, in, out, sums, row);
    } else {
        M->ops->apply(r, M, in, out);
        dot_stripes(r, sums, row, in, out);
    }
    r->precision = before;
}
