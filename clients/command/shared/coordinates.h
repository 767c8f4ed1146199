/* Files of node coordinates, for problems with several unknowns at each node: a Matrix Market file with a row
 * for each node, in the order of their unknowns, and a column for each axis. */
#ifndef VKS_COMMAND_SHARED_COORDINATES_H
#define VKS_COMMAND_SHARED_COORDINATES_H

#include "report/message.h"

#include <stdint.h>

struct coordinates {
    uint32_t nodes, dim;
    double *value; /* `dim` for each node, node after node */
};

/* Reads the coordinates of the nodes, `dim` (2 or 3) each, of a matrix of `rows` rows; release them with
 * coordinates_free. VKS_INVALID_ARGUMENT: the file has another shape, or all nodes are at one place.
 * VKS_FORMAT: not such a file, or numbers that are not finite. Also the failures of market_read_dense. On
 * failure *out is empty. */
vks_status coordinates_read(struct message *m, const char *path, uint32_t rows, struct coordinates *out);

/* The number of columns whose rows all hold the same number. */
uint32_t coordinates_flat(const struct coordinates *c);

/* Writes the coordinates, as market_write_dense does. */
vks_status coordinates_write(struct message *m, const char *path, const struct coordinates *c);

/* Accepts a zeroed struct, and zeroes *c. */
void coordinates_free(struct coordinates *c);

#endif
