/* CSR from coordinates. A counting sort by row groups the entries of a row as 64-bit keys: the column in the
 * upper half, the number of the entry in the lower. All keys differ, so any sort with any number of threads
 * orders a row by column and leaves duplicates in input order.
 *
 * Work: O(entries + rows) plus the sorts within rows. Memory in addition to the result: 8 bytes per entry, 4
 * per row, and 8 more per entry if a row is too long for an insertion sort. */
#include "device/search.h"
#include "entries/host_csr.h"
#include "entries/keys.h"
#include "report/memory.h"
#include "team/team.h"
#include <stdlib.h>

/* The most parts. Each part reads all row indices, so more parts would only compete for memory bandwidth. */
#define MAX_PARTS 8
/* Loops over at least this many entries are shared. */
#define MANY_ENTRIES 4096

struct work {
    uint32_t *start;   /* rows + 2 */
    uint64_t *key;     /* count */
    uint64_t *scratch; /* count; NULL when every row is short */
};

/* The shared state of the members. */
struct assembly {
    const struct triplets *t;
    const struct work *w;
    struct host_csr *a;
    uint32_t parts, *cut; /* the first row of each part */
    uint32_t *bad;        /* the first bad entry */
};

void triplets_free(struct triplets *t)
{
    free(t->row);
    free(t->col);
    free(t->val);
    *t = (struct triplets){0};
}

void host_csr_free(struct host_csr *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
    *a = (struct host_csr){0};
}

static uint32_t part_count(const struct team *team, const struct triplets *t)
{
    uint32_t threads = t->count < MANY_ENTRIES ? 1 : team_size(team);
    return threads < MAX_PARTS ? threads : MAX_PARTS;
}

static vks_status outside(struct message *m, size_t entry, const char *what, uint32_t index, uint32_t limit)
{
    if (limit == 0)
        return fail(m, VKS_INVALID_ARGUMENT, "entry %zu: %s %u, but the matrix has no %ss", entry, what,
                    index, what);
    return fail(m, VKS_INVALID_ARGUMENT, "entry %zu: %s %u is outside 0..%u", entry, what, index, limit - 1);
}

static void check_entries(const void *assembly, struct member *me)
{
    const struct assembly *s = assembly;
    const struct triplets *t = s->t;
    TEAM_FOR(me, k, (uint32_t)t->count, MANY_ENTRIES, 1024)
    if (t->row[k] >= t->rows || t->col[k] >= t->cols)
        take_least(s->bad, k);
}

static vks_status check_triplets(struct message *m, struct team *team, const struct triplets *t)
{
    if (t->rows > VKS_MAX_ROWS || t->cols > VKS_MAX_ROWS)
        return fail(m, VKS_LIMIT, "%u rows, %u columns: the limit is %u", t->rows, t->cols, VKS_MAX_ROWS);
    if (t->count > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%zu entries: the limit is %u", t->count, VKS_MAX_ENTRIES);

    uint32_t bad = (uint32_t)t->count;
    team_run(team, check_entries, &(struct assembly){.t = t, .bad = &bad});
    if (bad == t->count)
        return VKS_OK;
    if (t->row[bad] >= t->rows)
        return outside(m, bad, "row", t->row[bad], t->rows);
    return outside(m, bad, "column", t->col[bad], t->cols);
}

/* Counts row r in start[r + 2]. count_rows() then sums, so that row r begins at start[r + 1]; scatter() moves
 * that to the end of the row, which leaves ordinary offsets in start[0..rows]. */
static void count_parts(const void *assembly, struct member *me)
{
    const struct assembly *s = assembly;
    const struct triplets *t = s->t;
    uint32_t *start = s->w->start;
    TEAM_FOR(me, p, s->parts, 2, 1)
    {
        uint32_t from = (uint32_t)((uint64_t)t->rows * p / s->parts);
        uint32_t to = (uint32_t)((uint64_t)t->rows * (p + 1) / s->parts);
        for (size_t k = 0; k < t->count; k++)
            if (t->row[k] >= from && t->row[k] < to)
                start[(size_t)t->row[k] + 2]++;
    }
}

static void count_rows(struct team *team, const struct assembly *s)
{
    const struct triplets *t = s->t;
    uint32_t *start = s->w->start;
    team_run(team, count_parts, s);
    for (size_t i = 2; i < (size_t)t->rows + 2; i++)
        start[i] += start[i - 1];
}

/* Each part places the entries of its own rows, in input order. */
static void scatter_parts(const void *assembly, struct member *me)
{
    const struct assembly *s = assembly;
    const struct triplets *t = s->t;
    uint32_t *start = s->w->start;
    TEAM_FOR(me, p, s->parts, 2, 1)
    {
        uint32_t from = s->cut[p], to = s->cut[p + 1];
        for (size_t k = 0; k < t->count; k++)
            if (t->row[k] >= from && t->row[k] < to)
                s->w->key[start[(size_t)t->row[k] + 1]++] = (uint64_t)t->col[k] << 32 | k;
    }
}

static void scatter(struct team *team, struct assembly *s)
{
    const struct triplets *t = s->t;
    uint32_t cut[MAX_PARTS + 1];
    for (uint32_t p = 0; p < s->parts; p++)
        cut[p] = p == 0 ? 0 : first_not_below(s->w->start + 1, 0, t->rows, t->count / s->parts * p);
    cut[s->parts] = t->rows;
    s->cut = cut;
    team_run(team, scatter_parts, s);
    s->cut = NULL;
}

/* Sorts every row and stores the number of distinct columns of row r in row[r + 1]. */
static void sort_rows(const void *assembly, struct member *me)
{
    const struct assembly *s = assembly;
    const struct work *w = s->w;
    TEAM_FOR(me, r, s->t->rows, MANY_ENTRIES, 128)
    {
        uint64_t *key = w->key + w->start[r];
        size_t n = w->start[r + 1] - w->start[r];
        keys_sort(key, n, w->scratch ? w->scratch + w->start[r] : NULL);
        uint32_t different = n > 0;
        for (size_t i = 1; i < n; i++)
            different += key[i] >> 32 != key[i - 1] >> 32;
        s->a->row[(size_t)r + 1] = different;
    }
}

static void sum_rows(const void *assembly, struct member *me)
{
    const struct assembly *s = assembly;
    const struct work *w = s->w;
    const double *val = s->t->val;
    struct host_csr *a = s->a;
    TEAM_FOR(me, r, a->rows, MANY_ENTRIES, 128)
    {
        size_t out = a->row[r];
        for (size_t i = w->start[r]; i < w->start[r + 1]; out++) {
            uint32_t col = (uint32_t)(w->key[i] >> 32);
            double sum = val[(uint32_t)w->key[i]];
            for (i++; i < w->start[r + 1] && w->key[i] >> 32 == col; i++)
                sum += val[(uint32_t)w->key[i]];
            a->col[out] = col;
            a->val[out] = sum;
        }
    }
}

/* Sorts the entries into w, and allocates the offsets and entries of a. */
static vks_status sort_entries(struct message *m, struct team *team, const struct triplets *t, struct work *w,
                               struct host_csr *a)
{
    struct assembly s = {.t = t, .w = w, .a = a, .parts = part_count(team, t)};
    size_t rows = t->rows, bytes = t->count * sizeof *w->key;
    size_t offsets = (2 * rows + 3) * sizeof *a->row;
    const char *name = t->name ? t->name : "the matrix";
    TRY(memory_check(m, name, "its assembly", offsets + bytes));
    w->start = calloc(rows + 2, sizeof *w->start);
    w->key = malloc(bytes + 1);
    a->row = malloc((rows + 1) * sizeof *a->row);
    if (!w->start || !w->key || !a->row)
        return memory_lacks(m, name, "its assembly", offsets + bytes);

    count_rows(team, &s);
    scatter(team, &s);
    if (keys_need_scratch(w->start, t->rows)) {
        w->scratch = malloc(bytes);
        if (!w->scratch)
            return memory_lacks(m, name, "its assembly", bytes);
    }
    team_run(team, sort_rows, &s);
    a->row[0] = 0;
    for (size_t r = 0; r < rows; r++)
        a->row[r + 1] += a->row[r];

    size_t entries = a->row[rows]; /* after duplicates are summed */
    TRY(memory_check(m, name, "its entries", entries * (sizeof *a->col + sizeof *a->val)));
    a->col = malloc(entries * sizeof *a->col + 1);
    a->val = malloc(entries * sizeof *a->val + 1);
    if (!a->col || !a->val)
        return memory_lacks(m, name, "its entries", entries * (sizeof *a->col + sizeof *a->val));
    return VKS_OK;
}

vks_status host_csr_assemble(struct message *m, const struct triplets *t, struct host_csr *a)
{
    struct work w = {0};
    *a = (struct host_csr){.rows = t->rows, .cols = t->cols};
    struct team *team = team_for(team_of(m), 16 * (uint64_t)t->count);
    vks_status status = check_triplets(m, team, t);
    if (status == VKS_OK)
        status = sort_entries(m, team, t, &w, a);
    if (status == VKS_OK)
        team_run(team, sum_rows, &(struct assembly){.t = t, .w = &w, .a = a});
    else
        host_csr_free(a);
    team_done(team_of(m), team);
    free(w.start);
    free(w.key);
    free(w.scratch);
    return status;
}
