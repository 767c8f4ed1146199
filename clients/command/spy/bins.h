/* Entries of a matrix, counted in the cells of a picture. */
#ifndef VKS_COMMAND_SPY_BINS_H
#define VKS_COMMAND_SPY_BINS_H

#include "command/plot/plot.h"
#include "entries/host_csr.h"

enum { SPY_LEAST_SIDE = 40 };

/* Fills in d but for its texts; free(d->count). The matrix has rows and columns. The longer side gets about
 * `pixels` pixels, the other as many as make rows and columns equally wide, but SPY_LEAST_SIDE at least. A
 * cell is a row or column where there is room for each, and else takes several; it is a pixel wide, or three
 * where there are so few entries that single pixels would be overlooked. No memory is taken in proportion to
 * rows or columns. */
vks_status spy_count(struct message *m, const struct triplets *t, uint32_t pixels, struct plot_density *d);

#endif
