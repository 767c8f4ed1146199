/* A x = b for the 5-point Laplacian A on a square grid, with no stored entries: docs/operators.md. */
#include <stdio.h>
#include <vksolve/vksolve.h>

/* The 5-point Laplacian on a grid that is word0 wide: on a GPU, */
static const char glsl[] = "real row(uint i)\n"
                           "{\n"
                           "    uint w = word0, column = i % w;\n"
                           "    real sum = real(0);\n"
                           "    if (i >= w)         sum = sum - x.at[i - w];\n"
                           "    if (column > 0)     sum = sum - x.at[i - 1];\n"
                           "    sum = sum + real(4) * x.at[i];\n"
                           "    if (column + 1 < w) sum = sum - x.at[i + 1];\n"
                           "    if (i + w < n)      sum = sum - x.at[i + w];\n"
                           "    return sum;\n"
                           "}\n";

/* and on the host. */
static void rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    uint32_t w = A->word[0];
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t column = i % w;
        double sum = 0;
        if (i >= w)
            sum = sum - x[i - w];
        if (column > 0)
            sum = sum - x[i - 1];
        sum = sum + 4 * x[i];
        if (column + 1 < w)
            sum = sum - x[i + 1];
        if (i + w < A->n)
            sum = sum - x[i + w];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    enum { WIDTH = 100, N = WIDTH * WIDTH };
    char message[1024] = "";
    vks_context_options options = {
        .device = argc > 1 ? argv[1] : NULL, .message = message, .message_size = sizeof message};
    vks_operator laplacian = {.glsl = glsl, .rows_f64 = rows, .word = {WIDTH}};
    vks_context *context = NULL;
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_solve_report report;

    vks_status s = vks_context_create(&options, &context);
    if (!s)
        s = vks_operator_create(context, N, &laplacian, &A);
    if (!s)
        s = vks_vector_create(context, N, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(context, N, VKS_F64, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = cg_solve(A, b, x, NULL, &report);
    if (s)
        fprintf(stderr, "%s%s\n", message, vks_context_message(context));
    else
        printf("%s after %u iterations, residual %.1e\n", vks_reason_name(report.reason), report.iterations,
               report.true_residual);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    vks_context_destroy(context);
    return s != VKS_OK;
}
