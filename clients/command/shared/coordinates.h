/* Files of the coordinates of nodes, for problems with some unknowns at each node: a Matrix Market file with
 * a row for each node, in the order of their unknowns, and a column for each axis. */
#ifndef VKS_COMMAND_SHARED_COORDINATES_H
#define VKS_COMMAND_SHARED_COORDINATES_H

#include "report/message.h"

#include <stdint.h>

struct coordinates {
    uint32_t nodes, dim;
    double *value; /* `dim` of each node, one node after the other */
};

/* Reads the coordinates of the nodes of a matrix of `rows` rows, which are `dim`, 2 or 3, for each node;
 * coordinates_free them. VKS_INVALID_ARGUMENT: the file has another shape, or all of its nodes are at one
 * place. VKS_FORMAT: it is no such file, or has numbers that are not finite; and what else market_read_dense
 * says. On failure *out is empty. */
vks_status coordinates_read(struct message *m, const char *path, uint32_t rows, struct coordinates *out);

/* How many columns have the same number in all rows. */
uint32_t coordinates_flat(const struct coordinates *c);

/* Writes them, as market_write_dense does. */
vks_status coordinates_write(struct message *m, const char *path, const struct coordinates *c);

/* Takes a zeroed struct, and leaves one. */
void coordinates_free(struct coordinates *c);

#endif
