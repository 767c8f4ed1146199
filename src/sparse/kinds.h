/* The kinds of the entries of a matrix: what an entry lies above its row's diagonal, and its value. Where
 * there are few, as in what comes from grids, SELL stores a byte or two for each entry (sparse/coded.h). */
#ifndef VKS_SPARSE_KINDS_H
#define VKS_SPARSE_KINDS_H

#include "shaders/sparse/kinds.h"
#include "sparse/csr.h"

/* How many kinds of entries of A there may be. What is told of a kind is read by sectors of 64 bytes in all:
 * more than one for eight entries cannot pay; but few entries may be of any. */
static inline uint32_t kinds_limit(const struct csr *A)
{
    uint32_t most = A->entries / 8 > 1024 ? A->entries / 8 : 1024;
    most = most < A->entries ? most : A->entries;
    return most < KINDS_MOST ? most : KINDS_MOST;
}

/* A table: of each kind, and of code 0, the value, with room for a double whatever it is, and behind them
 * what it lies above its row. */
struct kind_table {
    u32s value, apart;
};

static inline uint64_t kind_table_bytes(uint32_t kinds)
{
    return 12 * ((uint64_t)kinds + 1);
}

static inline struct kind_table kind_table_in(const struct memory *m, uint64_t first, uint32_t kinds)
{
    return (struct kind_table){words_in(m, first), words_in(m, first + 2 * ((uint64_t)kinds + 1))};
}

/* What finds them leaves: the slots, and a table. */
struct kinds {
    struct memory all;
    u32s slots;
    struct kind_table table;
    uint32_t mask, limit; /* slots less one; how many kinds there may be */
};

/* For up to `limit` of them. To be released, after a failure too. */
vks_status kinds_create(struct device *d, uint32_t limit, struct kinds *k);
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
        .slots = k->slots, .apart = k->table.apart, .value = k->table.value, .count = count, .n = A->n,
        .mask = k->mask, .limit = k->limit, .words = kind_words(p));
    bill(r, (uint64_t)A->entries * (value_bytes(p) + 4) + 4 * (uint64_t)A->n);
}

/* How many there are when *count has been read; 0: too many. */
static inline uint32_t kinds_told(const struct kinds *k, uint32_t count)
{
    return count <= k->limit ? count : 0;
}

/* The same, with the slots cleared before, and *count too. */
void kinds_look(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p, u32s count);

#endif
