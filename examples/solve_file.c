/* Solves A x = b for a matrix from a file and b of ones: example_solve_file [A.mtx] */
#include <stdio.h>
#include <stdlib.h>
#include <vksolve/vksolve.h>

static vks_context *context;

static void must(vks_status status)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %s\n", vks_status_text(status), vks_context_message(context));
    exit(1);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "matrices/bcsstk14.mtx.gz";
    vks_matrix *A;
    vks_vector *b, *x;
    vks_solve_report report;
    must(vks_context_create(NULL, &context)); /* a GPU if there is one, else the host */
    must(vks_matrix_read(context, path, NULL, &A));
    must(vks_vector_create(context, vks_matrix_rows(A), VKS_F64, &b));
    must(vks_vector_create(context, vks_matrix_cols(A), VKS_F64, &x));
    must(vks_vector_fill(b, 1));
    must(cg_solve(A, b, x, NULL, &report));
    printf("%s after %u iterations, true residual %.1e\n", vks_reason_name(report.reason), report.iterations,
           report.true_residual);
    if (report.detail[0])
        printf("%s\n", report.detail);

    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    vks_context_destroy(context);
    return report.reason != VKS_REASON_CONVERGED;
}
