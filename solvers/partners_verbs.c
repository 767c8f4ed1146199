/* The verbs of what crosses. */
#include "solvers/partners.h"
#include "vector/verbs.h"

struct vec partners_vec(const struct partners *p, enum precision precision, struct room *w)
{
    const vks_partners *with = p->with;
    struct vec v =
        room_vec(w, with->before + p->rows + with->after, precision, "a vector with those of others");
    v.at += with->before * (uint64_t)real_bytes(precision);
    v.n = p->rows;
    return v;
}

struct vec partners_wide(const struct partners *p, struct vec v)
{
    const vks_partners *with = p->with;
    v.at -= with->before * (uint64_t)real_bytes(v.precision);
    v.n += with->before + with->after;
    return v;
}

/* Records the copy of elements from number `first` on. */
static void take_in(struct rec *r, const struct partners *p, uint32_t first, uint32_t count, uint64_t to)
{
    uint32_t words = real_bytes(p->precision) / 4;
    if (count)
        copy_words(r, words_in(&p->incoming, first * (uint64_t)words), (u32s)(uintptr_t)to, count * words);
}

void partners_exchange(struct rec *r, struct partners *p, struct vec v)
{
    const vks_partners *with = p->with;
    u32s guard = rec_guard(r, NULL);
    if (p->sends)
        gather_elements(r, v, p->index, vec_in(&p->outgoing, p->sends, p->precision));
    rec_pause(r, &p->exchange.pause);
    rec_pause(r, &p->arrival);
    take_in(r, p, 0, with->before, partners_wide(p, v).at);
    take_in(r, p, with->before, with->after, v.at + vec_bytes(v));
    rec_guard(r, guard);
}

void partners_await(struct rec *r, struct partners *p)
{
    rec_pause(r, &p->arrival);
}

void meeting_open(struct meeting *m, struct partners *p, enum precision precision, uint32_t rows,
                  struct room *w)
{
    *m = (struct meeting){.pause.act = partners_meet, .partners = p, .precision = precision, .rows = rows};
    uint64_t bytes = real_bytes(precision);
    m->parts = room_memory(w, MEMORY_SHARED, rows * p->chunks * bytes, "sums of chunks");
    m->totals = room_memory(w, MEMORY_SHARED, rows * bytes, "sums of all");
}

void meeting_about(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row, enum sums_of of)
{
    const struct partners *p = m->partners;
    uint32_t n = p->rows, tiles = (uint32_t)groups_each(n);
    bool one = n <= 256, stripes = of == OF_STRIPES, chunks = of == OF_CHUNKS_BEHIND_TILES;
    u32s guard = rec_guard(r, NULL);
    if (n)
        run_in(r, m->precision, chunk_sums, groups_each(32 * p->chunks), .s = reduction_sums(w),
               .to = (reals)(uintptr_t)m->parts.address,
               .from = row * w->stride + (chunks && !one ? tiles : 0),
               .count = one || chunks ? p->chunks
                        : stripes     ? stripes_of_elements(n)
                                      : tiles,
               .rows = m->rows, .stride = w->stride,
               .width = one || chunks ? 1
                        : stripes     ? 32
                                      : 256);
    rec_pause(r, &m->pause);
    rec_guard(r, guard);
}

reals meeting_sums(const struct meeting *m)
{
    return (reals)(uintptr_t)m->totals.address;
}
