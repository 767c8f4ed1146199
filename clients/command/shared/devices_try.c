/* Whether the devices work. A driver may crash or hang, so a child process opens each. */
#include "command/shared/device.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 60 };

/* Opens the device, and writes the reason if that fails. */
static void open_in_child(const vks_device_info *device, int to)
{
    struct message m = {0};
    vks_device_info opened;
    char index[16];
    alarm(CHILD_SECONDS);
    snprintf(index, sizeof index, "%u", device->index);
    bool failed = device_describe(&m, index, &opened) && write(to, m.text, strlen(m.text)) < 0;
    _exit(failed);
}

/* Reads what the child wrote and how it exited. */
static void read_verdict(pid_t child, int from, char *why, size_t room)
{
    int status = 0;
    ssize_t length = read(from, why, room - 1);
    why[length > 0 ? length : 0] = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(why, room, "its driver does not open it within %d seconds", CHILD_SECONDS);
    else if (WIFSIGNALED(status))
        snprintf(why, room, "its driver crashes when it is opened (signal %d)", WTERMSIG(status));
}

static void cannot_try(vks_device_info *device)
{
    snprintf(device->why_not, sizeof device->why_not, "no process to test it in: %s", strerror(errno));
    device->usable = false;
}

static void try_in_child(vks_device_info *device)
{
    int ends[2];
    if (pipe(ends)) {
        cannot_try(device);
        return;
    }
    fflush(NULL);
    pid_t child = fork();
    if (!child)
        open_in_child(device, ends[1]);
    if (child < 0)
        cannot_try(device);
    close(ends[1]);
    if (child > 0)
        read_verdict(child, ends[0], device->why_not, sizeof device->why_not);
    close(ends[0]);
    device->usable = !device->why_not[0];
}

void devices_try(struct devices *d)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->list[i].usable)
            try_in_child(&d->list[i]);
}
