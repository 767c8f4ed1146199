#include "primitive/array.h"
#include "solvers/distributed/transport.h"
#include "sparse/matrix.h"
#include "vector/verbs.h"

#include <stdlib.h>

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

/* Checks the numbers, since kernels use them as indices. */
static vks_status check_sent(const vks_array *sent, const vks_matrix *A)
{
    struct message *m = &A->context->message;
    TRY(array_check(sent, A->context, 1u << VKS_TYPE_U32, "the rows that others need"));
    if (!sent->n)
        return VKS_OK;
    uint32_t *rows = malloc(sent->n * sizeof *rows);
    if (!rows)
        return fail_memory(m, "the rows that others need", sent->n * sizeof *rows);
    vks_status s = vks_array_read(sent, 0, sent->n, rows);
    for (uint32_t i = 0; i < sent->n && !s; i++)
        if (rows[i] >= A->csr.n)
            s = fail(m, VKS_INVALID_ARGUMENT, "others need row %u of %u", rows[i], A->csr.n);
    free(rows);
    return s;
}

/* Allocates gathered numbers first, since reporting a failure needs them. */
static void take_memory(struct partners *p, struct room *w)
{
    const vks_partners *with = p->with;
    uint64_t all = 0, bytes = real_bytes(p->precision);
    for (uint32_t q = 0; q < with->processes; q++)
        all += chunks_of(with, q);
    p->all = room_host(w, (with->processes + MOST_ROWS * all) * sizeof(double), "sums of all");
    p->line = room_host(w, (1 + all) * sizeof(double), "sums of all");
    p->own = room_host(w, gathered_of(with, with->process) * sizeof(double), "sums of chunks");
    p->outgoing = room_memory(w, MEMORY_SHARED, p->sends * bytes, "elements for others");
    p->incoming =
        room_memory(w, MEMORY_SHARED, (with->before + (uint64_t)with->after) * bytes, "elements of others");
    allreduce_open(&p->departure, p, p->precision, 0, w);
    p->departure.begins_exchange = true;
}

static bool arrive(struct pause *pause, vks_status *status)
{
    const struct partners *p = (const struct partners *)((char *)pause - offsetof(struct partners, arrival));
    transport_receive(p, status);
    return true;
}

vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w)
{
    struct device *d = A->context->device;
    TRY(check_ranges(d->message, with, A));
    if (with->sent)
        TRY(check_sent(with->sent, A));
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

/* Records a copy of elements, starting at number `first`. */
static void copy_incoming(struct rec *r, const struct partners *p, uint32_t first, uint32_t count,
                          uint64_t to)
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
    rec_pause(r, &p->departure.pause);
    rec_pause(r, &p->arrival);
    copy_incoming(r, p, 0, with->before, partners_wide(p, v).at);
    copy_incoming(r, p, with->before, with->after, v.at + vec_bytes(v));
    rec_guard(r, guard);
}

void partners_await(struct rec *r, struct partners *p)
{
    rec_pause(r, &p->arrival);
}
