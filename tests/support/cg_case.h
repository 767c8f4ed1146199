/* Conjugate gradients kernel by kernel: the method's start and some iterations, on a workspace from the
 * driver's own setup, against the textbook algorithm below. */
#ifndef VKS_TESTS_CG_CASE_H
#define VKS_TESTS_CG_CASE_H

#include "solvers/solve/solve.h"
#include "sparse/bsr.h"
#include "sparse/sell.h"
#include "tests/support/co_resident.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "tests/support/oracle.h"

enum { CG_STEPS = 3 };

struct cg_job {
    enum precision p;
    const struct host_csr *A;
    const double *r0; /* the initial residual */
    bool jacobi;
    uint32_t lanes;
    double scale;    /* the scale of the residual, a power of two */
    uint32_t limit;  /* iterations allowed */
    uint32_t submit; /* number of recorded iterations */
    vks_format format;
    vks_coding coding; /* in slices; 0: never */
    bool together;     /* in one dispatch, on a device prepared by make_co_resident */
};

/* What is compared: x, r, r . r of each iteration; iterations done, state. */
struct cg_result {
    double *x, *r, *history;
    uint32_t iteration, state;
};

static inline struct cg_result cg_result(uint32_t n)
{
    return (struct cg_result){room(n, 8), room(n, 8), room(CG_STEPS, 8), 0, 0};
}

static inline void cg_result_free(struct cg_result *a)
{
    free(a->x);
    free(a->r);
    free(a->history);
}

/* Algorithm 9.1 of Saad, every operation rounded, every sum in the canonical order. */
static inline void cg_expect(const struct cg_job *j, struct cg_result *out)
{
    enum precision prec = j->p;
    uint32_t n = j->A->rows;
    OWNED(double) *p = room(n, 8), *q = room(n, 8), *z = room(n, 8), *d = room(n, 8);
    for (uint32_t i = 0; i < n; i++) {
        d[i] = 1;
        for (uint32_t k = j->A->row[i]; j->jacobi && k < j->A->row[i + 1]; k++)
            if (j->A->col[k] == i)
                d[i] = rounded(prec, 1 / j->A->val[k]);
        out->x[i] = 0;
        out->r[i] = j->r0[i];
        p[i] = z[i] = rounded(prec, d[i] * out->r[i]);
    }
    double rho = canonical_dot(prec, out->r, z, n);
    out->state = STATE_RUNNING;
    while (out->state == STATE_RUNNING && out->iteration < j->submit) {
        for (uint32_t i = 0; i < n; i++)
            q[i] = canonical_row(prec, j->A, p, i, j->lanes);
        double alpha = rounded(prec, rho / canonical_dot(prec, p, q, n));
        for (uint32_t i = 0; i < n; i++) {
            out->r[i] = rounded(prec, out->r[i] - rounded(prec, alpha * q[i]));
            out->x[i] = rounded(prec, out->x[i] + rounded(prec, rounded(prec, alpha * j->scale) * p[i]));
            z[i] = rounded(prec, d[i] * out->r[i]);
        }
        double before = rho, beta;
        rho = canonical_dot(prec, out->r, z, n);
        double rr = out->history[out->iteration++] = canonical_dot(prec, out->r, out->r, n);
        beta = rounded(prec, rho / before);
        for (uint32_t i = 0; i < n; i++)
            p[i] = rounded(prec, z[i] + rounded(prec, beta * p[i]));
        out->state = rr == 0 ? STATE_MET : out->iteration == j->limit ? STATE_LIMIT : STATE_RUNNING;
    }
}

/* A solve whose setup is done and whose state is written, ready for the method's start. */
struct cg_run {
    vks_context *c;
    vks_matrix *A;
    vks_vector *b, *x;
    struct solve s;
    double history[CG_STEPS];
    struct rec r;
};

static inline void cg_write_state(struct cg_run *t, const struct cg_job *j)
{
    struct snapshot start = {.control = {.state = STATE_RUNNING, .limit = j->limit},
                             .numbers = {.ceiling = 1e30, .scale = j->scale}};
    state_set(&t->s.it.column.state, &start);
    must_work(t->c, rec_run(&t->s.it.put));
    must_work(t->c, upload_values(t->s.it.device, &t->s.it.r, public_precision(j->p), 0, j->A->rows, VKS_F64,
                                  j->r0));
}

static inline void cg_make_system(struct cg_run *t, const struct cg_job *j)
{
    vks_matrix_options o = {
        .precision = j->p == PRECISION_MIXED ? VKS_MIXED : public_precision(j->p),
        .storage = {.format = j->format, .coding = j->coding ? j->coding : VKS_CODED_NEVER}};
    vks_precision of_vectors = public_precision(j->p);
    uint32_t n = j->A->rows;
    vks_context *c = t->c;
    must_work(c, vks_matrix_from_csr(c, n, n, j->A->row, j->A->col, j->A->val, &o, &t->A));
    must_work(c, vks_vector_create(c, n, of_vectors, &t->b));
    must_work(c, vks_vector_create(c, n, of_vectors, &t->x));
    cr_assert_eq(matrix_precision(t->A), j->p);
    cr_assert_eq(t->A->kinds > 0, j->coding == VKS_CODED_ALWAYS);
    t->A->csr.lanes = j->lanes;
    if (j->format == VKS_FORMAT_SELL || j->format == VKS_FORMAT_ELL)
        sell_of(t->A)->lanes = j->lanes;
    if (j->format == VKS_FORMAT_BSR)
        bsr_of(t->A)->lanes = j->lanes;
}

/* Makes everything and records the start and the iterations. */
static inline void cg_begin(struct cg_run *t, vks_context *c, const struct cg_job *j)
{
    *t = (struct cg_run){.c = c};
    cg_make_system(t, j);
    if (!j->together)
        c->device->info.memory_model = false;
    vks_solve_options o = {.method = VKS_METHOD_CG,
                           .precond = j->jacobi ? VKS_PRECOND_JACOBI : VKS_PRECOND_NONE,
                           .max_iterations = j->limit,
                           .history = t->history,
                           .history_capacity = CG_STEPS};
    struct equation q = {t->A, t->b, t->x, false};
    must_work(c, solve_open(&t->s, &q, &o));
    must_work(c, solve_setup(&t->s));
    cg_write_state(t, j);
    rec_create(&t->r, c->device, real_precision(j->p));
    method_record_start(&t->r, &method_cg, &t->s.it.krylov);
    cr_assert_eq(t->s.it.batches.groups > 0, j->together);
    if (j->together)
        method_cg.fused->units(&t->r, &t->s.it.krylov, j->submit);
    for (uint32_t k = 0; k < j->submit && !j->together; k++)
        method_record_unit(&t->r, &method_cg, &t->s.it.krylov);
}

static inline void cg_end(struct cg_run *t)
{
    rec_destroy(&t->r);
    solve_close(&t->s);
    vks_vector_destroy(t->x);
    vks_vector_destroy(t->b);
    vks_matrix_destroy(t->A);
}

static inline void cg_run(vks_context *c, const struct cg_job *j, const struct cg_result *want,
                          const char *where)
{
    char what[200];
    snprintf(what, sizeof what, "conjugate gradients, %s, n = %u, %s, %u lanes, jacobi %d, on %s",
             precision_name(j->p), j->A->rows, vks_format_name(j->format), j->lanes, j->jacobi, where);
    OWNED_BY(cg_end) struct cg_run t;
    uint32_t n = j->A->rows;
    OWNED_STRUCT(cg_result) got = cg_result(n);
    struct snapshot end;
    cg_begin(&t, c, j);
    must_work(c, rec_run(&t.r));
    guards_check(c->device);
    must_work(c, state_read(t.s.it.device, &t.s.it.column.state, &end));
    cr_expect_eq(end.control.iteration, want->iteration, "%s: %u iterations instead of %u", what,
                 end.control.iteration, want->iteration);
    cr_expect_eq(end.control.state, want->state, "%s: state %u instead of %u", what, end.control.state,
                 want->state);
    must_work(c, vks_vector_read(t.x, 0, n, VKS_F64, got.x));
    vks_precision p = public_precision(j->p);
    must_work(c, download_values(t.s.it.device, &t.s.it.r, p, 0, n, VKS_F64, got.r));
    must_work(c,
              download_values(t.s.it.device, &t.s.it.history, p, 0, want->iteration, VKS_F64, got.history));
    must_equal(got.history, want->history, want->iteration, what);
    must_equal(got.r, want->r, n, what);
    must_equal(got.x, want->x, n, what);
}

#endif
