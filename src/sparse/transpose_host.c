/* The transpose on the host: each part of the rows counts the entries of every column, and then writes its
 * own entries to their places. */
#include "device/search.h"
#include "report/clock.h"
#include "sparse/matrix.h"
#include "sparse/transposed.h"
#include "team/team.h"

#include <stdlib.h>
#include <string.h>

struct parts {
    const uint32_t *row, *col;
    const char *val;
    uint32_t rows, cols, entries, count;
    uint32_t *next; /* for each part and column: the number of entries; then the place of the next entry */
    uint32_t *to_row, *to_col, *place;
    char *to_val;
};

static uint32_t first_row(const struct parts *p, uint32_t part)
{
    return first_not_below(p->row, 0, p->rows, (uint64_t)p->entries * part / p->count);
}

static void count_columns(const void *parts, struct member *me)
{
    const struct parts *p = parts;
    TEAM_FOR(me, part, p->count, 2, 1)
    {
        uint32_t *next = p->next + (size_t)part * p->cols;
        uint32_t last = p->row[first_row(p, part + 1)];
        for (uint32_t e = p->row[first_row(p, part)]; e < last; e++)
            next[p->col[e]]++;
    }
}

static void find_places(const struct parts *p)
{
    uint32_t at = 0;
    for (uint32_t c = 0; c < p->cols; c++) {
        p->to_row[c] = at;
        for (uint32_t part = 0; part < p->count; part++) {
            uint32_t *next = &p->next[(size_t)part * p->cols + c], entries = *next;
            *next = at;
            at += entries;
        }
    }
    p->to_row[p->cols] = at;
}

static inline void write_rows(const struct parts *p, uint32_t part, size_t bytes)
{
    uint32_t *next = p->next + (size_t)part * p->cols, last = first_row(p, part + 1);
    for (uint32_t i = first_row(p, part); i < last; i++)
        for (uint32_t e = p->row[i]; e < p->row[i + (size_t)1]; e++) {
            uint32_t at = next[p->col[e]]++;
            p->to_col[at] = i;
            p->place[at] = e;
            memcpy(p->to_val + at * bytes, p->val + e * bytes, bytes);
        }
}

static void write_f32(const void *parts, struct member *me)
{
    const struct parts *p = parts;
    TEAM_FOR(me, part, p->count, 2, 1)
    {
        write_rows(p, part, 4);
    }
}

static void write_f64(const void *parts, struct member *me)
{
    const struct parts *p = parts;
    TEAM_FOR(me, part, p->count, 2, 1)
    {
        write_rows(p, part, 8);
    }
}

/* As many parts as threads, but few enough that a part has more entries than columns to count. */
static uint32_t parts_for(const struct device *d, const struct csr *A)
{
    uint32_t threads = team_size(d->team), most = A->cols ? A->entries / A->cols + 1 : 1;
    return threads < most ? threads : most;
}

vks_status transpose_host(const struct csr *A, uint32_t value_bytes, const struct transposed *t, bool *taken)
{
    struct device *d = t->T->context->device;
    const struct csr *T = &t->T->csr;
    *taken = d->info.kind == DEVICE_HOST && !A->longs && !device_is_forked(d);
    if (!*taken)
        return VKS_OK;
    struct parts p = {.row = (const uint32_t *)A->row,
                      .col = (const uint32_t *)A->col,
                      .val = (const char *)A->val,
                      .rows = A->n,
                      .cols = A->cols,
                      .entries = A->entries,
                      .count = parts_for(d, A),
                      .to_row = (uint32_t *)T->row,
                      .to_col = (uint32_t *)T->col,
                      .to_val = (char *)T->val,
                      .place = (uint32_t *)transposed_place(t)};
    uint64_t counts = (uint64_t)p.count * p.cols;
    p.next = calloc(counts ? counts : 1, sizeof *p.next);
    if (!p.next)
        return fail_memory(d->message, "places of columns", counts * sizeof *p.next);
    double begun = clock_seconds();
    team_run(d->team, count_columns, &p);
    find_places(&p);
    team_run(d->team, value_bytes == 8 ? write_f64 : write_f32, &p);
    if (d->timed)
        d->kernel_seconds += clock_seconds() - begun;
    free(p.next);
    return VKS_OK;
}
