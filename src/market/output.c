/* For readlink and realpath. */
#define _XOPEN_SOURCE 700
#include "market/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BESIDE = 1000, SUFFIX_ROOM = 48, LINK_ROOM = 4096, MOST_LINKS = 40 /* as Linux has it */ };

static vks_status failed(struct message *m, const struct output *o)
{
    return fail(m, errno == ENOMEM ? VKS_OUT_OF_MEMORY : VKS_FILE, "%s: cannot be written: %s", o->name,
                strerror(errno));
}

/* A new file in the same directory, so that it can be renamed. The name is free, or the next one is tried. */
static vks_status create_beside(struct message *m, struct output *o)
{
    size_t room = strlen(o->target) + SUFFIX_ROOM;
    o->beside = malloc(room);
    if (!o->beside)
        return fail_memory(m, o->name, room);
    for (int i = 0; i < MOST_BESIDE && o->fd < 0; i++) {
        snprintf(o->beside, room, "%s.%ld-%d.part", o->target, (long)getpid(), i);
        o->fd = open(o->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (o->fd < 0 && errno != EEXIST)
            break;
    }
    if (o->fd >= 0)
        return VKS_OK;
    vks_status status = failed(m, o);
    free(o->beside);
    o->beside = NULL;
    return status;
}

/* The path that the link at `path`, whose text is `link`, leads to; NULL: no memory. */
static char *join(const char *path, const char *link)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && link[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    char *joined = malloc(folder + strlen(link) + 1);
    if (joined) {
        memcpy(joined, path, folder);
        strcpy(joined + folder, link);
    }
    return joined;
}

char *output_target(const char *path)
{
    char link[LINK_ROOM];
    char *at = strdup(path);
    for (int links = 0; at; links++) {
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0) /* no link */
            return at;
        link[length] = 0;
        char *next = links < MOST_LINKS ? join(at, link) : NULL;
        int error = links < MOST_LINKS ? ENOMEM : ELOOP;
        free(at);
        at = next;
        errno = error;
    }
    return NULL;
}

static vks_status open_regular(struct message *m, const char *path, const struct stat *existing,
                               struct output *o)
{
    if (existing && access(path, W_OK))
        return failed(m, o);
    o->target = existing ? realpath(path, NULL) : output_target(path);
    if (!o->target)
        return failed(m, o);
    TRY(create_beside(m, o));
    if (existing && fchmod(o->fd, existing->st_mode & 0777))
        return failed(m, o);
    return VKS_OK;
}

vks_status output_open(struct message *m, const char *path, struct output *o)
{
    *o = (struct output){.name = path, .fd = -1};
    if (!strcmp(path, "-")) {
        fflush(stdout); /* what the program has printed comes first */
        o->name = "standard output";
        o->fd = STDOUT_FILENO;
        return VKS_OK;
    }
    struct stat info;
    bool exists = !stat(path, &info);
    vks_status status = VKS_OK;
    if (!exists || S_ISREG(info.st_mode)) {
        status = open_regular(m, path, exists ? &info : NULL, o);
    } else {
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
        status = o->fd < 0 ? failed(m, o) : VKS_OK;
    }
    return status ? output_close(m, o, status) : VKS_OK;
}

vks_status output_write(struct message *m, struct output *o, const void *bytes, size_t size)
{
    for (const char *p = bytes; size;) {
        ssize_t done = write(o->fd, p, size);
        if (done < 0 && errno != EINTR)
            return failed(m, o);
        p += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return VKS_OK;
}

vks_status output_close(struct message *m, struct output *o, vks_status status)
{
    if (o->fd >= 0 && o->fd != STDOUT_FILENO && close(o->fd) && !status)
        status = failed(m, o);
    if (o->beside) {
        if (!status && rename(o->beside, o->target))
            status = failed(m, o);
        if (status)
            unlink(o->beside);
    }
    free(o->beside);
    free(o->target);
    *o = (struct output){.fd = -1};
    return status;
}
