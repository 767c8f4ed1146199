/* The multigrid hierarchy of a matrix, for `vksolve info --amg` and `vksolve spy --levels`. */
#ifndef VKS_COMMAND_SHARED_AMG_H
#define VKS_COMMAND_SHARED_AMG_H

#include "command/shared/options.h"
#include "command/shared/preconds.h"
#include "entries/host_csr.h"
#include "report/json.h"

/* The nodes of A; zero if unknown. */
struct amg_nodes {
    uint32_t block;          /* unknowns per node */
    const char *coordinates; /* the name of a file */
};

/* The node options, for settings with the member `nodes`; `with` is the option that asks for levels. */
#define NODE_OPTIONS(type, with)                                                                          \
    {0, "block", "N", "for " with ", unknowns of a node, 1 to 8 (default: 1, or those of --coordinates)", \
     COUNT(type, nodes.block, 1, VKS_LARGEST_NODE, "from 1 to 8")},                                       \
    {                                                                                                     \
        0, "coordinates", "FILE",                                                                         \
            "for " with ", of the nodes: a Matrix Market file with a row for each node, in the\norder "   \
            "of their unknowns, and 2 or 3 columns",                                                      \
            TEXT(type, nodes.coordinates)                                                                 \
    }

/* Called with the facts of the hierarchy while it exists. */
typedef vks_status hierarchy_seen(struct message *m, const vks_precond *M, const vks_precond_facts *x);

/* Makes the hierarchy on a device (NULL: the host), in f32 if `in_f32`; seen may be NULL.
 * VKS_INVALID_ARGUMENT: the matrix is not square or does not fit the nodes; also the failures of
 * coordinates_read. The facts report a matrix that is not positive definite. */
vks_status amg_make(struct message *m, const char *device, const struct host_csr *a, struct amg_nodes nodes,
                    bool in_f32, hierarchy_seen *seen, vks_precond_facts *out);

void amg_print(const vks_precond_facts *x);
/* Writes the member "amg" of the open object. */
void amg_to_json(const vks_precond_facts *x, struct json *j);

#endif
