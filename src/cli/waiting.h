/* How the threads of OpenMP wait for work. */
#ifndef VKS_CLI_WAITING_H
#define VKS_CLI_WAITING_H

/* Starts the program anew with OMP_WAIT_POLICY=passive, once, unless the environment says how to wait.
 * Returns where that is not needed or not possible. */
void wait_passively(char **argv);

#endif
