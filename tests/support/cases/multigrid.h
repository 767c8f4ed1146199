/* The cases of the kernels of shaders/multigrid/, through their arguments, except those of strong entries:
 * choosing roots, making aggregates, inverting the coarsest matrix. */
#ifndef VKS_TESTS_MULTIGRID_CASES_H
#define VKS_TESTS_MULTIGRID_CASES_H

#include "shaders/multigrid/sweep.h"
#include "tests/support/cases/multigrid_strength.h"
#include "tests/support/cases/multigrid_unsymmetric.h"

enum { ROUND = 5 };

/* The pattern of a level as if all entries were strong, and the state of rows. */
struct graph {
    struct host_csr S;
    uint32_t *state, *near;
};

/* Most rows are undecided. `near` is that of the round, except for a row that was not visited. */
static inline struct graph make_graph(const struct job *j)
{
    struct graph g = {.S = level_of(j), .state = room(j->n, 4), .near = room(j->n, 4)};
    uint32_t *key = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t h = j->words[i] % 64;
        g.state[i] = h == 0 ? IS_ROOT : h < 12 ? IS_OUT : UNDECIDED;
        key[i] = state_key(g.state[i], i, ROUND);
    }
    for (uint32_t i = 0; i < j->n; i++)
        g.near[i] = largest_near(&g.S, key, i);
    free(key);
    return g;
}

static inline void free_graph(struct graph *g)
{
    host_csr_free(&g->S);
    free(g->state);
    free(g->near);
}

struct graph_arrays {
    u32s row, col;
};

static inline struct graph_arrays put_graph(struct job *j, const struct graph *g)
{
    return (struct graph_arrays){
        words_at(put_words(j, g->S.row, j->n + (uint64_t)1, "row offsets")),
        words_at(put_words(j, g->S.col, g->S.row[j->n], "columns")),
    };
}

static inline u32s compared_copy(struct job *j, const uint32_t *v, uint64_t count)
{
    return words_at(compared_words(j, put_words(j, v, count, "words"), count));
}

/* The contents before a round: arbitrary words, some of them 0 and the largest, which must not change. */
static inline uint32_t near_before(const struct job *j, uint32_t i)
{
    uint32_t h = j->words[i] >> 8;
    return h % 7 == 0 ? 0 : h % 7 == 1 ? UINT32_MAX : h;
}

/* In the last run, no row is undecided. */
static inline void record_root_near(struct job *j)
{
    struct graph g = make_graph(j);
    struct graph_arrays a = put_graph(j, &g);
    uint32_t *before = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        before[i] = near_before(j, i);
    u32s state = words_at(put_words(j, g.state, j->n, "states"));
    u32s some = words_at(put_words(j, (uint32_t[]){1}, 1, "some"));
    u32s none = words_at(put_words(j, (uint32_t[]){0}, 1, "none"));
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, root_near, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col, .state = state,
            .near = compared_copy(j, before, j->n), .left = some, .n = j->n, .round = ROUND,
            .lanes = lanes_of_rows[t]);
    run(&j->r, root_near, groups_rows(j->n, 1), .row = a.row, .col = a.col, .state = state,
        .near = compared_copy(j, before, j->n), .left = none, .n = j->n, .round = ROUND, .lanes = 1);
    free(before);
    free_graph(&g);
}

static inline void expect_root_near(const struct job *j, double *want)
{
    struct graph g = make_graph(j);
    for (uint32_t turn = 0; turn <= LANES_OF_ROWS; turn++)
        for (uint32_t i = 0; i < j->n; i++) {
            uint32_t before = near_before(j, i);
            bool stays = turn == LANES_OF_ROWS || before == 0 || before == UINT32_MAX;
            *want++ = stays ? before : g.near[i];
        }
    free_graph(&g);
}

static inline void record_root_decide(struct job *j)
{
    static const uint32_t left[2] = {1, 0};
    struct graph g = make_graph(j);
    struct graph_arrays a = put_graph(j, &g);
    u32s near = words_at(put_words(j, g.near, j->n, "keys"));
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, root_decide, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .state = compared_copy(j, g.state, j->n), .near = near, .left = compared_copy(j, left, 2),
            .n = j->n, .round = ROUND, .lanes = lanes_of_rows[t]);
    run(&j->r, root_decide, groups_rows(j->n, 1), .row = a.row, .col = a.col,
        .state = compared_copy(j, g.state, j->n), .near = near, .left = compared_copy(j, left + 1, 1),
        .n = j->n, .round = ROUND, .lanes = 1);
    free_graph(&g);
}

static inline void expect_root_decide(const struct job *j, double *want)
{
    struct graph g = make_graph(j);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++) {
        uint32_t stay = 0;
        for (uint32_t i = 0; i < j->n; i++) {
            uint32_t s = g.state[i], key = key_in_round(i, ROUND);
            *want = s == UNDECIDED ? decided(&g.S, i, key, largest_near(&g.S, g.near, i)) : s;
            stay |= *want++ == UNDECIDED;
        }
        *want++ = 1;
        *want++ = stay;
    }
    for (uint32_t i = 0; i < j->n; i++)
        *want++ = g.state[i];
    *want = 0;
    free_graph(&g);
}

static inline void record_join_root(struct job *j)
{
    struct graph g = make_graph(j);
    struct graph_arrays a = put_graph(j, &g);
    u32s state = words_at(put_words(j, g.state, j->n, "states"));
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++) {
        u32s owner = out_words(j, j->n), size = out_words(j, j->n);
        fill_words(&j->r, size, 0, 0, j->n, 1);
        run(&j->r, join_root, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col, .state = state,
            .owner = owner, .size = size, .n = j->n, .lanes = lanes_of_rows[t]);
    }
    free_graph(&g);
}

static inline void expect_join_root(const struct job *j, double *want)
{
    struct graph g = make_graph(j);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++, want += 2 * (size_t)j->n)
        for (uint32_t i = 0; i < j->n; i++) {
            uint32_t root = root_beside(&g.S, g.state, i);
            want[i] = root;
            if (root != ABSENT)
                want[j->n + root]++;
        }
    free_graph(&g);
}

/* Owners in runs of rows, with many rows without one; sizes that are often equal, some exceeding 16 bits;
 * strengths whose sums differ only in the last bits. */
struct owners {
    struct host_csr S;
    uint32_t *owner, *size;
    float *strength;
};

static inline struct owners make_owners(const struct job *j)
{
    static const uint32_t sizes[] = {3, 3, 4, 65534, 65535, 70000, 100000};
    static const float strengths[] = {0.25F, 0.25F, 0.5F, 0.25F + 0x1p-20F, 0.50390625F, 1e-6F};
    struct owners o = {.S = level_of(j), .owner = room(j->n, 4), .size = room(j->n, 4)};
    uint32_t entries = o.S.row[j->n];
    uint64_t seed = j->n;
    o.strength = room(entries, sizeof *o.strength);
    for (uint32_t i = 0; i < j->n; i++) {
        bool none = j->words[i] % 4 < 2 || i == HUB || i / 40 % 5 == 1;
        o.owner[i] = none ? ABSENT : i / 6 * 6;
        o.size[i] = sizes[random_below(&seed, 7)];
    }
    for (uint32_t k = 0; k < entries; k++)
        o.strength[k] = strengths[random_below(&seed, 6)];
    return o;
}

static inline void free_owners(struct owners *o)
{
    host_csr_free(&o->S);
    free(o->owner);
    free(o->size);
    free(o->strength);
}

static inline void record_join_strongest(struct job *j)
{
    struct owners o = make_owners(j);
    const struct memory *row = put_words(j, o.S.row, j->n + (uint64_t)1, "row offsets"),
                        *col = put_words(j, o.S.col, o.S.row[j->n], "columns"),
                        *owner = put_words(j, o.owner, j->n, "owners"),
                        *size = put_words(j, o.size, j->n, "sizes");
    u32s strength = put_floats(j, o.strength, o.S.row[j->n]);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, join_strongest, groups_rows(j->n, lanes_of_rows[t]), .row = words_at(row),
            .col = words_at(col), .strength = strength, .owner = words_at(owner), .size = words_at(size),
            .joined = out_words(j, j->n), .n = j->n, .lanes = lanes_of_rows[t]);
    free_owners(&o);
}

static inline void expect_join_strongest(const struct job *j, double *want)
{
    struct owners o = make_owners(j);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        for (uint32_t i = 0; i < j->n; i++)
            *want++ =
                o.owner[i] != ABSENT ? o.owner[i] : strongest_owner(&o.S, o.strength, o.owner, o.size, i);
    free_owners(&o);
}

/* Rows belong to the first of six, except every seventh, which is in no aggregate. */
static inline uint32_t owner_of(const struct job *j, uint32_t i)
{
    uint32_t own = i / 6 * 6;
    (void)j;
    return own % 7 == 0 || i % 7 == 0 ? ABSENT : own;
}

static inline const struct memory *put_owners(struct job *j)
{
    uint32_t *owner = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        owner[i] = owner_of(j, i);
    const struct memory *m = put_words(j, owner, j->n, "owners");
    free(owner);
    return m;
}

static inline void record_aggregate_flags(struct job *j)
{
    const struct memory *owner = put_owners(j);
    run(&j->r, aggregate_flags, groups_each(j->n), .owner = words_at(owner), .root = out_words(j, j->n),
        .member = out_words(j, j->n), .n = j->n);
}

static inline void expect_aggregate_flags(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = owner_of(j, i) == i;
        want[j->n + i] = owner_of(j, i) != ABSENT;
    }
}

/* The numbers of aggregates are arbitrary words here. */
static inline void record_tentative_ones(struct job *j)
{
    uint32_t *row = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        row[i + 1] = row[i] + (owner_of(j, i) != ABSENT);
    const struct memory *owner = put_owners(j), *before = put_words(j, j->words, j->n, "numbers"),
                        *rows = put_words(j, row, j->n + (uint64_t)1, "row offsets");
    run(&j->r, tentative_ones, groups_each(j->n), .owner = words_at(owner), .before = words_at(before),
        .row = words_at(rows), .col = out_words(j, row[j->n]), .val = out_reals(j, row[j->n]), .n = j->n);
    free(row);
}

static inline void expect_tentative_ones(const struct job *j, double *want)
{
    for (int value = 0; value < 2; value++)
        for (uint32_t i = 0; i < j->n; i++)
            if (owner_of(j, i) != ABSENT)
                *want++ = value ? 1 : j->words[owner_of(j, i)];
}

static const uint32_t orders_at[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 50, 63};
static const struct sizes sizes_of_orders = {orders_at, sizeof orders_at / sizeof *orders_at, 8};

static inline uint32_t pivots_of(const struct job *j)
{
    return j->n < 64 ? j->n : 64;
}

/* Symmetric; the last third of its rows repeats the first, so that these pivots vanish, and one is
 * negative. */
static inline double *singular_matrix(const struct job *j)
{
    uint32_t n = pivots_of(j), whole = n < 3 ? n : n - n / 3;
    double *v = room((size_t)n * n, sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = i % whole, b = k % whole;
            double any = rounded(j->p, (key_in_round(a < b ? a : b, a < b ? b : a) >> 8) * 0x1p-24 - 0.5);
            v[i * n + k] = a == b ? (a == 5 ? -1.0 : n) : any;
        }
    return v;
}

static inline void record_sweep_panel(struct job *j)
{
    uint32_t n = pivots_of(j), entries = n * n;
    double *v = singular_matrix(j), *reference = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        reference[i] = fabs(v[i * (n + 1)]);
    const struct memory *diagonal = put(j, reference, n, "a reference diagonal"),
                        *matrix = put(j, v, entries, "a matrix"),
                        *panel = new_reals(j, (uint64_t)SWEEP_PIVOTS * n, "columns of pivots"),
                        *factors = new_reals(j, SWEEP_PIVOTS * SWEEP_FACTORS, "factors of pivots");
    for (uint32_t k = 0; k < n; k += SWEEP_PIVOTS) {
        run(&j->r, sweep_panel, 1, .matrix = reals_at(matrix), .reference = reals_at(diagonal),
            .panel = reals_at(panel), .factors = reals_at(factors), .n = n, .k = k);
        run(&j->r, sweep_apply, groups_each(entries), .matrix = reals_at(matrix), .panel = reals_at(panel),
            .factors = reals_at(factors), .n = n, .k = k);
    }
    compared(j, matrix, j->p, entries);
    free(v);
    free(reference);
}

/* Element c of row k: that of column k, with the other sign if pivot c is swept. */
static inline double in_row(const double *v, uint32_t n, uint32_t k, uint32_t c)
{
    return c < k ? -v[c * n + k] : v[c * n + k];
}

static inline double swept(enum precision p, const double *v, uint32_t n, uint32_t k, uint32_t i, uint32_t c,
                           double inverse)
{
    double product = rounded(p, v[i * n + k] * in_row(v, n, k, c));
    if (i == k)
        return c == k ? inverse : rounded(p, in_row(v, n, k, c) * inverse);
    return c == k ? -rounded(p, v[i * n + k] * inverse)
                  : rounded(p, v[i * n + c] - rounded(p, product * inverse));
}

static inline double size_of_pivot(enum precision p, const double *v, const double *reference, uint32_t n,
                                   uint32_t k)
{
    double lanes[32] = {0};
    for (uint32_t i = 0; i < k; i++) {
        double x = v[k * n + i], square = rounded(p, x * x);
        lanes[i % 32] = rounded(p, lanes[i % 32] + rounded(p, square * reference[i]));
    }
    return rounded(p, sum_of_lanes(p, lanes, 32) + reference[k]);
}

static inline void expect_sweep_panel(const struct job *j, double *want)
{
    uint32_t n = pivots_of(j);
    enum precision p = j->p;
    double *v = singular_matrix(j), *reference = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        reference[i] = fabs(v[i * (n + 1)]);
    for (uint32_t k = 0; k < n; k++) {
        double pivot = v[k * (n + 1)];
        bool kept = !is_zero_beside(p, pivot, size_of_pivot(p, v, reference, n, k));
        for (uint32_t e = 0; e < n * n; e++) {
            bool cross = e / n == k || e % n == k;
            want[e] = kept ? swept(p, v, n, k, e / n, e % n, rounded(p, 1 / pivot)) : cross ? 0 : v[e];
        }
        memcpy(v, want, (size_t)n * n * sizeof *v);
    }
    free(v);
    free(reference);
}

#define MULTIGRID_CASES(X)                                      \
    MULTIGRID_STRENGTH_CASES(X)                                 \
    MULTIGRID_UNSYMMETRIC_CASES(X)                              \
    X(root_near, .sizes = &sizes_of_levels, .words = true)      \
    X(root_decide, .sizes = &sizes_of_levels, .words = true)    \
    X(join_root, .sizes = &sizes_of_levels, .words = true)      \
    X(join_strongest, .sizes = &sizes_of_levels, .words = true) \
    X(aggregate_flags, .words = true)                           \
    X(tentative_ones, .once = false)                            \
    X(sweep_panel, .sizes = &sizes_of_orders, .once = true)

#endif
