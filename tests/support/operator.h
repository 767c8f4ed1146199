/* Shared by the suites of operators. */
#ifndef VKS_TESTS_OPERATOR_H
#define VKS_TESTS_OPERATOR_H

#include "command/models/generate_matrix.h"
#include "tests/support/poisson.h"
#include "tests/support/solve.h"

/* Whether texts can be compiled here. If not, checks that the message says what is missing. */
static inline bool compiles(vks_context *c)
{
    vks_operator d = {.glsl = "real row(uint i) { return x.at[i]; }\n"};
    OWNED(void) *code;
    size_t bytes;
    vks_status s = vks_operator_compile(c, &d, &code, &bytes);
    if (s)
        must_refuse(c, s, VKS_UNSUPPORTED, "libshaderc, which compiles GLSL, cannot be loaded");
    return !s;
}

/* Runs on the host and, if texts can be compiled, on lavapipe, in both precisions. */
static inline void with_operators(void (*test)(vks_context *, enum precision))
{
    in_both_precisions(open_host(), test);
    vks_context *c = open_gpu();
    if (compiles(c)) {
        in_both_precisions(c, test);
    } else {
        close_context(c);
        cr_log_warn("no libshaderc: not tested on %s", gpu_name());
    }
}

static inline struct host_csr poisson_matrix(uint32_t width, bool is_3d)
{
    struct message m = {0};
    struct host_csr A = {0};
    cr_assert_eq(generate_matrix(&m, is_3d ? "poisson3d" : "poisson2d", width, &A), VKS_OK, "%s", m.text);
    return A;
}

/* Solves with the operator, and checks with the equal matrix q->A. */
static inline struct solved solve_operator(vks_context *c, const struct problem *q, const vks_operator *d)
{
    uint32_t n = q->A->rows;
    struct solved s = {.x = room(n, 8), .history = room(q->options.history_capacity, 8)};
    vks_solve_options o = q->options;
    vks_matrix *A = NULL;
    if (o.history_capacity)
        o.history = s.history;
    must_work(c, vks_operator_create(c, n, d, &A));
    vks_vector *b = vector_of(c, q->p, q->b, n), *x = vector_of(c, q->p, q->x0, n);
    must_work(c, vks_solve(A, b, x, &o, &s.report));
    must_work(c, vks_vector_read(x, 0, n, VKS_F64, s.x));
    guards_check(c->device);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    check_report(q, &s);
    return s;
}

#endif
