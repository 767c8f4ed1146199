/* The other triangle of a symmetric or skew-symmetric matrix. */
#ifndef VKS_MARKET_MIRROR_H
#define VKS_MARKET_MIRROR_H

#include "market/body.h"

/* Appends the mirrored off-diagonal entries; a general matrix is left as it is. Where an entry and its mirror
 * are both stored, the later line of the first such pair is refused. */
vks_status mirror(struct message *m, const struct text *t, const struct header *h, struct body *b,
                  struct triplets *e);

/* Among off-diagonal entries, `lower` below and `upper` above the diagonal, the first that is stored behind
 * its mirror; SIZE_MAX: there is none. */
vks_status mirror_find_pair(struct message *m, const char *name, const struct triplets *e, size_t lower,
                            size_t upper, size_t *later);

/* Makes room for `count` entries in all. */
vks_status mirror_grow(struct message *m, const char *name, size_t count, struct triplets *e);

#endif
