/* The cases of the kernels of matrices of small dense blocks. The matrix of the job gives the places of
 * blocks, and its size the sizes of blocks. */
#ifndef VKS_TESTS_BLOCKS_CASES_H
#define VKS_TESTS_BLOCKS_CASES_H

#include "sparse/blocks.h"
#include "tests/support/host_blocks.h"
#include "tests/support/job.h"
#include "tests/support/product_oracle.h"

static inline uint32_t rows_of_blocks(const struct job *j)
{
    return 1 + j->n % 8;
}

static inline uint32_t inner_of_blocks(const struct job *j)
{
    return 1 + j->n / 8 % 8;
}

static inline uint32_t cols_of_blocks(const struct job *j)
{
    return 1 + j->n / 3 % 8;
}

static inline struct host_blocks blocks_of_job(const struct job *j, uint32_t br, uint32_t bc, uint64_t seed)
{
    return host_blocks_of(j->p, j->A, br, bc, seed);
}

/* The structure of a on the device, and its values unless val is NULL. Its arrays belong to the job. */
static inline struct blocks put_blocks_with(struct job *j, const struct host_csr *a, uint32_t br, uint32_t bc,
                                            const double *val)
{
    uint32_t entries = a->row[a->rows];
    uint64_t elements = (uint64_t)entries * br * bc;
    struct blocks B = {.precision = j->p, .br = br, .bc = bc};
    B.csr = (struct csr){.n = a->rows, .cols = a->cols, .entries = entries};
    B.csr.row = words_at(put_words(j, a->row, a->rows + (uint64_t)1, "row offsets of blocks"));
    B.csr.col = words_at(put_words(j, a->col, entries, "columns of blocks"));
    B.val = val ? *put(j, val, elements, "values of blocks") : *new_reals(j, elements, "values of blocks");
    return B;
}

static inline struct blocks put_host_blocks(struct job *j, const struct host_blocks *b)
{
    return put_blocks_with(j, b->pattern, b->br, b->bc, b->val);
}

/* Compares the array that was made last, of reals. */
static inline void compare_last(struct job *j, uint64_t count)
{
    compared(j, &j->arrays[j->array_count - 1], j->p, count);
}

static inline void put_csr_of_blocks(struct job *j, const struct host_csr *a)
{
    j->csr = (struct csr){.n = a->rows, .cols = a->cols, .entries = a->row[a->rows], .lanes = 1};
    j->csr.row = words_at(put_words(j, a->row, a->rows + (uint64_t)1, "row offsets"));
    j->csr.col = words_at(put_words(j, a->col, j->csr.entries, "columns"));
    j->csr.val = put_values(j, a->val, j->csr.entries, "values");
}

static inline void record_blocks_firsts(struct job *j)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), rows_of_blocks(j), 1);
    struct host_csr a = host_blocks_drop_zeros(&b);
    uint64_t entries = a.row[a.rows];
    put_csr_of_blocks(j, &a);
    const struct memory *block = compared_words(j, new_bytes(j, 4 * entries, "block columns"), entries),
                        *first = compared_words(j, new_bytes(j, 4 * entries, "firsts"), entries);
    blocks_firsts(&j->r, &j->csr, b.br, words_at(block), words_at(first));
    host_csr_free(&a);
    free(b.val);
}

static inline void expect_blocks_firsts(const struct job *j, double *want)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), rows_of_blocks(j), 1);
    struct host_csr a = host_blocks_drop_zeros(&b);
    uint32_t entries = a.row[a.rows];
    for (uint32_t i = 0; i < a.rows; i++)
        for (uint32_t e = a.row[i]; e < a.row[i + 1]; e++) {
            want[e] = a.col[e] / b.br;
            want[entries + e] = e == a.row[i] || want[e - 1] != want[e];
        }
    host_csr_free(&a);
    free(b.val);
}

static inline void record_csr_to_blocks(struct job *j)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), rows_of_blocks(j), 1);
    struct host_csr a = host_blocks_drop_zeros(&b);
    put_csr_of_blocks(j, &a);
    struct blocks B = put_blocks_with(j, b.pattern, b.br, b.bc, NULL);
    compare_last(j, host_blocks_elements(&b));
    csr_to_blocks(&j->r, &j->csr, &B);
    host_csr_free(&a);
    free(b.val);
}

static inline void expect_csr_to_blocks(const struct job *j, double *want)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), rows_of_blocks(j), 1);
    struct host_csr a = host_blocks_drop_zeros(&b);
    memcpy(want, b.val, host_blocks_elements(&b) * sizeof *want);
    host_csr_free(&a);
    free(b.val);
}

static inline void record_blocks_to_csr(struct job *j)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 2);
    struct blocks B = put_host_blocks(j, &b);
    uint32_t n = j->n * b.br, entries = host_blocks_elements(&b);
    const struct memory *row = compared_words(j, new_bytes(j, 4 * ((uint64_t)n + 1), "offsets"),
                                              n + (uint64_t)1),
                        *col = compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "columns"), entries),
                        *val = compared(j, new_reals(j, entries, "values"), j->p, entries);
    struct csr M = {.n = n, .cols = j->n * b.bc, .entries = entries};
    M.row = words_at(row);
    M.col = words_at(col);
    M.val = values_at(val);
    blocks_csr(&j->r, &B, &M);
    free(b.val);
}

static inline void expect_blocks_to_csr(const struct job *j, double *want)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 2);
    struct host_csr a = host_blocks_expand(&b);
    for (uint32_t i = 0; i <= a.rows; i++)
        *want++ = a.row[i];
    for (uint32_t k = 0; k < a.row[a.rows]; k++)
        *want++ = a.col[k];
    memcpy(want, a.val, a.row[a.rows] * sizeof *want);
    host_csr_free(&a);
    free(b.val);
}

/* Block q is copied from a scattered place. */
static inline uint32_t place_of_block(const struct job *j, uint32_t q)
{
    uint32_t blocks = j->A->row[j->n];
    return (uint32_t)((q * (uint64_t)7919 + 3) % blocks);
}

static inline void record_blocks_transpose(struct job *j)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 3);
    struct blocks B = put_host_blocks(j, &b);
    uint32_t blocks = B.csr.entries, *place = room(blocks, 4);
    for (uint32_t q = 0; q < blocks; q++)
        place[q] = place_of_block(j, q);
    struct blocks T = {.precision = j->p, .br = b.bc, .bc = b.br, .csr = {.entries = blocks}};
    T.place = *put_words(j, place, blocks, "places");
    T.val = *new_reals(j, host_blocks_elements(&b), "values");
    compare_last(j, host_blocks_elements(&b));
    blocks_transposed(&j->r, &B, &T);
    free(place);
    free(b.val);
}

static inline void expect_blocks_transpose(const struct job *j, double *want)
{
    struct host_blocks b = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 3);
    for (uint32_t q = 0; q < j->A->row[j->n]; q++)
        for (uint32_t c = 0; c < b.bc; c++)
            for (uint32_t r = 0; r < b.br; r++)
                *want++ = b.val[(place_of_block(j, q) * b.br + r) * b.bc + c];
    free(b.val);
}

/* Both factors have the same pattern of blocks. */
static inline void record_blocks_product(struct job *j)
{
    struct host_blocks a = blocks_of_job(j, rows_of_blocks(j), inner_of_blocks(j), 4),
                       b = blocks_of_job(j, inner_of_blocks(j), cols_of_blocks(j), 5);
    struct host_csr of = product_oracle(j->p, j->A, j->A);
    uint32_t entries = of.row[j->n], *rows = room(entries, 4);
    struct blocks A = put_host_blocks(j, &a), B = put_host_blocks(j, &b);
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t q = of.row[i]; q < of.row[i + 1]; q++)
            rows[q] = i;
    struct blocks C = put_blocks_with(j, &of, a.br, b.bc, NULL);
    compare_last(j, (uint64_t)entries * a.br * b.bc);
    C.row_of = *put_words(j, rows, entries, "rows of blocks");
    blocks_product(&j->r, &A, &B, &C);
    free(rows);
    host_csr_free(&of);
    free(a.val);
    free(b.val);
}

static inline void expect_blocks_product(const struct job *j, double *want)
{
    struct host_blocks a = blocks_of_job(j, rows_of_blocks(j), inner_of_blocks(j), 4),
                       b = blocks_of_job(j, inner_of_blocks(j), cols_of_blocks(j), 5);
    struct host_csr of = product_oracle(j->p, j->A, j->A), A = host_blocks_expand(&a),
                    B = host_blocks_expand(&b), C = product_oracle(j->p, &A, &B);
    struct host_blocks c = {&of, a.br, b.bc, NULL};
    values_by_blocks(&c, C.val, want);
    host_csr_free(&of);
    host_csr_free(&A);
    host_csr_free(&B);
    host_csr_free(&C);
    free(a.val);
    free(b.val);
}

/* The number of lanes, derived from the size. */
static inline uint32_t lanes_of_blocks(const struct job *j)
{
    return (uint32_t)1 << j->n % 6;
}

static inline void record_spmv_blocks(struct job *j)
{
    struct host_blocks a = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 6);
    uint32_t cols = j->A->cols * a.bc, rows = j->n * a.br;
    double *v = random_vector(j->p, cols, 3, 7);
    struct blocks A = put_host_blocks(j, &a);
    const struct memory *x = put(j, v, cols, "x"), *y = compared(j, new_reals(j, rows, "y"), j->p, rows);
    spmv_blocks_by(&j->r, &A, vec_in(x, cols, j->p), vec_in(y, rows, j->p), lanes_of_blocks(j));
    free(v);
    free(a.val);
}

static inline void expect_spmv_blocks(const struct job *j, double *want)
{
    struct host_blocks a = blocks_of_job(j, rows_of_blocks(j), cols_of_blocks(j), 6);
    struct host_csr A = host_blocks_expand(&a);
    double *v = random_vector(j->p, A.cols, 3, 7);
    for (uint32_t i = 0; i < A.rows; i++)
        want[i] = row_of_blocks(j->p, &A, v, i, lanes_of_blocks(j));
    host_csr_free(&A);
    free(v);
    free(a.val);
}

/* Omits sizes above 2,049: llvmpipe ends loops that three workgroups would need for them. */
static const uint32_t small_blocks_at[] = {0,   1,   2,   31,  32,  33,   127,  128,  129, 255,
                                           256, 257, 511, 512, 513, 1000, 2047, 2048, 2049};
static const struct sizes sizes_of_small_blocks = {small_blocks_at,
                                                   sizeof small_blocks_at / sizeof *small_blocks_at, 15};

/* X(kernel, further members) */
#define BLOCKS_CASES(X)                                                              \
    X(blocks_firsts, .sizes = &sizes_of_small_blocks, .sparse = true, .words = true) \
    X(csr_to_blocks, .sizes = &sizes_of_small_blocks, .sparse = true)                \
    X(blocks_to_csr, .sizes = &sizes_of_small_blocks, .sparse = true)                \
    X(blocks_transpose, .sizes = &sizes_of_small_blocks, .sparse = true)             \
    X(blocks_product, .sizes = &sizes_of_small_blocks, .sparse = true)               \
    X(spmv_blocks, .sizes = &sizes_of_small_blocks, .sparse = true)

#endif
