/* Many small systems at once: heat in a thousand wires, each with its own conductivity, by backward Euler. A
 * step solves (I + dt K) u' = u for all wires: b and x stay on the device. After half of the steps the wires
 * are exchanged for better conductors: new values, the same pattern. A wire of constant temperature stays as
 * it is, which is checked at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vksolve/vksolve.h>

enum { WIRES = 1000, N = 50, ENTRIES = 3 * N - 2, STEPS = 10 };

static vks_context *context;

static void must(vks_status status)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", vks_status_text(status), context ? vks_context_message(context) : "");
        exit(1);
    }
}

static uint32_t row[N + 1], col[ENTRIES];
static double values[WIRES][ENTRIES], u[WIRES][N];
static vks_batch_report report[WIRES];

/* Insulated wires; `factor` times the conductivity. */
static void make_wires(double factor)
{
    for (int w = 0; w < WIRES; w++) {
        double k = factor * (1 + w % 10);
        uint32_t e = 0;
        for (uint32_t i = 0; i < N; i++) {
            double neighbours = (i > 0) + (i < N - 1);
            for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
                col[e] = j;
                values[w][e++] = j == i ? 1 + k * neighbours : -k;
            }
            row[i + 1] = e;
        }
    }
}

/* Returns the number of wires whose system did not converge. */
static int step(vks_batch *batch, vks_vector *before, vks_vector *after)
{
    int failed = 0;
    must(vks_batch_solve(batch, before, after, report));
    for (int w = 0; w < WIRES; w++)
        failed += report[w].reason != VKS_REASON_CONVERGED;
    return failed;
}

int main(void)
{
    vks_batch *batch = NULL;
    vks_vector *v[2] = {NULL, NULL};
    int failed = 0;
    make_wires(0.5);
    for (int w = 0; w < WIRES; w++)
        for (int i = 0; i < N; i++)
            u[w][i] = w == 0 ? 20 : i < N / 2 ? 0 : 100;

    must(vks_context_create(NULL, &context));
    must(vks_batch_create(context, WIRES, N, row, col, VKS_F64, values, NULL, &batch));
    for (int k = 0; k < 2; k++) {
        must(vks_vector_create(context, WIRES * N, VKS_F64, &v[k]));
        must(vks_vector_write(v[k], 0, WIRES * N, VKS_F64, u));
    }
    for (int k = 0; k < STEPS; k++) {
        if (k == STEPS / 2) {
            make_wires(5);
            must(vks_batch_update(batch, VKS_F64, values));
        }
        failed += step(batch, v[k % 2], v[(k + 1) % 2]);
    }
    must(vks_vector_read(v[STEPS % 2], 0, WIRES * N, VKS_F64, u));
    printf("%d wires, %d steps, %u iterations in the last one; %d systems failed\n", WIRES, STEPS,
           report[WIRES - 1].iterations, failed);

    double error = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        error = fmax(error, fabs(u[0][i] - 20));
        sum += u[1][i] / N;
    }
    printf("the constant wire has an error of %.1e, the next one a mean of %.6f\n", error, sum);
    vks_vector_destroy(v[0]);
    vks_vector_destroy(v[1]);
    vks_batch_destroy(batch);
    vks_context_destroy(context);
    return failed || error > 1e-5 || fabs(sum - 50) > 1e-5;
}
