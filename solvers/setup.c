/* The workspace and the recordings of a solve. */
#include "solvers/solver.h"

enum { MOST_HISTORY = 1 << 22 };

static vks_status allocate_vectors(struct solve *s)
{
    struct device *d = s->device;
    uint64_t real = real_bytes(s->precision);
    vks_status status = VKS_OK;
    for (uint32_t i = 0; !status && i < s->method->vectors; i++) {
        status = device_allocate(d, MEMORY_DEVICE, s->n * real, "a work vector", &s->vectors[i]);
        s->workspace.vector[i] = (reals)(uintptr_t)s->vectors[i].address;
    }
    uint32_t kept = s->options.history ? s->options.history_capacity : 0;
    if (kept > s->options.max_iterations)
        kept = s->options.max_iterations;
    s->workspace.history_kept = kept > MOST_HISTORY ? MOST_HISTORY : kept;
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, s->workspace.history_kept * real, "the residual history",
                                 &s->history);
    s->workspace.history = (reals)(uintptr_t)s->history.address;
    return status ? status : reduction_create(d, s->n, 3, &s->workspace.reduction);
}

static vks_status allocate_state(struct solve *s)
{
    struct device *d = s->device;
    vks_status status = device_allocate(d, MEMORY_DEVICE, STATE_BYTES, "the solver's state", &s->state);
    for (int i = 0; i < 2 && !status; i++)
        status = device_allocate(d, MEMORY_SHARED, STATE_BYTES, "a mailbox", &s->batch[i].mailbox);
    s->workspace.control = (control)(uintptr_t)s->state.address;
    s->workspace.numbers = s->state.address + CONTROL_BYTES;
    return status;
}

vks_status solve_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    s->n = A->csr.n;
    s->system = (struct system){.A = &A->csr, .b = vector_address(b), .x = vector_address(x)};
    rec_create(&s->start, s->device, s->precision);
    for (int i = 0; i < 2; i++)
        rec_create(&s->batch[i].rec, s->device, s->precision);
    vks_status status = allocate_state(s);
    if (!status)
        status = allocate_vectors(s);
    if (!status && s->options.precond == VKS_PRECOND_JACOBI) {
        s->system.jacobi = true;
        status = jacobi_setup(s, &s->refused);
    }
    if (!status)
        status = residual_setup(s, A, b, x);
    s->method->start(&s->start, &s->system, &s->workspace);
    return status ? status : rec_prepare(&s->start);
}

void solve_release(struct solve *s)
{
    struct device *d = s->device;
    residual_release(s);
    rec_destroy(&s->start);
    for (int i = 0; i < 2; i++) {
        rec_destroy(&s->batch[i].rec);
        device_release(d, &s->batch[i].mailbox);
    }
    for (int i = 0; i < MOST_VECTORS; i++)
        device_release(d, &s->vectors[i]);
    device_release(d, &s->diagonal);
    device_release(d, &s->state);
    device_release(d, &s->history);
    reduction_destroy(d, &s->workspace.reduction);
}
