/* Exit codes of subcommands. */
#ifndef VKS_COMMAND_SHARED_EXIT_CODE_H
#define VKS_COMMAND_SHARED_EXIT_CODE_H

#include "vksolve/status.h"

/* The help of each subcommand explains them. */
enum { EXIT_DONE = 0, EXIT_USAGE = 1, EXIT_NOT_CONVERGED = 2, EXIT_BREAKDOWN = 3, EXIT_DEVICE = 4 };

/* EXIT_DEVICE if memory or the device failed, EXIT_USAGE for any other failure, EXIT_DONE for VKS_OK. */
int exit_code_of(vks_status status);

/* Prints "vksolve: message" on stderr, or the text of the status if the message is empty. Returns the exit
 * code. */
int complain(vks_status status, const char *message);

#endif
