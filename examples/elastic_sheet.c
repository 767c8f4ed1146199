/* A sheet of springs, held along one edge and pulled down along the other: conjugate gradients with
 * multigrid, which gets the coordinates of the nodes, so that all of its levels represent the rigid motions
 * of the sheet. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vksolve/vksolve.h>

/* Nodes are on a grid with spacing 1. Those with i = -1 do not move, and are not unknowns. */
enum { N = 60, NODES = N * N, UNKNOWNS = 2 * NODES, MOST = 16 * 4 * NODES };

static double at[UNKNOWNS], force[UNKNOWNS], moved[UNKNOWNS], val[MOST];
static uint32_t row[MOST], col[MOST];
static size_t terms;
static vks_context *context;

static void must(vks_status status)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %s\n", vks_status_text(status), vks_context_message(context));
    exit(1);
}

/* Adds the effect of moving node q on the forces on node p, through a spring along (x, y) of stiffness 1 over
 * its length. */
static void add(int p, int q, double sign, int x, int y)
{
    double along[2] = {x, y}, length = sqrt((double)(x * x + y * y));
    for (int k = 0; k < 4; k++) {
        row[terms] = (uint32_t)(2 * p + k / 2);
        col[terms] = (uint32_t)(2 * q + k % 2);
        val[terms++] = sign * along[k / 2] * along[k % 2] / (length * length * length);
    }
}

static void add_spring(int i, int j, int x, int y)
{
    int p = i * N + j, q = p + x * N + y;
    if (j + y < 0 || j + y >= N || i + x >= N)
        return;
    add(q, q, 1, x, y);
    if (i < 0)
        return;
    add(p, p, 1, x, y);
    add(p, q, -1, x, y);
    add(q, p, -1, x, y);
}

static void make_sheet(void)
{
    for (int i = -1; i < N; i++)
        for (int j = 0; j < N; j++) {
            add_spring(i, j, 1, -1);
            add_spring(i, j, 1, 0);
            add_spring(i, j, 1, 1);
            if (i < 0)
                continue;
            add_spring(i, j, 0, 1);
            at[2 * (i * N + j)] = i;
            at[2 * (i * N + j) + 1] = j;
            force[2 * (i * N + j) + 1] = i == N - 1 ? -1e-3 / N : 0;
        }
}

int main(void)
{
    vks_matrix *A;
    vks_vector *b, *x;
    vks_solve_report report;
    make_sheet();
    must(vks_context_create(NULL, &context));
    must(vks_matrix_from_coo(context, UNKNOWNS, UNKNOWNS, terms, row, col, val, NULL, &A));
    must(vks_vector_create(context, UNKNOWNS, VKS_F64, &b));
    must(vks_vector_create(context, UNKNOWNS, VKS_F64, &x));
    must(vks_vector_write(b, 0, UNKNOWNS, VKS_F64, force));

    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    amg.amg.dimensions = 2; /* and implies as many unknowns at each node */
    amg.amg.coordinates = at;
    vks_solve_options options = {.precond_options = &amg, .rtol = 1e-8};
    must(cg_solve(A, b, x, &options, &report));
    const vks_hierarchy *h = &report.hierarchy;
    for (uint32_t i = 0; i < h->levels; i++)
        printf("level %u: %u rows, %u entries\n", i + 1, h->level[i].rows, h->level[i].entries);
    printf("%s after %u iterations\n", vks_reason_name(report.reason), report.iterations);
    if (report.detail[0] || report.warning[0])
        printf("%s%s\n", report.detail, report.warning);

    must(vks_vector_read(x, 0, UNKNOWNS, VKS_F64, moved));
    printf("the free edge sinks by %.3g\n", -moved[UNKNOWNS - 1]);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    vks_context_destroy(context);
    return report.reason != VKS_REASON_CONVERGED || report.hierarchy.levels < 2;
}
