/* Solves of singular and nearly singular systems with algebraic multigrid: components without boundary
 * conditions, which on some level become one unknown or the last pivot of the inverse. */
#include "tests/support/device_matrix.h"
#include "tests/support/multigrid_models.h"
#include "tests/support/solve.h"
#include "vksolve/precond.h"

static const vks_precond_options kinds[] = {{.kind = VKS_PRECOND_AMG},
                                            {.kind = VKS_PRECOND_AMG, .in_f32 = 1}};
static const char *const kind_names[] = {"amg", "amg/f32"};

/* Rows that sum to zero: the result is the x with mean zero, even if b has no solution. */
static void solve_singular_in(vks_context *c, enum precision p, const struct host_csr *A, uint32_t most,
                              const char *name)
{
    uint32_t n = A->rows;
    double *want = room(n, 8), *b = room(n, 8), *x = room(n, 8), mean = 0;
    for (uint32_t i = 0; i < n; i++)
        mean += (want[i] = sin(i * 0.7)) / n;
    for (uint32_t i = 0; i < n; i++)
        want[i] -= mean;
    host_multiply(A, want, b);
    for (uint32_t i = 0; i < n; i++)
        b[i] = rounded(p, b[i] + 0.25);
    OWNED(vks_matrix) *M = put_on(c, A, p, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *right = vector_of(c, p, b, n), *found = vector_of(c, p, NULL, n);
    for (int k = 0; k < 2; k++) {
        vks_solve_report r;
        double error = 0, size = 0;
        vks_solve_options o = {.singular = 1,
                               .precond_options = &kinds[k],
                               .zero_guess = 1,
                               .rtol = p == PRECISION_F32 ? 1e-4 : 1e-8};
        must_work(c, vks_solve(M, right, found, &o, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s, %s: %s, %s", name, kind_names[k],
                     vks_reason_name(r.reason), r.detail);
        cr_expect_leq(r.iterations, most, "%s, %s: %u iterations", name, kind_names[k], r.iterations);
        must_work(c, vks_vector_read(found, 0, n, VKS_F64, x));
        for (uint32_t i = 0; i < n; i++) {
            error += (x[i] - want[i]) * (x[i] - want[i]);
            size += want[i] * want[i];
        }
        cr_expect_lt(sqrt(error / size), p == PRECISION_F32 ? 0.1 : 1e-5, "%s, %s: an error of %g", name,
                     kind_names[k], sqrt(error / size));
    }
    free(want);
    free(b);
    free(x);
}

static void solve_singular(vks_context *c, struct host_csr A, uint32_t most, const char *name)
{
    solve_singular_in(c, PRECISION_F64, &A, most, name);
    solve_singular_in(c, PRECISION_F32, &A, most, name);
    host_csr_free(&A);
}

static struct host_csr with_free_ends(struct grid g)
{
    g.free_ends = true;
    return grid_csr(g);
}

TestOnHost(amg_solve, solves_neumann_problems)
{
    solve_singular(c, with_free_ends(cube(20, 0)), 10, "Neumann in 3D");
    solve_singular(c, with_free_ends(square(60, 1)), 15, "Neumann in 2D");
    solve_singular(c, with_free_ends(square(20, 1)), 15, "Neumann in 2D, one level");
    solve_singular(c, with_free_ends(square(40, 1)), 15, "Neumann in 2D, 40");
    solve_singular(c, with_free_ends(square(50, 1)), 15, "Neumann in 2D, 50");
    solve_singular(c, with_free_ends(square(70, 1)), 15, "Neumann in 2D, 70");
    solve_singular(c, with_free_ends(cube(16, 1000)), 20, "Neumann with jumps");
}

/* Disconnected copies of A or, if `shift` is not zero, of A + shift I. */
static struct host_csr islands_csr(struct host_csr A, uint32_t count, double shift)
{
    uint32_t n = A.rows, entries = A.row[n];
    struct host_csr B = new_csr(n * count, n * count, (size_t)entries * count);
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t row = k * n + i, to = k * entries + A.row[i];
            for (uint32_t e = A.row[i]; e < A.row[i + 1]; e++, to++) {
                B.col[to] = k * n + A.col[e];
                B.val[to] = A.val[e] + (A.col[e] == i ? shift : 0);
            }
            B.row[row + 1] = to;
        }
    host_csr_free(&A);
    return B;
}

/* The same for each of `size` unknowns of a node. */
static struct host_csr nodes_csr(struct host_csr A, uint32_t size)
{
    uint32_t n = A.rows * size, to = 0;
    struct host_csr B = new_csr(n, n, host_csr_entries(&A) * size);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = A.row[i / size]; e < A.row[i / size + 1]; e++, to++) {
            B.col[to] = A.col[e] * size + i % size;
            B.val[to] = A.val[e];
        }
        B.row[i + 1] = to;
    }
    host_csr_free(&A);
    return B;
}

/* A complete graph, with random weights if there is a seed. */
static struct host_csr complete_csr(uint32_t n, uint64_t seed)
{
    struct host_csr A = new_csr(n, n, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++)
        A.row[i + 1] = (i + 1) * n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            A.col[i * n + k] = k;
            if (k >= i)
                continue;
            double w = seed ? (double)(random_bits(&seed) >> 44) * 0x1p-20 + 0x1p-20 : 1;
            A.val[i * n + k] = A.val[k * n + i] = -w;
            A.val[i * n + i] += w;
            A.val[k * n + k] += w;
        }
    return A;
}

/* The report of a solve from zero. */
static vks_solve_report report_of(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                                  vks_solve_options o)
{
    vks_solve_report r;
    OWNED(vks_matrix) *M = put_on(c, A, p, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *right = vector_of(c, p, b, A->rows), *x = vector_of(c, p, NULL, A->rows);
    o.zero_guess = 1;
    must_work(c, vks_solve(M, right, x, &o, &r));
    return r;
}

static void expect_few(const vks_solve_report *r, uint32_t most, const char *name, int kind, const char *way)
{
    cr_expect_eq(r->reason, VKS_REASON_CONVERGED, "%s, %s in %s: %s, %s", name, kind_names[kind], way,
                 vks_reason_name(r->reason), r->detail);
    cr_expect_leq(r->iterations, most, "%s, %s in %s: %u iterations", name, kind_names[kind], way,
                  r->iterations);
}

struct how {
    uint32_t most; /* iterations */
    bool definite;
    uint32_t block;
};

/* Solves in each way, with b = A x for a random x. Multiples of null vectors are ignored. */
static void solve_everyhow(vks_context *c, struct host_csr A, struct how how, const char *name)
{
    static const struct {
        enum precision p;
        vks_solve_options o;
        const char *name;
    } ways[] = {{PRECISION_F64, {.rtol = 1e-8}, "f64"},
                {PRECISION_F32, {.rtol = 1e-4}, "f32"},
                {PRECISION_F64, {.iterate_in_f32 = 1}, "iterations in f32"}};
    uint32_t n = A.rows;
    OWNED(double) *x = random_vector(PRECISION_F32, n, 2, 5), *b = room(n, 8);
    host_multiply(&A, x, b);
    for (int w = 0; w < 3; w++)
        for (int k = 0; k < 2; k++) {
            vks_solve_options o = ways[w].o;
            vks_precond_options M = kinds[k];
            M.amg.block = how.block;
            o.singular = !how.definite;
            o.precond_options = &M;
            vks_solve_report r = report_of(c, &A, b, ways[w].p, o);
            expect_few(&r, how.most, name, k, ways[w].name);
        }
    host_csr_free(&A);
}

TestOnHost(amg_singular, solves_components_that_become_one_unknown)
{
    solve_everyhow(c, islands_csr(with_free_ends(square(7, 1)), 40, 0), (struct how){.most = 10},
                   "islands of 49");
    solve_everyhow(c, islands_csr(with_free_ends(cube(5, 1000)), 20, 0), (struct how){.most = 10},
                   "islands of 125");
    solve_everyhow(c, islands_csr(with_free_ends(square(30, 1)), 3, 0), (struct how){.most = 10},
                   "islands of 900");
    solve_everyhow(c, complete_csr(600, 0), (struct how){.most = 5}, "a complete graph");
    solve_everyhow(c, complete_csr(600, 3), (struct how){.most = 10}, "a complete graph with weights");
    solve_everyhow(c, star_csr((struct star){3000, 11, 0}), (struct how){.most = 5}, "a star");
}

TestOnHost(amg_singular, solves_components_of_nodes_that_become_one)
{
    static const struct how pairs = {.most = 10, .block = 2};
    solve_everyhow(c, nodes_csr(complete_csr(300, 3), 2), pairs, "a complete graph of pairs");
    solve_everyhow(c, nodes_csr(islands_csr(with_free_ends(cube(5, 1000)), 20, 0), 2), pairs,
                   "islands of pairs");
}

TestOnHost(amg_singular, keeps_what_a_small_shift_of_the_diagonal_makes_definite)
{
    solve_everyhow(c, islands_csr(with_free_ends(square(20, 1)), 1, 1e-6),
                   (struct how){.most = 10, .definite = true}, "one level, 1e-6");
    solve_everyhow(c, islands_csr(with_free_ends(square(20, 1)), 1, 1e-5),
                   (struct how){.most = 10, .definite = true}, "one level, 1e-5");
    solve_everyhow(c, islands_csr(with_free_ends(square(40, 1)), 1, 1e-6),
                   (struct how){.most = 10, .definite = true}, "two levels, 1e-6");
    solve_everyhow(c, islands_csr(with_free_ends(square(40, 1)), 1, 1e-5),
                   (struct how){.most = 10, .definite = true}, "two levels, 1e-5");
    solve_everyhow(c, islands_csr(with_free_ends(square(7, 1)), 40, 1e-6),
                   (struct how){.most = 10, .definite = true}, "islands, 1e-6");
    solve_everyhow(c, islands_csr(with_free_ends(square(7, 1)), 40, 1e-5),
                   (struct how){.most = 10, .definite = true}, "islands, 1e-5");
}
