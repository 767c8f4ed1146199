#include "support/measure.h"

#include "report/clock.h"
#include "solvers/solve/solve.h"
#include "sparse/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Sizes for a median: a run is repeated until it has taken LONG_ENOUGH. */
enum { PER_RUN = 8, RUNS = 24, LEAST_RUNS = 3 };
static const double LONG_ENOUGH = 0.5, WARM = 0.05; /* seconds */

/* A conversion continues after its call returns; reading a vector waits for it. */
static vks_status create_matrix(const struct host_csr *a, const vks_matrix_options *o, struct problem *p)
{
    double begun = clock_seconds(), any;
    vks_status s = vks_matrix_from_csr(p->context, a->rows, a->cols, a->row, a->col, a->val, o, &p->A);
    if (!s)
        s = vks_vector_read(p->x, 0, 1, VKS_F64, &any);
    p->seconds_matrix = clock_seconds() - begun;
    return s;
}

vks_status problem_create(vks_context *c, const struct host_csr *a, vks_precision precision,
                          vks_format format, bool product, struct problem *p)
{
    vks_matrix_options o = {.precision = precision, .storage.format = format};
    vks_precision of_vectors = precision == VKS_F32 ? VKS_F32 : VKS_F64;
    *p = (struct problem){.context = c};
    vks_status s = vks_vector_create(c, a->rows, of_vectors, &p->b);
    if (!s)
        s = vks_vector_create(c, a->cols, of_vectors, &p->x);
    if (!s)
        s = create_matrix(a, &o, p);
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

static vks_status solve_once(const struct problem *p, vks_precond_kind precond, vks_solve_report *report)
{
    vks_solve_options o = {.precond = precond, .zero_guess = 1};
    vks_precision precision = vks_matrix_precision(p->A);
    o.rtol = precision == VKS_F32 ? 1e-5 : 1e-8;
    o.iterate_in_f32 = precision == VKS_MIXED;
    return cg_solve(p->A, p->b, p->x, &o, report);
}

vks_status time_beginnings(const vks_context_options *options, const struct host_csr *a,
                           vks_precision precision, vks_format format, bool product, vks_precond_kind precond,
                           struct beginning *first, struct beginning *later)
{
    struct beginning *const both[] = {first, later};
    double begun = clock_seconds();
    vks_context *c;
    vks_status s = vks_context_create(options, &c);
    if (s)
        return s;
    first->open = clock_seconds() - begun;
    for (int i = 0; i < 2 && !s; i++) {
        struct problem p;
        vks_solve_report report;
        s = problem_create(c, a, precision, format, product, &p);
        if (!s)
            s = solve_once(&p, precond, &report);
        if (s) {
            snprintf(options->message, options->message_size, "%s", vks_context_message(c));
        } else {
            both[i]->matrix = p.seconds_matrix;
            both[i]->setup = report.seconds_setup;
            both[i]->solve = report.seconds_solve;
        }
        problem_destroy(&p);
    }
    vks_context_destroy(c);
    return s;
}

vks_status time_solves(const struct problem *p, vks_precond_kind precond, int repeats, struct solves *out)
{
    double seconds[MOST_REPEATS];
    vks_status s = solve_once(p, precond, &out->report);
    for (int i = 0; i < repeats && !s; i++) {
        s = solve_once(p, precond, &out->report);
        seconds[i] = out->report.seconds_solve;
    }
    if (!s)
        out->seconds = spread_of(seconds, repeats);
    return s;
}

/* The times of PER_RUN products, each the sum of its dispatches: long rows have separate ones. */
static vks_status product_times(struct rec *r, double *times)
{
    double all[PER_RUN * MOST_DISPATCHES];
    uint32_t each = r->count / PER_RUN;
    vks_status s = rec_times(r, all);
    for (uint32_t i = 0; i < PER_RUN; i++) {
        times[i] = 0;
        for (uint32_t d = 0; d < each; d++)
            times[i] += all[i * each + d];
    }
    return s;
}

vks_status time_spmv(const struct problem *p, double *seconds, double *bytes)
{
    const vks_matrix *A = p->A;
    double times[PER_RUN * RUNS], begun = clock_seconds();
    struct rec r;
    rec_create(&r, p->context->device, precision_of(p->A->precision));
    for (int i = 0; i < PER_RUN; i++)
        spmv(&r, A, vec_of(p->b), vec_of(p->x));
    vks_status s = r.count <= PER_RUN * MOST_DISPATCHES ? VKS_OK : VKS_LIMIT;
    if (s)
        set_message(r.device->message, "a product of %u dispatches, and %d can be timed", r.count / PER_RUN,
                    MOST_DISPATCHES);
    while (!s && clock_seconds() - begun < WARM)
        s = rec_run(&r);
    int runs = 0;
    begun = clock_seconds();
    while (!s && runs < RUNS && (runs < LEAST_RUNS || clock_seconds() - begun < LONG_ENOUGH)) {
        s = rec_run(&r);
        if (!s)
            s = product_times(&r, times + PER_RUN * runs++);
    }
    if (!s)
        *seconds = spread_of(times, PER_RUN * runs).median;
    *bytes = (double)r.bytes / PER_RUN;
    rec_destroy(&r);
    return s;
}

/* x = 0, and the method in the initial state that the driver sets; no tolerance ends it. */
static vks_status begin(struct solve *s, vks_vector *x)
{
    struct snapshot start = {.control = {.state = STATE_RUNNING, .limit = UINT32_MAX},
                             .numbers = {.ceiling = INFINITY, .scale = 1}};
    uint64_t ticket = 0;
    vks_status status = vks_vector_fill(x, 0);
    state_set(&s->it.column.state, &start);
    if (!status)
        status = s->it.residual.ops->measure(&s->it.residual, 1, &ticket);
    if (!status)
        status = s->it.residual.ops->set_hand_over(&s->it.residual, 1);
    return status ? status : rec_run(&s->it.start);
}

/* Column i of `times` holds the seconds of dispatch i of an iteration. */
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
            status = state_read(s->it.device, &s->it.column.state, &end);
        *ended = !status && end.control.state != STATE_RUNNING;
        if (*ended)
            break;
        ++*runs;
    }
    return status;
}

static vks_status time_iterations(struct solve *s, vks_vector *x, struct iteration_times *out)
{
    struct rec r;
    rec_create(&r, s->it.device, s->it.krylov.r.precision);
    for (int i = 0; i < PER_RUN; i++)
        method_record_unit(&r, s->it.method, &s->it.krylov);
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

vks_status time_iteration(const struct problem *p, vks_precond_kind precond, struct iteration_times *out)
{
    struct equation q = {p->A, p->b, p->x, false};
    vks_solve_options o = {.method = VKS_METHOD_CG,
                           .precond = precond,
                           .max_iterations = UINT32_MAX,
                           .iterate_in_f32 = p->A->precision == VKS_MIXED};
    struct solve s;
    *out = (struct iteration_times){0};
    vks_status status = solve_open(&s, &q, &o);
    if (status)
        return status;
    status = solve_setup(&s);
    if (!status && !diagnosis_refuses(&s.diagnosis))
        status = time_iterations(&s, p->x, out);
    solve_close(&s);
    return status;
}
