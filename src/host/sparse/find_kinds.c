#include "host/sparse/kinds.h"
#include "host/sparse/slices.h"

enum { REMEMBERED = 2048 };

static void publish_kind(const struct find_kinds_args *a, uint32_t code, struct kind k)
{
    a->apart[code] = k.apart;
    a->value[a->words * code] = k.low;
    if (a->words == 2)
        a->value[2 * code + 1] = k.high;
}

/* Registers a kind in its newly claimed slot. */
static bool publish_slot(const struct find_kinds_args *a, uint32_t at, struct kind k)
{
    uint32_t code = __atomic_add_fetch(a->count, 1, __ATOMIC_RELAXED);
    a->slots[2 * at + 1] = code;
    if (code <= a->limit)
        publish_kind(a, code, k);
    return code <= a->limit;
}

static void too_many(const struct find_kinds_args *a)
{
    take_most(a->count, a->limit + 1);
}

/* Enters the kind unless it already has a slot. False: there are too many kinds. */
static bool enter(const struct find_kinds_args *a, struct kind k, uint32_t mark)
{
    uint32_t at = home_of(k) & a->mask;
    for (uint32_t probe = 0; probe < KIND_PROBES; probe++, at = (at + 1) & a->mask) {
        uint32_t there = __atomic_load_n(&a->slots[2 * at], __ATOMIC_RELAXED);
        if (there == 0) {
            if (__atomic_load_n(a->count, __ATOMIC_RELAXED) > a->limit)
                return false;
            if (__atomic_compare_exchange_n(&a->slots[2 * at], &there, mark, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
                return publish_slot(a, at, k);
        }
        if (there == mark)
            return true;
    }
    too_many(a);
    return false;
}

/* Enters all kinds of row i. False: there are too many. */
static bool take_row(const struct find_kinds_args *a, uint32_t i, uint32_t *remembered)
{
    uint32_t begin = a->row[i], end = begin + stored_length(a->row, i);
    for (uint32_t at = begin; at < end; at++) {
        struct kind k = kind_of(a->col, a->val, a->words, at, i);
        uint32_t mark = mark_of(k);
        if (remembered[mark % REMEMBERED] == mark)
            continue;
        if (!enter(a, k, mark))
            return false;
        remembered[mark % REMEMBERED] = mark;
    }
    return true;
}

KERNEL(find_kinds)
{
    uint32_t remembered[REMEMBERED] = {0};
    bool few = true;
    if (LEADS)
        publish_kind(a, 0, (struct kind){0, 0, 0});
    PARALLEL_FOR (i, a->n)
        few = few && take_row(a, i, remembered);
}
