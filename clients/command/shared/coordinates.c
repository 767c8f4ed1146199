#include "command/shared/coordinates.h"
#include "files/files.h"
#include "market/market.h"

#include <inttypes.h>
#include <stdlib.h>

/* *to = the transpose of a matrix of rows x cols values by columns; the caller frees it. */
static vks_status transpose(struct message *m, const double *from, uint32_t rows, uint32_t cols, double **to)
{
    uint64_t bytes = ((uint64_t)rows * cols + 1) * sizeof *from;
    *to = malloc(bytes);
    if (!*to)
        return fail_memory(m, "the coordinates of nodes", bytes);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < cols; k++)
            (*to)[i * cols + k] = from[k * rows + i];
    return VKS_OK;
}

static vks_status check_shape(struct message *m, const char *path, uint32_t nodes, uint32_t dim,
                              uint32_t rows)
{
    if (dim != 2 && dim != 3)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: the coordinates are %" PRIu32 " x %" PRIu32 "; nodes have 2 or 3 each, in columns",
                    path, nodes, dim);
    if ((uint64_t)nodes * dim != rows)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: %" PRIu32 " nodes with %" PRIu32
                    " coordinates have %llu unknowns; the matrix has %" PRIu32 " rows",
                    path, nodes, dim, (unsigned long long)nodes * dim, rows);
    return VKS_OK;
}

uint32_t coordinates_flat(const struct coordinates *c)
{
    uint32_t flat = 0;
    for (uint32_t axis = 0; axis < c->dim; axis++) {
        uint32_t i = 1;
        while (i < c->nodes && c->value[(uint64_t)i * c->dim + axis] == c->value[axis])
            i++;
        flat += i >= c->nodes;
    }
    return flat;
}

/* Coordinates with all nodes at one place add nothing to the number of unknowns. */
static vks_status check_places(struct message *m, const char *path, const struct coordinates *c)
{
    if (c->nodes <= 1 || coordinates_flat(c) < c->dim)
        return VKS_OK;
    return fail(m, VKS_INVALID_ARGUMENT,
                "%s: all %" PRIu32 " nodes are at one place; what amg(block=%" PRIu32
                ") does needs no coordinates",
                path, c->nodes, c->dim);
}

vks_status coordinates_read(struct message *m, const char *path, uint32_t rows, struct coordinates *out)
{
    uint32_t nodes, dim;
    double *by_columns;
    *out = (struct coordinates){0};
    vks_status s = files_read_dense(m, path, &nodes, &dim, &by_columns);
    IF_OK(s, check_shape(m, path, nodes, dim, rows));
    IF_OK(s, transpose(m, by_columns, nodes, dim, &out->value));
    free(by_columns);
    if (!s) {
        out->nodes = nodes;
        out->dim = dim;
        s = check_places(m, path, out);
    }
    if (s)
        coordinates_free(out);
    return s;
}

vks_status coordinates_write(struct message *m, const char *path, const struct coordinates *c)
{
    double *by_columns = NULL;
    vks_status s = transpose(m, c->value, c->dim, c->nodes, &by_columns);
    IF_OK(s, market_write_dense(m, path, c->nodes, c->dim, by_columns));
    free(by_columns);
    return s;
}

void coordinates_free(struct coordinates *c)
{
    free(c->value);
    *c = (struct coordinates){0};
}
