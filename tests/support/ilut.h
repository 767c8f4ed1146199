/* ILUT for its suites: matrices, and factors made in the same way as by the preconditioner. */
#ifndef VKS_TESTS_ILUT_H
#define VKS_TESTS_ILUT_H

#include "entries/rcm.h"
#include "solvers/ilut/lines.h"
#include "tests/support/matrix.h"
#include "tests/support/own.h"

/* Unsymmetric, strictly diagonally dominant. */
static inline struct host_csr dominant(enum precision p, uint32_t n, uint64_t seed)
{
    struct host_csr A = random_spd(p, n, seed);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] > i ? -0.5 : 1;
    return A;
}

/* All entries, of unsorted magnitudes. */
static inline struct host_csr full(uint32_t n, uint64_t seed)
{
    struct host_csr A = new_csr(n, n, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            A.col[i * n + j] = j;
            A.val[i * n + j] = random_wide(&seed, PRECISION_F64, 3);
        }
        A.row[i + 1] = (i + 1) * n;
    }
    return A;
}

/* n rows, diagonally dominant. The first `band` rows have all entries up to `width` from the diagonal. */
static inline struct host_csr banded_and_diagonal(uint32_t band, uint32_t width, uint32_t n)
{
    struct host_csr A = new_csr(n, n, n + 2 * (size_t)band * width);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t reach = i < band ? width : 0;
        for (uint32_t j = i < reach ? 0 : i - reach; j <= i + reach && (j <= i || j < band); j++) {
            A.col[at] = j;
            A.val[at++] = i == j ? 2 * width + 1 : -1 + j % 7 * 0.125;
        }
        A.row[i + 1] = at;
    }
    return A;
}

/* The factors of A in a given order; NULL: its own. */
struct factored {
    uint32_t n, rows, blocks, *order, *place;
    struct factors *of;
};

static inline struct factored factor(const struct host_csr *A, const uint32_t *order,
                                     const struct ilut_options *o)
{
    struct message m = {0};
    uint32_t n = A->rows, blocks = ilut_blocks_of(n, o->rows);
    struct factored f = {n, o->rows, blocks, room(n, 4), room(n, 4), room(blocks, sizeof *f.of)};
    for (uint32_t i = 0; i < n; i++)
        f.order[i] = order ? order[i] : i;
    rcm_invert(n, f.order, f.place);
    cr_assert_eq(ilut_factor(&m, NULL, A, f.order, f.place, o, &(struct caller){0}, f.of), VKS_OK, "%s",
                 m.text);
    return f;
}

static inline void factored_free(struct factored *f)
{
    for (uint32_t b = 0; b < f->blocks; b++)
        factors_free(&f->of[b]);
    free(f->of);
    free(f->order);
    free(f->place);
}

#endif
