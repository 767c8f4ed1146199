#include "sparse/kinds.h"
#include "primitive/verbs.h"

static uint32_t slots_for(uint32_t limit)
{
    uint32_t slots = KIND_SLOTS_LEAST;
    while (slots < KIND_SLOTS_EACH * limit)
        slots *= 2;
    return slots;
}

vks_status kinds_create(struct device *d, uint32_t limit, struct kinds *k)
{
    uint32_t slots = slots_for(limit);
    *k = (struct kinds){.mask = slots - 1, .limit = limit};
    vks_status s = device_allocate(d, MEMORY_DEVICE, 8 * (uint64_t)slots + kind_table_bytes(limit),
                                   "kinds of entries", &k->all);
    k->slots = words_of(&k->all);
    k->table = kind_table_in(&k->all, 2 * (uint64_t)slots, limit);
    return s;
}

void kinds_release(struct device *d, struct kinds *k)
{
    device_release(d, &k->all);
}

void kinds_search(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p, u32s count)
{
    fill_words(r, k->slots, 0, 0, 2 * (k->mask + 1), 1);
    fill_words(r, count, 0, 0, 1, 1);
    find_kinds(r, k, A, p, count);
}
