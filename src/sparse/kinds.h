/* The kinds of the entries of a matrix: a kind is a column offset from the row's diagonal and a value. If
 * there are few kinds, as on grids, SELL stores a byte or two for each entry (sparse/coded.h). */
#ifndef VKS_SPARSE_KINDS_H
#define VKS_SPARSE_KINDS_H

#include "shaders/sparse/kinds.h"
#include "sparse/csr.h"

/* The most kinds of entries that A may have. Reading the data of a kind takes 64 bytes of sectors, so more
 * than one kind per eight entries cannot pay off; a small matrix may have any number. */
static inline uint32_t kinds_limit(const struct csr *A)
{
    uint32_t most = A->entries / 8 > 1024 ? A->entries / 8 : 1024;
    most = most < A->entries ? most : A->entries;
    return most < KINDS_MOST ? most : KINDS_MOST;
}

/* A table of the values, then of the column offsets, of code 0 and each kind. A value has room for a double
 * in any precision. */
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

/* The result of the search: the slots, and a table. */
struct kinds {
    struct memory all;
    u32s slots;
    struct kind_table table;
    uint32_t mask, limit; /* mask: number of slots - 1; limit: the most kinds */
};

/* Allocates *k for up to `limit` kinds. It must be released even after a failure. */
vks_status kinds_create(struct device *d, uint32_t limit, struct kinds *k);
void kinds_release(struct device *d, struct kinds *k); /* a zeroed struct is fine */

/* Words of a value. */
static inline uint32_t kind_words(enum precision p)
{
    return value_bytes(p) / 4;
}

/* Workgroups for find_kinds: limited, because with more invocations each would remember fewer kinds. */
static inline uint64_t groups_finding(uint32_t n)
{
    uint64_t groups = groups_each(n);
    return groups < 4096 ? groups : 4096;
}

/* Finds the kinds of A, whose values have precision p; count += their number, or more than the limit if there
 * are more. The slots are initially 0. The recording may have any precision. */
static inline void find_kinds(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p,
                              u32s count)
{
    run(r, find_kinds, groups_finding(A->n), .row = A->row, .col = A->col, .val = (u32s)A->val,
        .slots = k->slots, .apart = k->table.apart, .value = k->table.value, .count = count, .n = A->n,
        .mask = k->mask, .limit = k->limit, .words = kind_words(p));
    bill(r, (uint64_t)A->entries * (value_bytes(p) + 4) + 4 * (uint64_t)A->n);
}

/* The number of kinds once *count has been read; 0: too many. */
static inline uint32_t kinds_reported(const struct kinds *k, uint32_t count)
{
    return count <= k->limit ? count : 0;
}

/* find_kinds with the slots and *count cleared first. */
void kinds_search(struct rec *r, const struct kinds *k, const struct csr *A, enum precision p, u32s count);

#endif
