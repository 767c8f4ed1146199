/* The subcommands. */
#ifndef VKS_COMMAND_COMMAND_H
#define VKS_COMMAND_COMMAND_H

/* X(name, text): <name>_command in clients/command/<name>.c implements each; its parts are in the folder
 * <name>/ */
#define SUBCOMMANDS(X)                                                         \
    X(solve, "solve A x = b, A from a file")                                   \
    X(invert, "invert A, a small matrix, dense or sparse")                     \
    X(info, "describe a matrix file")                                          \
    X(check, "find what makes solvers fail, by row and column")                \
    X(spy, "draw the pattern of a matrix")                                     \
    X(spmv, "measure products with a matrix in each format")                   \
    X(devices, "list the devices, and the default one")                        \
    X(selftest, "test whether a device computes the same bits as every other") \
    X(generate, "write a model problem as a matrix file")                      \
    X(sort, "sort the numbers of a text file on a device")

/* argv[0] is the name of the subcommand. Returns the exit code. */
#define COMMAND_FUNCTION_(name, text) int name##_command(int argc, char **argv);
SUBCOMMANDS(COMMAND_FUNCTION_)
#undef COMMAND_FUNCTION_

#endif
