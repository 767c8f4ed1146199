/* The workspace and the recordings of a solve. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <string.h>

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
    uint32_t kept = s->options.history ? s->options.history_capacity : 0; /* (limits may change) */
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
    vks_status status = device_allocate(d, MEMORY_DEVICE, STATE_AND_ZERO, "the solver's state", &s->state);
    if (!status)
        status = device_allocate(d, MEMORY_SHARED, STATE_AND_ZERO, "an inbox", &s->inbox);
    for (int i = 0; i < 2 && !status; i++)
        status = device_allocate(d, MEMORY_SHARED, STATE_BYTES, "a mailbox", &s->lane[i].mailbox);
    s->workspace.control = (control)(uintptr_t)s->state.address;
    s->workspace.numbers = s->state.address + CONTROL_BYTES;
    return status;
}

void solve_state(struct solve *s, const struct control_words *control, const double number[NUMBERS])
{
    char *words = s->inbox.mapped;
    memset(words, 0, STATE_AND_ZERO);
    memcpy(words, control, sizeof *control);
    convert_values(VKS_F64, number, public_precision(s->precision), words + CONTROL_BYTES, NUMBERS);
}

void solve_record_put(struct rec *r, const struct solve *s)
{
    copy_words(r, words_of(&s->inbox), words_of(&s->state), STATE_AND_ZERO / sizeof(uint32_t));
}

void solve_record_zero(struct rec *r, const struct solve *s, reals x)
{
    fill(r, (number)(uintptr_t)(s->state.address + ZERO), x, s->n);
}

/* The recordings but for the batches. */
static vks_status record(struct solve *s, const vks_vector *x)
{
    solve_record_put(&s->put, s);
    solve_record_put(&s->clear, s);
    if (s->pairs.is)
        pairs_record_zero(&s->clear, s, x);
    else
        solve_record_zero(&s->clear, s, vector_address(x));
    solve_record_put(&s->start, s);
    if (s->refinement.is)
        solve_record_zero(&s->start, s, s->system.x);
    residual_record(&s->start, s);
    if (s->method->start)
        s->method->start(&s->start, &s->system, &s->workspace);
    vks_status status = rec_prepare(&s->put);
    if (!status)
        status = rec_prepare(&s->clear);
    if (!status)
        status = rec_prepare(&s->start);
    return status || !s->refinement.is ? status : refinement_record(s);
}

static void create_recordings(struct solve *s)
{
    rec_create(&s->put, s->device, s->precision);
    rec_create(&s->clear, s->device, s->pairs.is ? s->precision : s->given);
    rec_create(&s->start, s->device, s->precision);
    rec_create(&s->iteration, s->device, s->precision);
    s->iteration.is_unit = true;
    for (int i = 0; i < 2; i++)
        for (int length = 0; length < BATCH_LENGTHS; length++)
            rec_create(&s->lane[i].batch[length].rec, s->device, s->precision);
}

/* What depends on the values of A. */
static vks_status take_values(struct solve *s)
{
    vks_status status = VKS_OK;
    s->refused = false;
    s->report->reason = VKS_REASON_NOT_RUN;
    s->report->detail[0] = 0;
    s->report->row = UINT32_MAX;
    if (s->options.precond == VKS_PRECOND_JACOBI) {
        s->system.jacobi = true;
        status = diagonal_setup(s, true);
    }
    if (!status && s->options.precond == VKS_PRECOND_BLOCK_JACOBI)
        status = block_jacobi_invert(s);
    if (!status)
        status = null_space_check(s);
    return status || !s->method->take_values ? status : s->method->take_values(s);
}

vks_status solve_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    s->n = A->csr.n;
    s->A = A;
    s->system = (struct system){.A = A,
                                .n = A->csr.n,
                                .b = vector_address(b),
                                .x = vector_address(x),
                                .fixpoint = s->system.fixpoint};
    create_recordings(s);
    vks_status status = s->pairs.is || operator_of(A) ? VKS_OK : csr_hold(A);
    if (!status && s->refinement.is)
        status = refinement_setup(s);
    if (!status)
        status = allocate_state(s);
    if (!status)
        status = allocate_vectors(s);
    if (!status)
        status = null_space_setup(s, vector_address(x));
    if (!status && s->options.precond == VKS_PRECOND_BLOCK_JACOBI)
        status = block_jacobi_setup(s);
    if (!status)
        status = take_values(s);
    if (!status && s->method->prepare)
        status = s->method->prepare(s);
    if (!status)
        status = residual_setup(s, A, b, x);
    s->layout = s->system.A->layout;
    return status ? status : record(s, x);
}

vks_status solve_take_values(struct solve *s)
{
    bool same_diagonal = s->system.same_diagonal;
    vks_status status = refinement_take_values(s);
    if (!status)
        status = take_values(s);
    if (!status)
        status = residual_take_values(s);
    if (s->system.same_diagonal != same_diagonal || s->layout != s->system.A->layout)
        batches_forget(s);
    s->layout = s->system.A->layout;
    return status;
}

void solve_release(struct solve *s)
{
    struct device *d = s->device;
    csr_let_go(s->A);
    residual_release(s);
    refinement_release(s);
    null_space_release(s);
    rec_destroy(&s->put);
    rec_destroy(&s->clear);
    rec_destroy(&s->start);
    for (int i = 0; i < 2; i++) {
        for (int length = 0; length < BATCH_LENGTHS; length++)
            rec_destroy(&s->lane[i].batch[length].rec);
        device_release(d, &s->lane[i].mailbox);
    }
    rec_destroy(&s->iteration);
    for (int i = 0; i < MOST_VECTORS; i++)
        device_release(d, &s->vectors[i]);
    block_jacobi_release(s);
    device_release(d, &s->diagonal);
    device_release(d, &s->state);
    device_release(d, &s->inbox);
    device_release(d, &s->history);
    device_release(d, &s->meeting);
    reduction_destroy(d, &s->workspace.reduction);
}
