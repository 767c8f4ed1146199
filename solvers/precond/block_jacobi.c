/* The block-Jacobi preconditioner: M consists of blocks on the diagonal of A. The device finds rows that are
 * alike. The host reads one bit per row and forms the blocks. */
#include "solvers/precond/block_jacobi.h"
#include "block/verbs.h"
#include "primitive/verbs.h"

#include <stdlib.h>

struct block_jacobi {
    struct diagonal_blocks blocks;
    struct reduction sums; /* not read */
};

static struct diagonal_blocks *blocks_of(const struct precond *M)
{
    return &((struct block_jacobi *)M->own)->blocks;
}

/* The precision of recordings with the values of A. */
static enum precision precision_in(const struct precond *M)
{
    return product_precision(M->A, M->precision);
}

/* Computes one bit per row: whether it is like the previous row. */
static vks_status find_alike(struct precond *M, uint32_t *bits)
{
    struct device *d = M->device;
    uint32_t words = M->A->csr.n / 32 + 1;
    struct memory m = {0};
    struct rec r = rec_once(d, precision_in(M));
    vks_status status = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)words, "rows that are alike", &m);
    fill_words(&r, words_of(&m), 0, 0, words, 1);
    rows_alike(&r, &M->A->csr, words_of(&m));
    status = rec_run_once(&r, status);
    IF_OK(status, device_read(d, &m, 0, bits, 4 * (uint64_t)words));
    device_release(d, &m);
    return status;
}

/* Finds the first row of each block. A block is a run of like rows, cut if too long; or `size` rows.
 * Neighbouring runs are not joined: that worsens some systems (elasticity3d 16: 216 iterations, not 160). */
static uint32_t cut(const uint32_t *bits, uint32_t n, uint32_t size, uint32_t *first)
{
    uint32_t count = 0, most = size ? size : BLOCK_MOST;
    for (uint32_t i = 0; i < n; i++) {
        bool alike = size || (bits[i / 32] >> i % 32 & 1);
        if (i == 0 || !alike || i - first[count - 1] == most)
            first[count++] = i;
    }
    first[count] = n;
    return count;
}

static void measure(struct diagonal_blocks *q, const uint32_t *first, uint32_t *at)
{
    for (uint32_t b = 0; b < q->count; b++) {
        uint32_t rows = first[b + 1] - first[b];
        at[b] = (uint32_t)q->entries;
        q->entries += (uint64_t)rows * rows;
        q->most = rows > q->most ? rows : q->most;
    }
    at[q->count] = (uint32_t)q->entries;
}

/* Allocates the blocks and their positions. */
static vks_status place(struct precond *M, const uint32_t *first, const uint32_t *at)
{
    struct diagonal_blocks *q = blocks_of(M);
    struct room *w = &M->room;
    uint64_t words = 4 * ((uint64_t)q->count + 1);
    if (q->count > BLOCKS_MOST || q->entries > VKS_LARGEST_INDEX)
        return fail(M->message, VKS_LIMIT, "block-jacobi: %u blocks with %llu elements; at most %u with %u",
                    q->count, (unsigned long long)q->entries, BLOCKS_MOST, VKS_LARGEST_INDEX);
    q->of = room_memory(w, MEMORY_DEVICE, 4 * (uint64_t)M->A->csr.n, "the block of each row");
    q->first = room_copy(w, first, words, "the first rows of blocks");
    q->at = room_copy(w, at, words, "the places of blocks");
    q->value = room_memory(w, MEMORY_DEVICE, q->entries * real_bytes(M->precision), "the blocks");
    ((struct block_jacobi *)M->own)->sums = room_reduction(w, M->A->csr.n, 1);
    return w->status;
}

static vks_status choose(struct precond *M, uint32_t size)
{
    struct diagonal_blocks *q = blocks_of(M);
    uint32_t n = M->A->csr.n;
    uint64_t bytes = 4 * (2 * ((uint64_t)n + 1) + n / 32 + 1);
    uint32_t *first = malloc(bytes);
    if (!first)
        return fail_memory(M->message, "the blocks of the preconditioner", bytes);
    uint32_t *at = first + n + 1, *bits = at + n + 1;
    vks_status status = size ? VKS_OK : find_alike(M, bits);
    if (!status) {
        q->count = cut(bits, n, size, first);
        measure(q, first, at);
        status = place(M, first, at);
    }
    free(first);
    return status;
}

/* Reports the number and the rows of a singular block. */
static vks_status refuse(struct precond *M, uint32_t block, struct diagnosis *f)
{
    struct diagonal_blocks *q = blocks_of(M);
    uint32_t rows[2];
    TRY(device_read(M->device, &q->first, 4 * (uint64_t)block, rows, sizeof rows));
    uint32_t row = diagnosis_row(f, rows[0]);
    uint32_t count = rows[1] - rows[0];
    if (count == 1)
        diagnosis_refuse(f, VKS_REASON_SINGULAR, row,
                         "block %u of the preconditioner, row %u of A, is singular", block + 1, row + 1);
    else if (f->order)
        diagnosis_refuse(
            f, VKS_REASON_SINGULAR, row,
            "block %u of the preconditioner, in the given order %u rows from row %u of A on, is singular",
            block + 1, count, row + 1);
    else
        diagnosis_refuse(f, VKS_REASON_SINGULAR, row,
                         "block %u of the preconditioner, rows %u to %u of A, is singular", block + 1,
                         rows[0] + 1, rows[1]);
    return VKS_OK;
}

static vks_status invert(struct precond *M, struct diagnosis *f)
{
    const struct diagonal_blocks *q = blocks_of(M);
    struct device *d = M->device;
    uint32_t fault = BLOCK_FAULT_NONE;
    struct memory m = {0};
    struct rec r = rec_once(d, precision_in(M));
    vks_status status = device_allocate(d, MEMORY_DEVICE, sizeof fault, "a fault", &m);
    IF_OK(status, device_write(d, &m, 0, &fault, sizeof fault));
    block_gather(&r, &M->A->csr, q);
    block_invert(&r, q, words_of(&m));
    status = rec_run_once(&r, status);
    IF_OK(status, device_read(d, &m, 0, &fault, sizeof fault));
    device_release(d, &m);
    return status || fault == BLOCK_FAULT_NONE ? status : refuse(M, fault / BLOCK_MOST, f);
}

/* Writes the block number of each row. */
static vks_status number_rows(struct precond *M)
{
    const struct diagonal_blocks *q = blocks_of(M);
    struct csr rows = {.n = q->count, .entries = M->A->csr.n, .row = words_of(&q->first)};
    struct rec r = rec_once(M->device, M->precision);
    entry_rows(&r, &rows, words_of(&q->of));
    return rec_run_once(&r, VKS_OK);
}

vks_status block_jacobi_share(const struct precond *M, double *share)
{
    const struct csr *A = &M->A->csr;
    struct room w = {.device = M->device};
    struct rec r = rec_once(M->device, precision_in(M));
    struct vec rows = room_vec(&w, A->n, M->precision, "shares of rows");
    struct reduction sums = room_reduction(&w, A->n, 1);
    struct memory result = room_memory(&w, MEMORY_DEVICE, real_bytes(M->precision), "their sum");
    block_shares(&r, A, blocks_of(M), vec_reals(rows));
    sum(&r, &sums, rows, (number)(uintptr_t)result.address);
    vks_status status = rec_run_once(&r, w.status);
    IF_OK(status, download_values(M->device, &result, public_precision(M->precision), 0, 1, VKS_F64, share));
    *share /= A->n;
    room_close(&w);
    return status;
}

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    (void)A;
    return o->block_size <= BLOCK_MOST
               ? VKS_OK
               : fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows; 1 to %u are allowed", o->block_size,
                      BLOCK_MOST);
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct block_jacobi *own = M->own = room_host(&M->room, sizeof *own, "the blocks of the preconditioner");
    const struct diagonal_blocks *q = own ? &own->blocks : NULL;
    TRY(own ? choose(M, o->block_size) : M->room.status);
    TRY(number_rows(M));
    M->blocks = q->count;
    M->largest_block = q->most;
    return invert(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct block_jacobi *own = M->own;
    block_apply(r, &own->blocks, in, out, &own->sums, 0);
}

static void apply_dot(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                      const struct reduction *sums, uint32_t row)
{
    block_apply(r, blocks_of(M), in, out, sums, row);
}

const struct precond_ops precond_block_jacobi = {.options = OPTION_BLOCK_SIZE,
                                                 .needs_entries = true,
                                                 .check = check,
                                                 .setup = setup,
                                                 .refresh = invert,
                                                 .apply = apply,
                                                 .apply_dot = apply_dot};
