/* The hierarchy of algebraic multigrid as a whole: its levels, the inverse of the last one, and the same bits
 * on all devices. */
#include "small_matrix.h"
#include "tests/support/multigrid_levels.h"

#if VKS_HAVE_LAPACKE
#include <lapacke.h>
#endif

static void open_hierarchy(vks_context *c, const vks_matrix *A, enum precision p, struct multigrid *g)
{
    static const struct multigrid_nodes alone = {.size = 1, .columns = 1};
    struct diagnosis f = {0};
    must_work(c, csr_acquire(A));
    must_work(c, multigrid_open(A, p, &alone, true, false, &f, g));
    cr_assert_not(diagnosis_refuses(&f), "%s", f.detail);
    csr_release(A);
    guards_check(c->device);
}

static struct host_csr jumps(uint32_t size)
{
    return grid_csr(cube(size, 1000));
}

/* A matrix of the cycle must have the bits of the one that it was made from, rounded to its precision. */
static void must_be_rounded(vks_context *c, const vks_matrix *got, const struct host_csr *want,
                            enum precision p, const char *what)
{
    OWNED_STRUCT(host_csr) B = rounded_csr(want, p);
    must_be(c, got, &B, what);
}

/* The levels of `wide`, found one by one, must be those of the hierarchy for cycles in `cycle`. */
static void compare_hierarchy(vks_context *c, enum precision wide, enum precision cycle)
{
    OWNED_STRUCT(host_csr) host = jumps(9);
    struct multigrid g;
    for (size_t k = 0; k < host_csr_entries(&host); k++)
        host.val[k] = rounded(wide, host.val[k]);
    vks_matrix *A = put_on(c, &host, wide, VKS_FORMAT_CSR);
    open_hierarchy(c, A, cycle, &g);
    cr_expect_eq(g.count, 2);
    OWNED_BY(found_free) struct found_level l = coarsen_once(c, A, wide, cycle, true);
    cr_expect(same_bits(g.level[0].bound, l.bound));
    cr_expect_eq(g.level[0].rounds, l.rounds);
    must_be_rounded(c, g.level[0].P, &l.P, cycle, "P");
    must_be_rounded(c, g.level[0].R, &l.R, cycle, "R");
    must_be_rounded(c, g.level[0].A, &host, cycle, "A");
    must_be_rounded(c, g.level[1].A, &l.coarse, cycle, "the next level");
    cr_expect_gt(multigrid_bytes(&g), 12 * (uint64_t)(host_csr_entries(&l.P) + host_csr_entries(&l.coarse)));
    multigrid_close(&g);
    vks_matrix_destroy(l.next);
    vks_matrix_destroy(A);
}

TestOnBoth(amg_hierarchy, has_the_levels_that_are_found_one_by_one)
{
    compare_hierarchy(c, PRECISION_F64, PRECISION_F64);
    compare_hierarchy(c, PRECISION_F64, PRECISION_F32);
    compare_hierarchy(c, PRECISION_F32, PRECISION_F32);
}

/* Levels of a few sizes: where the last one begins, and what stalls coarsening. */
static void expect_levels(const struct host_csr *A, uint32_t count, bool inverted, const char *name)
{
    OWNED(vks_context) *c = open_host();
    OWNED_BY(multigrid_close) struct multigrid g;
    OWNED(vks_matrix) *M = put_on(c, A, PRECISION_F64, VKS_FORMAT_AUTO);
    open_hierarchy(c, M, PRECISION_F64, &g);
    cr_expect_eq(g.count, count, "%s: %u levels", name, g.count);
    cr_expect_eq(g.coarsest.inverse.n > 0, inverted, "%s", name);
}

static void expect_levels_of_lone(uint32_t n, uint32_t gap, uint32_t count, bool inverted)
{
    char name[80];
    OWNED_STRUCT(host_csr) A = lone_csr(n, gap);
    snprintf(name, sizeof name, "%u rows, each %u-th linked", n, gap);
    expect_levels(&A, count, inverted, name);
}

Test(amg_hierarchy, ends_at_512_rows_or_where_coarsening_stalls)
{
    for (uint32_t n = 512; n <= 513; n++) {
        OWNED_STRUCT(host_csr) chain = grid_csr((struct grid){.size = {1, 1, n}, .weight = {0, 0, 1}});
        expect_levels(&chain, n == 512 ? 1 : 2, true, "a chain");
    }
    expect_levels_of_lone(1, 0, 1, true);
    expect_levels_of_lone(512, 0, 1, true);
    expect_levels_of_lone(513, 0, 1, false);
    expect_levels_of_lone(2049, 0, 1, false);
    expect_levels_of_lone(1539, 3, 2, false);
}

static uint64_t hash_matrix(vks_context *c, const vks_matrix *A)
{
    OWNED_STRUCT(host_csr) a = read_back(c, A);
    uint64_t h = hash_of(a.val, host_csr_entries(&a)) + 31 * host_csr_entries(&a);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        h = h * 0x100000001B3u + a.col[k];
    return h;
}

enum { MOST_HASHES = 3 * MULTIGRID_LEVELS };

/* A hash for each matrix and vector of a cycle, and for its result. */
static uint32_t hash_hierarchy(vks_context *c, const struct host_csr *A, enum precision p, uint64_t *h)
{
    struct multigrid g;
    uint32_t count = 0, n = A->rows;
    vks_matrix *M = put_on(c, A, PRECISION_F64, VKS_FORMAT_AUTO);
    open_hierarchy(c, M, p, &g);
    for (uint32_t i = 0; i < g.count; i++) {
        h[count++] = hash_matrix(c, g.level[i].A);
        h[count++] = g.level[i].P ? hash_matrix(c, g.level[i].P) : 0;
        h[count++] = g.level[i].R ? hash_matrix(c, g.level[i].R) : 0;
    }
    OWNED(double) *v = random_vector(p, n, 3, 1);
    vks_vector *b = put_vector(c, v, n, p), *x = vector_of(c, p, NULL, n);
    struct rec r;
    rec_create(&r, c->device, p);
    multigrid_cycle(&r, &g, vec_of(b), vec_of(x));
    must_work(c, rec_run(&r));
    must_work(c, vks_vector_read(x, 0, n, VKS_F64, v));
    h[count++] = hash_of(v, n);
    rec_destroy(&r);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    multigrid_close(&g);
    vks_matrix_destroy(M);
    close_context(c);
    return count;
}

static void hash_everywhere(const struct host_csr *A, enum precision p)
{
    static const struct {
        const char *name;
        bool gpu;
        struct device_options o;
    } places[] = {{"one thread", false, {.threads = 1}},
                  {"two threads", false, {.threads = 2}},
                  {"three threads", false, {.threads = 3}},
                  {"base", false, {.host_isa = "base"}},
                  {"lavapipe", true, {0}},
                  {"three groups", true, {.max_groups = 3}}};
    uint64_t want[MOST_HASHES], got[MOST_HASHES];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        vks_context *c = open_context(places[i].gpu ? gpu_name() : "host", places[i].o);
        uint32_t now = hash_hierarchy(c, A, p, i ? got : want);
        count = i ? count : now;
        cr_assert_eq(now, count, "%s: levels", places[i].name);
        for (uint32_t k = 0; k < count && i; k++)
            cr_assert_eq(got[k], want[k], "%s: object %u", places[i].name, k);
    }
    cr_expect_geq(count, 7);
}

Test(amg_hierarchy, has_the_same_bits_with_any_threads_and_workgroups_on_every_device)
{
    OWNED_STRUCT(host_csr) A = jumps(10), B = mesh_csr(9);
    hash_everywhere(&A, PRECISION_F64);
    hash_everywhere(&B, PRECISION_F32);
}

static double *dense_of(const struct host_csr *A)
{
    double *v = room((size_t)A->rows * A->rows, sizeof *v);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            v[(size_t)i * A->rows + A->col[k]] = A->val[k];
    return v;
}

static double largest_of(const double *v, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(v[k]));
    return most;
}

/* The inverse of a matrix of one level. */
static double *inverse_found(vks_context *c, const struct host_csr *A, enum precision p)
{
    uint32_t n = A->rows;
    double *G = room((size_t)n * n, sizeof *G);
    OWNED_BY(multigrid_close) struct multigrid g;
    OWNED(vks_matrix) *M = put_on(c, A, p, VKS_FORMAT_AUTO);
    open_hierarchy(c, M, p, &g);
    cr_assert(g.count == 1 && g.coarsest.inverse.n == n * n);
    struct memory m = {.address = g.coarsest.inverse.at, .bytes = (uint64_t)n * n * real_bytes(p)};
    OWNED(uint32_t) *words = words_found(c, (u32s)(uintptr_t)m.address, n * n * (real_bytes(p) / 4));
    for (size_t k = 0; k < (size_t)n * n; k++) {
        float narrow;
        memcpy(&narrow, words + k, sizeof narrow);
        if (p == PRECISION_F64)
            memcpy(&G[k], words + 2 * k, sizeof *G);
        else
            G[k] = narrow;
    }
    return G;
}

static void must_be_symmetric(const double *G, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            cr_assert(same_bits(G[(size_t)i * n + k], G[(size_t)k * n + i]), "row %u, column %u", i, k);
}

#if VKS_HAVE_LAPACKE
TestEverywhere(amg_hierarchy, inverts_the_last_level_as_lapack_does)
{
    static const uint32_t sizes[] = {1, 2, 5, 12, 15};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        OWNED_STRUCT(host_csr) A = model("poisson2d", sizes[s]);
        uint32_t n = A.rows;
        OWNED(double) *want = dense_of(&A), *got = inverse_found(c, &A, p);
        cr_assert_eq(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (int)n, want, (int)n), 0);
        cr_assert_eq(LAPACKE_dpotri(LAPACK_ROW_MAJOR, 'L', (int)n, want, (int)n), 0);
        double bound = (p == PRECISION_F32 ? 1e-5 : 1e-13) * largest_of(got, (size_t)n * n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k <= i; k++)
                cr_assert_float_eq(got[(size_t)i * n + k], want[(size_t)i * n + k], bound,
                                   "%u rows, %s: row %u, column %u", n, precision_name(p), i, k);
        must_be_symmetric(got, n);
    }
}
#endif

/* C = A B, all n x n */
static double *product_of(const double *A, const double *B, uint32_t n)
{
    double *C = room((size_t)n * n, sizeof *C);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < n; j++)
                C[(size_t)i * n + j] += A[(size_t)i * n + k] * B[(size_t)k * n + j];
    return C;
}

TestEverywhere(amg_hierarchy, takes_a_generalised_inverse_of_a_singular_level)
{
    struct grid g = square(13, 1);
    g.free_ends = true;
    OWNED_STRUCT(host_csr) A = grid_csr(g);
    uint32_t n = A.rows;
    double *dense = dense_of(&A), *G = inverse_found(c, &A, p), *AG = product_of(dense, G, n),
           *AGA = product_of(AG, dense, n), bound = p == PRECISION_F32 ? 1e-3 : 1e-11;
    for (size_t k = 0; k < (size_t)n * n; k++)
        cr_assert_float_eq(AGA[k], dense[k], bound, "entry %zu is %g instead of %g", k, AGA[k], dense[k]);
    must_be_symmetric(G, n);
    free(dense);
    free(G);
    free(AG);
    free(AGA);
}
