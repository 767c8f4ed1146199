/* The multigrid hierarchy of a matrix, for `vksolve info --amg`. */
#ifndef VKS_CLI_INFO_AMG_H
#define VKS_CLI_INFO_AMG_H

#include "cli/preconds.h"
#include "report/json.h"
#include "sparse/host_csr.h"

/* What is known of the nodes; zero: nothing. */
struct info_nodes {
    uint32_t block;          /* their unknowns */
    const char *coordinates; /* a file */
};

/* Makes the hierarchy on a device (NULL: the host). VKS_INVALID_ARGUMENT: the matrix is not square, or does
 * not fit the nodes; also what coordinates_read says. That it is not positive definite stands in the facts.
 */
vks_status info_amg(struct message *m, const char *device, const struct host_csr *a, struct info_nodes nodes,
                    vks_precond_facts *out);

void info_amg_print(const vks_precond_facts *x);
/* Member "amg" of the object that is open. */
void info_amg_json(const vks_precond_facts *x, struct json *j);

#endif
