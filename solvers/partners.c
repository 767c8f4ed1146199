#include "solvers/partners.h"
#include "primitive/array.h"
#include "sparse/matrix.h"
#include "vector/verbs.h"
#include "vksolve/vector_algebra.h"

#include <string.h>

static uint64_t chunks_of(const vks_partners *with, uint32_t process)
{
    return (with->first[process + 1] - with->first[process] + VKS_CHUNK - 1) / VKS_CHUNK;
}

static void tell_exchange(const struct partners *p, int failed, vks_status *status)
{
    if (failed && !*status)
        *status = fail(p->device->message, VKS_PARTNER, "elements could not be exchanged: %d", failed);
}

static void begin_exchange(const struct partners *p, vks_status *status)
{
    const vks_partners *with = p->with;
    tell_exchange(p, with->exchange(with->user, p->outgoing.mapped, p->incoming.mapped), status);
}

static void end_exchange(const struct partners *p, vks_status *status)
{
    tell_exchange(p, p->with->exchanged(p->with->user), status);
}

/* The others go on to a meeting, which tells them of a failure. */
static bool exchange(struct pause *pause, vks_status *status)
{
    const struct partners *p = (const struct partners *)((char *)pause - offsetof(struct partners, exchange));
    begin_exchange(p, status);
    end_exchange(p, status);
    return true;
}

static bool arrive(struct pause *pause, vks_status *status)
{
    end_exchange((const struct partners *)((char *)pause - offsetof(struct partners, arrival)), status);
    return true;
}

/* Where the numbers of a process begin, and the first status that is not OK. */
static vks_status find_failure(const struct meeting *m, uint32_t *process)
{
    const vks_partners *with = m->partners->with;
    const double *at = m->all;
    vks_status found = VKS_OK;
    for (uint32_t q = 0; q < with->processes && !found; q++) {
        found = (vks_status)at[0];
        *process = q;
        at += 1 + m->rows * chunks_of(with, q);
    }
    return found;
}

/* Adds up the chunks of all processes. */
static double total_of(const struct meeting *m, uint32_t row)
{
    const vks_partners *with = m->partners->with;
    const double *at = m->all;
    size_t taken = 0;
    for (uint32_t q = 0; q < with->processes; q++) {
        uint64_t chunks = chunks_of(with, q);
        memcpy(m->line + taken, at + 1 + row * chunks, chunks * sizeof *at);
        taken += chunks;
        at += 1 + m->rows * chunks;
    }
    return vks_sum_of_chunks(m->precision == PRECISION_F32 ? VKS_F32 : VKS_F64, m->line, taken);
}

static void put(const struct meeting *m, uint32_t row, double total)
{
    char *to = (char *)m->totals.mapped + row * (uint64_t)m->count * real_bytes(m->precision);
    float narrow = (float)total;
    memcpy(to, m->precision == PRECISION_F32 ? (void *)&narrow : (void *)&total, real_bytes(m->precision));
}

static double part_at(const struct meeting *m, uint32_t i)
{
    return m->precision == PRECISION_F32 ? ((const float *)m->parts.mapped)[i]
                                         : ((const double *)m->parts.mapped)[i];
}

static bool gather(struct pause *pause, vks_status *status)
{
    struct meeting *m = (struct meeting *)pause;
    const struct partners *p = m->partners;
    uint32_t count = m->rows * m->chunks, process = 0;
    m->own[0] = *status;
    for (uint32_t i = 0; i < count; i++)
        m->own[1 + i] = part_at(m, i);
    int failed = p->with->gather(p->with->user, m->rows, m->own, 1 + (size_t)count, m->all);
    if (failed && !*status)
        *status = fail(p->device->message, VKS_PARTNER, "sums could not be gathered: %d", failed);
    vks_status other = failed ? VKS_OK : find_failure(m, &process);
    if (other && !*status)
        *status =
            fail(p->device->message, VKS_PARTNER, "process %u failed: %s", process, vks_status_text(other));
    if (*status)
        return false;
    for (uint32_t row = 0; row < m->rows; row++)
        put(m, row, total_of(m, row));
    if (m->begins)
        begin_exchange(p, status);
    return true;
}

static vks_status check_ranges(struct message *m, const vks_partners *with, const vks_matrix *A)
{
    if (with->process >= with->processes || with->first[0])
        return fail(m, VKS_INVALID_ARGUMENT, "process %u of %u, whose rows begin at %llu", with->process,
                    with->processes, (unsigned long long)with->first[0]);
    uint64_t all = with->first[with->processes];
    for (uint32_t q = 0; q < with->processes; q++) {
        uint64_t from = with->first[q], to = with->first[q + 1];
        if (to < from || (to < all && to % VKS_CHUNK))
            return fail(m, VKS_INVALID_ARGUMENT,
                        "process %u has the rows %llu to %llu: a range ends at a multiple of %u", q,
                        (unsigned long long)from, (unsigned long long)to, VKS_CHUNK);
    }
    uint64_t rows = with->first[with->process + 1] - with->first[with->process];
    if (A->csr.n != rows || A->csr.cols != with->before + rows + with->after)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "A is %u x %u; process %u has %llu rows, with %u columns before its own and %u behind",
                    A->csr.n, A->csr.cols, with->process, (unsigned long long)rows, with->before,
                    with->after);
    return VKS_OK;
}

vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w)
{
    struct device *d = A->context->device;
    vks_status s = check_ranges(d->message, with, A);
    if (s)
        return s;
    if (with->sent && (with->sent->context != A->context || with->sent->type != VKS_TYPE_U32))
        return fail(d->message, VKS_INVALID_ARGUMENT,
                    "the rows that others need are of another context, or not 32-bit words");
    enum precision precision = precision_of(vector_precision(A->precision));
    uint64_t bytes = real_bytes(precision);
    *p = (struct partners){.with = with,
                           .device = d,
                           .room = w,
                           .rows = A->csr.n,
                           .precision = precision,
                           .sends = with->sent ? with->sent->n : 0,
                           .index = with->sent ? words_of(&with->sent->memory) : NULL,
                           .exchange.act = exchange,
                           .arrival = {.act = arrive, .early = true}};
    p->outgoing = room_memory(w, MEMORY_SHARED, p->sends * bytes, "elements for others");
    p->incoming =
        room_memory(w, MEMORY_SHARED, (with->before + (uint64_t)with->after) * bytes, "elements of others");
    return w->status;
}

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

void partners_exchange(struct rec *r, const struct partners *p, struct vec v)
{
    const vks_partners *with = p->with;
    u32s guard = rec_guard(r, NULL);
    struct vec out = vec_in(&p->outgoing, p->sends, p->precision);
    if (p->sends)
        gather_elements(r, v, p->index, out);
    rec_pause(r, (struct pause *)&p->exchange);
    take_in(r, p, 0, with->before, partners_wide(p, v).at);
    take_in(r, p, with->before, with->after, v.at + vec_bytes(v));
    rec_guard(r, guard);
}

void partners_await(struct rec *r, const struct partners *p)
{
    rec_pause(r, (struct pause *)&p->arrival);
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

void meeting_open(struct meeting *m, const struct partners *p, enum precision precision, uint32_t rows,
                  struct room *w)
{
    const vks_partners *with = p->with;
    *m = (struct meeting){.pause.act = gather,
                          .partners = p,
                          .precision = precision,
                          .rows = rows,
                          .chunks = (uint32_t)chunks_of(with, with->process)};
    for (uint32_t q = 0; q < with->processes; q++)
        m->all_chunks += chunks_of(with, q);
    level_of_stripes(p->rows, &m->count);
    uint64_t bytes = real_bytes(precision);
    m->parts = room_memory(w, MEMORY_SHARED, rows * m->chunks * bytes, "sums of chunks");
    m->totals = room_memory(w, MEMORY_SHARED, rows * m->count * bytes, "sums of all");
    m->own = room_host(w, (1 + rows * (uint64_t)m->chunks) * sizeof(double), "sums of chunks");
    m->all = room_host(w, (with->processes + rows * m->all_chunks) * sizeof(double), "sums of all");
    m->line = room_host(w, (1 + m->all_chunks) * sizeof(double), "sums of all");
    if (!w->status)
        memset(m->totals.mapped, 0, rows * m->count * bytes);
}

static u32s sum_at(const struct reduction *w, uint64_t i, enum precision p)
{
    return words_in(&w->sums, i * (real_bytes(p) / 4));
}

/* Records the sums of chunks from place `at` of row `row` on, the pause, and the totals to place `back`. */
static void meet(struct rec *r, struct meeting *m, const struct reduction *w, uint64_t row, uint32_t at,
                 uint32_t back, uint32_t count)
{
    uint32_t words = real_bytes(m->precision) / 4;
    for (uint32_t i = 0; i < m->rows && m->chunks; i++)
        copy_words(r, sum_at(w, (row + i) * w->stride + at, m->precision),
                   words_in(&m->parts, i * (uint64_t)m->chunks * words), m->chunks * words);
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
    meet(r, m, w, row, one ? 0 : stripes, level, count);
    rec_guard(r, guard);
}

void meeting_of_tiles(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row)
{
    uint32_t n = m->partners->rows;
    u32s guard = rec_guard(r, NULL);
    meet(r, m, w, row, n <= 256 ? 0 : (uint32_t)groups_each(n), 0, 1);
    rec_guard(r, guard);
}
