/* Levels of a hierarchy made by the library, read back step by step. */
#ifndef VKS_TESTS_MULTIGRID_LEVELS_H
#define VKS_TESTS_MULTIGRID_LEVELS_H

#include "primitive/verbs.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/multigrid.h"
#include "sparse/narrow.h"
#include "tests/support/multigrid_models.h"
#include "tests/support/multigrid_oracle.h"
#include "tests/support/precond.h"

/* The library's results for a level whose cycle is in precision `cycle`: diagonal and bound are those of the
 * matrix in that precision. P, R and coarse have no rows if it is the last. */
struct found_level {
    double *inverse; /* of the diagonal */
    struct host_csr A, S, P, R, coarse;
    uint32_t lanes, rounds, aggregates;
    double bound;
    uint32_t *strength, *state, *owner; /* strength: bits */
    vks_matrix *next;                   /* or NULL */
};

static inline void found_free(struct found_level *l)
{
    free(l->inverse);
    host_csr_free(&l->A);
    host_csr_free(&l->S);
    host_csr_free(&l->P);
    host_csr_free(&l->R);
    host_csr_free(&l->coarse);
    free(l->strength);
    free(l->state);
    free(l->owner);
}

/* `count` words at a device address. */
static inline uint32_t *words_found(vks_context *c, u32s from, uint32_t count)
{
    uint32_t *words = room(count, 4);
    struct memory m = {0};
    struct rec r;
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4 * (uint64_t)count, "words", &m));
    rec_create(&r, c->device, PRECISION_F32);
    copy_words(&r, from, (u32s)(uintptr_t)m.address, count);
    must_work(c, rec_run(&r));
    rec_destroy(&r);
    must_work(c, device_read(c->device, &m, 0, words, 4 * (uint64_t)count));
    device_release(c->device, &m);
    return words;
}

/* Reads a matrix that has no format yet. */
static inline struct host_csr csr_found(vks_context *c, const vks_matrix *A)
{
    struct host_csr a = new_csr(A->csr.n, A->csr.cols, A->csr.entries);
    must_work(c, device_read(c->device, &A->row, 0, a.row, 4 * (a.rows + (uint64_t)1)));
    must_work(c, device_read(c->device, &A->col, 0, a.col, 4 * (uint64_t)A->csr.entries));
    must_work(c, download_values(c->device, &A->val, A->precision, 0, A->csr.entries, VKS_F64, a.val));
    return a;
}

/* The matrix with values rounded to another precision. */
static inline struct host_csr rounded_csr(const struct host_csr *A, enum precision p)
{
    struct host_csr B = new_csr(A->rows, A->cols, host_csr_entries(A));
    memcpy(B.row, A->row, 4 * (A->rows + (size_t)1));
    memcpy(B.col, A->col, 4 * host_csr_entries(A));
    for (size_t k = 0; k < host_csr_entries(A); k++)
        B.val[k] = rounded(p, A->val[k]);
    return B;
}

/* Coarsens a matrix of CSR with values of precision p. The caller owns the next level, if there is one. */
static inline struct found_level coarsen_once(vks_context *c, const vks_matrix *A, enum precision p,
                                              enum precision cycle, bool finest)
{
    struct found_level l = {.A = read_back(c, A), .lanes = A->csr.lanes, .inverse = room(A->csr.n, 8)};
    struct host_csr narrow = rounded_csr(&l.A, cycle);
    vks_matrix *B = put_on(c, &narrow, cycle, VKS_FORMAT_CSR);
    l.bound = bound_of(c, B, cycle);
    struct precond *M = make_good(c, B, cycle, (vks_precond_options){.kind = VKS_PRECOND_JACOBI});
    for (uint32_t i = 0; i < l.A.rows; i++)
        l.inverse[i] = rounded(cycle, 1 / diagonal_at(&narrow, i));
    struct coarsening s = {.device = c->device,
                           .A = A,
                           .precision = p,
                           .inverse = M->diagonal.d,
                           .bound = l.bound,
                           .columns = 1,
                           .finest = finest};
    struct memory reference = {0};
    must_work(c, coarsen_begin_reference(c->device, s.inverse, p, &reference));
    s.reference = (reals)(uintptr_t)reference.address;
    room_open(&s.room, c->device);
    must_work(c, csr_acquire_wide(A));
    must_work(c, coarsen_nodes(&s));
    must_work(c, coarsen_strength(&s));
    must_work(c, coarsen_roots(&s));
    must_work(c, coarsen_aggregates(&s));
    l.S = csr_found(c, s.S);
    l.strength = words_found(c, s.strength, s.S->csr.entries);
    l.state = words_found(c, s.state, s.S->csr.n);
    l.owner = words_found(c, s.owner, s.S->csr.n);
    l.rounds = s.rounds;
    l.aggregates = s.aggregates;
    if (s.aggregates) {
        must_work(c, coarsen_products(&s));
        l.P = csr_found(c, s.P);
        l.R = csr_found(c, s.R);
        l.coarse = csr_found(c, s.coarse);
        must_work(c, matrix_end(s.coarse, VKS_OK, VKS_FORMAT_CSR, &l.next));
        s.coarse = NULL;
    }
    csr_release_wide(A);
    coarsen_close(&s);
    device_release(c->device, &reference);
    precond_destroy(M);
    vks_matrix_destroy(B);
    host_csr_free(&narrow);
    guards_check(c->device);
    return l;
}

/* The expected strong entries of the level. */
static inline struct strong strong_of_level(const struct found_level *l, enum precision p, bool finest)
{
    OWNED(double) *root = room(l->A.rows, 8);
    for (uint32_t i = 0; i < l->A.rows; i++)
        root[i] = rounded(p, sqrt(l->inverse[i]));
    bool negative = finest && only_negative_of(p, &l->A, l->lanes);
    struct strong s = strong_entries(p, &l->A, root, l->lanes, negative, rounded(p, 1.5 / l->bound));
    choose_roots(&s);
    join_aggregates(&s);
    return s;
}

static inline void must_be_words(const uint32_t *got, const uint32_t *want, uint32_t n, const char *of,
                                 const char *what)
{
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(got[i], want[i], "%s, %s: %u is %u instead of %u", of, what, i, got[i], want[i]);
}

static inline void must_have_pattern(const struct host_csr *got, const struct host_csr *want, const char *of,
                                     const char *what)
{
    cr_assert(got->rows == want->rows && got->cols == want->cols, "%s, %s: %u x %u instead of %u x %u", of,
              what, got->rows, got->cols, want->rows, want->cols);
    must_be_words(got->row, want->row, got->rows + 1, of, what);
    must_be_words(got->col, want->col, got->row[got->rows], of, what);
}

/* The pattern of a product, without values. */
static inline struct host_csr pattern_of_product(const struct host_csr *A, const struct host_csr *B)
{
    size_t most = 0;
    for (size_t k = 0; k < host_csr_entries(A); k++)
        most += B->row[A->col[k] + 1] - B->row[A->col[k]];
    struct host_csr C = new_csr(A->rows, B->cols, most);
    bool *is = room(B->cols, sizeof *is);
    uint32_t at = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t first = B->cols, last = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            for (uint32_t q = B->row[A->col[k]]; q < B->row[A->col[k] + 1]; q++) {
                uint32_t j = B->col[q];
                is[j] = true;
                first = j < first ? j : first;
                last = j > last ? j : last;
            }
        for (uint32_t j = first; j < B->cols && j <= last; j++) {
            if (is[j])
                C.col[at++] = j;
            is[j] = false;
        }
        C.row[i + 1] = at;
    }
    free(is);
    return C;
}

/* Rows in an aggregate have a one in its column. */
static inline struct host_csr tentative_of(const struct strong *s)
{
    struct host_csr T = new_csr(s->n, s->aggregates, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        T.row[i + 1] = T.row[i];
        if (s->aggregate[i] == ABSENT)
            continue;
        T.col[T.row[i]] = s->aggregate[i];
        T.val[T.row[i + 1]++] = 1;
    }
    return T;
}

#endif
