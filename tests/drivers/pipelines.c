/* Makes every pipeline of the library on a device that only compiles, with representative constants, and
 * prints a line for each: kernel, precision, constants, "made", spills, scratch, waves, registers,
 * milliseconds. If a pipeline is not made, the reason replaces the numbers. The first lines begin with "# "
 * and name the device and its driver.
 *
 *   driver_pipelines [SECONDS OF A PIPELINE]
 *
 * A child process makes the pipelines, kernel by kernel. After a crash, a new child continues with the next
 * kernel. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, setitimer */

#include "pipelines.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COULD_NOT_OPEN = 99, SECONDS = 60 };

static struct compiler *compiler;
static unsigned seconds = SECONDS;

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Ends the process by SIGPROF after `s` seconds of processor time; 0: never. */
static void end_after(unsigned s)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = (time_t)s}, NULL);
}

/* Prints the beginning of a line before its pipeline is made, so that a crash follows the name. */
static void make(enum kernel_id kernel, enum precision precision, const uint32_t *constants)
{
    static const char *const names[] = {"f32", "f64", "mixed"};
    const struct kernel *k = &kernels[kernel];
    printf("%s\t%s\t", k->name, names[precision]);
    for (uint32_t i = 0; i < k->constants; i++)
        printf("%s%s %u", i ? ", " : "", k->constant[i], constants[i]);
    printf("\t");
    fflush(stdout);
    char *args = calloc(1, k->args_bytes + sizeof(uint32_t) * MAX_CONSTANTS);
    if (!args)
        exit(1);
    memcpy(args + k->push_bytes, constants, sizeof *constants * k->constants);
    double begun = milliseconds();
    VkPipeline p;
    compiler->message.text[0] = 0;
    end_after(seconds);
    vks_status s = vulkan_pipeline(vulkan_of(compiler->device), kernel, precision, args, &p);
    end_after(0);
    const struct statistics *found = &compiler->statistics;
    if (!s)
        printf("made\t%llu\t%llu\t%llu\t%llu\t%.0f\n", (unsigned long long)found->spills,
               (unsigned long long)found->scratch, (unsigned long long)found->waves,
               (unsigned long long)found->registers, milliseconds() - begun);
    else if (compiler->lacking)
        printf("lacks\t%s\n", compiler->lacking);
    else
        printf("failed\t%s\n", compiler->message.text);
    free(args);
}

/* Uses the usual values of all constants, then each other value with the usual ones for the rest. */
static void make_each(enum kernel_id kernel, enum precision precision)
{
    const struct kernel *k = &kernels[kernel];
    uint32_t usual[MAX_CONSTANTS] = {0}, count[MAX_CONSTANTS];
    const uint32_t *values[MAX_CONSTANTS];
    for (uint32_t i = 0; i < k->constants; i++) {
        count[i] = constant_values(k, i, &values[i]);
        usual[i] = values[i][0];
    }
    make(kernel, precision, usual);
    for (uint32_t i = 0; i < k->constants; i++)
        for (uint32_t j = 1; j < count[i]; j++) {
            uint32_t other[MAX_CONSTANTS];
            memcpy(other, usual, sizeof other);
            other[i] = values[i][j];
            make(kernel, precision, other);
        }
}

static bool is_f32_again(const struct kernel *k, enum precision p)
{
    return p != PRECISION_F32 && !memcmp(k->code[p], k->code[PRECISION_F32], sizeof k->code[p]);
}

static void make_from(volatile int *next)
{
    if (compiler_open(&compiler)) {
        printf("# %s\n", compiler->message.text);
        fflush(stdout);
        _exit(COULD_NOT_OPEN);
    }
    if (!*next)
        printf("# %s; %s\n", compiler->device->info.name, compiler->device->info.driver);
    for (; *next < KERNEL_COUNT * REAL_PRECISIONS; ++*next) {
        enum kernel_id kernel = (enum kernel_id)(*next / REAL_PRECISIONS);
        enum precision p = (enum precision)(*next % REAL_PRECISIONS);
        if (real_bytes(p) == 4 || (compiler->device->info.f64 && !is_f32_again(&kernels[kernel], p)))
            make_each(kernel, p);
    }
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seconds = (unsigned)strtoul(argv[1], NULL, 10);
    volatile int *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED)
        return 1;
    for (int status; *next < KERNEL_COUNT * REAL_PRECISIONS; ++*next) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (!child)
            make_from(next);
        waitpid(child, &status, 0);
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        int by = WTERMSIG(status);
        if (by == SIGPROF)
            printf("failed\tnot within %u seconds of processors' time\n", seconds);
        else
            printf("failed\tthe driver crashed: %s\n", strsignal(by));
    }
    return 0;
}
