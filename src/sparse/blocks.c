/* Matrices of small dense blocks: memory, and conversion from and to CSR. */
#include "sparse/blocks.h"

#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "sparse/narrow.h"
#include "sparse/spgemm.h"

vks_status blocks_begin(vks_context *context, enum precision p, uint32_t rows, uint32_t cols, uint32_t br,
                        uint32_t bc, struct blocks *B)
{
    uint64_t high = (uint64_t)rows * br, wide = (uint64_t)cols * bc;
    assert(br >= 1 && br <= BLOCKS_SIDE && bc >= 1 && bc <= BLOCKS_SIDE);
    *B = (struct blocks){.context = context, .precision = p, .br = br, .bc = bc};
    if (high > VKS_LARGEST_INDEX || wide > VKS_LARGEST_INDEX)
        return fail(&context->message, VKS_LIMIT,
                    "%u x %u blocks of %u x %u: more than %u rows or columns in all", rows, cols, br, bc,
                    VKS_LARGEST_INDEX);
    vks_status s = device_allocate(context->device, MEMORY_DEVICE, 4 * ((uint64_t)rows + 1),
                                   "row offsets of blocks", &B->row);
    B->csr = (struct csr){.n = rows, .cols = cols, .row = words_of(&B->row)};
    return s;
}

vks_status blocks_room(struct blocks *B, uint32_t entries)
{
    struct device *d = B->context->device;
    uint64_t elements = (uint64_t)entries * B->br * B->bc;
    if (elements > VKS_LARGEST_INDEX)
        return fail(&B->context->message, VKS_LIMIT,
                    "%u blocks of %u x %u have %llu elements; the most is %u", entries, B->br, B->bc,
                    (unsigned long long)elements, VKS_LARGEST_INDEX);
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)entries, "columns of blocks", &B->col);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, elements * real_bytes(B->precision), "values of blocks",
                             &B->val));
    B->csr.entries = entries;
    B->csr.lanes = csr_lanes(B->csr.n, entries);
    B->csr.col = words_of(&B->col);
    B->csr.val = (values)(uintptr_t)B->val.address;
    return s;
}

void blocks_destroy(struct blocks *B)
{
    struct device *d = B->context ? B->context->device : NULL;
    if (d) {
        device_release(d, &B->row);
        device_release(d, &B->col);
        device_release(d, &B->val);
        device_release(d, &B->row_of);
        device_release(d, &B->place);
    }
    *B = (struct blocks){0};
}

/* The blocks have the structure of a product G K: row I of G has an entry for each row of A in block row I,
 * and row i of K has the block columns in which row i of A has entries. */
struct merge {
    struct room room;
    struct memory g_row, g_col, k_row, k_col, column, position;
    struct scan_space scan;
    struct csr G, K;
};

static void merge_open(struct merge *m, const struct csr *A, uint32_t size, struct device *d)
{
    uint32_t rows = A->n / size;
    uint64_t n = A->n, entries = A->entries;
    *m = (struct merge){0};
    room_open(&m->room, d);
    m->g_row = room_memory(&m->room, MEMORY_DEVICE, 4 * ((uint64_t)rows + 1), "rows of block rows");
    m->g_col = room_memory(&m->room, MEMORY_DEVICE, 4 * n, "numbers of rows");
    m->k_row = room_memory(&m->room, MEMORY_DEVICE, 4 * (n + 1), "offsets of block columns");
    m->k_col = room_memory(&m->room, MEMORY_DEVICE, 4 * entries, "block columns of rows");
    m->column = room_memory(&m->room, MEMORY_DEVICE, 4 * entries, "block columns of entries");
    m->position = room_memory(&m->room, MEMORY_DEVICE, 4 * (entries + 1), "places of block columns");
    m->scan = room_scan(&m->room, A->entries + 1, 4, false);
    m->G = (struct csr){.n = rows,
                        .cols = A->n,
                        .entries = A->n,
                        .lanes = csr_lanes(rows, A->n),
                        .row = words_of(&m->g_row),
                        .col = words_of(&m->g_col)};
    m->K = (struct csr){.n = A->n,
                        .cols = A->cols / size,
                        .entries = A->entries, /* at most */
                        .lanes = A->lanes,
                        .row = words_of(&m->k_row),
                        .col = words_of(&m->k_col)};
}

static vks_status merge_factors(const struct merge *m, const struct csr *A, uint32_t size)
{
    u32s position = words_of(&m->position), column = words_of(&m->column);
    struct rec r = rec_once(m->room.device, PRECISION_F32); /* words only */
    multiples_words(&r, m->G.row, m->G.n + 1, size);
    iota_words(&r, m->G.col, A->n);
    blocks_firsts(&r, A, size, column, position);
    scan_u32(&r, &m->scan, position, position, false, true);
    pack_words(&r, column, position, m->K.col, A->entries, UINT32_MAX);
    gather_words(&r, position, A->row, m->K.row, A->n + 1);
    return rec_leave_once(&r, m->room.status);
}

/* Builds the row offsets, columns and values of B. */
static vks_status merge_rows(const struct csr *A, uint32_t size, struct blocks *B)
{
    struct device *d = B->context->device;
    struct merge m;
    uint32_t entries = 0;
    merge_open(&m, A, size, d);
    struct spgemm g = {.d = d,
                       .o = &spgemm_defaults,
                       .A = &m.G,
                       .B = &m.K,
                       .a_row = &m.g_row,
                       .most_turns = SPGEMM_MOST_TURNS};
    vks_status s = merge_factors(&m, A, size);
    IF_OK(s, spgemm_offsets(&g, &B->csr, "the matrix in blocks", &entries));
    IF_OK(s, blocks_room(B, entries));
    struct rec r = rec_once(d, B->precision);
    spgemm_columns(&r, &g, &B->csr);
    csr_to_blocks(&r, A, B);
    s = rec_leave_once(&r, s);
    spgemm_end(&g);
    room_close(&m.room);
    return s;
}

vks_status blocks_from_csr(const vks_matrix *A, uint32_t size, struct blocks *B)
{
    assert(A->csr.n % size == 0 && A->csr.cols % size == 0);
    *B = (struct blocks){0};
    vks_status s = csr_acquire_wide(A);
    IF_OK(s, blocks_begin(A->context, real_precision(precision_of(A->precision)), A->csr.n / size,
                          A->csr.cols / size, size, size, B));
    IF_OK(s, merge_rows(&A->csr, size, B));
    csr_release_wide(A);
    if (s)
        blocks_destroy(B);
    return s;
}

vks_status blocks_from_csr_again(const vks_matrix *A, struct blocks *B)
{
    struct rec r = rec_once(B->context->device, B->precision);
    vks_status s = csr_acquire_wide(A);
    csr_to_blocks(&r, &A->csr, B);
    s = rec_leave_once(&r, s);
    csr_release_wide(A);
    return s;
}

static vks_status expand(const struct blocks *A, const vks_matrix *M)
{
    struct rec r = rec_once(A->context->device, A->precision);
    blocks_csr(&r, A, &M->csr);
    return rec_leave_once(&r, VKS_OK);
}

vks_status blocks_to_csr(const struct blocks *A, const vks_format_options *o, vks_matrix **M)
{
    vks_status s =
        matrix_begin(A->context, public_precision(A->precision), A->csr.n * A->br, A->csr.cols * A->bc, M);
    IF_OK(s, matrix_room(*M, blocks_elements(A)));
    IF_OK(s, expand(A, *M));
    return matrix_end_as(*M, s, o, M);
}
