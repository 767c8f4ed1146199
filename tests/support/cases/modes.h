/* The cases of the kernels that make near-null vectors and orthonormal bases for them. */
#ifndef VKS_TESTS_MODES_CASES_H
#define VKS_TESTS_MODES_CASES_H

#include "device/groups.h"
#include "solvers/multigrid/tentative.h"
#include "tests/support/job.h"

/* Nodes with `size` unknowns each, and columns of B. */
struct modes_shape {
    uint32_t size, columns;
};

/* j->n nodes, whose coordinates are taken from values of the job. */
static inline double mode_coordinate(const struct job *j, uint64_t i)
{
    return j->x[i % j->n];
}

static inline void record_modes_of(struct job *j, struct modes_shape s)
{
    uint64_t rows = (uint64_t)j->n * s.size;
    double *x = room(rows, 8);
    for (uint64_t i = 0; i < rows; i++)
        x[i] = mode_coordinate(j, i);
    const struct memory *b = compared(j, new_reals(j, rows * s.columns, "B"), j->p, rows * s.columns);
    reals from = s.columns > s.size ? reals_at(put(j, x, rows, "coordinates")) : NULL;
    run(&j->r, rigid_modes, groups_each(rows * s.columns), .x = from, .b = reals_at(b), .n = (uint32_t)rows,
        .size = s.size, .columns = s.columns);
    free(x);
}

/* Rotations turn (1, 0, 0) to (0, 1, 0), and so on: about the axis e, the displacement is e x (x, y, z). */
static inline double rotated(const double x[3], uint32_t c, uint32_t axis)
{
    double e[3] = {axis == 0, axis == 1, axis == 2};
    uint32_t d = (c + 1) % 3, f = (c + 2) % 3;
    return e[d] != 0 ? x[f] : e[f] != 0 ? -x[d] : 0;
}

static inline void expect_modes_of(const struct job *j, struct modes_shape s, double *want)
{
    for (uint32_t node = 0; node < j->n; node++)
        for (uint32_t c = 0; c < s.size; c++)
            for (uint32_t k = 0; k < s.columns; k++) {
                double x[3] = {0};
                for (uint32_t a = 0; a < s.size && a < 3; a++)
                    x[a] = mode_coordinate(j, (uint64_t)node * s.size + a);
                *want++ = k < s.size ? k == c : rotated(x, c, s.size == 3 ? k - 3 : 2);
            }
}

/* The sizes of the aggregates; the last takes the remaining nodes. */
static inline uint32_t size_of_scattered(uint32_t a)
{
    static const uint32_t of[] = {5, 2, 11, 1, 30, 3, 44, 0, 12, 7, 130};
    return of[a % 11];
}

/* Aggregates of scattered nodes; every thirteenth node is in none. */
struct scattered {
    uint32_t count, *offset, *list;
};

static inline struct scattered make_scattered(uint32_t nodes)
{
    struct scattered q = {.offset = room((size_t)nodes + 12, 4), .list = room(nodes, 4)};
    uint32_t *owner = room(nodes, 4), step = 7919, used = 0;
    for (uint32_t i = 0, left = 0; i < nodes; i++) { /* 7,919 is prime */
        uint32_t node = nodes % step ? (uint32_t)((uint64_t)i * step % nodes) : i;
        while (!left && node % 13 != 5)
            left = size_of_scattered(q.count++);
        owner[node] = node % 13 == 5 ? UINT32_MAX : q.count - 1;
        left -= node % 13 != 5;
    }
    for (uint32_t a = 0; a < q.count; a++) {
        for (uint32_t i = 0; i < nodes; i++)
            if (owner[i] == a)
                q.list[used++] = i;
        q.offset[a + 1] = used;
    }
    free(owner);
    return q;
}

static inline void free_scattered(struct scattered *q)
{
    free(q->offset);
    free(q->list);
}

/* Random rows; on every third node, each third column is twice the one before. */
static inline double *make_mode_rows(const struct job *j, struct modes_shape s)
{
    uint64_t seed = 77 + j->n;
    double *b = room((uint64_t)j->n * s.size * s.columns, 8), *v = b;
    for (uint64_t i = 0; i < (uint64_t)j->n * s.size; i++, v += s.columns)
        for (uint32_t k = 0; k < s.columns; k++)
            v[k] = k % 3 == 2 && i / s.size % 3 != 1 ? 2 * v[k - 1] : random_wide(&seed, j->p, 3);
    return b;
}

static inline void record_bases_of(struct job *j, struct modes_shape s)
{
    struct scattered q = make_scattered(j->n);
    struct members of = {.nodes = j->n, .aggregates = q.count};
    uint64_t elements = (uint64_t)j->n * s.size * s.columns,
             coarse = (uint64_t)q.count * s.columns * s.columns;
    double *b = make_mode_rows(j, s), *t = room(elements, 8);
    of.offset = *put_words(j, q.offset, q.count + (uint64_t)1, "offsets");
    of.list = *put_words(j, q.list, j->n, "nodes");
    const struct memory *B = put(j, b, elements, "B");
    const struct memory *T = compared(j, put(j, t, elements, "T"), j->p, elements);
    const struct memory *R = compared(j, new_reals(j, coarse, "R"), j->p, coarse);
    orthogonalise(&j->r, &(struct tentative){.of = &of,
                                             .size = s.size,
                                             .columns = s.columns,
                                             .B = reals_at(B),
                                             .T = reals_at(T),
                                             .coarse = reals_at(R)});
    free_scattered(&q);
    free(b);
    free(t);
}

/* The product of two columns, of `rows` elements each. */
static inline double lanes_product(enum precision p, const double *x, const double *y, uint32_t rows)
{
    double v[32] = {0};
    for (uint32_t i = 0; i < rows; i++)
        v[i % 32] = rounded(p, v[i % 32] + rounded(p, x[i] * y[i]));
    for (uint32_t half = 16; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* q: columns of `rows` elements, one after the other. r: R by rows. */
static inline void expect_basis(enum precision p, double *q, uint32_t rows, uint32_t columns, double *r)
{
    memset(r, 0, (size_t)columns * columns * sizeof *r);
    for (uint32_t k = 0; k < columns; k++) {
        double *v = q + (size_t)k * rows, before = lanes_product(p, v, v, rows);
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; i < k; i++) {
                const double *u = q + (size_t)i * rows;
                double s = lanes_product(p, u, v, rows), *to = &r[i * columns + k];
                for (uint32_t l = 0; l < rows; l++)
                    v[l] = rounded(p, v[l] - rounded(p, s * u[l]));
                *to = rounded(p, *to + s);
            }
        double after = lanes_product(p, v, v, rows);
        double norm = after > rounded(p, rounded(p, 1e-10) * before) ? rounded(p, sqrt(after)) : 0;
        for (uint32_t l = 0; l < rows; l++)
            v[l] = norm > 0 ? rounded(p, v[l] * rounded(p, 1 / norm)) : 0;
        r[k * columns + k] = norm;
    }
}

static inline void expect_bases_of(const struct job *j, struct modes_shape s, double *want)
{
    struct scattered q = make_scattered(j->n);
    uint64_t elements = (uint64_t)j->n * s.size * s.columns;
    double *b = make_mode_rows(j, s), *v = room(elements + 1, 8);
    memset(want, 0, elements * sizeof *want);
    for (uint32_t a = 0; a < q.count; a++) {
        const uint32_t *list = q.list + q.offset[a];
        uint32_t rows = (q.offset[a + 1] - q.offset[a]) * s.size;
#define PLACE_(i) (((uint64_t)list[(i) / s.size] * s.size + (i) % s.size) * s.columns)
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t k = 0; k < s.columns; k++)
                v[k * rows + i] = b[PLACE_(i) + k];
        expect_basis(j->p, v, rows, s.columns, want + elements + (uint64_t)a * s.columns * s.columns);
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t k = 0; k < s.columns; k++)
                want[PLACE_(i) + k] = v[k * rows + i];
#undef PLACE_
    }
    free_scattered(&q);
    free(b);
    free(v);
}

#define MODES_CASE_(name, what, ...)                                    \
    static inline void record_##name(struct job *j)                     \
    {                                                                   \
        record_##what##_of(j, (struct modes_shape){__VA_ARGS__});       \
    }                                                                   \
    static inline void expect_##name(const struct job *j, double *want) \
    {                                                                   \
        expect_##what##_of(j, (struct modes_shape){__VA_ARGS__}, want); \
    }
MODES_CASE_(rigid_modes, modes, 3, 6)
MODES_CASE_(rigid_modes_in_the_plane, modes, 2, 3)
MODES_CASE_(constant_modes, modes, 4, 4)
MODES_CASE_(orthogonalise, bases, 3, 6)
MODES_CASE_(orthogonalise_in_the_plane, bases, 2, 3)
MODES_CASE_(orthogonalise_one, bases, 1, 1)
MODES_CASE_(orthogonalise_many, bases, 5, 32)
#undef MODES_CASE_

static const uint32_t modes_at[] = {0, 1, 2, 31, 33, 100, 257, 1000, 2049};
static const struct sizes sizes_of_modes = {modes_at, sizeof modes_at / sizeof *modes_at, 7};
static const struct sizes sizes_of_few_modes = {modes_at, 6, 5};

#define MODES_CASES(X)                                      \
    X(rigid_modes, .sizes = &sizes_of_modes)                \
    X(rigid_modes_in_the_plane, .sizes = &sizes_of_modes)   \
    X(constant_modes, .sizes = &sizes_of_modes)             \
    X(orthogonalise, .sizes = &sizes_of_modes)              \
    X(orthogonalise_in_the_plane, .sizes = &sizes_of_modes) \
    X(orthogonalise_one, .sizes = &sizes_of_modes)          \
    X(orthogonalise_many, .sizes = &sizes_of_few_modes)

#endif
