/* A membrane under a uniform load: -div grad u = 1 on the unit square, u = 0 on its border, by linear finite
 * elements on triangles. The matrix is assembled as in FEM programs: every element adds its 3 x 3 stiffness
 * matrix, and vks_matrix_from_coo sums entries at the same place. In the middle, the series for u gives
 * 0.0736713. */
#include <math.h>
#include <stdio.h>
#include <vksolve/vksolve.h>

enum { CELLS = 128, NODES = CELLS - 1, UNKNOWNS = NODES * NODES, MOST = CELLS * CELLS * 2 * 9 };
static const double middle = 0.0736713;

static uint32_t row[MOST], col[MOST];
static double val[MOST], load[UNKNOWNS], u[UNKNOWNS];
static size_t count;

/* The unknown at node (i, j), or -1 on the border, where u is known. */
static int unknown_at(int i, int j)
{
    return i > 0 && j > 0 && i < CELLS && j < CELLS ? (i - 1) * NODES + j - 1 : -1;
}

/* A triangle whose right angle is at its first node. Its stiffness does not depend on its size. */
static void add_triangle(const int node[3][2])
{
    static const double stiffness[3][3] = {{1, -0.5, -0.5}, {-0.5, 0.5, 0}, {-0.5, 0, 0.5}};
    double area = 0.5 / CELLS / CELLS;
    for (int a = 0; a < 3; a++) {
        int i = unknown_at(node[a][0], node[a][1]);
        if (i < 0)
            continue;
        load[i] += area / 3;
        for (int b = 0; b < 3; b++) {
            int j = unknown_at(node[b][0], node[b][1]);
            if (j < 0)
                continue;
            row[count] = (uint32_t)i;
            col[count] = (uint32_t)j;
            val[count++] = stiffness[a][b];
        }
    }
}

static void assemble(void)
{
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            add_triangle((const int[3][2]){{i, j}, {i + 1, j}, {i, j + 1}});
            add_triangle((const int[3][2]){{i + 1, j + 1}, {i, j + 1}, {i + 1, j}});
        }
}

static vks_status solve(vks_context *context, vks_solve_report *report)
{
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_status s = vks_matrix_from_coo(context, UNKNOWNS, UNKNOWNS, count, row, col, val, NULL, &A);
    if (!s)
        s = vks_vector_create(context, UNKNOWNS, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(context, UNKNOWNS, VKS_F64, &x);
    if (!s)
        s = vks_vector_write(b, 0, UNKNOWNS, VKS_F64, load);
    if (!s)
        s = cg_solve(A, b, x, &(vks_solve_options){.rtol = 1e-10}, report);
    if (!s)
        s = vks_vector_read(x, 0, UNKNOWNS, VKS_F64, u);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    return s;
}

int main(void)
{
    vks_context *context;
    char message[1024];
    if (vks_context_create(&(vks_context_options){.message = message, .message_size = sizeof message},
                           &context)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    assemble();
    vks_solve_report report;
    vks_status status = solve(context, &report);
    if (status)
        fprintf(stderr, "%s\n", vks_context_message(context));
    vks_context_destroy(context);
    if (status)
        return 1;

    double deflection = u[unknown_at(CELLS / 2, CELLS / 2)];
    printf("%d unknowns from %zu triplets: %s after %u iterations, true residual %.1e\n", UNKNOWNS, count,
           vks_reason_name(report.reason), report.iterations, report.true_residual);
    printf("the middle sinks by %.6f; the series gives %.6f\n", deflection, middle);
    return report.reason != VKS_REASON_CONVERGED || fabs(deflection - middle) > 1e-5;
}
