/* The cases of the kernels that find strong entries, through their arguments. Kernels that work on rows are
 * recorded with several numbers of lanes. */
#ifndef VKS_TESTS_MULTIGRID_STRENGTH_CASES_H
#define VKS_TESTS_MULTIGRID_STRENGTH_CASES_H

#include "primitive/verbs.h"
#include "tests/support/job.h"
#include "tests/support/multigrid_oracle.h"

static const uint32_t levels_at[] = {0,   1,   2,   31,  32,  33,   127,  128,  129, 255,
                                     256, 257, 511, 512, 513, 1000, 2047, 2049, 4097};
static const struct sizes sizes_of_levels = {levels_at, sizeof levels_at / sizeof *levels_at, 15};
static const uint32_t lanes_of_rows[] = {1, 2, 8, 32};
enum { LANES_OF_ROWS = sizeof lanes_of_rows / sizeof *lanes_of_rows };

enum { HUB = 7 }; /* a row with a third of all others */

/* A symmetric graph in which every eleventh row is isolated. */
static inline bool linked(uint32_t i, uint32_t k)
{
    uint32_t low = i < k ? i : k, high = i < k ? k : i, gap = high - low;
    bool hub = (low == HUB && high % 3 == 0) || (high == HUB && low % 3 == 0);
    if (i == k || i % 11 == 3 || k % 11 == 3)
        return i == k;
    return hub || ((gap <= 2 || gap == 17) && key_in_round(low, gap) % 4 != 0);
}

/* Equal for (i, k) and (k, i): mostly -1, some others of either sign, a few of them small. */
static inline double link_value(enum precision p, uint32_t i, uint32_t k)
{
    uint32_t low = i < k ? i : k, high = i < k ? k : i, h = key_in_round(low, high);
    static const double few[] = {-1, -1, -1, -0.25, -0.25, 0.5, -0x1p-23, 0};
    double any = rounded(p, (h >> 8) * 0x1p-24 + 0x1p-30);
    if (i == k)
        return i % 5 < 2 ? 4 : rounded(p, 1 + 3 * any);
    return h % 11 < 8 ? few[h % 11] : h % 11 == 8 ? any : -any;
}

static inline void add_link(const struct job *j, struct host_csr *A, uint32_t i, uint32_t k, uint32_t *at)
{
    if (!linked(i, k))
        return;
    A->col[*at] = k;
    A->val[(*at)++] = link_value(j->p, i, k);
}

/* The whole level, each row with its diagonal. */
static inline struct host_csr level_of(const struct job *j)
{
    struct host_csr A = new_csr(j->n, j->n, 10 * (size_t)j->n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t first = i < 17 || i == HUB ? 0 : i - 17, last = i == HUB ? j->n - 1 : i + 17;
        if (first > HUB)
            add_link(j, &A, i, HUB, &at);
        for (uint32_t k = first; k < j->n && k <= last; k++)
            add_link(j, &A, i, k, &at);
        A.row[i + 1] = at;
    }
    return A;
}

static inline double *roots_of_level(const struct job *j)
{
    double *root = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        root[i] = rounded(j->p, sqrt(rounded(j->p, 1 / link_value(j->p, i, i))));
    return root;
}

/* Sums of positive entries and of all, by the size: none, few positive ones, and exactly 0.2 in f32, which
 * exceeds 0.2 in f64. */
static const double signs_of_size[][2] = {{0, 0}, {0.25, 2}, {(double)0.2F, 1}};

static inline const double *signs_of(const struct job *j)
{
    return signs_of_size[j->n % 3];
}

static inline bool negative_of(const struct job *j)
{
    return j->n % 3 && few_positive(j->p, signs_of(j));
}

static const double level_weight = 0.7123456789;

/* A level, its matrix, and its strong entries, from sums by so many lanes. */
struct level {
    struct host_csr A;
    double *root;
    struct strong s;
};

static inline struct level make_level(const struct job *j, uint32_t lanes)
{
    struct level l = {.A = level_of(j), .root = roots_of_level(j)};
    l.s = strong_entries(j->p, &l.A, l.root, lanes, negative_of(j), rounded(j->p, level_weight));
    return l;
}

static inline void free_level(struct level *l)
{
    host_csr_free(&l->A);
    free(l->root);
    strong_free(&l->s);
}

/* The inputs of the kernels on the entries of a level. */
struct level_arrays {
    u32s row, col;
    reals val, root, signs;
};

static inline struct level_arrays put_level(struct job *j, const struct level *l)
{
    struct level_arrays a;
    a.row = words_at(put_words(j, l->A.row, j->n + (uint64_t)1, "row offsets"));
    a.col = words_at(put_words(j, l->A.col, l->A.row[j->n], "columns"));
    a.val = reals_at(put(j, l->A.val, l->A.row[j->n], "values"));
    a.root = reals_at(put(j, l->root, j->n, "roots"));
    a.signs = j->n % 3 ? reals_at(put(j, signs_of(j), 2, "signs")) : NULL;
    return a;
}

/* The bits of floats. */
static inline u32s put_floats(struct job *j, const float *v, uint64_t count)
{
    uint32_t *bits = room(count, 4);
    memcpy(bits, v, count * sizeof *v);
    const struct memory *m = put_words(j, bits, count, "bits of floats");
    free(bits);
    return words_at(m);
}

static inline double bits_of_float(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline u32s out_words(struct job *j, uint64_t count)
{
    return words_at(compared_words(j, new_bytes(j, 4 * count, "words"), count));
}

static inline reals out_reals(struct job *j, uint64_t count)
{
    return reals_at(compared(j, new_reals(j, count, "reals"), j->p, count));
}

static const uint32_t quarter = 0x3E800000; /* 0.25 */

static inline void record_square_roots(struct job *j)
{
    double *v = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = fabs(j->x[i]);
    const struct memory *x = put(j, v, j->n, "x");
    run(&j->r, square_roots, groups_each(j->n), .x = reals_at(x), .y = out_reals(j, j->n), .n = j->n);
    free(v);
}

static inline void expect_square_roots(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, sqrt(fabs(j->x[i])));
}

static inline void record_strength_sums(struct job *j)
{
    struct level l = make_level(j, 1);
    struct level_arrays a = put_level(j, &l);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, strength_sums, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .val = a.val, .positive = out_reals(j, j->n), .other = out_reals(j, j->n), .n = j->n,
            .lanes = lanes_of_rows[t]);
    free_level(&l);
}

static inline void expect_strength_sums(const struct job *j, double *want)
{
    struct level l = make_level(j, 1);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        for (int all = 0; all < 2; all++)
            for (uint32_t i = 0; i < j->n; i++)
                *want++ = sum_beside(j->p, &l.A, i, lanes_of_rows[t], !all);
    free_level(&l);
}

static inline void record_strength_maxima(struct job *j)
{
    struct level l = make_level(j, 1);
    struct level_arrays a = put_level(j, &l);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, strength_maxima, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .val = a.val, .root = a.root, .signs = a.signs, .most = out_words(j, j->n), .n = j->n,
            .lanes = lanes_of_rows[t]);
    free_level(&l);
}

static inline void expect_strength_maxima(const struct job *j, double *want)
{
    struct level l = make_level(j, 1);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        for (uint32_t i = 0; i < j->n; i++)
            *want++ = bits_of_float(l.s.most[i]);
    free_level(&l);
}

static inline void record_strength_count(struct job *j)
{
    struct level l = make_level(j, 1);
    struct level_arrays a = put_level(j, &l);
    u32s most = put_floats(j, l.s.most, j->n);
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, strength_count, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .val = a.val, .root = a.root, .signs = a.signs, .most = most, .count = out_words(j, j->n),
            .filtered = out_reals(j, j->n), .n = j->n, .threshold = quarter, .lanes = lanes_of_rows[t]);
    free_level(&l);
}

static inline void expect_strength_count(const struct job *j, double *want)
{
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++) {
        struct level l = make_level(j, lanes_of_rows[t]);
        for (uint32_t i = 0; i < j->n; i++) {
            *want++ = l.s.S.row[i + 1] - l.s.S.row[i];
        }
        for (uint32_t i = 0; i < j->n; i++)
            *want++ = l.s.filtered[i];
        free_level(&l);
    }
}

/* Pairs of rows with a diagonal of ones, whose one other entry is weak, since the maxima are made up. It
 * leaves about 0.3 of the diagonal: more, less, or between its values in f64 and f32. */
static const double weak_entries[] = {-0.69, -0.699999994, -0.7, -0.71, 0.5};

/* The last row is isolated if the number of rows is odd. */
static inline bool is_alone(const struct job *j, uint32_t i)
{
    return (i | 1) == j->n;
}

static inline double weak_entry(const struct job *j, uint32_t i)
{
    return is_alone(j, i) ? 0 : rounded(j->p, weak_entries[i / 2 % 5]);
}

static inline struct host_csr pairs_of_rows(const struct job *j)
{
    struct host_csr A = new_csr(j->n, j->n, 2 * (size_t)j->n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        for (uint32_t k = i & ~1u; k <= (i | 1); k++) {
            if (k != i && is_alone(j, i))
                continue;
            A.col[at] = k;
            A.val[at++] = k == i ? 1 : weak_entry(j, i);
        }
        A.row[i + 1] = at;
    }
    return A;
}

static inline void record_strength_filtered(struct job *j)
{
    struct level l = {.A = pairs_of_rows(j), .root = room(j->n, 8)};
    float *most = room(j->n, sizeof *most);
    for (uint32_t i = 0; i < j->n; i++) {
        l.root[i] = 1;
        most[i] = 8;
    }
    struct level_arrays a = put_level(j, &l);
    run(&j->r, strength_count, groups_rows(j->n, 2), .row = a.row, .col = a.col, .val = a.val, .root = a.root,
        .signs = NULL, .most = put_floats(j, most, j->n), .count = out_words(j, j->n),
        .filtered = out_reals(j, j->n), .n = j->n, .threshold = quarter, .lanes = 2);
    free(most);
    free_level(&l);
}

static inline void expect_strength_filtered(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        double lumped = rounded(j->p, 1 + weak_entry(j, i));
        want[i] = 1;
        want[j->n + i] = lumped < rounded(j->p, 0.3) ? 1 : lumped;
    }
}

static inline void record_strength_fill(struct job *j)
{
    struct level l = make_level(j, 1);
    struct level_arrays a = put_level(j, &l);
    uint32_t entries = l.s.S.row[j->n];
    u32s most = put_floats(j, l.s.most, j->n);
    u32s to_row = words_at(put_words(j, l.s.S.row, j->n + (uint64_t)1, "row offsets"));
    const struct memory *filtered = put(j, l.s.filtered, j->n, "filtered"),
                        *w = put(j, &level_weight, 1, "w");
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, strength_fill, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .val = a.val, .root = a.root, .signs = a.signs, .most = most, .filtered = reals_at(filtered),
            .to_row = to_row, .to_col = out_words(j, entries), .strength = out_words(j, entries),
            .to_val = out_reals(j, entries), .w = number_at(w), .n = j->n, .threshold = quarter,
            .lanes = lanes_of_rows[t]);
    free_level(&l);
}

static inline void expect_strength_fill(const struct job *j, double *want)
{
    struct level l = make_level(j, 1);
    uint32_t entries = l.s.S.row[j->n];
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++) {
        for (uint32_t k = 0; k < entries; k++)
            *want++ = l.s.S.col[k];
        for (uint32_t k = 0; k < entries; k++)
            *want++ = bits_of_float(l.s.strength[k]);
        for (uint32_t k = 0; k < entries; k++)
            *want++ = l.s.S.val[k];
    }
    free_level(&l);
}

#define MULTIGRID_STRENGTH_CASES(X)                 \
    X(square_roots, .once = false)                  \
    X(strength_sums, .sizes = &sizes_of_levels)     \
    X(strength_maxima, .sizes = &sizes_of_levels)   \
    X(strength_count, .sizes = &sizes_of_levels)    \
    X(strength_filtered, .sizes = &sizes_of_levels) \
    X(strength_fill, .sizes = &sizes_of_levels)

#endif
