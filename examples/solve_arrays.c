/* One call for a system in host arrays: no context, no objects. The system is a chain of springs of stiffness
 * one, held at both ends and pulled at every node by a unit force: the displacement of node i is i (n + 1 -
 * i) / 2. */
#include <math.h>
#include <stdio.h>
#include <vksolve/vksolve.h>

enum { N = 200 };

int main(void)
{
    static uint32_t row[N + 1], col[3 * N];
    static double val[3 * N], b[N], x[N];
    uint32_t entries = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            col[entries] = j;
            val[entries++] = j == i ? 2 : -1;
        }
        row[i + 1] = entries;
        b[i] = 1;
    }

    vks_solve_report report;
    vks_status status = vks_solve_csr(N, row, col, val, b, x, NULL, &report);
    if (status) {
        fprintf(stderr, "%s: %s\n", vks_status_text(status), report.detail);
        return 1;
    }
    double error = 0;
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs(x[i] - (i + 1) * (N - i) / 2.0));
    printf("%s after %u iterations; the largest displacement is %.1f, the error at most %.1e\n",
           vks_reason_name(report.reason), report.iterations, x[N / 2], error);
    return report.reason != VKS_REASON_CONVERGED || error > 1e-6 * x[N / 2];
}
