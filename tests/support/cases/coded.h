/* The cases of the kernels that find kinds of entries, and of SELL whose entries are codes, through their
 * verbs. */
#ifndef VKS_TESTS_CODED_CASES_H
#define VKS_TESTS_CODED_CASES_H

#include "sparse/coded.h"
#include "tests/support/cases/long.h"

/* Rows with the lengths of A's, whose entries are adjacent, near the diagonal. Each diagonal has `each`
 * values, including zeros of either sign. */
static inline struct host_csr of_diagonals(const struct host_csr *A, uint32_t each)
{
    static const double some[] = {-0.0, 0.0, 1.5, -3, 0x1p-100, 0x1.8p120};
    struct host_csr B = new_csr(A->rows, A->cols, A->row[A->rows]);
    memcpy(B.row, A->row, 4 * ((size_t)A->rows + 1));
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t length = A->row[i + 1] - A->row[i], before = i < length / 2 ? i : length / 2,
                 first = i - before < A->cols - length ? i - before : A->cols - length;
        for (uint32_t k = 0; k < length; k++) {
            uint32_t which = (i + k) % each;
            B.col[A->row[i] + k] = first + k;
            B.val[A->row[i] + k] = which ? which : some[(first + k - i) % 6];
        }
    }
    return B;
}

/* The number of kinds in the result of of_diagonals, without long rows. */
static inline uint32_t count_naively(const struct host_csr *B, uint32_t each)
{
    uint32_t count = 0;
    char *seen = room(((size_t)B->rows + B->cols) * each, 1);
    for (uint32_t i = 0; i < B->rows; i++)
        for (uint32_t k = B->row[i]; k < B->row[i] + short_length(B, i); k++) {
            char *at = &seen[((size_t)B->rows + B->col[k] - i) * each + (i + k - B->row[i]) % each];
            count += !*at;
            *at = 1;
        }
    free(seen);
    return count;
}

/* The matrix of the case, and the number of its kinds, which is within the limits; `wide`: more kinds than
 * fit a byte. */
static inline struct host_csr few_kinds(const struct job *j, uint32_t *count)
{
    struct csr limits = {.entries = j->A->row[j->n]};
    uint32_t each = j->shape.wide ? 100 : 1;
    struct host_csr B = of_diagonals(j->A, each);
    for (; (*count = count_naively(&B, each)) > kinds_limit(&limits); B = of_diagonals(j->A, each)) {
        cr_assert_gt(each, 1);
        each /= 2;
        host_csr_free(&B);
    }
    return B;
}

/* Puts the matrix, and finds its kinds; returns where their number will be. */
static inline const struct memory *put_kinds(struct job *j, struct kinds *k, uint32_t *count)
{
    const struct host_csr *given = j->A;
    struct host_csr B = few_kinds(j, count);
    j->A = &B;
    const struct csr *A = put_matrix(j);
    put_longs(j);
    j->A = given;
    host_csr_free(&B);
    const struct memory *found = new_bytes(j, 4, "how many kinds");
    cr_assert_lt(j->array_count, MOST_ARRAYS);
    job_must(j, kinds_create(j->d, kinds_limit(A), k));
    j->arrays[j->array_count++] = k->all;
    moving(j);
    kinds_search(&j->r, k, A, stored_precision(j->p), words_at(found));
    return found;
}

/* Also stores the entries as codes; *lost stays 0. */
static inline const struct sell *put_coded(struct job *j)
{
    static const uint32_t none = 0;
    struct kinds k;
    uint32_t count, slices = sell_slices(j->n, 32), *slice = room(slices + (uint64_t)1, 4);
    put_kinds(j, &k, &count);
    struct sell *B = &j->sell;
    *B = (struct sell){
        .n = j->n, .cols = j->csr.cols, .lanes = j->lanes, .height = 32, .bits = long_bits(&j->csr)};
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t *width = &slice[i / 32 + 1], length = 32 * short_length(j->A, i);
        *width = length > *width ? length : *width;
        B->widest = *width / 32 > B->widest ? *width / 32 : B->widest;
    }
    for (uint32_t s = 0; s < slices; s++) {
        B->fours += (slice[s + 1] / 32 + 3) / 4;
        slice[s + 1] += slice[s];
    }
    B->padded = slice[slices];
    B->slice = words_at(put_words(j, slice, slices + (uint64_t)1, "slice offsets"));
    bool wide = count > 255;
    B->coded = (struct coded){.kinds = count, .wide = wide, .units = coded_units_of_all(B, wide)};
    B->coded.code = words_at(new_bytes(j, coded_bytes(coded_room(B), B->coded.wide), "codes"));
    B->coded.apart = k.table.apart;
    B->coded.value = (values)k.table.value;
    csr_to_coded(&j->r, &j->csr, &k, stored_precision(j->p), B,
                 words_at(compared_words(j, put_words(j, &none, 1, "whether one is lost"), 1)));
    free(slice);
    return B;
}

static inline void record_find_kinds(struct job *j)
{
    struct kinds k;
    uint32_t count;
    compared_words(j, put_kinds(j, &k, &count), 1);
}

static inline void expect_find_kinds(const struct job *j, double *want)
{
    uint32_t count;
    struct host_csr B = few_kinds(j, &count);
    want[0] = count;
    host_csr_free(&B);
}

static inline void record_csr_to_coded(struct job *j)
{
    const struct sell *A = put_coded(j);
    struct csr B = put_empty_csr(j);
    coded_to_csr(&j->r, A, stored_precision(j->p), &B);
}

static inline void expect_csr_to_coded(const struct job *j, double *want)
{
    struct job few = *j;
    uint32_t count;
    struct host_csr B = few_kinds(j, &count);
    few.A = &B;
    want[0] = 0;
    expect_short_rows(&few, want + 1);
    host_csr_free(&B);
}

static inline void record_spmv_coded(struct job *j)
{
    put_coded(j);
    const struct memory *x, *y = put_product(j, &x);
    spmv_coded(&j->r, &j->sell, job_x(j, x), job_vec(j, y));
}

static inline void expect_spmv_coded(const struct job *j, double *want)
{
    uint32_t count;
    struct host_csr B = few_kinds(j, &count);
    want[0] = 0;
    for (uint32_t i = 0; i < j->n; i++)
        want[1 + i] = canonical_row(j->p, &B, j->x, i, j->lanes);
    host_csr_free(&B);
}

#define CODED_CASES(X)                                                                \
    X(find_kinds, .sparse = true, .sizes = &sizes_of_slow, .shape = {.wide = true})   \
    X(csr_to_coded, .sparse = true, .sizes = &sizes_of_slow, .shape = {.wide = true}) \
    X(spmv_coded, .sparse = true, .sizes = &sizes_of_slow)

#endif
