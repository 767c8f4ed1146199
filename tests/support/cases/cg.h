/* The cases of the kernels of conjugate gradients outside its iterations; cg_case.h tests the others step by
 * step. */
#ifndef VKS_TESTS_CG_CASES_H
#define VKS_TESTS_CG_CASES_H

#include "shaders/solver/cg.h"
#include "tests/support/cases/jacobi.h"

/* d is x in reverse order. */
static inline void record_keep_of(struct job *j, bool jacobi)
{
    const struct memory *p = put(j, j->x, j->n, "p"), *r = put(j, j->y, j->n, "r");
    double *back = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        back[i] = j->x[j->n - 1 - i];
    const struct memory *d = put(j, back, j->n, "d");
    free(back);
    const struct memory *q = compared(j, new_reals(j, j->n, "q"), j->p, j->n);
    run(&j->r, cg_keep, groups_each(j->n), .p = reals_at(p), .r = reals_at(r), .d = reals_at(d),
        .q = reals_at(q), .n = j->n, .form = jacobi ? FORM_EACH : FORM_NONE);
}

static inline void record_cg_keep(struct job *j)
{
    record_keep_of(j, false);
}

static inline void expect_cg_keep(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] - j->y[i]);
}

static inline void record_cg_keep_with_jacobi(struct job *j)
{
    record_keep_of(j, true);
}

static inline void expect_cg_keep_with_jacobi(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] - rounded(j->p, j->x[j->n - 1 - i] * j->y[i]));
}

/* Given sums of r . z and r . r, and what is computed from them: rho, and r . r. */
static inline void record_cg_begin(struct job *j)
{
    const double from_outside[] = {j->n + 0.5, j->n + 0.25}, none[4] = {0};
    static const uint32_t pending[] = {PENDING_STEP, 0};
    const struct memory *words = put_control(j), *w = put_mixed(j, pending, 2, none, 4, "numbers");
    const struct memory *s = put(j, from_outside, 2, "sums");
    compared_behind(j, w, 2, 1);
    compared_behind(j, words, 4, 1);
    run(&j->r, cg_begin, 1, .c = (control)(uintptr_t)words->address, .w = (cg_numbers)(uintptr_t)w->address,
        .whole = reals_at(s));
}

static inline void expect_cg_begin(const struct job *j, double *want)
{
    want[0] = j->n + 0.5;
    want[1] = j->n + 0.25;
}

/* index is n - 1 ... 0. */
static inline void record_boundary_of(struct job *j, uint32_t form)
{
    const struct memory *r = put(j, j->x, j->n, "r"), *d = put(j, j->y, j->n, "d");
    uint32_t *back = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        back[i] = j->n - 1 - i;
    const struct memory *index = put_words(j, back, j->n, "index");
    free(back);
    const struct memory *out = compared(j, new_reals(j, j->n, "out"), j->p, j->n);
    run(&j->r, cg_boundary, groups_each(j->n), .r = reals_at(r), .d = reals_at(d), .index = words_of(index),
        .to = reals_at(out), .n = j->n, .form = form);
}

static inline void record_cg_boundary(struct job *j)
{
    record_boundary_of(j, FORM_GIVEN);
}

static inline void expect_cg_boundary(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->x[j->n - 1 - i];
}

static inline void record_cg_boundary_of_each(struct job *j)
{
    record_boundary_of(j, FORM_EACH);
}

static inline void expect_cg_boundary_of_each(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[j->n - 1 - i] * j->x[j->n - 1 - i]);
}

static inline void record_cg_boundary_of_one(struct job *j)
{
    record_boundary_of(j, FORM_ONE);
}

static inline void expect_cg_boundary_of_one(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[0] * j->x[j->n - 1 - i]);
}

enum { GHOSTS_RHO = 5, GHOSTS_RHO_OLD = 3, GHOSTS_OWN = 3 };

/* The number of ghosts before the elements of this process: half of them. */
static inline uint32_t ghosts_before(const struct job *j)
{
    return j->n / 2;
}

/* x with three elements of this process inserted in the middle. */
static inline double *ghosts_and_own(const struct job *j)
{
    double *p = room(j->n + GHOSTS_OWN, 8);
    uint32_t before = ghosts_before(j);
    for (uint32_t i = 0; i < j->n + GHOSTS_OWN; i++)
        p[i] = i < before ? j->x[i] : i < before + GHOSTS_OWN ? 0.5 : j->x[i - GHOSTS_OWN];
    return p;
}

static inline void record_ghosts_of(struct job *j, uint32_t pending)
{
    const double numbers[] = {GHOSTS_RHO, 0, 0, GHOSTS_RHO_OLD};
    const uint32_t words[] = {pending, 0};
    const struct memory *z = put(j, j->y, j->n, "z"), *w = put_mixed(j, words, 2, numbers, 4, "numbers");
    double *all = ghosts_and_own(j);
    const struct memory *p = put(j, all, j->n + GHOSTS_OWN, "p");
    free(all);
    compared(j, p, j->p, j->n + GHOSTS_OWN);
    run(&j->r, cg_ghosts, groups_each(j->n), .w = (cg_numbers)(uintptr_t)w->address, .z = reals_at(z),
        .p = reals_at(p), .n = j->n, .before = ghosts_before(j), .own = GHOSTS_OWN);
}

static inline void record_cg_ghosts(struct job *j)
{
    record_ghosts_of(j, PENDING_STEP);
}

static inline void expect_cg_ghosts_at_the_end(const struct job *j, double *want)
{
    double *all = ghosts_and_own(j);
    memcpy(want, all, (j->n + GHOSTS_OWN) * sizeof *want);
    free(all);
}

static inline void expect_cg_ghosts(const struct job *j, double *want)
{
    double beta = rounded(j->p, (double)GHOSTS_RHO / GHOSTS_RHO_OLD);
    expect_cg_ghosts_at_the_end(j, want);
    for (uint32_t i = 0; i < j->n; i++) {
        double *p = &want[i < ghosts_before(j) ? i : i + GHOSTS_OWN];
        *p = rounded(j->p, j->y[i] + rounded(j->p, beta * *p));
    }
}

static inline void record_cg_ghosts_at_the_end(struct job *j)
{
    record_ghosts_of(j, PENDING_NOTHING);
}

static inline uint32_t chunks_of(uint32_t n)
{
    return n ? (n + 65535) / 65536 : 1;
}

/* Chunk sums, from `count` sums of row 0, or from `rows` rows. */
static inline void record_chunks_of(struct job *j, const struct reduction *w, uint32_t rows, uint32_t count,
                                    uint32_t width)
{
    const uint32_t chunks = chunks_of(j->n);
    const struct memory *to = new_reals(j, rows * (size_t)chunks, "sums of chunks");
    bool one = j->n <= 256;
    run(&j->r, chunk_sums, groups_each(32 * chunks), .s = reduction_sums(w), .to = reals_at(to),
        .count = one ? 1 : count, .rows = rows, .stride = w->stride, .width = one ? 1 : width);
    compared(j, to, j->p, rows * chunks);
}

/* Sums of x . x and y . y. */
static inline void record_chunk_sums(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = put(j, j->y, j->n, "y");
    const struct reduction *w = new_reduction(j, 2);
    dot_stripes(&j->r, w, 0, job_vec(j, x), job_vec(j, x));
    dot_stripes(&j->r, w, 1, job_vec(j, y), job_vec(j, y));
    record_chunks_of(j, w, 2, stripes_of_elements(j->n), 32);
}

/* Sums of x . y. */
static inline void record_chunk_sums_of_tiles(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = put(j, j->y, j->n, "y");
    const struct reduction *w = new_reduction(j, 1);
    dot(&j->r, w, job_vec(j, x), job_vec(j, y), number_at(new_reals(j, 1, "x . y")));
    record_chunks_of(j, w, 1, (uint32_t)groups_each(j->n), 256);
}

static inline void expect_chunks(const struct job *j, const double *x, const double *y, double *want)
{
    for (uint32_t c = 0; c < chunks_of(j->n); c++) {
        uint32_t first = 65536 * c, left = j->n - first;
        want[c] = canonical_dot(j->p, x + first, y + first, left < 65536 ? left : 65536);
    }
}

static inline void expect_chunk_sums(const struct job *j, double *want)
{
    expect_chunks(j, j->x, j->x, want);
    expect_chunks(j, j->y, j->y, want + chunks_of(j->n));
}

static inline void expect_chunk_sums_of_tiles(const struct job *j, double *want)
{
    expect_chunks(j, j->x, j->y, want);
}

#define CG_CASES(X)                        \
    X(chunk_sums, .once = false)           \
    X(chunk_sums_of_tiles, .once = false)  \
    X(cg_boundary, .once = false)          \
    X(cg_boundary_of_each, .once = false)  \
    X(cg_boundary_of_one, .once = false)   \
    X(cg_ghosts, .once = true)             \
    X(cg_ghosts_at_the_end, .once = false) \
    X(cg_begin, .once = false)             \
    X(cg_keep, .once = false)              \
    X(cg_keep_with_jacobi, .once = false)

#endif
