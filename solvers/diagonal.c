/* The diagonal of A, inverted: the Jacobi preconditioner, and what the Jacobi iteration divides by. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <stdio.h>

enum { ZERO_ROW, NEGATIVE_ROW, INFINITE_ROW, FAULTS, OTHER_ROW = FAULTS /* not as row 0 */, FLAGS };

/* Names the first row that has no place in such a diagonal. */
static bool judge(const uint32_t *flags, bool positive, const struct solve *s)
{
    static const struct {
        vks_reason reason;
        const char *text;
    } faults[FAULTS] = {{VKS_REASON_ZERO_DIAGONAL, "has a zero or missing diagonal entry"},
                        {VKS_REASON_NOT_POSITIVE_DEFINITE, "has a negative diagonal entry"},
                        {VKS_REASON_NOT_FINITE,
                         "has a diagonal entry that is not finite, or so small that its reciprocal is not"}};
    int found = -1;
    for (int i = 0; i < FAULTS; i++)
        if (flags[i] != UINT32_MAX && (positive || i != NEGATIVE_ROW) &&
            (found < 0 || flags[i] < flags[found]))
            found = i;
    if (found < 0)
        return false;
    vks_solve_report *report = s->report;
    report->reason = faults[found].reason;
    report->row = row_of_caller(s, flags[found]);
    snprintf(report->detail, sizeof report->detail, "row %u %s", report->row + 1, faults[found].text);
    return true;
}

vks_status diagonal_setup(struct solve *s, bool positive)
{
    struct device *d = s->device;
    uint32_t flags[FLAGS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static const double one = 1;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, s->precision);
    vks_status status = VKS_OK;
    if (!s->diagonal.handle)
        status = device_allocate(d, MEMORY_DEVICE, (uint64_t)s->n * real_bytes(s->precision), "the diagonal",
                                 &s->diagonal);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, sizeof flags + sizeof one, "row flags", &m);
    if (!status)
        status = device_write(d, &m, 0, flags, sizeof flags);
    if (!status)
        status = device_write(d, &m, sizeof flags, &one, sizeof one);
    s->system.d = (reals)(uintptr_t)s->diagonal.address;
    if (operator_of(s->A))
        operator_diagonal(&r, s, (doubles)words_in(&m, FLAGS), words_of(&m));
    else
        csr_diagonal(&r, &s->system.A->csr, s->system.d, words_of(&m));
    if (!status)
        status = rec_run(&r);
    if (!status)
        status = device_read(d, &m, 0, flags, sizeof flags);
    rec_destroy(&r);
    device_release(d, &m);
    s->system.same_diagonal = flags[OTHER_ROW] == UINT32_MAX;
    s->refused = !status && judge(flags, positive, s);
    return status;
}
