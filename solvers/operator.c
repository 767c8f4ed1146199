/* Solves with operators (vksolve/operator.h), which have no entries: what can be asked of one, its diagonal,
 * and the true residual by its own product in doubles. Where the solve's device has none, the host computes
 * that, as residual.c says, with the program's function and copies of its arrays. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <stdlib.h>

/* That the host has what it is asked for: the true residual, unless a GPU computes it, and on the host device
 * the iterations, which are in the operator's precision or in f32. */
static vks_status check_rows(struct message *m, const struct user_operator *o, const struct device *d,
                             bool iterates_in_f32)
{
    bool is_host = d->info.kind == DEVICE_HOST;
    if ((is_host || !d->info.f64) && !o->call.f64)
        return fail(
            m, VKS_UNSUPPORTED,
            "the true residual in double precision, which the host computes here, needs the rows_f64 of "
            "the operator");
    if (is_host && iterates_in_f32 && !o->call.f32)
        return fail(m, VKS_UNSUPPORTED, "iterations in f32 on the host need the rows_f32 of the operator");
    return VKS_OK;
}

vks_status operator_suits(struct message *m, const vks_matrix *A, const vks_solve_options *options,
                          bool fixpoint)
{
    const struct user_operator *o = operator_of(A);
    if (!o)
        return VKS_OK;
    bool by_diagonal =
        options->precond == VKS_PRECOND_JACOBI || (options->method == VKS_METHOD_JACOBI && !fixpoint);
    if (options->precond == VKS_PRECOND_BLOCK_JACOBI || options->method == VKS_METHOD_GAUSS_JORDAN)
        return fail(m, VKS_UNSUPPORTED, "%s needs entries, which an operator does not have",
                    options->method == VKS_METHOD_GAUSS_JORDAN ? vks_method_name(options->method)
                                                               : vks_precond_name(options->precond));
    if (options->weight == VKS_WEIGHT_AUTO)
        return fail(m, VKS_UNSUPPORTED,
                    "the automatic weight needs entries, which an operator does not have");
    if (by_diagonal && !o->diagonal)
        return fail(m, VKS_UNSUPPORTED, "jacobi needs the diagonal, which the operator was not given");
    return check_rows(m, o, A->context->device, options->iterate_in_f32);
}

bool operator_lacks_diagonal(const vks_matrix *A)
{
    const struct user_operator *o = operator_of(A);
    return o && !o->diagonal;
}

void operator_diagonal(struct rec *r, const struct solve *s, doubles one, u32s flags)
{
    reals given = vector_address(operator_of(s->A)->diagonal);
    if (s->refinement.is) {
        reals rounded = s->workspace.vector[0];
        narrow(r, one, (doubles)given, rounded, s->n);
        given = rounded;
    }
    run(r, invert_diagonal, groups_each(s->n), .a = given, .d = s->system.d, .flags = flags, .n = s->n);
    bill(r, 2 * vector_bytes(r, s->n));
}

/* The arrays on the host. */
static vks_status clone_arrays(struct solve *s, struct operator_residual *e)
{
    const struct user_operator *o = operator_of(s->A);
    vks_status status = VKS_OK;
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS && !status; k++) {
        struct memory *copy = &e->array[k];
        const struct memory *array = o->array[k] ? &o->array[k]->memory : NULL;
        if (!array)
            continue;
        if (!copy->handle)
            status =
                device_allocate(s->residual.device, MEMORY_DEVICE, array->bytes, "a copy on the host", copy);
        if (!status)
            status = copy_across(&s->residual, s->device, array, false, s->residual.device, copy);
        e->on_host->call.view.array[k] = copy->mapped;
    }
    return status;
}

vks_status operator_residual_setup(struct solve *s)
{
    struct operator_residual *e = &s->residual.of_operator;
    e->source = operator_of(s->A);
    if (!s->residual.elsewhere)
        return VKS_OK;
    e->on_host = malloc(sizeof *e->on_host);
    if (!e->on_host)
        return fail_memory(s->message, "an operator", sizeof *e->on_host);
    *e->on_host = *e->source;
    e->source = e->on_host;
    return clone_arrays(s, e);
}

vks_status operator_residual_take_values(struct solve *s)
{
    struct operator_residual *e = &s->residual.of_operator;
    return e->on_host ? clone_arrays(s, e) : VKS_OK;
}

void operator_residual_release(struct solve *s)
{
    struct operator_residual *e = &s->residual.of_operator;
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS; k++)
        device_release(s->residual.device, &e->array[k]);
    free(e->on_host);
}
