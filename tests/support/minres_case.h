/* MINRES kernel by kernel: the method's start and some products, on a workspace from the driver's own setup,
 * against the textbook algorithm below. */
#ifndef VKS_TESTS_MINRES_CASE_H
#define VKS_TESTS_MINRES_CASE_H

#include "solvers/solve/solve.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "tests/support/oracle.h"

enum { MINRES_UNITS = 2, MINRES_STEPS = 2 * MINRES_UNITS };

struct minres_job {
    enum precision p;
    const struct host_csr *A;
    const double *r0; /* the initial residual */
    bool row_sums;    /* the preconditioner; else none */
};

struct minres_result {
    double *x;
    double history[MINRES_STEPS];
};

/* 1 / the sum of the magnitudes of row i, by 32 lanes. */
static inline double minres_inverse(enum precision p, const struct host_csr *A, uint32_t i)
{
    double v[32] = {0};
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        double *lane = &v[(k - A->row[i]) % 32];
        *lane = rounded(p, *lane + fabs(A->val[k]));
    }
    for (int half = 16; half >= 1; half /= 2)
        for (int l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return rounded(p, 1 / v[0]);
}

/* Algorithm 4.1 of Elman, Silvester and Wathen, every operation rounded, every sum in the canonical order. */
static inline void minres_expect(const struct minres_job *j, double rr, struct minres_result *out)
{
#define R(a) rounded(p, a)
    enum precision p = j->p;
    uint32_t n = j->A->rows;
    double *d = room(n, 8), *v = room(n, 8), *v0 = room(n, 8), *z = room(n, 8), *q = room(n, 8);
    double *w = room(n, 8), *w0 = room(n, 8);
    for (uint32_t i = 0; i < n; i++) {
        d[i] = j->row_sums ? minres_inverse(p, j->A, i) : 1;
        v[i] = j->r0[i];
        z[i] = R(d[i] * v[i]);
        v0[i] = w[i] = w0[i] = out->x[i] = 0;
    }
    double vz = canonical_dot(p, v, z, n), gamma = R(sqrt(vz)), share = R(rr / vz), eta = gamma;
    double gamma0 = 1, c = 1, c0 = 1, s = 0, s0 = 0;
    for (int k = 0; k < MINRES_STEPS; k++) {
        for (uint32_t i = 0; i < n; i++)
            q[i] = canonical_row(p, j->A, z, i, 1);
        double over = R(1 / gamma), delta = R(R(canonical_dot(p, q, z, n) * over) * over);
        double a = R(delta * over), b = R(gamma / gamma0);
        for (uint32_t i = 0; i < n; i++) {
            double e = R(R(R(over * q[i]) - R(a * v[i])) - R(b * v0[i]));
            v0[i] = v[i];
            v[i] = e;
            q[i] = R(d[i] * e); /* the next z */
        }
        vz = canonical_dot(p, v, q, n);
        double next = R(sqrt(vz)), a0 = R(R(c * delta) - R(R(c0 * s) * gamma));
        double a1 = R(sqrt(R(R(a0 * a0) + vz))), a2 = R(R(s * delta) + R(R(c0 * c) * gamma)),
               a3 = R(s0 * gamma);
        c0 = c;
        s0 = s;
        c = R(a0 / a1);
        s = R(next / a1);
        double tau = R(c * eta), inverse = R(1 / a1);
        for (uint32_t i = 0; i < n; i++) {
            double e = R(R(R(R(over * z[i]) - R(a3 * w0[i])) - R(a2 * w[i])) * inverse);
            w0[i] = w[i];
            w[i] = e;
            out->x[i] = R(out->x[i] + R(tau * e));
            z[i] = q[i];
        }
        eta = -R(s * eta);
        gamma0 = gamma;
        gamma = next;
        out->history[k] = R(R(eta * eta) * share);
    }
    free(d), free(v), free(v0), free(z), free(q), free(w), free(w0);
#undef R
}

static inline void minres_run(vks_context *c, const struct minres_job *j, double rr,
                              const struct minres_result *want, const char *where)
{
    char what[160];
    uint32_t n = j->A->rows;
    vks_precision p = public_precision(j->p);
    snprintf(what, sizeof what, "minres, %s, n = %u, row sums %d, on %s", precision_name(j->p), n,
             j->row_sums, where);
    vks_matrix_options stored = {.precision = p, .storage.format = VKS_FORMAT_CSR};
    struct minres_result got = {.x = room(n, 8)};
    struct equation q = {0};
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    must_work(c, vks_matrix_from_csr(c, n, n, j->A->row, j->A->col, j->A->val, &stored, &A));
    must_work(c, vks_vector_create(c, n, p, &b));
    must_work(c, vks_vector_create(c, n, p, &x));
    A->csr.lanes = 1;
    q = (struct equation){A, b, x, false};
    vks_solve_options o = {.method = VKS_METHOD_MINRES,
                           .precond = j->row_sums ? VKS_PRECOND_ROW_SUM : VKS_PRECOND_NONE,
                           .scaling = VKS_SCALING_NONE,
                           .history = got.history,
                           .history_capacity = MINRES_STEPS};
    struct solve s;
    must_work(c, solve_open(&s, &q, &o));
    must_work(c, solve_setup(&s));
    struct snapshot start = {.control = {.state = STATE_RUNNING, .limit = MINRES_STEPS},
                             .numbers = {.rr = rr, .ceiling = 1e30, .scale = 1}},
                    end;
    state_set(&s.it.column.state, &start);
    must_work(c, rec_run(&s.it.put));
    must_work(c, upload_values(s.it.device, &s.it.r, p, 0, n, VKS_F64, j->r0));
    struct rec r;
    rec_create(&r, c->device, real_precision(j->p));
    fill(&r, state_zero(&s.it.column.state), s.it.krylov.x);
    method_record_start(&r, &method_minres, &s.it.krylov);
    for (int k = 0; k <= MINRES_UNITS; k++) /* the last one does nothing */
        method_record_unit(&r, &method_minres, &s.it.krylov);
    copy(&r, s.it.krylov.x, vec_of(x));
    must_work(c, rec_run(&r));
    guards_check(c->device);
    must_work(c, state_read(s.it.device, &s.it.column.state, &end));
    cr_expect_eq(end.control.iteration, MINRES_STEPS, "%s: %u products", what, end.control.iteration);
    cr_expect_eq(end.control.state, STATE_LIMIT, "%s: state %u", what, end.control.state);
    must_work(c, vks_vector_read(x, 0, n, VKS_F64, got.x));
    must_work(c, download_values(s.it.device, &s.it.history, p, 0, MINRES_STEPS, VKS_F64, got.history));
    must_equal(got.history, want->history, MINRES_STEPS, what);
    must_equal(got.x, want->x, n, what);
    rec_destroy(&r);
    solve_close(&s);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    free(got.x);
}

#endif
