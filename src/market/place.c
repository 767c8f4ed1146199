/* For memfd_create and fallocate. */
#define _GNU_SOURCE
#include "market/output.h"
#include "report/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MOST_BESIDE = 1000, SUFFIX_ROOM = 64, COPIED = 1 << 16 };

/* Creates a new file with these rights; tries other names while a name is taken. A name begins with `length`
 * bytes of `stem`. */
static bool create(struct output *o, const char *stem, size_t length, mode_t rights)
{
    size_t room = length + SUFFIX_ROOM;
    o->beside = malloc(room);
    if (!o->beside) {
        errno = ENOMEM;
        return false;
    }
    memcpy(o->beside, stem, length);
    for (int i = 0; i < MOST_BESIDE && o->fd < 0; i++) {
        snprintf(o->beside + length, SUFFIX_ROOM, ".%ld-%d.part", (long)getpid(), i);
        o->fd = open(o->beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights);
        if (o->fd < 0 && errno != EEXIST)
            break;
    }
    if (o->fd >= 0)
        return true;
    int error = errno;
    free(o->beside);
    o->beside = NULL;
    errno = error;
    return false;
}

/* The folder part of the target's path, with its slash. */
static size_t folder_length(const char *target)
{
    const char *slash = strrchr(target, '/');
    return slash ? (size_t)(slash - target) + 1 : 0;
}

static bool create_beside(struct output *o, mode_t rights)
{
    return create(o, o->target, strlen(o->target), rights) ||
           (errno == ENAMETOOLONG && create(o, o->target, folder_length(o->target), rights));
}

static bool create_elsewhere(struct output *o, mode_t rights)
{
    const char *const folders[] = {getenv("TMPDIR"), "/tmp"};
    for (int i = 0; i < 2; i++) {
        char stem[4096];
        int length =
            folders[i] && folders[i][0] == '/' ? snprintf(stem, sizeof stem, "%s/vksolve", folders[i]) : 0;
        if (length && length < (int)sizeof stem && create(o, stem, (size_t)length, rights))
            return true;
    }
    o->fd = memfd_create("vksolve", MFD_CLOEXEC);
    return o->fd >= 0;
}

bool place_open(struct output *o, bool exists)
{
    mode_t rights = exists ? 0600 : 0666; /* place_inherit sets the target's rights */
    if (create_beside(o, rights))
        return true;
    if (!exists || errno == ENOMEM)
        return false;
    o->in_place = true;
    return create_elsewhere(o, rights);
}

bool place_inherit(struct output *o)
{
    struct stat old, new;
    if (stat(o->target, &old) || fstat(o->fd, &new))
        return false;
    bool same_owner = old.st_uid == new.st_uid &&old.st_gid == new.st_gid;
    if (old.st_nlink > 1 || getxattr(o->target, "system.posix_acl_access", NULL, 0) > 0)
        o->in_place = true;
    else if (!same_owner && fchown(o->fd, old.st_uid, old.st_gid))
        o->in_place = true;
    return fchmod(o->fd, o->in_place ? 0600 : old.st_mode & 0777) == 0;
}

static bool write_all(int fd, const char *bytes, size_t size, off_t at)
{
    while (size) {
        ssize_t done = pwrite(fd, bytes, size, at);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            at += done;
            size -= (size_t)done;
        }
    }
    return true;
}

static bool copy(int from, int to, off_t size)
{
    char buffer[COPIED];
    for (off_t at = 0; at < size;) {
        ssize_t got = pread(from, buffer, COPIED, at);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0 && !write_all(to, buffer, (size_t)got, at))
            return false;
        at += got > 0 ? got : 0;
    }
    return ftruncate(to, size) == 0;
}

/* Reserves the disk space, so that the old contents remain if it does not suffice. File systems without this
 * feature fail while writing. */
static bool take_room(int fd, off_t size)
{
    struct stat old;
    if (fstat(fd, &old))
        return false;
    if (size <= old.st_size || !fallocate(fd, 0, 0, size) || errno == EOPNOTSUPP || errno == ENOSYS)
        return true;
    int error = errno;
    if (ftruncate(fd, old.st_size))
        return false;
    errno = error;
    return false;
}

bool place_rename(struct output *o)
{
    int fd = o->fd;
    o->fd = -1;
    if (close(fd)) /* network file systems report late failures here */
        return false;
    if (!rename(o->beside, o->target))
        return true;
    int error = errno;
    if (!access(o->target, W_OK))
        o->fd = open(o->beside, O_RDONLY | O_CLOEXEC);
    errno = error;
    return false;
}

/* Blocks signals that end the program: they would leave the file half written and lose the rest. */
bool place_copy(const struct output *o)
{
    struct stat new;
    struct quiet quiet;
    sigset_t all, before;
    int fd = open(o->target, O_WRONLY | O_CLOEXEC);
    sigfillset(&all);
    quiet_begin(&quiet);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    bool done = fd >= 0 && !fstat(o->fd, &new) && take_room(fd, new.st_size) && copy(o->fd, fd, new.st_size);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    quiet_end(&quiet);
    int error = errno;
    if (fd >= 0 && close(fd) && done) {
        error = errno;
        done = false;
    }
    errno = error;
    return done;
}
