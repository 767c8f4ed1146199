/* The verbs of what crosses. */
#include "solvers/partners.h"
#include "vector/verbs.h"

#include <string.h>

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

/* Where the kernel that adds up stripe sums looks for them: the place and the count (rest_of_stripes of
 * shaders/sum.glsl). */
static uint32_t level_of_stripes(uint32_t n, uint32_t *count)
{
    uint32_t tiles = n ? (uint32_t)groups_each(n) : 1, level = 0;
    *count = stripes_of_elements(n);
    if (*count <= SUM_FEW)
        return 0;
    level = *count;
    for (*count = (uint32_t)groups_each(tiles); *count > SUM_FEW; *count = (uint32_t)groups_each(*count))
        level += *count;
    return level;
}

void meeting_open(struct meeting *m, struct partners *p, enum precision precision, uint32_t rows,
                  struct room *w)
{
    *m = (struct meeting){.pause.act = partners_meet, .partners = p, .precision = precision, .rows = rows};
    level_of_stripes(p->rows, &m->count);
    uint64_t bytes = real_bytes(precision);
    m->parts = room_memory(w, MEMORY_SHARED, rows * p->chunks * bytes, "sums of chunks");
    m->totals = room_memory(w, MEMORY_SHARED, rows * m->count * bytes, "sums of all");
    if (!w->status && rows)
        memset(m->totals.mapped, 0, rows * m->count * bytes);
}

static u32s sum_at(const struct reduction *w, uint64_t i, enum precision p)
{
    return words_in(&w->sums, i * (real_bytes(p) / 4));
}

/* Records the sums of chunks from place `at` of row `row` on, the pause, and the totals to place `back`. */
static void meet_about(struct rec *r, struct meeting *m, const struct reduction *w, uint64_t row, uint32_t at,
                       uint32_t back, uint32_t count)
{
    uint32_t words = real_bytes(m->precision) / 4, chunks = m->partners->chunks;
    for (uint32_t i = 0; i < m->rows && chunks; i++)
        copy_words(r, sum_at(w, (row + i) * w->stride + at, m->precision),
                   words_in(&m->parts, i * (uint64_t)chunks * words), chunks * words);
    rec_pause(r, &m->pause);
    for (uint32_t i = 0; i < m->rows; i++)
        copy_words(r, words_in(&m->totals, i * (uint64_t)m->count * words),
                   sum_at(w, (row + i) * w->stride + back, m->precision), count * words);
}

void meeting_of_stripes(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row)
{
    uint32_t n = m->partners->rows, stripes = stripes_of_elements(n), count;
    uint32_t level = level_of_stripes(n, &count);
    u32s guard = rec_guard(r, NULL);
    bool one = n <= 256;
    if (!one)
        run(r, sum_stripes, groups_each(stripes), .s = reduction_sums(w), .from = row * w->stride,
            .count = stripes, .rows = m->rows, .stride = w->stride);
    meet_about(r, m, w, row, one ? 0 : stripes, level, count);
    rec_guard(r, guard);
}

void meeting_of_tiles(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row)
{
    uint32_t n = m->partners->rows;
    u32s guard = rec_guard(r, NULL);
    meet_about(r, m, w, row, n <= 256 ? 0 : (uint32_t)groups_each(n), 0, 1);
    rec_guard(r, guard);
}
