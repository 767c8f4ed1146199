/* The block-Jacobi preconditioner: M are blocks on the diagonal of A. Rows that are alike are found on the
 * device; the host makes blocks of them, for which it reads one bit a row. */
#include "primitive/verbs.h"
#include "solvers/solver.h"

#include <stdio.h>
#include <stdlib.h>

/* A word of bits to each 32 rows: whether a row is like the one before it. */
static vks_status find_alike(struct solve *s, uint32_t *bits)
{
    struct device *d = s->device;
    uint32_t words = s->n / 32 + 1;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, s->precision);
    vks_status status = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)words, "rows that are alike", &m);
    fill_words(&r, words_of(&m), 0, 0, words, 1);
    rows_alike(&r, &s->system.A->csr, words_of(&m));
    if (!status)
        status = rec_run(&r);
    if (!status)
        status = device_read(d, &m, 0, bits, 4 * (uint64_t)words);
    rec_destroy(&r);
    device_release(d, &m);
    return status;
}

/* Where blocks begin: where runs of like rows do, which are cut where they are too long; or every `size`
 * rows. Neighbouring runs are not put together: that makes some systems worse (docs/solvers.md). */
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

/* Room for the blocks, and where they are. */
static vks_status place(struct solve *s, const uint32_t *first, const uint32_t *at)
{
    struct diagonal_blocks *q = &s->blocks;
    struct device *d = s->device;
    uint64_t real = real_bytes(s->precision), words = 4 * ((uint64_t)q->count + 1);
    if (q->count > BLOCKS_MOST || q->entries > VKS_LARGEST_INDEX)
        return fail(s->message, VKS_LIMIT, "block-jacobi: %u blocks with %llu elements; at most %u with %u",
                    q->count, (unsigned long long)q->entries, BLOCKS_MOST, VKS_LARGEST_INDEX);
    vks_status status =
        device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)s->n, "the block of each row", &q->of);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, words, "the first rows of blocks", &q->first);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, words, "the places of blocks", &q->at);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, q->entries * real, "the blocks", &q->value);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, s->n * real, "a work vector", &s->z);
    if (!status)
        status = device_write(d, &q->first, 0, first, words);
    return status ? status : device_write(d, &q->at, 0, at, words);
}

static vks_status choose(struct solve *s)
{
    uint64_t room = 4 * (2 * ((uint64_t)s->n + 1) + s->n / 32 + 1);
    uint32_t *first = malloc(room);
    if (!first)
        return fail_memory(s->message, "the blocks of the preconditioner", room);
    uint32_t *at = first + s->n + 1, *bits = at + s->n + 1, size = s->options.block_size;
    vks_status status = size ? VKS_OK : find_alike(s, bits);
    if (!status) {
        s->blocks.count = cut(bits, s->n, size, first);
        measure(&s->blocks, first, at);
        status = place(s, first, at);
    }
    free(first);
    return status;
}

/* Tells the number and the rows of a singular block. */
static vks_status refuse(struct solve *s, uint32_t block)
{
    uint32_t rows[2];
    vks_status status = device_read(s->device, &s->blocks.first, 4 * (uint64_t)block, rows, sizeof rows);
    if (status)
        return status;
    s->refused = true;
    s->report->reason = VKS_REASON_SINGULAR;
    s->report->row = row_of_caller(s, rows[0]);
    if (s->options.order)
        snprintf(
            s->report->detail, sizeof s->report->detail,
            "block %u of the preconditioner, in the given order %u rows from row %u of A on, is singular",
            block + 1, rows[1] - rows[0], s->report->row + 1);
    else
        snprintf(s->report->detail, sizeof s->report->detail,
                 "block %u of the preconditioner, rows %u to %u of A, is singular", block + 1, rows[0] + 1,
                 rows[1]);
    return VKS_OK;
}

vks_status block_jacobi_setup(struct solve *s)
{
    const struct diagonal_blocks *q = &s->blocks;
    struct rec r;
    rec_create(&r, s->device, s->precision);
    vks_status status = choose(s);
    if (!status) {
        struct csr rows = {.n = q->count, .entries = s->n, .row = words_of(&q->first)};
        entry_rows(&r, &rows, words_of(&q->of));
        status = rec_run(&r);
    }
    rec_destroy(&r);
    s->system.blocks = q;
    s->system.z = (reals)(uintptr_t)s->z.address;
    s->report->blocks = q->count;
    s->report->largest_block = q->most;
    return status;
}

vks_status block_jacobi_invert(struct solve *s)
{
    const struct diagonal_blocks *q = &s->blocks;
    struct device *d = s->device;
    uint32_t fault = BLOCK_FAULT_NONE;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, s->precision);
    vks_status status = device_allocate(d, MEMORY_DEVICE, sizeof fault, "a fault", &m);
    if (!status)
        status = device_write(d, &m, 0, &fault, sizeof fault);
    if (!status) {
        block_gather(&r, &s->system.A->csr, q);
        block_invert(&r, q, words_of(&m));
        status = rec_run(&r);
    }
    if (!status)
        status = device_read(d, &m, 0, &fault, sizeof fault);
    rec_destroy(&r);
    device_release(d, &m);
    return status || fault == BLOCK_FAULT_NONE ? status : refuse(s, fault / BLOCK_MOST);
}

void block_jacobi_release(struct solve *s)
{
    struct device *d = s->device;
    device_release(d, &s->blocks.of);
    device_release(d, &s->blocks.first);
    device_release(d, &s->blocks.at);
    device_release(d, &s->blocks.value);
    device_release(d, &s->z);
}
