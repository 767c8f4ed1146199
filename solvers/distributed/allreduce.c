#include "solvers/distributed/transport.h"
#include "vector/verbs.h"

#include <string.h>

/* Adds up the chunks of all processes, in the order of the rows. */
static double total_of(const struct allreduce *a, uint32_t row)
{
    const struct partners *p = a->partners;
    const double *at = p->all;
    size_t taken = 0;
    for (uint32_t q = 0; q < p->with->processes; q++) {
        uint64_t chunks = chunks_of(p->with, q);
        memcpy(p->line + taken, at + 1 + row * chunks, chunks * sizeof *at);
        taken += chunks;
        at += 1 + MOST_ROWS * chunks;
    }
    return vks_sum_of_chunks(public_precision(a->precision), p->line, taken);
}

static void put(const struct allreduce *a, uint32_t row, double total)
{
    scalar_put(a->precision, a->totals.mapped, row, total);
}

static double part_at(const struct allreduce *a, uint32_t i)
{
    return scalar_get(a->precision, a->parts.mapped, i);
}

static bool execute(struct pause *pause, vks_status *status)
{
    const struct allreduce *a = (struct allreduce *)pause;
    struct partners *p = a->partners;
    for (uint32_t i = 0; i < MOST_ROWS * p->chunks; i++)
        p->own[1 + i] = i < a->rows * p->chunks ? part_at(a, i) : 0;
    if (!transport_gather(p, status))
        return false;
    for (uint32_t row = 0; row < a->rows; row++)
        put(a, row, total_of(a, row));
    if (a->begins_exchange)
        transport_send(p, status);
    return true;
}

void allreduce_open(struct allreduce *a, struct partners *p, enum precision precision, uint32_t rows,
                    struct room *w)
{
    *a = (struct allreduce){.pause.act = execute, .partners = p, .precision = precision, .rows = rows};
    uint64_t bytes = real_bytes(precision);
    a->parts = room_memory(w, MEMORY_SHARED, rows * p->chunks * bytes, "sums of chunks");
    a->totals = room_memory(w, MEMORY_SHARED, rows * bytes, "sums of all");
}

void record_allreduce(struct rec *r, struct allreduce *a, const struct reduction *w, uint32_t row,
                      enum sums_of of)
{
    const struct partners *p = a->partners;
    uint32_t n = p->rows, tiles = (uint32_t)groups_each(n);
    bool one = n <= 256, stripes = of == OF_STRIPES, chunks = of == OF_CHUNKS_BEHIND_TILES;
    u32s guard = rec_guard(r, NULL);
    if (n)
        run_in(r, a->precision, chunk_sums, groups_each(32 * p->chunks), .s = reduction_sums(w),
               .to = (reals)(uintptr_t)a->parts.address,
               .from = row * w->stride + (chunks && !one ? tiles : 0),
               .count = one || chunks ? p->chunks
                        : stripes     ? stripes_of_elements(n)
                                      : tiles,
               .rows = a->rows, .stride = w->stride,
               .width = one || chunks ? 1
                        : stripes     ? 32
                                      : 256);
    rec_pause(r, &a->pause);
    rec_guard(r, guard);
}

reals allreduce_sums(const struct allreduce *a)
{
    return (reals)(uintptr_t)a->totals.address;
}
