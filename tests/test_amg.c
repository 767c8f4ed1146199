/* The hierarchy of algebraic multigrid, level by level: against its definition, by its properties, and with
 * the same bits on all devices. */
#include "small_matrix.h"
#include "tests/support/multigrid_levels.h"

static struct host_csr neumann(void)
{
    struct grid g = cube(12, 0);
    g.free_ends = true;
    return grid_csr(g);
}

static struct host_csr chain(uint32_t n)
{
    return grid_csr((struct grid){.size = {1, 1, n}, .weight = {0, 0, 1}});
}

/* X(name, matrix) */
#define MODELS(X)                                       \
    X(poisson2d, model("poisson2d", 37))                \
    X(poisson3d, model("poisson3d", 13))                \
    X(elasticity, model("elasticity3d", 5))             \
    X(anisotropic, grid_csr(square(40, 1e-3)))          \
    X(jumps, grid_csr(cube(14, 1000)))                  \
    X(free_ends, neumann())                             \
    X(mesh, mesh_csr(11))                               \
    X(with_lone_rows, lone_csr(900, 3))                 \
    X(diagonal, lone_csr(700, 0))                       \
    X(star, star_csr((struct star){3000, 11, 0.5}))     \
    X(random_signs, random_spd(PRECISION_F32, 1500, 3)) \
    X(one, chain(1))                                    \
    X(two, chain(2))                                    \
    X(chain512, chain(512))                             \
    X(chain513, chain(513))

#define X(name, matrix)                      \
    static struct host_csr make_##name(void) \
    {                                        \
        return matrix;                       \
    }
MODELS(X)
#undef X

static const struct {
    const char *name;
    struct host_csr (*make)(void);
} models[] = {
#define X(name, matrix) {#name, make_##name},
    MODELS(X)
#undef X
};
enum { MODELS_COUNT = sizeof models / sizeof *models };

/* Calls `look` with each level of each model that has more than one row. */
typedef void looks(const struct found_level *l, enum precision p, bool finest, const char *name);

static struct host_csr model_in(enum precision p, uint32_t m)
{
    struct host_csr A = models[m].make();
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] = rounded(p, A.val[k]);
    return A;
}

/* On lavapipe, which is slow, only some models, and no f32 (walks_in). */
static void walk_levels(vks_context *c, enum precision p, looks *look)
{
    uint32_t step = c->device->info.kind == DEVICE_HOST ? 1 : p == PRECISION_F64 ? 2 : 3;
    for (uint32_t m = 0; m < MODELS_COUNT && walks_in(c->device, p); m += step) {
        OWNED_STRUCT(host_csr) host = model_in(p, m);
        vks_matrix *A = put_on(c, &host, p, VKS_FORMAT_CSR);
        for (uint32_t level = 0; A; level++) {
            char name[100];
            snprintf(name, sizeof name, "%s, %s, level %u", models[m].name, precision_name(p), level);
            OWNED_BY(found_free) struct found_level l = coarsen_once(c, A, p, p, level == 0);
            look(&l, p, level == 0, name);
            vks_matrix_destroy(A);
            A = l.next;
            if (A && A->csr.n < 20) {
                vks_matrix_destroy(A);
                A = NULL;
            }
        }
    }
}

/* Compares every integer, and the bits of the smoother of the prolongator. */
static void must_be_as_defined(const struct found_level *l, enum precision p, bool finest, const char *name)
{
    OWNED_STRUCT(strong) s = strong_of_level(l, p, finest);
    must_have_pattern(&l->S, &s.S, "strong entries", name);
    for (uint32_t k = 0; k < s.S.row[s.n]; k++) {
        uint32_t bits;
        memcpy(&bits, &s.strength[k], sizeof bits);
        cr_assert_eq(l->strength[k], bits, "%s: strength %u", name, k);
    }
    must_equal(l->S.val, s.S.val, s.S.row[s.n], name);
    cr_assert_eq(l->rounds, s.rounds, "%s: %u rounds instead of %u", name, l->rounds, s.rounds);
    must_be_words(l->state, s.state, s.n, "states", name);
    must_be_words(l->owner, s.owner, s.n, "owners", name);
    cr_assert_eq(l->aggregates, s.aggregates, "%s: %u aggregates instead of %u", name, l->aggregates,
                 s.aggregates);
    if (s.aggregates) {
        OWNED_STRUCT(host_csr) T = tentative_of(&s), P = pattern_of_product(&s.S, &T),
                               AP = pattern_of_product(&l->A, &P), coarse = pattern_of_product(&l->R, &AP);
        must_have_pattern(&l->P, &P, "P", name);
        must_have_pattern(&l->coarse, &coarse, "the next level", name);
    }
}

static void compare_levels(vks_context *c, enum precision p)
{
    walk_levels(c, p, must_be_as_defined);
}

Test(amg, each_level_is_as_defined_in_every_integer_on_the_host)
{
    in_both_precisions(open_host(), compare_levels);
}

Test(amg, each_level_is_as_defined_in_every_integer_on_lavapipe)
{
    in_both_precisions(open_gpu(), compare_levels);
}

/* Marks the rows that a row reaches in two steps with its number. */
static void mark_two_steps(const struct host_csr *S, uint32_t i, uint32_t *mark)
{
    for (uint32_t k = S->row[i]; k < S->row[i + 1]; k++)
        for (uint32_t q = S->row[S->col[k]]; q < S->row[S->col[k] + 1]; q++)
            mark[S->col[q]] = i;
}

static void must_be_maximal(const struct found_level *l, enum precision p, bool finest, const char *name)
{
    uint32_t n = l->S.rows, *mark = room(n, 4), *near = room(n, 4);
    (void)p, (void)finest;
    for (uint32_t i = 0; i < n; i++)
        mark[i] = ABSENT;
    for (uint32_t i = 0; i < n; i++) {
        if (l->state[i] != IS_ROOT)
            continue;
        mark_two_steps(&l->S, i, mark);
        for (uint32_t k = 0; k < n; k++) {
            near[k] += mark[k] == i;
            cr_assert(mark[k] != i || k == i || l->state[k] != IS_ROOT, "%s: roots %u and %u", name, i, k);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        bool alone = l->S.row[i + 1] - l->S.row[i] == 1;
        cr_assert(alone ? near[i] == 0 : near[i] > 0, "%s: row %u has %u roots within two steps", name, i,
                  near[i]);
        cr_assert_eq(alone, l->owner[i] == ABSENT, "%s: the aggregate of row %u", name, i);
        cr_assert(alone || l->owner[l->owner[i]] == l->owner[i], "%s: row %u", name, i);
    }
    free(mark);
    free(near);
}

TestInBothPrecisions(amg, roots_are_more_than_two_steps_apart_and_every_row_with_neighbours_reaches_one)
{
    walk_levels(c, p, must_be_maximal);
}

static const double roundoff[] = {[PRECISION_F32] = 0x1p-24, [PRECISION_F64] = 0x1p-53};

static double row_sum(const struct host_csr *A, uint32_t i)
{
    double sum = 0;
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        sum += A->val[k];
    return sum;
}

static uint32_t constants; /* checked rows */

static void must_keep_the_constant(const struct found_level *l, enum precision p, bool finest,
                                   const char *name)
{
    OWNED_STRUCT(strong) s = strong_of_level(l, p, finest);
    for (uint32_t i = 0; i < s.n && finest && l->P.row; i++) {
        double d = diagonal_at(&l->A, i);
        bool alone = l->S.row[i + 1] - l->S.row[i] == 1;
        if (alone || fabs(row_sum(&l->A, i)) > 4 * roundoff[p] * d || s.filtered[i] < 0.31 * d)
            continue;
        cr_assert_float_eq(row_sum(&l->P, i), 1, 64 * roundoff[p], "%s: row %u of P has the sum %.17g", name,
                           i, row_sum(&l->P, i));
        constants++;
    }
}

TestInBothPrecisions(amg, the_prolongator_keeps_the_constant_where_rows_sum_to_zero)
{
    constants = 0;
    walk_levels(c, p, must_keep_the_constant);
    cr_expect_gt(constants, 5000);
}

/* P^T A P in long double: the terms of each entry, and the sum of their magnitudes, which bounds the
 * error. */
static void must_be_galerkin(const struct found_level *l, enum precision p, bool finest, const char *name)
{
    uint32_t nc = l->P.cols;
    long double *sum = room((size_t)nc * nc, sizeof *sum), *size = room((size_t)nc * nc, sizeof *size),
                *terms = room((size_t)nc * nc, sizeof *terms);
    const struct host_csr *A = &l->A, *P = &l->P, *C = &l->coarse;
    (void)finest;
    for (uint32_t i = 0; i < A->rows && nc; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            for (uint32_t a = P->row[i]; a < P->row[i + 1]; a++)
                for (uint32_t b = P->row[A->col[k]]; b < P->row[A->col[k] + 1]; b++) {
                    long double term = (long double)P->val[a] * A->val[k] * P->val[b];
                    size_t e = (size_t)P->col[a] * nc + P->col[b];
                    sum[e] += term;
                    size[e] += fabsl(term);
                    terms[e]++;
                }
    for (uint32_t i = 0; i < nc; i++)
        for (uint32_t k = C->row[i]; k < C->row[i + 1]; k++) {
            size_t e = (size_t)i * nc + C->col[k];
            cr_assert(fabsl(C->val[k] - sum[e]) <= (terms[e] + 10) * roundoff[p] * size[e],
                      "%s: row %u, column %u: %.17g instead of %.17Lg", name, i, C->col[k], C->val[k],
                      sum[e]);
            sum[e] = 0;
        }
    for (size_t e = 0; e < (size_t)nc * nc; e++)
        cr_assert_eq(sum[e], 0, "%s: an entry is missing", name);
    free(sum);
    free(size);
    free(terms);
}

TestInBothPrecisions(amg, the_next_matrix_is_the_galerkin_product)
{
    walk_levels(c, p, must_be_galerkin);
}
