/* Products of matrices of small dense blocks: the structure is that of any sparse product. */
#include "sparse/blocks.h"
#include "sparse/spgemm.h"

/* The row offsets and columns of C. */
static vks_status find_structure(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    struct spgemm g = {.d = A->context->device,
                       .o = &spgemm_defaults,
                       .A = &A->csr,
                       .B = &B->csr,
                       .a_row = &A->row,
                       .most_turns = SPGEMM_MOST_OF_BLOCKS};
    uint32_t entries = 0;
    vks_status s = spgemm_offsets(&g, &C->csr, "the product of blocks", &entries);
    if (!s)
        s = blocks_room(C, entries);
    if (!s)
        s = spgemm_columns(&g, &C->csr);
    spgemm_end(&g);
    return s;
}

/* The values of C, and the rows of its blocks before, where these are not known. */
static vks_status sum_products(const struct blocks *A, const struct blocks *B, const struct blocks *C,
                               bool rows_known)
{
    struct rec r;
    rec_create(&r, C->context->device, C->precision);
    if (!rows_known)
        entry_rows(&r, &C->csr, words_of(&C->row_of));
    blocks_product(&r, A, B, C);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

vks_status blocks_multiply(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    assert(A->csr.cols == B->csr.n && A->bc == B->br && A->precision == B->precision);
    vks_status s = blocks_begin(A->context, A->precision, A->csr.n, B->csr.cols, A->br, B->bc, C);
    if (!s)
        s = find_structure(A, B, C);
    if (!s)
        s = device_allocate(C->context->device, MEMORY_DEVICE, 4 * (uint64_t)C->csr.entries, "rows of blocks",
                            &C->row_of);
    if (!s)
        s = sum_products(A, B, C, false);
    if (s)
        blocks_destroy(C);
    return s;
}

vks_status blocks_multiply_again(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    return sum_products(A, B, C, true);
}
