/* Matrices of small dense blocks on the device: CSR whose entries are blocks of one size, and its verbs.
 *
 * They are made from a matrix, from each other, or by a caller that fills their arrays. A product is bitwise
 * equal to the CSR product with all entries of all blocks. */
#ifndef VKS_SPARSE_BLOCKS_H
#define VKS_SPARSE_BLOCKS_H

#include "shaders/sparse/blocks.h"
#include "sparse/matrix.h"

struct blocks {
    vks_context *context;
    enum precision precision; /* PRECISION_F32 or PRECISION_F64 */
    uint32_t br, bc;          /* rows and columns of a block, 1 .. BLOCKS_SIDE */
    struct csr csr;           /* counts blocks; val holds the blocks one after another, each row-major */
    struct memory row, col, val;
    struct memory row_of; /* of a product: the row of each block */
    struct memory place;  /* of a transpose: the position of each block in the original */
};

/* Creates blocks whose arrays the caller fills: first the row offsets, then room for `entries` blocks.
 * VKS_LIMIT if there are more than VKS_LARGEST_INDEX rows, columns or elements. After a failure the caller
 * destroys *B. */
vks_status blocks_begin(vks_context *context, enum precision p, uint32_t rows, uint32_t cols, uint32_t br,
                        uint32_t bc, struct blocks *B);
vks_status blocks_room(struct blocks *B, uint32_t entries);
void blocks_destroy(struct blocks *B); /* a zeroed struct is fine; zeroes the struct */

/* The functions below make blocks and ignore the struct's previous contents. After a failure it is zeroed. */

/* Stores A, with dimensions that are multiples of `size`, as blocks of size x size; missing elements are
 * 0. */
vks_status blocks_from_csr(const vks_matrix *A, uint32_t size, struct blocks *B);
/* Copies the values of A again. B must have been made from a matrix with A's structure. */
vks_status blocks_from_csr_again(const vks_matrix *A, struct blocks *B);

/* Converts A to a matrix with all entries of all blocks, including zeros; stored by the options. */
vks_status blocks_to_csr(const struct blocks *A, const vks_format_options *o, vks_matrix **M);

/* *C = A B; A has as many columns as B has rows, and the block sizes match. */
vks_status blocks_multiply(const struct blocks *A, const struct blocks *B, struct blocks *C);
/* Updates the values of C, which was made from A and B or from blocks with their structures. */
vks_status blocks_multiply_again(const struct blocks *A, const struct blocks *B, struct blocks *C);

/* *T = A^T */
vks_status blocks_transpose(const struct blocks *A, struct blocks *T);

static inline reals blocks_reals(const struct blocks *A)
{
    return (reals)(uintptr_t)A->val.address;
}

/* Elements of all blocks. */
static inline uint32_t blocks_elements(const struct blocks *A)
{
    return A->csr.entries * A->br * A->bc;
}

/* Bytes of device memory. */
static inline uint64_t blocks_held(const struct blocks *A)
{
    return A->row.bytes + A->col.bytes + A->val.bytes + A->row_of.bytes + A->place.bytes;
}

/* Bytes of one pass: values, columns, offsets. */
static inline uint64_t blocks_bytes(const struct blocks *A)
{
    return (uint64_t)blocks_elements(A) * real_bytes(A->precision) + 4 * (uint64_t)A->csr.entries +
           4 * ((uint64_t)A->csr.n + 1);
}

/* The verbs record in the precision of the blocks, which must be the recording's. */

/* Computes the values of C = A B, whose structure is known. */
static inline void blocks_product(struct rec *r, const struct blocks *A, const struct blocks *B,
                                  const struct blocks *C)
{
    uint32_t squads = BLOCKS_GROUPS(C->bc);
    assert(r->precision == C->precision);
    run(r, blocks_product, (C->csr.entries / squads + (uint64_t)8) / 8, .a_row = A->csr.row,
        .a_col = A->csr.col, .a_val = blocks_reals(A), .b_row = B->csr.row, .b_col = B->csr.col,
        .b_val = blocks_reals(B), .c_row = C->csr.row, .c_col = C->csr.col, .c_val = blocks_reals(C),
        .c_rows = words_of(&C->row_of), .entries = C->csr.entries, .high = C->br, .inner = A->bc,
        .wide = C->bc);
    bill(r, blocks_bytes(A) + blocks_bytes(B) + blocks_bytes(C) + 4 * (uint64_t)C->csr.entries);
}

/* Computes the values of T = A^T, whose structure is known. */
static inline void blocks_transposed(struct rec *r, const struct blocks *A, const struct blocks *T)
{
    uint32_t elements = blocks_elements(A);
    assert(r->precision == A->precision);
    run(r, blocks_transpose, groups_each(elements), .place = words_of(&T->place), .from = blocks_reals(A),
        .to = blocks_reals(T), .elements = elements, .high = A->br, .wide = A->bc);
    bill(r, 2 * vector_bytes(r, elements) + 4 * (uint64_t)A->csr.entries);
}

/* y = A x. `lanes` lanes sum each row; their number fixes the order of the sum. */
static inline void spmv_blocks_by(struct rec *r, const struct blocks *A, struct vec x, struct vec y,
                                  uint32_t lanes)
{
    assert(x.n == A->csr.cols * A->bc && y.n == A->csr.n * A->br);
    assert(x.precision == A->precision && y.precision == A->precision);
    run_in(r, A->precision, spmv_blocks, groups_rows(A->csr.n, lanes), .row = A->csr.row, .col = A->csr.col,
           .val = blocks_reals(A), .x = vec_reals(x), .y = vec_reals(y), .n = A->csr.n, .high = A->br,
           .wide = A->bc, .lanes = lanes);
    bill(r, blocks_bytes(A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x, with as many lanes as CSR uses for rows of that mean length */
static inline void spmv_blocks(struct rec *r, const struct blocks *A, struct vec x, struct vec y)
{
    spmv_blocks_by(r, A, x, y, csr_lanes(A->csr.n, A->csr.entries * A->bc));
}

/* Finds for each entry of A its block column, of `size` columns, and whether it is the first entry of its row
 * there. */
static inline void blocks_firsts(struct rec *r, const struct csr *A, uint32_t size, u32s block, u32s first)
{
    run(r, blocks_firsts, groups_each(A->entries), .row = A->row, .col = A->col, .block = block,
        .first = first, .n = A->n, .entries = A->entries, .size = size);
    bill(r, 12 * (uint64_t)A->entries + 4 * (uint64_t)A->n);
}

/* Fills the values of B, whose structure is known, from A; elements missing in A become 0. */
static inline void csr_to_blocks(struct rec *r, const struct csr *A, const struct blocks *B)
{
    assert(r->precision == B->precision);
    fill_words(r, words_of(&B->val), 0, 0, blocks_elements(B), real_bytes(B->precision) / 4);
    run(r, csr_to_blocks, groups_each(A->entries), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .b_row = B->csr.row, .b_col = B->csr.col, .b_val = blocks_reals(B), .n = A->n, .entries = A->entries,
        .size = B->br);
    bill(r, csr_bytes(r, A) + vector_bytes(r, A->entries));
}

/* Fills the row offsets, columns and values of M from A. */
static inline void blocks_csr(struct rec *r, const struct blocks *A, const struct csr *M)
{
    assert(r->precision == A->precision);
    run(r, blocks_to_csr, groups_each(M->entries > M->n ? M->entries : (uint64_t)M->n + 1), .row = A->csr.row,
        .col = A->csr.col, .val = blocks_reals(A), .to_row = M->row, .to_col = M->col,
        .to_val = reals_of(r, M->val), .n = A->csr.n, .entries = M->entries, .high = A->br, .wide = A->bc);
    bill(r, blocks_bytes(A) + csr_bytes(r, M));
}

#endif
