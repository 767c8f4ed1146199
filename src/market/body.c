#include "market/body.h"
#include "market/scan.h"
#include "report/memory.h"
#include "team/team.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18 };

static const char *next_line(const char *p, const char *end)
{
    return (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
}

static bool is_data(const char *line)
{
    const char *p = skip_blanks(line);
    return *p != '%' && *p != '\n';
}

static void cut(const struct text *t, const struct header *h, struct body *b)
{
    const char *p = h->body, *end = t->begin + t->size;
    for (size_t c = 0; c < b->chunks; c++) {
        const char *aim = (size_t)(end - h->body) > (c + 1) * CHUNK ? h->body + (c + 1) * CHUNK : end;
        b->chunk[c].begin = p;
        if (p < aim) /* otherwise the previous line was long, and this chunk is empty */
            p = next_line(aim - 1, end);
        b->chunk[c].end = p;
    }
}

static void count(struct chunk *c)
{
    for (const char *p = c->begin; p < c->end; p = next_line(p, c->end)) {
        c->entries += is_data(p);
        c->lines++;
    }
}

static void count_chunks(const void *body, struct member *me)
{
    const struct body *b = body;
    TEAM_FOR(me, c, (uint32_t)b->chunks, 2, 1)
    count(&b->chunk[c]);
}

vks_status body_count(struct message *m, const struct text *t, const struct header *h, struct body *b)
{
    size_t size = t->size - (size_t)(h->body - t->begin);
    *b = (struct body){.chunks = size / CHUNK + 1};
    b->chunk = calloc(b->chunks, sizeof *b->chunk);
    if (!b->chunk)
        return memory_lacks(m, t->name, "its lines", b->chunks * sizeof *b->chunk);
    cut(t, h, b);
    struct team *team = team_for(team_of(m), size);
    team_run(team, count_chunks, b);
    team_done(team_of(m), team);
    for (size_t c = 0; c < b->chunks; c++) {
        b->chunk[c].line = h->line + b->lines;
        b->chunk[c].first = b->entries;
        b->lines += b->chunk[c].lines;
        b->entries += b->chunk[c].entries;
    }
    return VKS_OK;
}

size_t body_line(const struct body *b, size_t entry)
{
    const struct chunk *c = b->chunk;
    while (entry >= c->first + c->entries)
        c++;
    size_t line = c->line, left = entry - c->first;
    for (const char *p = c->begin;; p = next_line(p, c->end), line++)
        if (is_data(p) && !left--)
            return line;
}

static vks_status allocate(struct message *m, const struct text *t, size_t count, struct triplets *e)
{
    size_t n = count ? count : 1; /* so that NULL means failure */
    size_t bytes = n * (sizeof *e->row + sizeof *e->col + sizeof *e->val);
    TRY(memory_check(m, t->name, "its entries", bytes));
    e->row = malloc(n * sizeof *e->row);
    e->col = malloc(n * sizeof *e->col);
    e->val = malloc(n * sizeof *e->val);
    if (!e->row || !e->col || !e->val)
        return memory_lacks(m, t->name, "its entries", bytes);
    e->count = count;
    return VKS_OK;
}

/* Whether a fault is only the remnant of a truncated last entry: the truncation is then reported instead. */
static bool is_remnant(const struct body *b, const struct fault *f)
{
    return (f->kind == FAULT_MISSING || f->kind == FAULT_NOT_NUMBER) &&
           f->line == body_line(b, b->entries - 1);
}

/* Reports the earliest fault. */
static vks_status check_body(struct message *m, const struct text *t, const struct header *h,
                             const struct body *b)
{
    const struct chunk *c = b->chunk, *end = c + b->chunks;
    while (c < end && !c->fault.kind)
        c++;
    bool cut_off = b->entries < h->entries;
    if (c < end && !(cut_off && is_remnant(b, &c->fault)))
        return fault_report(m, t, h, &c->fault);
    if (cut_off)
        return fail(m, VKS_FORMAT, "%s:%zu: the file ends after %zu of %zu entries", t->name,
                    text_line(t, h->line + b->lines) - 1, b->entries, h->entries);
    if (b->entries > h->entries)
        return fail(m, VKS_FORMAT, "%s:%zu: more than the declared %zu entries", t->name,
                    text_line(t, body_line(b, h->entries)), h->entries);
    return VKS_OK;
}

/* The shared state of parsing. */
struct parsing {
    const struct message *m;
    const struct header *h;
    const struct powers *powers;
    struct body *b;
    struct triplets *e;
    size_t most;
    uint32_t *done; /* number of chunks */
};

static void parse_chunks(const void *parsing, struct member *me)
{
    const struct parsing *p = parsing;
    TEAM_FOR(me, c, (uint32_t)p->b->chunks, 2, 1)
    {
        if (p->b->chunk[c].first <= p->most)
            chunk_parse(p->h, p->powers, &p->b->chunk[c], p->most, p->e);
        text_report_share(me, p->m, "parsing", p->done, (uint32_t)p->b->chunks);
    }
}

vks_status body_parse(struct message *m, const struct text *t, const struct header *h, struct body *b,
                      struct triplets *e)
{
    size_t most = b->entries < h->entries ? b->entries : h->entries;
    e->rows = h->rows;
    e->cols = h->cols;
    TRY(allocate(m, t, most, e));
    struct powers powers;
    powers_fill(&powers);
    struct team *team = team_for(team_of(m), t->size);
    uint32_t done = 0;
    report_share(m, "parsing", 0);
    team_run(team, parse_chunks, &(struct parsing){m, h, &powers, b, e, most, &done});
    report_share(m, "parsing", 1);
    team_done(team_of(m), team);
    return check_body(m, t, h, b);
}

void body_free(struct body *b)
{
    free(b->chunk);
    *b = (struct body){0};
}
