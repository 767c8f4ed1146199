/* Calls of the library, which fuzz_faults makes fail: each must return VKS_OK, or the status of memory or
 * files with a message. Exits with the exit codes of the command. The program itself allocates nothing. */
#include "storages.h"
#include "tests/support/own.h"
#include "vksolve/vksolve.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 40, EXIT_WRONG = 100 };

static vks_context *context;
static int code; /* exit code */
static uint32_t row[N + 1], col[3 * N];
static double val[3 * N], ones[N];

/* Records how a call ended; returns whether it succeeded. */
static bool went_well(vks_status status, const char *call)
{
    if (!status)
        return true;
    const char *message = vks_context_message(context);
    bool memory = status == VKS_OUT_OF_MEMORY || status == VKS_DEVICE_MEMORY;
    fprintf(stderr, "%s: %s: %s\n", call, vks_status_name(status), message);
    if (!message[0] || (!memory && status != VKS_FILE))
        _Exit(EXIT_WRONG);
    code = memory ? 4 : code ? code : 1;
    return false;
}
#define CALL(call) went_well(call, #call)

/* Fills a tridiagonal matrix. */
static void fill_matrix(void)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = i ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            col[at] = j;
            val[at++] = i == j ? 4 : -1;
        }
        row[i + 1] = at;
        ones[i] = 1;
    }
}

static void solve_with(const vks_matrix *A, const vks_vector *b, vks_vector *x, const vks_solve_options *o)
{
    OWNED(vks_solver) *solver = NULL;
    CALL(vks_solve(A, b, x, o, NULL));
    if (o->method == VKS_METHOD_GAUSS_JORDAN)
        return;
    if (CALL(vks_solver_create(A, o, &solver)))
        CALL(vks_solver_solve(solver, b, x, NULL));
}

static void solve_all(const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    static const vks_solve_options options[] = {
        {.zero_guess = 1},
        {.precond = VKS_PRECOND_BLOCK_JACOBI, .zero_guess = 1},
        {.iterate_in_f32 = 1, .zero_guess = 1},
        {.method = VKS_METHOD_JACOBI, .weight = VKS_WEIGHT_AUTO, .zero_guess = 1},
        {.method = VKS_METHOD_GAUSS_JORDAN},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        solve_with(A, b, x, &options[k]);
}

static void make_others(vks_matrix *A, const vks_vector *b)
{
    vks_matrix *B = NULL, *C = NULL, *D = NULL, *T = NULL;
    OWNED(vks_dense) *E = NULL, *F = NULL;
    vks_statistics statistics;
    CALL(vks_matrix_statistics(A, &statistics));
    if (CALL(vks_matrix_transpose(A, VKS_FORMAT_CSR, &T)))
        CALL(vks_matrix_multiply(A, T, NULL, &B));
    CALL(vks_matrix_add(1, A, 2, A, VKS_FORMAT_SELL, &C));
    CALL(vks_matrix_drop(A, 0.5, VKS_FORMAT_CSR, &D));
    if (CALL(vks_dense_from_matrix(A, &E)))
        CALL(vks_gauss_jordan_invert(E, &F, NULL, NULL));
    CALL(vks_matrix_scale(A, b, NULL));
    CALL(vks_matrix_write(A, "x.mtx"));
    vks_matrix_destroy(B);
    vks_matrix_destroy(C);
    vks_matrix_destroy(D);
    vks_matrix_destroy(T);
}

static void sort(void)
{
    OWNED(vks_array) *keys = NULL;
    if (CALL(vks_array_create(context, 3 * N, VKS_TYPE_F64, &keys)) &&
        CALL(vks_array_write(keys, 0, 3 * N, val)))
        CALL(vks_sort(keys, NULL));
}

static void multiply_all(const vks_vector *x, vks_vector *y)
{
    for (int k = 0; k < STORAGES; k++) {
        vks_matrix_options o = {.precision = VKS_MIXED, .storage = storages[k].options};
        OWNED(vks_matrix) *A = NULL;
        if (CALL(vks_matrix_from_csr(context, N, N, row, col, val, &o, &A)) && CALL(vks_spmv(A, x, y)))
            CALL(vks_spmv_transpose(A, x, y));
    }
}

int main(void)
{
    char message[1024] = "";
    vks_context_options o = {.device = "host", .message = message, .message_size = sizeof message};
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    fill_matrix();
    if (vks_context_create(&o, &context)) {
        fprintf(stderr, "%s\n", message);
        return 4;
    }
    if (CALL(vks_vector_create(context, N, VKS_F64, &b)) &&
        CALL(vks_vector_create(context, N, VKS_F64, &x)) && CALL(vks_vector_write(b, 0, N, VKS_F64, ones))) {
        multiply_all(b, x);
        if (CALL(vks_matrix_from_csr(context, N, N, row, col, val, NULL, &A))) {
            solve_all(A, b, x);
            make_others(A, b);
        }
        sort();
    }
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(A);
    vks_context_destroy(context);
    return code;
}
