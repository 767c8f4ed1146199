/* The levels of multigrid as text, for `vksolve spy --levels`. */
#ifndef VKS_COMMAND_SPY_LEVELS_H
#define VKS_COMMAND_SPY_LEVELS_H

#include "command/shared/amg.h"
#include "entries/host_csr.h"

/* Prints the size and the pattern of each level, and the memory of all. VKS_UNSUPPORTED: the named matrix has
 * no levels. Also the failures of amg_make. */
vks_status spy_levels(struct message *m, const char *device, const char *name, const struct triplets *t,
                      struct amg_nodes nodes);

/* The character for a cell with `count` entries, if the fullest cell has `most`. */
char spy_shade(uint32_t count, uint32_t most);

#endif
