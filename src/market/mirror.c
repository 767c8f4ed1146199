#include "market/mirror.h"
#include "report/memory.h"
#include "team/team.h"

#include <inttypes.h>
#include <stdlib.h>

/* An off-diagonal entry of either triangle, with its pair of indices as the key. */
struct pair {
    uint64_t key;
    uint32_t entry;
};

static uint64_t key_of(const struct triplets *e, size_t k)
{
    uint32_t i = e->row[k], j = e->col[k];
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

static int compare(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* The first entry with this key in the sorted pairs, or `none`. */
static size_t find(const struct pair *pair, size_t count, uint64_t key, size_t none)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (pair[middle].key < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from < count && pair[from].key == key ? pair[from].entry : none;
}

/* Entries in both triangles are legal as long as no pair is stored twice: the entries of the triangle with
 * fewer entries are sorted, and the others looked up. */
vks_status mirror_find_pair(struct message *m, const char *name, const struct triplets *e, size_t lower,
                            size_t upper, size_t *later)
{
    bool upper_is_rarer = upper < lower;
    size_t rare = upper_is_rarer ? upper : lower;
    *later = SIZE_MAX;
    if (!rare)
        return VKS_OK;
    struct pair *pair = malloc(rare * sizeof *pair);
    if (!pair)
        return memory_lacks(m, name, "the check of its symmetry", rare * sizeof *pair);
    size_t count = 0, none = SIZE_MAX, worst = none;
    for (size_t k = 0; k < e->count; k++)
        if (e->row[k] != e->col[k] && (e->row[k] < e->col[k]) == upper_is_rarer)
            pair[count++] = (struct pair){key_of(e, k), (uint32_t)k};
    qsort(pair, count, sizeof *pair, compare);
    for (size_t k = 0; k < e->count; k++) {
        if (e->row[k] == e->col[k] || (e->row[k] < e->col[k]) == upper_is_rarer)
            continue;
        size_t other = find(pair, count, key_of(e, k), none);
        if (other != none) {
            size_t last = other > k ? other : k;
            worst = last < worst ? last : worst;
        }
    }
    free(pair);
    *later = worst;
    return VKS_OK;
}

static vks_status check_pairs(struct message *m, const struct text *t, const struct body *b,
                              const struct triplets *e, size_t lower, size_t upper)
{
    size_t worst;
    TRY(mirror_find_pair(m, t->name, e, lower, upper, &worst));
    if (worst == SIZE_MAX)
        return VKS_OK;
    uint32_t row = e->row[worst] + 1, col = e->col[worst] + 1;
    return fail(m, VKS_FORMAT,
                "%s:%zu: both (%" PRIu32 ",%" PRIu32 ") and (%" PRIu32 ",%" PRIu32
                ") are stored: a symmetric file may hold only one of them",
                t->name, text_line(t, body_line(b, worst)), row, col, col, row);
}

vks_status mirror_grow(struct message *m, const char *name, size_t count, struct triplets *e)
{
    size_t bytes = sizeof *e->row + sizeof *e->col + sizeof *e->val;
    TRY(memory_check(m, name, "its mirrored entries", (count - e->count) * bytes));
    uint32_t *row = realloc(e->row, count * sizeof *row);
    e->row = row ? row : e->row;
    uint32_t *col = realloc(e->col, count * sizeof *col);
    e->col = col ? col : e->col;
    double *val = realloc(e->val, count * sizeof *val);
    e->val = val ? val : e->val;
    if (!row || !col || !val)
        return memory_lacks(m, name, "its mirrored entries", count * bytes);
    return VKS_OK;
}

static void mirror_chunk(const struct chunk *c, double sign, size_t to, struct triplets *e)
{
    for (size_t k = c->first; k < c->first + c->entries; k++) {
        if (e->row[k] == e->col[k])
            continue;
        e->row[to] = e->col[k];
        e->col[to] = e->row[k];
        e->val[to++] = sign * e->val[k];
    }
}

/* State shared by the threads. Mirrored entries are placed after the stored ones. */
struct mirroring {
    const struct body *b;
    struct triplets *e;
    double sign;
    size_t stored;
};

static void mirror_chunks(const void *mirroring, struct member *me)
{
    const struct mirroring *w = mirroring;
    TEAM_FOR(me, c, (uint32_t)w->b->chunks, 2, 1)
    mirror_chunk(&w->b->chunk[c], w->sign, w->stored + w->b->chunk[c].mirrored, w->e);
}

vks_status mirror(struct message *m, const struct text *t, const struct header *h, struct body *b,
                  struct triplets *e)
{
    size_t lower = 0, upper = 0;
    for (size_t c = 0; c < b->chunks; c++) {
        b->chunk[c].mirrored = lower + upper;
        lower += b->chunk[c].lower;
        upper += b->chunk[c].upper;
    }
    size_t count = e->count + lower + upper;
    if (h->symmetry == MARKET_GENERAL || count == e->count)
        return VKS_OK;
    if (count > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%s: %zu entries with the mirrored ones are more than the limit of %u",
                    t->name, count, (unsigned)VKS_MAX_ENTRIES);
    TRY(check_pairs(m, t, b, e, lower, upper));
    TRY(mirror_grow(m, t->name, count, e));

    double sign = h->symmetry == MARKET_SKEW ? -1 : 1;
    size_t stored = e->count;
    e->count = count;
    struct team *team = team_for(team_of(m), 16 * (uint64_t)count);
    team_run(team, mirror_chunks, &(struct mirroring){b, e, sign, stored});
    team_done(team_of(m), team);
    return VKS_OK;
}
