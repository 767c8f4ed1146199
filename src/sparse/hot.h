/* Hot columns: those that so many entries meet that it pays to have their x side by side, where caches hold
 * it. A random read moves 32 bytes for the 4 or 8 that are wanted; where half of all meet some thousand
 * columns, as in matrices of networks, most of these come from the nearest cache then. */
#ifndef VKS_SPARSE_HOT_H
#define VKS_SPARSE_HOT_H

#include "primitive/pack_verbs.h"
#include "sparse/matrix.h"

struct hot_columns {
    uint32_t count;     /* 0: there are none */
    struct memory list; /* the columns */
    struct memory name; /* of every column: its number, or if it is hot its place in the list, behind all */
    struct memory x;    /* room for what x has there */
};

/* Finds the hot columns of A. None on the host, whose caches are large, and none where they would be too few
 * of x, or met too seldom. After a failure, too, to be destroyed. */
vks_status hot_columns_find(const vks_matrix *A, struct hot_columns *out);
void hot_columns_destroy(struct device *d, struct hot_columns *w); /* a zeroed struct is fine */

/* count[col[i]] grows by one for each i of every `step`-th of `looked` entries */
static inline void count_columns(struct rec *r, u32s col, u32s count, uint32_t looked, uint32_t step)
{
    run(r, count_columns, groups_each(looked), .col = col, .count = count, .looked = looked, .step = step);
    bill(r, 12 * (uint64_t)looked);
}

/* w->name, from w->list */
static inline void hot_names(struct rec *r, const struct hot_columns *w, uint32_t cols)
{
    iota_words(r, words_of(&w->name), cols);
    run(r, hot_names, groups_each(w->count), .list = words_of(&w->list), .name = words_of(&w->name),
        .count = w->count, .cols = cols);
    bill(r, 8 * (uint64_t)w->count);
}

/* Takes over x for the hot columns. */
static inline void hot_gather(struct rec *r, const struct hot_columns *w, reals x)
{
    gather_reals(r, x, words_of(&w->list), (reals)(uintptr_t)w->x.address, w->count);
}

#endif
