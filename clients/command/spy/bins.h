/* Entries of a matrix, counted in the cells of a picture. */
#ifndef VKS_COMMAND_SPY_BINS_H
#define VKS_COMMAND_SPY_BINS_H

#include "command/plot/plot.h"
#include "entries/host_csr.h"

enum { SPY_LEAST_SIDE = 40 };

/* Fills in all of d except its texts; the caller frees d->count. The matrix is not empty. The longer side
 * gets about `pixels` pixels, and the other enough to make rows and columns equally wide, at least
 * SPY_LEAST_SIDE. A cell is one row or column if there is room for each, else several. It is one pixel wide,
 * or three if few entries would make single pixels hard to see. Memory does not grow with rows or columns. */
vks_status spy_count(struct message *m, const struct triplets *t, uint32_t pixels, struct plot_density *d);

#endif
