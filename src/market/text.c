#include "market/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE = 8 << 20, LONGEST_NAME = 400 };

static vks_status read_failed(struct message *m, const struct text *t)
{
    return fail_file(m, t->name, "read");
}

/* Reads pipes, and files that do not report their size. A signal whose handler has no SA_RESTART ends the
 * wait, which may be long. */
static vks_status read_stream(struct message *m, int fd, struct text *t)
{
    for (;;) {
        if (t->size == t->room) {
            TRY(text_grow(m, t));
        }
        ssize_t got = read(fd, t->begin + t->size, t->room - t->size);
        if (got == 0)
            return VKS_OK;
        if (got < 0)
            return read_failed(m, t);
        t->size += (size_t)got;
    }
}

/* Reads a slice of the file. Returns zero, or the errno of a failure; EIO if the file has become shorter. */
static int read_slice(int fd, char *to, size_t size, size_t at)
{
    while (size) {
        ssize_t got = pread(fd, to, size, (off_t)at);
        if (got == 0)
            return EIO;
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0) {
            to += got;
            at += (size_t)got;
            size -= (size_t)got;
        }
    }
    return 0;
}

/* The shared state, the number of slices read, and the largest errno. */
struct slices {
    const struct message *m;
    int fd;
    char *to;
    size_t size;
    uint32_t *done, *error;
};

static void read_slices(const void *slices, struct member *me)
{
    const struct slices *s = slices;
    uint32_t count = (uint32_t)((s->size + SLICE - 1) / SLICE);
    TEAM_FOR(me, i, count, 2, 1)
    {
        size_t at = (size_t)SLICE * i, left = s->size - at;
        take_most(s->error, (uint32_t)read_slice(s->fd, s->to + at, left < SLICE ? left : SLICE, at));
        text_report_share(me, s->m, "reading", s->done, count);
    }
}

static vks_status read_regular(struct message *m, int fd, size_t size, struct text *t)
{
    TRY(text_resize(m, t, size < TEXT_BEGINNING ? size : TEXT_BEGINNING));
    errno = read_slice(fd, t->begin, t->room, 0);
    if (errno)
        return read_failed(m, t);
    t->size = t->room;
    TRY(text_find_kind(m, t));
    TRY(text_resize(m, t, size));

    uint32_t done = 0, error = 0;
    struct team *team = team_for(team_of(m), size);
    report_share(m, "reading", 0);
    team_run(team, read_slices, &(struct slices){m, fd, t->begin, size, &done, &error});
    report_share(m, "reading", 1);
    team_done(team_of(m), team);
    t->size = size;
    errno = (int)error;
    return error ? read_failed(m, t) : VKS_OK;
}

static vks_status read_all(struct message *m, const char *path, struct text *t)
{
    int from_stdin = !strcmp(path, "-");
    int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_file(m, t->name, "opened");
    struct stat info;
    bool sized = !from_stdin && !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size > 0;
    vks_status status = sized ? read_regular(m, fd, (size_t)info.st_size, t) : read_stream(m, fd, t);
    if (!from_stdin)
        close(fd);
    return status;
}

/* The end of a long path is more informative than its beginning, and leaves room for the message. */
static const char *name_of(const char *path)
{
    size_t length = strlen(path);
    if (!strcmp(path, "-"))
        return "stdin";
    return length > LONGEST_NAME ? path + length - LONGEST_NAME : path;
}

static void end_lines(struct text *t)
{
    if (!memchr(t->begin, '\n', t->size))
        for (char *p = t->begin; (p = memchr(p, '\r', t->size - (size_t)(p - t->begin))); p++)
            *p = '\n';
    if (t->begin[t->size - 1] != '\n')
        t->begin[t->size++] = '\n';
}

static vks_status inflate_kind(struct message *m, struct text *t)
{
    TRY(text_inflate(m, t));
    TRY(text_find_kind(m, t));
    return t->kind == TEXT_GZIP ? text_refuse_unknown(m, t) : VKS_OK;
}

vks_status text_load(struct message *m, const char *path, struct text *t)
{
    *t = (struct text){.name = name_of(path)};
    vks_status status = read_all(m, path, t);
    IF_OK(status, text_find_kind(m, t));
    if (!status && t->kind == TEXT_GZIP)
        status = inflate_kind(m, t);
    if (status)
        text_free(t);
    else if (t->kind != TEXT_NUMPY && t->kind != TEXT_ZIP)
        end_lines(t);
    return status;
}
