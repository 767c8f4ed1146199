/* Products of matrices of small dense blocks: the structure is computed as for any sparse product. */
#include "sparse/blocks.h"
#include "sparse/spgemm.h"

/* Computes C, whose shape is known. */
static vks_status make(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    struct device *d = A->context->device;
    struct spgemm g = {.d = d,
                       .o = &spgemm_defaults,
                       .A = &A->csr,
                       .B = &B->csr,
                       .a_row = &A->row,
                       .most_turns = SPGEMM_MOST_OF_BLOCKS};
    uint32_t entries = 0;
    struct rec r = rec_once(d, C->precision);
    vks_status s = spgemm_offsets(&g, &C->csr, "the product of blocks", &entries);
    IF_OK(s, blocks_room(C, entries));
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)entries, "rows of blocks", &C->row_of));
    spgemm_columns(&r, &g, &C->csr);
    entry_rows(&r, &C->csr, words_of(&C->row_of));
    blocks_product(&r, A, B, C);
    s = rec_leave_once(&r, s);
    spgemm_end(&g);
    return s;
}

vks_status blocks_multiply(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    assert(A->csr.cols == B->csr.n && A->bc == B->br && A->precision == B->precision);
    vks_status s = blocks_begin(A->context, A->precision, A->csr.n, B->csr.cols, A->br, B->bc, C);
    IF_OK(s, make(A, B, C));
    if (s)
        blocks_destroy(C);
    return s;
}

vks_status blocks_multiply_again(const struct blocks *A, const struct blocks *B, struct blocks *C)
{
    struct rec r = rec_once(C->context->device, C->precision);
    blocks_product(&r, A, B, C);
    return rec_leave_once(&r, VKS_OK);
}
