/* The subcommands, and how they end. */
#ifndef VKS_COMMAND_COMMAND_H
#define VKS_COMMAND_COMMAND_H

#include "vksolve/status.h"

/* X(name, text): each is clients/command/<name>.c with the function <name>_command */
#define SUBCOMMANDS(X)                                                         \
    X(solve, "solve A x = b, A from a Matrix Market file")                     \
    X(invert, "invert A, a small dense matrix or a sparse one taken as such")  \
    X(info, "describe a matrix file")                                          \
    X(check, "find what makes solvers fail, by row and column")                \
    X(spy, "draw the pattern of a matrix")                                     \
    X(spmv, "measure products with a matrix in each format")                   \
    X(devices, "list the devices, and which one is taken")                     \
    X(selftest, "test whether a device computes the same bits as every other") \
    X(generate, "write a model problem as a matrix file")                      \
    X(sort, "sort the numbers of a text file on a device")

/* Exit codes. A subcommand says in its help what they mean to it. */
enum { EXIT_DONE = 0, EXIT_USAGE = 1, EXIT_NOT_CONVERGED = 2, EXIT_BREAKDOWN = 3, EXIT_DEVICE = 4 };

/* argv[0] is the name of the subcommand; returns the exit code. */
#define COMMAND_FUNCTION_(name, text) int name##_command(int argc, char **argv);
SUBCOMMANDS(COMMAND_FUNCTION_)
#undef COMMAND_FUNCTION_

/* EXIT_DEVICE where memory or the device failed, EXIT_USAGE for any other failure, EXIT_DONE for VKS_OK. */
int exit_code_of(vks_status status);

/* Prints "vksolve: message" on stderr, the text of the status where the message is empty, and returns the
 * exit code. */
int complain(vks_status status, const char *message);

#endif
