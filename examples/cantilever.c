/* A beam, clamped at one end and pulled down at the other: linear elasticity with eight-node hexahedra. The
 * matrix is in blocks of 3 x 3 (BSR); conjugate gradients solve with algebraic multigrid, which uses the
 * coordinates of the nodes. The deflection of the tip is compared with Timoshenko's beam theory,
 *
 *     P L^3 / (3 E I) + P L / (k G A),    k = 10 (1 + nu) / (12 + 11 nu)      (Cowper 1966)
 *
 * on successively finer meshes. The last one is written to cantilever.vtk, for ParaView, and cantilever.png,
 * a picture.
 *
 *     cantilever [FINEST] [FOLDER] [DEVICE]     the number of elements across the beam: 2, 4 ... FINEST */
#include "support/picture.h"
#include <stdlib.h>
#include <vksolve/vksolve.h>

/* A beam of 10 x 1 x 1; the force points down the z axis. */
static const double length = 10, E = 1000, nu = 0.3, force = 1;

/* Numbers of elements. Nodes of the clamped face have no unknowns: node (i, j, k) has the 3 unknowns that
 * begin at 3 ((i - 1) (n + 1)^2 + j (n + 1) + k). */
struct beam {
    uint32_t n, along, unknowns;
    double *b, *u;
    double *coordinates; /* of the nodes with unknowns, in the order of the unknowns */
};

static int node_of(const struct beam *m, uint32_t i, uint32_t j, uint32_t k)
{
    uint32_t side = m->n + 1;
    return (int)((i * side + j) * side + k) - (int)(side * side); /* negative: clamped */
}

/* The derivatives of the eight shape functions at a point of the cube from -1 to 1; the bits of c are the
 * signs of corner c. */
static void gradients(const double at[3], double g[8][3])
{
    for (int c = 0; c < 8; c++) {
        double f[3], s[3];
        for (int d = 0; d < 3; d++) {
            s[d] = c >> d & 1 ? 1 : -1;
            f[d] = (1 + s[d] * at[d]) / 2;
        }
        for (int d = 0; d < 3; d++)
            g[c][d] = s[d] / 2 * f[(d + 1) % 3] * f[(d + 2) % 3];
    }
}

/* The stiffness matrix of a cube with edges of length h, by Gauss quadrature. */
static void stiffness(double h, double K[24][24])
{
    double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu)), point = sqrt(1.0 / 3);
    memset(K, 0, 24 * sizeof *K);
    for (int p = 0; p < 8; p++) {
        double g[8][3], at[3] = {p & 1 ? point : -point, p & 2 ? point : -point, p & 4 ? point : -point};
        gradients(at, g);
        for (int a = 0; a < 24; a++)
            for (int b = 0; b < 24; b++) {
                const double *ga = g[a / 3], *gb = g[b / 3];
                int i = a % 3, j = b % 3;
                double dot = ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2];
                K[a][b] += h / 2 * (lambda * ga[i] * gb[j] + mu * ga[j] * gb[i] + (i == j ? mu * dot : 0));
            }
    }
}

/* The unknowns at the corners of an element; negative if clamped. */
static void unknowns_of(const struct beam *m, uint32_t i, uint32_t j, uint32_t k, int at[24])
{
    for (uint32_t c = 0; c < 8; c++)
        for (int d = 0; d < 3; d++)
            at[3 * c + (uint32_t)d] = 3 * node_of(m, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) + d;
}

static size_t add_element(const double K[24][24], const int at[24], size_t count, uint32_t *row,
                          uint32_t *col, double *val)
{
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < 24; b++)
            if (at[a] >= 0 && at[b] >= 0) {
                row[count] = (uint32_t)at[a];
                col[count] = (uint32_t)at[b];
                val[count++] = K[a][b];
            }
    return count;
}

/* The force, distributed evenly over the face at the tip. */
static void load(struct beam *m)
{
    for (uint32_t j = 0; j < m->n; j++)
        for (uint32_t k = 0; k < m->n; k++)
            for (uint32_t c = 0; c < 4; c++)
                m->b[3 * node_of(m, m->along, j + (c & 1), k + (c >> 1)) + 2] -= force / 4 / (m->n * m->n);
}

/* A rigid motion of the nodes costs no energy. Multigrid derives these motions from their coordinates, and
 * represents them on all levels. */
static void place_nodes(const struct beam *m)
{
    double h = length / m->along, *at = m->coordinates;
    for (uint32_t i = 1; i <= m->along; i++)
        for (uint32_t j = 0; j <= m->n; j++)
            for (uint32_t k = 0; k <= m->n; k++, at += 3)
                memcpy(at, (double[]){i * h, j * h, k * h}, 3 * sizeof *at);
}

static vks_status assemble(const struct beam *m, vks_context *c, vks_matrix **A)
{
    size_t count = 0, most = (size_t)576 * m->along * m->n * m->n;
    uint32_t *row = malloc(4 * most), *col = malloc(4 * most);
    double *val = malloc(8 * most), K[24][24];
    int at[24];
    vks_status s = VKS_OUT_OF_MEMORY;
    if (row && col && val) {
        stiffness(length / m->along, K);
        for (uint32_t i = 0; i < m->along; i++)
            for (uint32_t j = 0; j < m->n; j++)
                for (uint32_t k = 0; k < m->n; k++) {
                    unknowns_of(m, i, j, k, at);
                    count = add_element((const double(*)[24])K, at, count, row, col, val);
                }
        vks_matrix_options o = {.storage = {.format = VKS_FORMAT_BSR, .block_size = 3}};
        s = vks_matrix_from_coo(c, m->unknowns, m->unknowns, count, row, col, val, &o, A);
    }
    free(row);
    free(col);
    free(val);
    return s;
}

static vks_status solve(struct beam *m, vks_context *c, vks_solve_report *report)
{
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    amg.amg.dimensions = 3; /* and implies as many unknowns at each node */
    amg.amg.coordinates = m->coordinates;
    vks_solve_options o = {.precond_options = &amg, .rtol = 1e-8};
    vks_status s = assemble(m, c, &A);
    if (!s)
        s = vks_vector_create(c, m->unknowns, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(c, m->unknowns, VKS_F64, &x);
    if (!s)
        s = vks_vector_write(b, 0, m->unknowns, VKS_F64, m->b);
    if (!s)
        s = cg_solve(A, b, x, &o, report);
    if (!s)
        s = vks_vector_read(x, 0, m->unknowns, VKS_F64, m->u);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    return s;
}

static double displacement(const struct beam *m, uint32_t i, uint32_t j, uint32_t k, int d)
{
    int node = node_of(m, i, j, k);
    return node < 0 ? 0 : m->u[3 * node + d];
}

/* Legacy VTK: positions and displacements of all nodes. */
static int write_vtk(const struct beam *m, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        return 0;
    }
    uint32_t side = m->n + 1, nodes = (m->along + 1) * side * side;
    fprintf(f,
            "# vtk DataFile Version 3.0\ncantilever\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS %u %u %u\n"
            "POINTS %u double\n",
            side, side, m->along + 1, nodes);
    for (int what = 0; what < 2; what++) {
        if (what)
            fprintf(f, "POINT_DATA %u\nVECTORS displacement double\n", nodes);
        for (uint32_t i = 0; i <= m->along; i++)
            for (uint32_t j = 0; j < side; j++)
                for (uint32_t k = 0; k < side; k++)
                    if (what)
                        fprintf(f, "%.6g %.6g %.6g\n", displacement(m, i, j, k, 0),
                                displacement(m, i, j, k, 1), displacement(m, i, j, k, 2));
                    else
                        fprintf(f, "%.6g %.6g %.6g\n", i * length / m->along, (double)j / m->n,
                                (double)k / m->n);
    }
    int good = !ferror(f);
    return fclose(f) == 0 && good;
}

/* The side of the bent beam, coloured by displacement. */
static int draw(const struct beam *m, double deflection, const char *path)
{
    enum { WIDTH = 880, HEIGHT = 320, UNIT = 80 };
    static struct picture p;
    picture_clear(&p, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < m->along; i++)
        for (uint32_t k = 0; k < m->n; k++) {
            struct picture_corner c[4];
            for (uint32_t v = 0; v < 4; v++) {
                uint32_t a = i + (v & 1), b = k + (v >> 1);
                double x = displacement(m, a, 0, b, 0), z = displacement(m, a, 0, b, 2);
                c[v] = (struct picture_corner){UNIT * (0.5 + a * length / m->along + x / deflection),
                                               UNIT * (1.5 - (double)b / m->n - z / deflection),
                                               hypot(x, z) / deflection};
            }
            picture_triangle(&p, c);
            picture_triangle(&p, c + 1);
        }
    return picture_write(&p, path);
}

/* Solves on one mesh, and returns the deflection of the middle of the tip; draws if there is a folder. */
static vks_status bend(vks_context *c, uint32_t n, const char *folder, double *deflection)
{
    struct beam m = {.n = n, .along = (uint32_t)length * n};
    m.unknowns = 3 * m.along * (n + 1) * (n + 1);
    m.b = calloc(m.unknowns, sizeof *m.b);
    m.u = calloc(m.unknowns, sizeof *m.u);
    m.coordinates = calloc(m.unknowns, sizeof *m.coordinates);
    vks_solve_report report = {0};
    vks_status s = VKS_OUT_OF_MEMORY;
    if (m.b && m.u && m.coordinates) {
        load(&m);
        place_nodes(&m);
        s = solve(&m, c, &report);
        *deflection = -displacement(&m, m.along, n / 2, n / 2, 2);
        printf("%2u across: %7u unknowns, %u levels in %.3f s, %s after %2u iterations in %.3f s", n,
               m.unknowns, report.hierarchy.levels, report.seconds_setup, vks_reason_name(report.reason),
               report.iterations, report.seconds_solve);
    }
    char vtk[1024], png[1024];
    snprintf(vtk, sizeof vtk, "%s/cantilever.vtk", folder ? folder : "");
    snprintf(png, sizeof png, "%s/cantilever.png", folder ? folder : "");
    if (!s && folder && !(write_vtk(&m, vtk) && draw(&m, *deflection, png)))
        s = VKS_FILE;
    free(m.b);
    free(m.u);
    free(m.coordinates);
    return s;
}

int main(int argc, char **argv)
{
    int finest = argc > 1 ? atoi(argv[1]) : 8;
    const char *folder = argc > 2 ? argv[2] : ".";
    double G = E / (2 * (1 + nu)), k = 10 * (1 + nu) / (12 + 11 * nu);
    double theory = force * length * length * length / (3 * E / 12) + force * length / (k * G), error = 1;
    char message[1024];
    vks_context *c = NULL;
    vks_context_options o = {
        .device = argc > 3 ? argv[3] : NULL, .message = message, .message_size = sizeof message};
    if (finest < 2 || finest > 64) {
        fprintf(stderr, "cantilever [FINEST, 2 to 64] [FOLDER] [DEVICE]\n");
        return 1;
    }
    if (vks_context_create(&o, &c)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    vks_status s = VKS_OK;
    for (int n = 2; n <= finest && !s; n *= 2) {
        double deflection = 0;
        s = bend(c, (uint32_t)n, 2 * n > finest ? folder : NULL, &deflection);
        error = deflection / theory - 1;
        printf("; the tip goes down by %.5f, %+.2f %% beside %.5f\n", deflection, 100 * error, theory);
    }
    if (s)
        fprintf(stderr, "%s: %s\n", vks_status_text(s), vks_context_message(c));
    vks_context_destroy(c);
    return s != VKS_OK || (finest >= 8 && fabs(error) > 0.02);
}
