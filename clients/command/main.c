/* vksolve: finds the subcommand, and checks the standard streams. */
#include "command/command.h"
#include "command/shared/exit_code.h"
#include "command/shared/suggest.h"
#include "vksolve/vksolve.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
} subcommands[] = {
#define X(name, text) {#name, text, name##_command},
    SUBCOMMANDS(X)
#undef X
};
enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof *subcommands };

static void print_help(FILE *to)
{
    fprintf(to, "usage: vksolve COMMAND [arguments]\n\n"
                "Solves large sparse linear systems on Vulkan GPUs and on the CPU.\n\ncommands:\n");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        fprintf(to, "  %-10s %s\n", subcommands[i].name, subcommands[i].text);
    fprintf(to, "  %-10s %s\n  %-10s %s\n", "help", "print this, or the help of a command", "version",
            "print the version");
    fprintf(to, "\noptions:\n"
                "  --help     print this; vksolve COMMAND --help describes a command\n"
                "  --version  print the version\n\n"
                "environment:\n"
                "  VKSOLVE_DEVICE           the device to use without --device: auto, host, gpu or a name\n"
                "  OMP_NUM_THREADS          threads on the CPU (default: the cores granted to the process)\n"
                "  VK_DRIVER_FILES          the JSON files of the Vulkan drivers to use\n"
                "  XDG_CACHE_HOME           where compiled pipelines are kept (default: ~/.cache)\n"
                "  VKSOLVE_GNUPLOT          the program that draws pictures (default: gnuplot)\n"
                "  VKSOLVE_GNUPLOT_SECONDS  seconds until it is killed (default: 60)\n\n"
                "exit codes:\n"
                "  0  converged, or done\n"
                "  1  wrong usage, or unreadable input\n"
                "  2  not converged\n"
                "  3  breakdown: the matrix is not positive definite, singular, or not finite, or\n"
                "     the method would divide by zero\n"
                "  4  the device or memory failed\n\n"
                "example:\n"
                "  vksolve generate poisson3d 40 -o a.mtx && vksolve solve a.mtx -o x.mtx\n");
}

/* If a standard stream is closed, the next file that is opened would take its number and receive the printed
 * output. A read-only placeholder makes such writes fail. */
static void occupy_streams(void)
{
    for (int fd; (fd = open("/dev/null", O_RDONLY)) >= 0;)
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

/* Why an earlier write to standard output failed, found by writing one more byte; 0 if that succeeds. */
static int find_reason(void)
{
    return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
}

/* A failed write to standard output changes the exit code. */
static int close_output(int code)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return code;
    int reason = errno ? errno : find_reason();
    fprintf(stderr, "vksolve: standard output cannot be written%s%s\n", reason ? ": " : "",
            reason ? strerror(reason) : "");
    return code ? code : EXIT_USAGE;
}

static int run_subcommand(int argc, char **argv)
{
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        if (!strcmp(argv[0], subcommands[i].name))
            return subcommands[i].run(argc, argv);
    struct suggestion meant = {0};
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        suggest(&meant, argv[0], strlen(argv[0]), subcommands[i].name);
    fprintf(stderr, "vksolve: unknown %s '%s'", argv[0][0] == '-' ? "option" : "command", argv[0]);
    if (meant.name)
        fprintf(stderr, "; did you mean %s?", meant.name);
    fprintf(stderr, "\ntry vksolve --help\n");
    return EXIT_USAGE;
}

static bool is_any(const char *word, const char *a, const char *b, const char *c)
{
    return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    bool help = is_any(argv[1], "help", "--help", "-h");
    if (help && argc > 2 && argv[2][0] != '-' && strcmp(argv[2], "help") && strcmp(argv[2], "version"))
        return run_subcommand(2, (char *[]){argv[2], "--help", NULL});
    if (help) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "version") || !strcmp(argv[1], "--version")) {
        printf("vksolve %s\n", vks_version());
        return EXIT_DONE;
    }
    return run_subcommand(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* so that a write beyond the limit fails, and the file is removed */
    occupy_streams();
    return close_output(run(argc, argv));
}
