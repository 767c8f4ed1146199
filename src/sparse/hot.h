/* Hot columns have so many entries that storing their elements of x side by side in cache is faster. A random
 * read moves 32 bytes for 4 or 8 useful ones. If half of all entries lie in a few thousand columns, as in
 * network matrices, most of these reads then hit the nearest cache. */
#ifndef VKS_SPARSE_HOT_H
#define VKS_SPARSE_HOT_H

#include "primitive/pack_verbs.h"
#include "sparse/matrix.h"

struct hot_columns {
    uint32_t count;     /* 0: none */
    struct memory list; /* the columns */
    struct memory name; /* of every column: its number, or if hot, cols plus its place in the list */
    struct memory x;    /* the elements of x at hot columns */
};

/* Finds the hot columns of A. There are none on the host, whose caches are large, and none if x is not many
 * times longer or they have too few entries. *out must be destroyed even after a failure. */
vks_status hot_columns_find(const vks_matrix *A, struct hot_columns *out);
void hot_columns_destroy(struct device *d, struct hot_columns *w); /* a zeroed struct is fine */

/* count[c] += the sampled entries in column c; the sample is every `step`-th entry, `sampled` in all */
static inline void count_columns(struct rec *r, u32s col, u32s count, uint32_t sampled, uint32_t step)
{
    run(r, count_columns, groups_each(sampled), .col = col, .count = count, .sampled = sampled, .step = step);
    bill(r, 12 * (uint64_t)sampled);
}

/* Computes w->name from w->list. */
static inline void hot_names(struct rec *r, const struct hot_columns *w, uint32_t cols)
{
    iota_words(r, words_of(&w->name), cols);
    run(r, hot_names, groups_each(w->count), .list = words_of(&w->list), .name = words_of(&w->name),
        .count = w->count, .cols = cols);
    bill(r, 8 * (uint64_t)w->count);
}

/* Gathers x at the hot columns. */
static inline void hot_gather(struct rec *r, const struct hot_columns *w, struct vec x)
{
    gather_reals(r, vec_reals(x), words_of(&w->list), (reals)(uintptr_t)w->x.address, w->count);
}

#endif
