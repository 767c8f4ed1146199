/* The kinds of the entries of a matrix: what an entry lies above its row's diagonal, and its value. Where there are few,
 * as in what comes from grids, SELL stores a byte or two for each entry (sparse/coded.h). */
#ifndef VKS_SPARSE_KINDS_H
#define VKS_SPARSE_KINDS_H

#include "../../shaders/sparse/kinds.h"
#include "sparse/csr.h"

/* Where there are too many, or nobody has looked. */
#define KINDS_UNKNOWN UINT32_MAX

/* What finds them leaves. The values have room for doubles, whatever they are. */
struct kinds {
    struct memory slots, apart, value;
    uint32_t mask, limit; /* slots less one; how many kinds there may be */
};

/* How many kinds of entries of A there may be. */
static inline uint32_t kinds_limit(const struct csr *A)
{
    return A->entries < KINDS_MOST ? A->entries : KINDS_MOST;
}

/* For as many as A may have. To be released, after a failure too. */
vks_status kinds_create(struct device *d, const struct csr *A, struct kinds *k);
void kinds_release(struct device *d, struct kinds *k); /* a zeroed struct is fine */

/* Words of a value. */
static inline uint32_t kind_words(enum precision p)
{
    return value_bytes(p) / 4;
}

/* More invocations would each have less to remember. */
static inline uint64_t groups_finding(uint32_t n)
{
    uint64_t groups = groups_each(n);
    return groups < 4096 ? groups : 4096;
}

/* The kinds of A, whose values have the precision p; count += how many, or more than the limit, if there are
 * more. The slots are 0 before. The recording is of any precision. */
static inline void find_kinds(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p,
                              u32s count)
{
    run(r, find_kinds, groups_finding(A->n), .row = A->row, .col = A->col, .val = (u32s)A->val,
        .slots = words_of(&k->slots), .apart = words_of(&k->apart), .value = words_of(&k->value),
        .count = count, .n = A->n, .mask = k->mask, .limit = k->limit, .words = kind_words(p));
    bill(r, (uint64_t)A->entries * (value_bytes(p) + 4) + 4 * (uint64_t)A->n);
}

/* The same, with the slots cleared before, and *count too. */
void kinds_look(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p, u32s count);

#endif
