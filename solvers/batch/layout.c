/* Patterns of a batch on the device: systems sorted by classes, entries in ELL. */
#include "entries/check.h"
#include "solvers/batch/batch.h"

#include <stdio.h>
#include <string.h>

static uint32_t class_of(uint32_t n)
{
    uint32_t c = n > BATCH_FEW ? 3 : 0;
    for (uint32_t rows = n > BATCH_FEW ? 256 : 32; rows < n; rows *= 2)
        c++;
    return c;
}

static uint32_t width_of(const vks_batch_system *s)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < s->n; i++)
        width = s->row[i + 1] - s->row[i] > width ? s->row[i + 1] - s->row[i] : width;
    return width;
}

/* Checks a pattern; messages name the system if each has its own. */
static vks_status check_pattern(struct message *m, const vks_batch_system *s, const char *whose)
{
    struct message found = {0};
    if (s->n < 1 || s->n > BATCH_ROWS)
        return fail(m, s->n ? VKS_LIMIT : VKS_INVALID_ARGUMENT,
                    "%sa system of %u rows; systems of a batch have 1 to %u", whose, s->n, BATCH_ROWS);
    if (!s->row)
        return fail(m, VKS_INVALID_ARGUMENT, "%sthe row offsets are NULL", whose);
    vks_status status = csr_arrays_check(&found, s->n, s->n, s->row, s->col);
    return status ? fail(m, status, "%s%s", whose, found.text) : VKS_OK;
}

static vks_status check_patterns(struct message *m, const struct batch_patterns *patterns)
{
    for (uint32_t s = 0; s < (patterns->own ? patterns->systems : 1); s++) {
        char whose[40] = "";
        if (patterns->own)
            snprintf(whose, sizeof whose, "system %u, from 0: ", s);
        TRY(check_pattern(m, batch_pattern(patterns, s), whose));
        if (!batch_pattern(patterns, s)->values &&
            batch_pattern(patterns, s)->row[batch_pattern(patterns, s)->n])
            return fail(m, VKS_INVALID_ARGUMENT, "%sthe values are NULL", whose);
    }
    return VKS_OK;
}

static bool is_tridiagonal(const vks_batch_system *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t e = s->row[i]; e < s->row[i + 1]; e++)
            if (s->col[e] > i + 1 || i > s->col[e] + 1)
                return false;
    return true;
}

/* Totals of systems, and so the place of the next one. */
struct totals {
    uint64_t rows, entries, slots, dense;
};

static void add_system(struct totals *t, const vks_batch_system *s, uint32_t width)
{
    t->rows += s->n;
    t->entries += s->row[s->n];
    t->slots += s->n * width;
    t->dense += (uint64_t)s->n * s->n;
}

static void count_in_class(struct batch_class *class, const vks_batch_system *s, uint32_t width)
{
    class->end++;
    class->slots += s->n * width;
    class->width = width > class->width ? width : class->width;
}

/* Turns the numbers of systems of the classes into ranges. */
static void place_classes(vks_batch *q)
{
    for (uint32_t c = 0, first = 0; c < BATCH_CLASSES; c++) {
        struct batch_class *class = &q->class[c];
        class->squads = c < 3 ? 1 : 8;
        class->spread = c % 3;
        class->first = first;
        class->end += first;
        first = class->end;
    }
}

static vks_status check_totals(struct message *m, const struct totals *t, uint32_t s)
{
    if (t->rows <= VKS_LARGEST_INDEX && t->slots <= VKS_LARGEST_INDEX && t->entries <= VKS_LARGEST_INDEX)
        return VKS_OK;
    return fail(m, VKS_LIMIT,
                "systems 0 to %u have %llu rows and %llu stored entries; the most of each is %u", s,
                (unsigned long long)t->rows, (unsigned long long)t->slots, VKS_LARGEST_INDEX);
}

vks_status batch_measure(vks_batch *q, const struct batch_patterns *patterns)
{
    struct message *m = &q->context->message;
    struct totals t = {0};
    uint32_t width = 0;
    TRY(check_patterns(m, patterns));
    q->is_tridiagonal = true;
    for (uint32_t s = 0; s < patterns->systems; s++) {
        const vks_batch_system *pattern = batch_pattern(patterns, s);
        if (patterns->own || s == 0) {
            width = width_of(pattern);
            q->is_tridiagonal = q->is_tridiagonal && is_tridiagonal(pattern);
        }
        add_system(&t, pattern, width);
        count_in_class(&q->class[class_of(pattern->n)], pattern, width);
        q->largest = pattern->n > q->largest ? pattern->n : q->largest;
        TRY(check_totals(m, &t, s));
    }
    q->systems = patterns->systems;
    q->rows = (uint32_t)t.rows;
    q->entries = (uint32_t)t.entries;
    q->slots = (uint32_t)t.slots;
    q->dense_elements = t.dense;
    q->period = patterns->own ? q->slots : patterns->shared->n * width;
    q->period_entries = patterns->own ? q->entries : patterns->shared->row[patterns->shared->n];
    place_classes(q);
    return VKS_OK;
}

/* The columns and the map of a system; `from` is the number of its first value. */
static void lay_out_system(const vks_batch_system *s, uint32_t width, uint32_t from, uint32_t *col,
                           uint32_t *map)
{
    for (uint32_t k = 0; k < width; k++)
        for (uint32_t i = 0; i < s->n; i++) {
            uint32_t e = s->row[i] + k;
            bool is = e < s->row[i + 1];
            col[k * s->n + i] = is ? s->col[e] : i;
            map[k * s->n + i] = is ? from + e : NO_ENTRY;
        }
}

/* Host arrays of all systems. */
struct tables {
    uint32_t *place, *col, *map;
};

static void fill_tables(vks_batch *q, const struct batch_patterns *patterns, const struct tables *to)
{
    uint32_t next[BATCH_CLASSES], width = 0;
    struct totals t = {0};
    for (uint32_t c = 0; c < BATCH_CLASSES; c++)
        next[c] = q->class[c].first;
    for (uint32_t s = 0; s < q->systems; s++) {
        const vks_batch_system *pattern = batch_pattern(patterns, s);
        uint32_t columns = patterns->own ? (uint32_t)t.slots : 0, number = next[class_of(pattern->n)]++;
        uint32_t *place = to->place + (size_t)number * PLACE_WORDS;
        if (patterns->own || s == 0) {
            width = width_of(pattern);
            lay_out_system(pattern, width, (uint32_t)t.entries, to->col + columns, to->map + columns);
        }
        place[PLACE_ROWS] = pattern->n;
        place[PLACE_WIDTH] = width;
        place[PLACE_AT] = (uint32_t)t.rows;
        place[PLACE_VALUES] = (uint32_t)t.slots;
        place[PLACE_COLUMNS] = columns;
        place[PLACE_DENSE] = (uint32_t)t.dense; /* used only if all of them have fewer */
        q->system_of[number] = s;
        add_system(&t, pattern, width);
    }
}

vks_status batch_lay_out(vks_batch *q, const struct batch_patterns *patterns)
{
    struct room *w = &q->room, host = {.device = w->device};
    const uint64_t place_bytes = 4 * (uint64_t)q->systems * PLACE_WORDS, map_bytes = 4 * (uint64_t)q->period;
    struct tables t = {.place = room_host(&host, place_bytes, "places of systems"),
                       .col = room_host(&host, map_bytes, "columns of systems"),
                       .map = room_host(&host, map_bytes, "places of values")};
    q->system_of = room_host(w, 4 * (uint64_t)q->systems, "numbers of systems");
    if (!host.status && !w->status) {
        fill_tables(q, patterns, &t);
        q->place = room_copy(w, t.place, place_bytes, "places of systems");
        q->col = room_copy(w, t.col, map_bytes, "columns of systems");
        q->map = room_copy(w, t.map, map_bytes, "places of values");
    }
    vks_status s = host.status ? host.status : w->status;
    room_close(&host);
    return s;
}
