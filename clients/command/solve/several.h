/* vksolve solve A.mtx B.mtx ... */
#ifndef VKS_COMMAND_SOLVE_SEVERAL_H
#define VKS_COMMAND_SOLVE_SEVERAL_H

#include "command/solve/settings.h"

/* Solves the matrices in turn and prints a line for each. Returns the largest exit code. */
int solve_several(const struct solve_settings *set, char **paths, int count);

#endif
