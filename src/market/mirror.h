/* Completes a symmetric or skew-symmetric matrix by mirroring the stored entries. */
#ifndef VKS_MARKET_MIRROR_H
#define VKS_MARKET_MIRROR_H

#include "market/body.h"

/* Appends the mirrored off-diagonal entries; a general matrix is unchanged. If an entry and its mirror image
 * are both stored, the later line of the first such pair is refused. */
vks_status mirror(struct message *m, const struct text *t, const struct header *h, struct body *b,
                  struct triplets *e);

/* Among off-diagonal entries, `lower` below and `upper` above the diagonal, finds the first that is stored
 * after its mirror image; SIZE_MAX if there is none. */
vks_status mirror_find_pair(struct message *m, const char *name, const struct triplets *e, size_t lower,
                            size_t upper, size_t *later);

/* Enlarges the arrays to `count` entries in total. */
vks_status mirror_grow(struct message *m, const char *name, size_t count, struct triplets *e);

#endif
