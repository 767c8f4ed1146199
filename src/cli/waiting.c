#include "cli/waiting.h"

#include <stdio.h>

bool cores_are_wanted(const char *loadavg, int threads, int cores)
{
    int running;
    return sscanf(loadavg, "%*f %*f %*f %d/", &running) != 1 || running - 1 + threads > cores;
}

#if defined(_OPENMP) && defined(__linux__)
#include <omp.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

static bool is_crowded(void)
{
    char line[128] = "";
    FILE *f = fopen("/proc/loadavg", "r");
    if (f) {
        if (!fgets(line, sizeof line, f))
            line[0] = 0;
        fclose(f);
    }
    return cores_are_wanted(line, omp_get_max_threads(), omp_get_num_procs());
}

/* GNU's library counts turns of a loop, the other one milliseconds; and threads of OpenBLAS begin by spinning
 * for a tenth of a second, in which they are not wanted, unless told for how many cycles (a power of two). */
static const char *const asleep[][2] = {{"OMP_WAIT_POLICY", "passive"}, {NULL}};
static const char *const awake[][2] = {
    {"GOMP_SPINCOUNT", "1000"}, {"KMP_BLOCKTIME", "1"}, {"OPENBLAS_THREAD_TIMEOUT", "16"}, {NULL}};

/* Sets those of a list that are not set. */
static bool set_all(const char *const (*list)[2])
{
    bool good = true;
    for (; (*list)[0]; list++)
        good = !setenv((*list)[0], (*list)[1], 0) && good;
    return good;
}

/* Between two kernels threads sleep, which costs each kernel some 30 us in a virtual machine and makes small
 * systems three times slower; or they spin. Where other programs want the same cores, the one thread that all
 * others wait for is then often the one that does not run, and a solve becomes 20 times slower. As long as it
 * takes to come from one kernel to the next is enough to spin. OpenMP reads the environment when its library
 * is loaded, before main(), so it is too late to set it here, and the program is executed anew with it. The
 * second time the variable is there, and this function returns. */
void wait_fittingly(char **argv)
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
    if (is_crowded() ? set_all(asleep) : set_all(awake))
        execv(program, argv);
}
#else
void wait_fittingly(char **argv)
{
    (void)argv;
}
#endif
