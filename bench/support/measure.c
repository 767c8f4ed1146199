#include "support/measure.h"

#include "report/clock.h"
#include "solvers/solver.h"
#include "sparse/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Enough for a median, and no more than that: a run is repeated until it has taken LONG_ENOUGH. */
enum { PER_RUN = 8, RUNS = 24, LEAST_RUNS = 3 };
static const double LONG_ENOUGH = 0.5, WARM = 0.05; /* seconds */

vks_status problem_create(vks_context *c, const struct host_csr *a, vks_precision precision,
                          vks_format format, bool product, struct problem *p)
{
    vks_matrix_options o = {.precision = precision, .storage.format = format};
    vks_precision of_vectors = precision == VKS_F32 ? VKS_F32 : VKS_F64;
    *p = (struct problem){.context = c};
    vks_status s = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &p->A);
    if (!s)
        s = vks_vector_create(c, a->rows, of_vectors, &p->b);
    if (!s)
        s = vks_vector_create(c, a->cols, of_vectors, &p->x);
    if (!s && product) {
        s = vks_vector_fill(p->x, 1);
        return s ? s : vks_spmv(p->A, p->x, p->b);
    }
    return s ? s : vks_vector_fill(p->b, 1);
}

void problem_destroy(struct problem *p)
{
    vks_vector_destroy(p->x);
    vks_vector_destroy(p->b);
    vks_matrix_destroy(p->A);
    *p = (struct problem){0};
}

vks_status time_solves(const struct problem *p, vks_precond precond, int repeats, struct solves *out)
{
    vks_solve_options o = {.precond = precond, .zero_guess = 1};
    vks_precision precision = vks_matrix_precision(p->A);
    o.rtol = precision == VKS_F32 ? 1e-5 : 1e-8;
    o.iterate_in_f32 = precision == VKS_MIXED;
    double seconds[MOST_REPEATS];
    vks_status s = cg_solve(p->A, p->b, p->x, &o, &out->report);
    for (int i = 0; i < repeats && !s; i++) {
        s = cg_solve(p->A, p->b, p->x, &o, &out->report);
        seconds[i] = out->report.seconds_solve;
    }
    if (!s)
        out->seconds = spread_of(seconds, repeats);
    return s;
}

vks_status time_spmv(const struct problem *p, double *seconds, double *bytes)
{
    const vks_matrix *A = p->A;
    double times[PER_RUN * RUNS], begun = clock_seconds();
    struct rec r;
    rec_create(&r, p->context->device, precision_of(p->A->precision));
    for (int i = 0; i < PER_RUN; i++)
        spmv(&r, NULL, A, vector_address(p->b), vector_address(p->x));
    vks_status s;
    do
        s = rec_run(&r);
    while (!s && clock_seconds() - begun < WARM);
    int runs = 0;
    begun = clock_seconds();
    while (!s && runs < RUNS && (runs < LEAST_RUNS || clock_seconds() - begun < LONG_ENOUGH)) {
        s = rec_run(&r);
        if (!s)
            s = rec_times(&r, times + PER_RUN * runs++);
    }
    if (!s)
        *seconds = spread_of(times, PER_RUN * runs).median;
    *bytes = (double)r.bytes / PER_RUN;
    rec_destroy(&r);
    return s;
}

/* x = 0, and the method at its start, as the driver puts it there; no tolerance ends it. */
static vks_status begin(struct solve *s, vks_vector *x)
{
    struct control_words control = {.state = STATE_RUNNING, .limit = UINT32_MAX};
    double number[NUMBERS] = {[NUMBER_CEILING] = INFINITY, [NUMBER_SCALE] = 1};
    uint64_t ticket = 0;
    vks_status status = vks_vector_fill(x, 0);
    solve_state(s, &control, number);
    if (!status)
        status = residual_measure(s, &ticket);
    if (!status)
        status = residual_hand_over(s, 1);
    return status ? status : rec_run(&s->start);
}

/* Column i of `times` are the seconds of dispatch i of an iteration. */
static vks_status time_runs(struct solve *s, struct rec *r, vks_vector *x, double *times, int *runs,
                            bool *ended)
{
    double begun = clock_seconds();
    struct snapshot end;
    vks_status status = VKS_OK;
    *runs = -1; /* the first warms up */
    while (!status && *runs < RUNS && (*runs < LEAST_RUNS || clock_seconds() - begun < LONG_ENOUGH)) {
        status = begin(s, x);
        if (!status)
            status = rec_run(r);
        if (!status)
            status = rec_times(r, times + (size_t)r->count * (size_t)(*runs < 0 ? 0 : *runs));
        if (!status)
            status = read_snapshot(s, &end);
        *ended = !status && end.control.state != STATE_RUNNING;
        if (*ended)
            break;
        ++*runs;
    }
    return status;
}

static vks_status time_iterations(struct solve *s, vks_vector *x, struct iteration *out)
{
    struct rec r;
    rec_create(&r, s->device, s->precision);
    for (int i = 0; i < PER_RUN; i++)
        s->method->iterate(&r, &s->system, &s->workspace);
    uint32_t count = r.count / PER_RUN;
    double *times = malloc(sizeof *times * r.count * RUNS), column[PER_RUN * RUNS];
    int runs = 0;
    bool ended = false;
    vks_status status =
        times && count <= MOST_DISPATCHES ? time_runs(s, &r, x, times, &runs, &ended) : VKS_OUT_OF_MEMORY;
    for (uint32_t d = 0; !status && !ended && d < count; d++) {
        for (int i = 0; i < PER_RUN * runs; i++)
            column[i] = times[(uint32_t)i * count + d];
        out->kernel[d] = kernels[r.list[d].kernel].name;
        out->seconds[d] = spread_of(column, PER_RUN * runs).median;
        out->count = count;
    }
    free(times);
    rec_destroy(&r);
    return status;
}

vks_status time_iteration(const struct problem *p, vks_precond precond, struct iteration *out)
{
    bool mixed = p->A->precision == VKS_MIXED;
    vks_solve_report report = {0};
    struct solve s = {.device = p->context->device,
                      .message = &p->context->message,
                      .given = matrix_precision(p->A),
                      .precision = mixed ? PRECISION_F32 : matrix_precision(p->A),
                      .refinement.is = mixed,
                      .method = &method_cg,
                      .options = {.method = VKS_METHOD_CG, .precond = precond, .max_iterations = UINT32_MAX},
                      .report = &report};
    *out = (struct iteration){0};
    vks_status status = solve_setup(&s, p->A, p->b, p->x);
    if (!status && !s.refused)
        status = time_iterations(&s, p->x, out);
    solve_release(&s);
    return status;
}
