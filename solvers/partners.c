#include "solvers/partners.h"
#include "primitive/array.h"
#include "sparse/matrix.h"
#include "vksolve/vector_algebra.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of a chunk that a process brings, beside one that tells how it is: a status, or a reason behind the
 * last status. */
enum { MOST_ROWS = 2 };

static uint64_t rows_of(const vks_partners *with, uint32_t process)
{
    return with->first[process + 1] - with->first[process];
}

static uint64_t chunks_of(const vks_partners *with, uint32_t process)
{
    return (rows_of(with, process) + VKS_CHUNK - 1) / VKS_CHUNK;
}

static void tell_exchange(const struct partners *p, int failed, vks_status *status)
{
    if (failed && !*status)
        *status = fail(p->device->message, VKS_PARTNER, "elements could not be exchanged: %d", failed);
}

/* Where the numbers of the first process that is not well begin; NULL: all are. */
static const double *find_failure(const struct partners *p, uint32_t *process)
{
    const double *at = p->all;
    for (uint32_t q = 0; q < p->with->processes; q++) {
        *process = q;
        if (at[0] != VKS_OK)
            return at;
        at += 1 + MOST_ROWS * chunks_of(p->with, q);
    }
    return NULL;
}

static vks_status tell_failure(const struct partners *p, uint32_t process, double word)
{
    struct message *m = p->device->message;
    if (word < VKS_STATUS_COUNT_)
        return fail(m, VKS_PARTNER, "process %u failed: %s", process, vks_status_text((vks_status)word));
    return fail(m, VKS_PARTNER, "the rows of process %u do not suit: %s", process,
                vks_reason_text((vks_reason)(word - VKS_STATUS_COUNT_)));
}

/* Gathers p->own, behind a word that tells how this process is. Returns what ends the solve here; OK: all
 * are well. */
static vks_status gather_all(struct partners *p, double word)
{
    uint32_t process = 0;
    p->own[0] = word;
    int failed = p->with->gather(p->with->user, p->own, 1 + MOST_ROWS * (size_t)p->chunks, p->all);
    if (failed)
        return fail(p->device->message, VKS_PARTNER, "sums could not be gathered: %d", failed);
    const double *other = find_failure(p, &process);
    return other ? tell_failure(p, process, other[0]) : VKS_OK;
}

/* Adds up the chunks of all processes. */
static double total_of(const struct meeting *m, uint32_t row)
{
    const struct partners *p = m->partners;
    const double *at = p->all;
    size_t taken = 0;
    for (uint32_t q = 0; q < p->with->processes; q++) {
        uint64_t chunks = chunks_of(p->with, q);
        memcpy(p->line + taken, at + 1 + row * chunks, chunks * sizeof *at);
        taken += chunks;
        at += 1 + MOST_ROWS * chunks;
    }
    return vks_sum_of_chunks(m->precision == PRECISION_F32 ? VKS_F32 : VKS_F64, p->line, taken);
}

static void put(const struct meeting *m, uint32_t row, double total)
{
    char *to = (char *)m->totals.mapped + row * (uint64_t)real_bytes(m->precision);
    float narrow = (float)total;
    memcpy(to, m->precision == PRECISION_F32 ? (void *)&narrow : (void *)&total, real_bytes(m->precision));
}

static double part_at(const struct meeting *m, uint32_t i)
{
    return m->precision == PRECISION_F32 ? ((const float *)m->parts.mapped)[i]
                                         : ((const double *)m->parts.mapped)[i];
}

/* A failure of this process before the meeting counts more than what it learns there. */
bool partners_meet(struct pause *pause, vks_status *status)
{
    struct meeting *m = (struct meeting *)pause;
    struct partners *p = m->partners;
    const vks_partners *with = p->with;
    for (uint32_t i = 0; i < MOST_ROWS * p->chunks; i++)
        p->own[1 + i] = i < m->rows * p->chunks ? part_at(m, i) : 0;
    struct message mine = *p->device->message;
    vks_status s = gather_all(p, *status);
    p->told = s != VKS_OK;
    if (*status)
        *p->device->message = mine;
    else
        *status = s;
    if (s)
        return false;
    for (uint32_t row = 0; row < m->rows; row++)
        put(m, row, total_of(m, row));
    if (m->begins)
        tell_exchange(p, with->exchange(with->user, p->outgoing.mapped, p->incoming.mapped), status);
    return true;
}

static bool arrive(struct pause *pause, vks_status *status)
{
    const struct partners *p = (const struct partners *)((char *)pause - offsetof(struct partners, arrival));
    tell_exchange(p, p->with->exchanged(p->with->user), status);
    return true;
}

static void leave(struct partners *p, double word)
{
    if (!p->own || p->told)
        return;
    struct message mine = *p->device->message;
    memset(p->own, 0, (1 + MOST_ROWS * (size_t)p->chunks) * sizeof *p->own);
    gather_all(p, word);
    p->told = true;
    *p->device->message = mine;
}

vks_status partners_end(struct partners *p)
{
    if (!p->own || p->told)
        return VKS_OK;
    memset(p->own, 0, (1 + MOST_ROWS * (size_t)p->chunks) * sizeof *p->own);
    p->told = true;
    return gather_all(p, VKS_OK);
}

void partners_leave(struct partners *p, vks_status status)
{
    leave(p, status);
}

void partners_refuse(struct partners *p, vks_reason reason)
{
    leave(p, (double)VKS_STATUS_COUNT_ + reason);
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
    uint64_t rows = rows_of(with, with->process);
    if (A->csr.n != rows || A->csr.cols != with->before + rows + with->after)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "A is %u x %u; process %u has %llu rows, with %u columns before its own and %u behind",
                    A->csr.n, A->csr.cols, with->process, (unsigned long long)rows, with->before,
                    with->after);
    return VKS_OK;
}

/* Kernels follow these numbers. */
static vks_status check_sent(const vks_array *sent, const vks_matrix *A)
{
    struct message *m = &A->context->message;
    vks_status s = array_check(sent, A->context, 1u << VKS_TYPE_U32, "the rows that others need");
    if (s || !sent->n)
        return s;
    uint32_t *rows = malloc(sent->n * sizeof *rows);
    if (!rows)
        return fail_memory(m, "the rows that others need", sent->n * sizeof *rows);
    s = vks_array_read(sent, 0, sent->n, rows);
    for (uint32_t i = 0; i < sent->n && !s; i++)
        if (rows[i] >= A->csr.n)
            s = fail(m, VKS_INVALID_ARGUMENT, "others need row %u of %u", rows[i], A->csr.n);
    free(rows);
    return s;
}

/* What is gathered comes first: with it a failure can be told. */
static void take_memory(struct partners *p, struct room *w)
{
    const vks_partners *with = p->with;
    uint64_t all = 0, bytes = real_bytes(p->precision);
    for (uint32_t q = 0; q < with->processes; q++)
        all += chunks_of(with, q);
    p->all = room_host(w, (with->processes + MOST_ROWS * all) * sizeof(double), "sums of all");
    p->line = room_host(w, (1 + all) * sizeof(double), "sums of all");
    p->own = room_host(w, (1 + MOST_ROWS * (uint64_t)p->chunks) * sizeof(double), "sums of chunks");
    p->outgoing = room_memory(w, MEMORY_SHARED, p->sends * bytes, "elements for others");
    p->incoming =
        room_memory(w, MEMORY_SHARED, (with->before + (uint64_t)with->after) * bytes, "elements of others");
    meeting_open(&p->exchange, p, p->precision, 0, w);
    p->exchange.begins = true;
}

vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w)
{
    struct device *d = A->context->device;
    vks_status s = check_ranges(d->message, with, A);
    if (!s && with->sent)
        s = check_sent(with->sent, A);
    if (s)
        return s;
    *p = (struct partners){.with = with,
                           .device = d,
                           .rows = A->csr.n,
                           .chunks = (uint32_t)chunks_of(with, with->process),
                           .precision = precision_of(vector_precision(A->precision)),
                           .sends = with->sent ? with->sent->n : 0,
                           .index = with->sent ? array_words(with->sent) : NULL,
                           .arrival = {.act = arrive, .early = true}};
    take_memory(p, w);
    return w->status;
}
