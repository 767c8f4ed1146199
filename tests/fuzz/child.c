#define _XOPEN_SOURCE 700 /* putenv */
#include "child.h"
#include "findings.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void become(const char *folder, const char *const *argv, const char *const *set)
{
    int in = open("/dev/null", O_RDONLY), out, err;
    if (in < 0 || chdir(folder))
        _exit(126);
    out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        _exit(126);
    close(in);
    close(out);
    close(err);
    for (; *set; set++)
        putenv((char *)*set);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int child_run(const char *folder, const char *const *argv, const char *const *set, unsigned seconds)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        cannot_go_on("no process");
    if (child == 0)
        become(folder, argv, set);
    for (double end = now() + seconds; waitpid(child, &status, WNOHANG) == 0;) {
        if (now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return CHILD_TOO_LONG;
        }
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
