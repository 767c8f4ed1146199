/* What multigrid refuses about nodes, coordinates and near-null vectors, and its messages. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"
#include "vksolve/operator.h"
#include "vksolve/precond.h"

enum { ROWS = 12 };

static const double zero[8 * ROWS];
static double with_nan[ROWS] = {[7] = NAN}, with_infinity[2 * ROWS] = {[0] = 1, [ROWS + 4] = INFINITY},
              far_away[ROWS] = {1.5e308, 0, 0, 1.5e308};

static vks_matrix *make_matrix(vks_context *c)
{
    OWNED_STRUCT(host_csr) host = tridiagonal(ROWS, -1, 3, -1);
    return put_on(c, &host, PRECISION_F64, VKS_FORMAT_AUTO);
}

/* By each call that takes such options. */
static void must_refuse_options(vks_context *c, const vks_matrix *A, const vks_solve_options *o,
                                vks_status status, const char *said)
{
    vks_solver *solver = NULL;
    vks_precond *M = NULL;
    vks_solve_report report;
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, zero, ROWS),
                      *x = vector_of(c, PRECISION_F64, NULL, ROWS);
    must_refuse(c, vks_solve(A, b, x, o, &report), status, said);
    cr_expect(report.reason == VKS_REASON_NOT_RUN && strstr(report.detail, said), "%s", report.detail);
    must_refuse(c, vks_solver_create(A, o, &solver), status, said);
    cr_expect_null(solver);
    if (o->method == VKS_METHOD_AUTO) {
        must_refuse(c, vks_precond_create(A, o->precond_options, &M), status, said);
        cr_expect_null(M);
    }
}

TestOnHost(amg_nodes_refuse, nodes_coordinates_and_vectors_that_do_not_fit)
{
    static const struct {
        vks_amg_options amg;
        const char *said;
    } cases[] = {
        {{.block = 9}, "amg: nodes with 9 unknowns; the most is 8"},
        {{.block = UINT32_MAX}, "amg: nodes with 4294967295 unknowns; the most is 8"},
        {{.block = 5}, "amg: nodes with 5 unknowns, but A has 12 rows, which is not a multiple"},
        {{.block = 8, .vectors = 1, .near_null = zero},
         "amg: nodes with 8 unknowns, but A has 12 rows, which is not a multiple"},
        {{.dimensions = 4, .coordinates = zero}, "amg: 4 coordinates of a node; 2 or 3 are allowed"},
        {{.dimensions = 1, .coordinates = zero}, "amg: 1 coordinates of a node; 2 or 3 are allowed"},
        {{.dimensions = 2, .block = 3, .coordinates = zero},
         "amg: nodes with 3 unknowns and 2 coordinates; the two must be equal"},
        {{.dimensions = 3, .block = 1, .coordinates = zero},
         "amg: nodes with 1 unknowns and 3 coordinates; the two must be equal"},
        {{.dimensions = 3}, "amg: coordinates are NULL, but their number is 3"},
        {{.coordinates = zero}, "amg: coordinates are given, but their number is 0"},
        {{.block = 3, .coordinates = zero}, "amg: coordinates are given, but their number is 0"},
        {{.vectors = 2}, "amg: near-null vectors are NULL, but their number is 2"},
        {{.near_null = zero}, "amg: near-null vectors are given, but their number is 0"},
        {{.dimensions = 3, .coordinates = zero, .near_null = zero},
         "amg: near-null vectors are given, but their number is 0"},
        {{.vectors = 1, .near_null = zero, .coordinates = zero},
         "amg: coordinates are given, but their number is 0"},
        {{.dimensions = 3, .coordinates = zero, .vectors = 1, .near_null = zero},
         "amg: coordinates and near-null vectors exclude each other"},
        {{.vectors = 9, .near_null = zero}, "amg: 9 near-null vectors; the most is 8"},
        {{.dimensions = 3, .coordinates = with_nan}, "coordinate 2 of node 3 is not finite"},
        {{.dimensions = 2, .coordinates = with_infinity + ROWS}, "coordinate 1 of node 3 is not finite"},
        {{.dimensions = 3, .coordinates = far_away},
         "the coordinates of the nodes are too large to have a centroid"},
        {{.vectors = 1, .near_null = with_nan}, "element 8 of near-null vector 1 is not finite"},
        {{.block = 3, .vectors = 2, .near_null = with_infinity},
         "element 5 of near-null vector 2 is not finite"},
        {{.refresh = (vks_amg_refresh)2}, "amg: unknown refresh 2"},
        {{.vectors = 1, .near_null = zero}, "near-null vector 1 is zero"}};
    OWNED(vks_matrix) *A = make_matrix(c);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vks_precond_options o = {.kind = VKS_PRECOND_AMG, .amg = cases[i].amg},
                            outer = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &o};
        must_refuse_options(c, A, &(vks_solve_options){.precond_options = &o}, VKS_INVALID_ARGUMENT,
                            cases[i].said);
        must_refuse_options(c, A, &(vks_solve_options){.precond_options = &outer}, VKS_INVALID_ARGUMENT,
                            cases[i].said);
    }
}

TestOnHost(amg_nodes_refuse, options_of_other_kinds)
{
    static const vks_amg_options given[] = {
        {.dimensions = 3, .coordinates = zero}, {.coordinates = zero}, {.dimensions = 3},
        {.vectors = 1, .near_null = zero},      {.near_null = zero},   {.vectors = 1}};
    OWNED(vks_matrix) *A = make_matrix(c);
    for (int kind = VKS_PRECOND_AUTO; kind < VKS_PRECOND_COUNT_; kind++)
        for (size_t i = 0; kind != VKS_PRECOND_AMG && i < sizeof given / sizeof *given; i++) {
            vks_precond_options o = {.kind = (vks_precond_kind)kind, .amg = given[i]};
            must_refuse_options(c, A, &(vks_solve_options){.precond_options = &o}, VKS_INVALID_ARGUMENT,
                                " has no coordinates or near-null vectors");
        }
    vks_precond_options kept = {.kind = VKS_PRECOND_JACOBI, .amg = {.refresh = VKS_AMG_KEEP}};
    must_refuse_options(c, A, &(vks_solve_options){.precond_options = &kept}, VKS_INVALID_ARGUMENT,
                        "the preconditioner jacobi has no levels to keep for new values");
    vks_precond_options o = {.kind = VKS_PRECOND_JACOBI, .amg = {.block = 3}};
    must_refuse_options(c, A, &(vks_solve_options){.precond_options = &o}, VKS_INVALID_ARGUMENT,
                        "the preconditioner jacobi has no unknowns of a node");
}

/* The pointers must not be read either. */
TestOnHost(amg_nodes_refuse, methods_that_take_no_preconditioner)
{
    static const vks_amg_options given[] = {
        {.block = 3}, {.dimensions = 3}, {.dimensions = 3, .coordinates = zero}, {.vectors = 2}};
    OWNED(vks_matrix) *A = make_matrix(c);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        vks_precond_options o = {.amg = given[i]};
        must_refuse_options(c, A, &(vks_solve_options){.method = VKS_METHOD_JACOBI, .precond_options = &o},
                            VKS_INVALID_ARGUMENT,
                            "jacobi takes no preconditioner, but options of one were given");
    }
}

static void triple(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 3 * x[i];
}

TestOnHost(amg_nodes_refuse, an_operator)
{
    vks_operator d = {.rows_f64 = triple};
    OWNED(vks_matrix) *A = NULL;
    must_work(c, vks_operator_create(c, ROWS, &d, &A));
    vks_precond_options o = {.kind = VKS_PRECOND_AMG, .amg = {.dimensions = 3, .coordinates = zero}};
    must_refuse_options(c, A, &(vks_solve_options){.precond_options = &o}, VKS_UNSUPPORTED,
                        "amg needs entries, which an operator does not have");
}
