/* The model problems compared with naive dense matrices, and the brick's stiffness with elasticity theory. */
#include "command/models/generate_matrix.h"
#include "entries/check.h"
#include "small_matrix.h"
#include "tests/support/own.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct host_csr generate(const char *kind, uint32_t size)
{
    struct message m = {0};
    struct host_csr a = model(kind, size);
    cr_assert_eq(csr_arrays_check(&m, a.rows, a.cols, a.row, a.col), VKS_OK, "%s", m.text);
    return a;
}

/* Dense copy by rows, which the caller frees. */
static double *to_dense(const struct host_csr *a)
{
    double *d = calloc((size_t)a->rows * a->cols, sizeof *d);
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++)
            d[(size_t)r * a->cols + a->col[k]] = a->val[k];
    return d;
}

/* In place, in the lower triangle. */
static bool cholesky_succeeds(double *d, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++)
            for (size_t k = 0; k < j; k++)
                d[i * n + j] -= d[i * n + k] * d[j * n + k];
        if (!(d[j * n + j] > 0))
            return false;
        double root = sqrt(d[j * n + j]);
        for (size_t i = j; i < n; i++)
            d[i * n + j] /= root;
    }
    return true;
}

static size_t count_nonzeros(const double *d, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += d[i] != 0;
    return count;
}

/* The expected entry between two grid points; dimensions that the grid lacks are 0 in both. */
static double laplacian_entry(const int p[3], const int q[3], bool star, double diagonal)
{
    int steps = 0, furthest = 0;
    for (int axis = 0; axis < 3; axis++) {
        int step = abs(p[axis] - q[axis]);
        steps += step;
        furthest = step > furthest ? step : furthest;
    }
    if (steps == 0)
        return diagonal;
    return (star ? steps == 1 : furthest == 1) ? -1 : 0;
}

static void assert_laplacian(const char *kind, int dimensions, bool star, double diagonal)
{
    for (uint32_t size = 1; size <= 5; size++) {
        OWNED_STRUCT(host_csr) a = generate(kind, size);
        uint32_t n = dimensions == 2 ? size * size : size * size * size, area = size * size;
        OWNED(double) *d = to_dense(&a);
        cr_assert(a.rows == n && a.cols == n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                int p[] = {(int)(i / area), (int)(i / size % size), (int)(i % size)};
                int q[] = {(int)(j / area), (int)(j / size % size), (int)(j % size)};
                cr_assert_eq(d[i * n + j], laplacian_entry(p, q, star, diagonal), "%s(%u) %u %u", kind, size,
                             i, j);
            }
        cr_assert_eq(host_csr_entries(&a), count_nonzeros(d, (size_t)n * n));
    }
}

Test(generate, poisson2d_is_the_five_point_matrix)
{
    assert_laplacian("poisson2d", 2, true, 4);
}

Test(generate, poisson3d_is_the_seven_point_matrix)
{
    assert_laplacian("poisson3d", 3, true, 6);
}

Test(generate, poisson3d27_is_the_27_point_matrix)
{
    assert_laplacian("poisson3d27", 3, false, 26);
}

Test(generate, dense_is_lehmers_matrix)
{
    OWNED_STRUCT(host_csr) a = generate("dense", 5);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 5; j++) {
            double small = i < j ? i + 1 : j + 1, large = i < j ? j + 1 : i + 1;
            cr_assert(a.col[5 * i + j] == j && a.val[5 * i + j] == small / large);
        }
}

#define NAME(name, text) #name,
static const char *const kinds[] = {MODEL_PROBLEMS(NAME)};
enum { KINDS = sizeof kinds / sizeof *kinds };

Test(generate, every_kind_is_exactly_symmetric)
{
    for (int i = 0; i < KINDS; i++)
        for (uint32_t size = 2; size < 9; size++) {
            OWNED_STRUCT(host_csr) a = generate(kinds[i], size);
            struct csr_diagnoses f;
            cr_assert_eq(csr_check(NULL, &a, &f), VKS_OK);
            cr_assert(f.symmetric && f.structurally_symmetric, "%s(%u)", kinds[i], size);
            cr_assert_eq(f.not_finite.count + f.negative_diagonal.count + f.empty_rows.count, 0);
        }
}

Test(generate, every_kind_is_positive_definite)
{
    for (int i = 0; i < KINDS; i++)
        for (uint32_t size = 2; size < 6; size++) {
            OWNED_STRUCT(host_csr) a = generate(kinds[i], size);
            OWNED(double) *d = to_dense(&a);
            cr_assert(cholesky_succeeds(d, a.rows), "%s(%u)", kinds[i], size);
        }
}

Test(generate, the_documented_counts_are_exact)
{
    for (uint64_t n = 2; n < 20; n += 5) {
        const uint64_t rows[] = {n * n, n * n * n, n * n * n, 3 * n * n * n, n}, line = 3 * n - 2;
        const uint64_t entries[] = {5 * n * n - 4 * n, 7 * n * n * n - 6 * n * n, line * line * line,
                                    9 * line * line * line, n * n};
        static const char *const names[] = {"poisson2d", "poisson3d", "poisson3d27", "elasticity3d", "dense"};
        for (int i = 0; i < 5; i++) {
            OWNED_STRUCT(host_csr) a = generate(names[i], (uint32_t)n);
            cr_assert(a.rows == rows[i] && host_csr_entries(&a) == entries[i], "%s(%u)", names[i],
                      (unsigned)n);
        }
    }
}

/* Mesh node of local node p of the brick at (x, y, z), on a mesh with `size` nodes along y and z. */
static uint32_t mesh_node(uint32_t size, const uint32_t brick[3], uint32_t p)
{
    return ((brick[0] + (p >> 2)) * size + brick[1] + (p >> 1 & 1)) * size + brick[2] + (p & 1);
}

/* The textbook way: assembles the whole mesh brick by brick, then deletes the clamped rows and columns. */
static double *assemble_elasticity(uint32_t size, size_t *free_unknowns)
{
    size_t clamped = 3 * (size_t)size * size, all = clamped * (size + 1), n = all - clamped;
    double k[24][24], *whole = calloc(all * all, sizeof *whole), *d = calloc(n * n, sizeof *d);
    brick_stiffness(0.3, k);
    for (uint32_t x = 0; x < size; x++)
        for (uint32_t y = 0; y + 1 < size; y++)
            for (uint32_t z = 0; z + 1 < size; z++)
                for (uint32_t i = 0; i < 24; i++)
                    for (uint32_t j = 0; j < 24; j++) {
                        const uint32_t brick[] = {x, y, z};
                        size_t row = 3 * mesh_node(size, brick, i / 3) + i % 3;
                        whole[row * all + 3 * mesh_node(size, brick, j / 3) + j % 3] += k[i][j];
                    }
    for (size_t i = 0; i < n; i++)
        memcpy(d + i * n, whole + (clamped + i) * all + clamped, n * sizeof *d);
    free(whole);
    *free_unknowns = n;
    return d;
}

Test(generate, elasticity3d_is_the_assembled_mesh)
{
    for (uint32_t size = 2; size < 6; size++) {
        size_t n;
        OWNED(double) *expected = assemble_elasticity(size, &n);
        OWNED_STRUCT(host_csr) a = generate("elasticity3d", size);
        OWNED(double) *d = to_dense(&a);
        cr_assert_eq(a.rows, n);
        for (size_t i = 0; i < n * n; i++)
            cr_assert_float_eq(d[i], expected[i], 1e-15, "%zu %zu", i / n, i % n);
    }
}

static double energy(double k[24][24], const double u[24], const double v[24])
{
    double sum = 0;
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            sum += u[i] * k[i][j] * v[j];
    return sum;
}

/* The displacements at the nodes of the field u = g x, g the displacement gradient. */
static void linear_field(double g[3][3], double u[24])
{
    for (int node = 0; node < 8; node++) {
        double x[] = {node >> 2, node >> 1 & 1, node & 1};
        for (int c = 0; c < 3; c++)
            u[3 * node + c] = g[c][0] * x[0] + g[c][1] * x[1] + g[c][2] * x[2];
    }
}

/* Three translations and three rotations. */
static void rigid_motion(int motion, double u[24])
{
    double g[3][3] = {{0}};
    int axis = motion % 3, next = (axis + 1) % 3;
    g[axis][next] = 1, g[next][axis] = -1;
    linear_field(g, u);
    for (int i = 0; motion < 3 && i < 24; i++)
        u[i] = i % 3 == axis;
}

Test(generate, rigid_motions_of_a_brick_cause_no_force)
{
    double k[24][24];
    brick_stiffness(0.3, k);
    for (int motion = 0; motion < 6; motion++) {
        double u[24];
        rigid_motion(motion, u);
        for (int i = 0; i < 24; i++) {
            double force = 0;
            for (int j = 0; j < 24; j++)
                force += k[i][j] * u[j];
            cr_assert_float_eq(force, 0, 1e-15);
        }
    }
}

/* Rank 18 beyond the rigid motions: with stiffness added to those, Cholesky succeeds. */
Test(generate, nothing_but_rigid_motions_is_free)
{
    double k[24][24];
    brick_stiffness(0.3, k);
    for (int motion = 0; motion < 6; motion++) {
        double u[24];
        rigid_motion(motion, u);
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++)
                k[i][j] += u[i] * u[j];
    }
    cr_assert(cholesky_succeeds(&k[0][0], 24));
}

/* The patch test: a linear field has the strain energy density of its constant strain, exactly. */
Test(generate, linear_fields_have_their_analytic_energy)
{
    static const double ratios[] = {0, 0.3, 0.45};
    for (int r = 0; r < 3; r++) {
        double k[24][24], nu = ratios[r], mu = 0.5 / (1 + nu), lambda = nu / ((1 + nu) * (1 - 2 * nu));
        brick_stiffness(nu, k);
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++)
                cr_assert_eq(k[i][j], k[j][i]);
        for (int trial = 0; trial < 9; trial++) {
            double u[24], squares = 0, trace, g[3][3] = {{0.5, -0.25, 1}, {0.125, 2, -1}, {0.75, 0, -0.5}};
            g[trial / 3][trial % 3] += 3;
            linear_field(g, u);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    squares += 0.25 * (g[i][j] + g[j][i]) * (g[i][j] + g[j][i]);
            trace = g[0][0] + g[1][1] + g[2][2];
            cr_assert_float_eq(energy(k, u, u), lambda * trace * trace + 2 * mu * squares, 1e-12);
        }
    }
}

static void assert_refused(const char *kind, uint32_t size, vks_status status, const char *text)
{
    struct host_csr a;
    struct message m = {0};
    cr_assert_eq(generate_matrix(&m, kind, size, &a), status);
    cr_assert(strstr(m.text, text) != NULL, "%s", m.text);
    cr_assert(!a.row && !a.col && !a.val);
}

Test(generate, sizes_out_of_range_are_refused)
{
    for (int i = 0; i < KINDS; i++) {
        assert_refused(kinds[i], 0, VKS_INVALID_ARGUMENT, kinds[i]);
        assert_refused(kinds[i], UINT32_MAX, VKS_LIMIT, "rows");
    }
    assert_refused("elasticity3d", 1, VKS_INVALID_ARGUMENT, "at least 2");
    assert_refused("poisson2d", 65000, VKS_LIMIT, "poisson2d of size 65000 has 21124740000 entries");
    assert_refused("poisson3d", 851, VKS_LIMIT, "entries");
    assert_refused("poisson3d27", 543, VKS_LIMIT, "entries");
    assert_refused("elasticity3d", 261, VKS_LIMIT, "entries");
}

Test(generate, an_unknown_kind_is_answered_with_the_known)
{
    assert_refused("poisson4d", 3, VKS_INVALID_ARGUMENT, "'poisson4d'");
    for (int i = 0; i < KINDS; i++)
        assert_refused("", 3, VKS_INVALID_ARGUMENT, kinds[i]);
}
