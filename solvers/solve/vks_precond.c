/* vks_precond: a preconditioner held by a program, for one matrix and any number of solves. */
#include "abi/abi.h"
#include "abi/environment.h"
#include "device/call.h"
#include "operator/operator.h"
#include "report/clock.h"
#include "solvers/levels.h"
#include "solvers/solve/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Holds the CSR of A, if it has entries. */
static vks_status hold(const vks_matrix *A)
{
    return operator_of(A) ? VKS_OK : csr_acquire(A);
}

static vks_status check_matrix(const vks_matrix *A, const vks_precond_options *o)
{
    struct message *m = &A->context->message;
    if (A->csr.n != A->csr.cols)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u; a preconditioner needs a square matrix", A->csr.n,
                    A->csr.cols);
    if (matrix_in_pairs(A))
        return fail(m, VKS_UNSUPPORTED,
                    "%s has no 64-bit floats: a preconditioner there needs a matrix of VKS_F32",
                    A->context->device->info.name);
    return precond_check(A, o);
}

/* Makes M, replacing the current one. */
static vks_status make(vks_precond *P)
{
    struct precond *M;
    enum precision stored = matrix_precision(P->A);
    TRY(precond_create(P->A, real_precision(stored), PRECOND_FOR_ANY, &P->options.of[0], &P->diagnosis, &M));
    P->remade += P->M != NULL;
    precond_destroy(P->M);
    P->M = M;
    P->stored = stored;
    return VKS_OK;
}

/* The progress of a set-up, for the program's progress function. */
struct setup_progress {
    const vks_precond_options *options;
    double begun;
    uint32_t steps;
};

static bool is_cancelled(void *user)
{
    struct setup_progress *t = user;
    vks_progress p = {++t->steps, NAN, NAN, clock_seconds() - t->begun};
    struct visit visit = callers_enter();
    int stop = t->options->progress(t->options->user, &p);
    callers_leave(visit);
    return stop != 0;
}

/* Makes M, or updates its values. */
static vks_status update_values(vks_precond *P)
{
    struct setup_progress setup = {.options = &P->options.of[0], .begun = clock_seconds()};
    diagnosis_clear(&P->diagnosis);
    P->diagnosis.caller = (struct caller){setup.options->progress ? is_cancelled : NULL, &setup};
    vks_status s = hold(P->A);
    IF_OK(s, P->M && !shared_is_outdated(P) ? precond_refresh(P->M, &P->diagnosis) : make(P));
    csr_release(P->A);
    P->diagnosis.caller = (struct caller){0};
    if (s)
        diagnosis_refuse(&P->diagnosis, VKS_REASON_NOT_FINITE, UINT32_MAX,
                         "the preconditioner has no values: %s", P->context->message.text);
    P->version++;
    P->seconds_setup = clock_seconds() - setup.begun;
    return s;
}

static vks_status create(const vks_matrix *A, const vks_precond_options *o, vks_precond **M)
{
    struct message *m = &A->context->message;
    TRY(check_matrix(A, o));
    vks_precond *P = calloc(1, sizeof *P);
    if (!P)
        return fail_memory(m, "a preconditioner", sizeof *P);
    P->context = A->context;
    P->A = own_matrix(A);
    P->A->kept++;
    P->references = 1;
    context_retain(P->context);
    precond_copy_options(&P->options, o);
    vks_status s = precond_copy_arrays(m, A->csr.n, &P->options);
    IF_OK(s, update_values(P));
    if (!s)
        *M = P;
    else
        shared_release(P);
    return s;
}

vks_status vks_precond_create_as(uint32_t header, const vks_matrix *A, const vks_precond_options *options,
                                 vks_precond **M)
{
    static const vks_precond_options defaults = {.kind = VKS_PRECOND_AUTO};
    vks_status s = A ? context_begin_as(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!s && !M)
        s = fail(&A->context->message, VKS_INVALID_ARGUMENT, "M is NULL");
    if (M)
        *M = NULL;
    return s ? s : create(A, options ? options : &defaults, M);
}

bool shared_is_outdated(const vks_precond *M)
{
    return M->stored != matrix_precision(M->A);
}

void shared_retain(vks_precond *M)
{
    if (M)
        M->references++;
}

void shared_release(vks_precond *M)
{
    if (!M || --M->references)
        return;
    precond_destroy(M->M);
    vks_matrix_destroy(M->A);
    context_release(M->context);
    precond_free_arrays(&M->options);
    free(M);
}

void vks_precond_destroy(vks_precond *M)
{
    shared_release(M);
}

static vks_status refuse_if_outdated(const vks_precond *M)
{
    if (!shared_is_outdated(M))
        return VKS_OK;
    return fail(&M->context->message, VKS_INVALID_ARGUMENT,
                "the matrix of the preconditioner has new values, which are stored in another precision: "
                "call vks_precond_update first");
}

vks_status shared_for(const vks_precond *M, vks_context *context, uint32_t n, enum precision p,
                      const struct precond **out)
{
    struct message *m = &context->message;
    *out = precond_in(M->M, p);
    if (M->context != context)
        return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner belongs to another context");
    if (M->A->csr.n != n)
        return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner is for a matrix of %u rows, but A has %u",
                    M->A->csr.n, n);
    if (!*out)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the preconditioner works in %s, and the iterations in the other precision",
                    scalar_types[real_precision(M->M->precision)].name);
    return refuse_if_outdated(M);
}

static vks_status check_vectors(const vks_precond *M, const vks_vector *r, const vks_vector *z)
{
    struct message *m = context_begin(M->context);
    vks_precision p = vector_precision(M->A->precision);
    if (!r || !z)
        return fail(m, VKS_INVALID_ARGUMENT, "%s is NULL", r ? "z" : "r");
    if (r->context != M->context || z->context != M->context)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the preconditioner and the vectors belong to different contexts");
    if (r->precision != p || z->precision != p)
        return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner and the vectors differ in precision");
    if (r->n != M->A->csr.n || z->n != M->A->csr.n)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the preconditioner is for a matrix of %u rows, but r has %u elements and z %u",
                    M->A->csr.n, r->n, z->n);
    if (r == z)
        return fail(m, VKS_INVALID_ARGUMENT, "r and z are the same vector");
    if (M->diagnosis.reason == VKS_REASON_CANCELLED)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the set-up of the preconditioner was cancelled: call vks_precond_update first");
    if (diagnosis_refuses(&M->diagnosis))
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix is unsuitable for the preconditioner: %s",
                    M->diagnosis.detail);
    return refuse_if_outdated(M);
}

vks_status vks_precond_apply(vks_precond *M, const vks_vector *r, vks_vector *z)
{
    TRY(M ? check_vectors(M, r, z) : VKS_INVALID_ARGUMENT);
    struct call *c = call_begin(M->context, M->M->precision);
    precond_apply(&c->rec, M->M, vec_of(r), vec_of(z));
    return call_end(c);
}

vks_status vks_precond_update(vks_precond *M)
{
    if (!M)
        return VKS_INVALID_ARGUMENT;
    struct message *m = context_begin(M->context);
    if (M->solves)
        return fail(m, VKS_INVALID_ARGUMENT, "a solve that uses the preconditioner is still under way");
    vks_status s = calls_settle(M->context);
    return s ? s : update_values(M);
}

vks_status vks_precond_report_as(uint32_t header, const vks_precond *M, vks_precond_facts *facts)
{
    TRY(M ? context_begin_as(M->context, header) : VKS_INVALID_ARGUMENT);
    if (!facts)
        return fail(&M->context->message, VKS_INVALID_ARGUMENT, "facts is NULL");
    vks_precond_facts ours = {.kind = M->M->kind,
                              .reason = M->diagnosis.reason,
                              .row = M->diagnosis.row,
                              .seconds_setup = M->seconds_setup,
                              .bytes = precond_bytes(M->M),
                              .levels = M->M->levels,
                              .blocks = M->M->blocks,
                              .largest_block = M->M->largest_block,
                              .pivots_set = M->M->pivots_set,
                              .steps = M->M->steps};
    if (M->M->hierarchy)
        ours.hierarchy = *M->M->hierarchy;
    memcpy(ours.detail, M->diagnosis.detail, sizeof ours.detail);
    vks_precond_facts_out(header, &ours, facts);
    return VKS_OK;
}

const vks_matrix *precond_level(const vks_precond *M, uint32_t at)
{
    return M->M->ops->level ? M->M->ops->level(M->M, at) : NULL;
}
