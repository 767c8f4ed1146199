#include "cli/waiting.h"

#if defined(_OPENMP) && defined(__linux__)
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Between two kernels the threads of OpenMP spin. Where other programs want the same cores, the one thread
 * that all others wait for is then often the one that does not run: a solve becomes 20 times slower. OpenMP
 * reads the environment when its library is loaded, before main(), so it is too late to set it here, and the
 * program is executed anew with it. The second time the variable is there, and this function returns. */
void wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME") || !argv[0])
        return;
    if (!getauxval(AT_BASE)) /* run by hand through ld.so, which is then what /proc/self/exe is */
        return;
    char program[4096]; /* not the link itself: ps would call the process "exe" */
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = 0;
    if (!setenv("OMP_WAIT_POLICY", "passive", 1))
        execv(program, argv);
}
#else
void wait_passively(char **argv)
{
    (void)argv;
}
#endif
