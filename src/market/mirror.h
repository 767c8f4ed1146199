/* The other triangle of a symmetric or skew-symmetric matrix. */
#ifndef VKS_MARKET_MIRROR_H
#define VKS_MARKET_MIRROR_H

#include "market/body.h"

/* Appends the mirrored off-diagonal entries; a general matrix is left as it is. Where an entry and its mirror
 * are both stored, the later line of the first such pair is refused. */
vks_status mirror(struct message *m, const struct text *t, const struct header *h, struct body *b,
                  struct triplets *e);

#endif
