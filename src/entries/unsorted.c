/* Sorts rows in any order. The key of an entry has its column in the upper half, its number in the lower. */
#include "entries/unsorted.h"
#include "entries/check.h"
#include "entries/keys.h"
#include "scalar/scalar.h"
#include "team/team.h"

#include <stdlib.h>

/* Loops over at least this many entries are shared, in pieces of at least PIECE. */
enum { MANY_ENTRIES = 4096, PIECE = 1024 };

struct sorting {
    const struct host_csr *a;
    uint64_t *key, *scratch; /* scratch: NULL if no row needs it */
    struct unsorted *u;
};

static void sort_rows(const void *sorting, struct member *me)
{
    const struct sorting *s = sorting;
    const struct host_csr *a = s->a;
    TEAM_FOR(me, r, a->rows, MANY_ENTRIES, 64)
    {
        uint32_t begin = a->row[r], end = a->row[r + 1];
        for (uint32_t k = begin; k < end; k++)
            s->key[k] = (uint64_t)a->col[k] << 32 | k;
        keys_sort(s->key + begin, end - begin, s->scratch ? s->scratch + begin : NULL);
        for (uint32_t k = begin; k < end; k++) {
            s->u->col[k] = (uint32_t)(s->key[k] >> 32);
            s->u->order[k] = (uint32_t)s->key[k];
        }
    }
}

static vks_status sort(struct message *m, const struct host_csr *a, struct unsorted *u)
{
    size_t n = host_csr_entries(a);
    bool needs_scratch = keys_need_scratch(a->row, a->rows);
    struct sorting s = {a, malloc(n * sizeof *s.key + 1), NULL, u};
    if (needs_scratch)
        s.scratch = malloc(n * sizeof *s.scratch + 1);
    u->col = malloc(n * sizeof *u->col + 1);
    u->order = malloc(n * sizeof *u->order + 1);
    vks_status status = s.key && u->col && u->order && (s.scratch || !needs_scratch)
                            ? VKS_OK
                            : fail_memory(m, "the rows in order", (needs_scratch ? 24 : 16) * n);
    if (!status) {
        struct team *team = team_for(team_of(m), 16 * (uint64_t)n);
        team_run(team, sort_rows, &s);
        team_done(team_of(m), team);
    }
    free(s.key);
    free(s.scratch);
    return status;
}

vks_status unsorted_sort(struct message *m, const struct host_csr *a, struct unsorted *u)
{
    *u = (struct unsorted){0};
    TRY(csr_offsets_check(m, a->rows, a->cols, a->row, a->col));
    if (csr_first_unsorted(m, a->rows, a->cols, a->row, a->col) == a->rows)
        return VKS_OK;
    TRY(sort(m, a, u));
    return csr_arrays_check(m, a->rows, a->cols, a->row, u->col);
}

struct move {
    const uint32_t *order;
    uint32_t n;
    const void *from;
    void *to;
};

/* One loop for each type: move_f32 ... */
#define X(NAME, name, type, element, real, stored, limits, rtol) \
    static void move_##name(const void *move, struct member *me) \
    {                                                            \
        const struct move *v = move;                             \
        const type *from = v->from;                              \
        type *to = v->to;                                        \
        TEAM_FOR(me, k, v->n, MANY_ENTRIES, PIECE)               \
        to[k] = from[v->order[k]];                               \
    }
SCALAR_TYPES(X)
#undef X

vks_status unsorted_values(struct message *m, const uint32_t *order, uint32_t n, vks_precision of_values,
                           const void *val, void **sorted)
{
    static void (*const moves[])(const void *, struct member *) = {
#define X(NAME, name, type, element, real, stored, limits, rtol) [PRECISION_##NAME] = move_##name,
        SCALAR_TYPES(X)
#undef X
    };
    enum precision p = scalar_chosen(of_values);
    size_t bytes = (size_t)n * real_bytes(p);
    *sorted = malloc(bytes);
    if (!*sorted)
        return fail_memory(m, "the values in order", bytes);
    struct team *team = team_for(team_of(m), 2 * (uint64_t)bytes);
    team_run(team, moves[p], &(struct move){order, n, val, *sorted});
    team_done(team_of(m), team);
    return VKS_OK;
}
