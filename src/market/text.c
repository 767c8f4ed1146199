#include "market/text.h"
#include "market/scan.h"
#include "report/memory.h"
#include "team/team.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 1 << 20, SQUEEZED_FROM = 1 << 26, SLICE = 8 << 20, SNIFF = 512, LONGEST_NAME = 400 };
static const size_t doubled_until = (size_t)1 << 30;

/* Files that are often met in the place of a matrix, by some bytes near their beginning. */
static const struct {
    size_t at;
    const char *bytes, *what;
} foreign[] = {
    {0, "version https://git-lfs", "a Git LFS pointer; 'git lfs pull' fetches the file itself"},
    {257, "ustar", "a tar archive; the matrix must be extracted from it"},
    {0, "PK\3\4", "a zip archive"},
    {0, "BZh", "compressed with bzip2; of the compressed files only gzip is read"},
    {0, "\xFD\x37zXZ", "compressed with xz; of the compressed files only gzip is read"},
    {0, "\x28\xB5\x2F\xFD", "compressed with zstd; of the compressed files only gzip is read"},
    {0, "\xFF\xFE", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "\xFE\xFF", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "<", "an HTML or XML page"},
};

int text_is_gzip(const struct text *t)
{
    return t->size >= 2 && !memcmp(t->begin, "\x1F\x8B", 2);
}

static vks_status check_beginning(struct message *m, const struct text *t)
{
    size_t size = t->size < SNIFF ? t->size : SNIFF;
    if (!size)
        return fail(m, VKS_FORMAT, "%s: the file is empty", t->name);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t length = strlen(foreign[i].bytes);
        if (foreign[i].at + length <= size && !memcmp(t->begin + foreign[i].at, foreign[i].bytes, length))
            return fail(m, VKS_FORMAT, "%s: not a Matrix Market file but %s", t->name, foreign[i].what);
    }
    size_t at = size >= 3 && !memcmp(t->begin, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < size && is_blank(t->begin[at]))
        at++;
    if (size - at < strlen(BANNER) || !begins_with(t->begin + at, BANNER))
        return fail(m, VKS_FORMAT, "%s:1: not a Matrix Market file: line 1 does not begin with %s", t->name,
                    BANNER);
    return VKS_OK;
}

static vks_status set_room(struct message *m, struct text *t, size_t room)
{
    vks_status status = memory_check(m, t->name, "its text", room - t->room);
    if (status)
        return status;
    char *begin = room < SIZE_MAX ? realloc(t->begin, room + 1) : NULL;
    if (!begin)
        return memory_lacks(m, t->name, "its text", room);
    t->begin = begin;
    t->room = room;
    return VKS_OK;
}

vks_status text_grow(struct message *m, struct text *t)
{
    if (t->room == FIRST_ROOM && !text_is_gzip(t)) {
        vks_status status = check_beginning(m, t);
        if (status)
            return status;
    }
    if (t->room >= SQUEEZED_FROM) {
        vks_status status = text_squeeze(m, t);
        if (status || t->size <= t->room / 2)
            return status;
    }
    size_t more = t->room < doubled_until ? t->room : t->room / 4;
    return set_room(m, t, t->room ? t->room + more : FIRST_ROOM);
}

static vks_status read_failed(struct message *m, const struct text *t)
{
    return fail(m, VKS_FILE, "%s: cannot be read: %s", t->name, strerror(errno));
}

/* Pipes, and files that do not tell their size. */
static vks_status read_stream(struct message *m, int fd, struct text *t)
{
    for (;;) {
        if (t->size == t->room) {
            vks_status status = text_grow(m, t);
            if (status)
                return status;
        }
        ssize_t got = read(fd, t->begin + t->size, t->room - t->size);
        if (got == 0)
            return VKS_OK;
        if (got < 0 && errno != EINTR)
            return read_failed(m, t);
        t->size += got > 0 ? (size_t)got : 0;
    }
}

/* Zero, or the errno of a failure; a file that became shorter is EIO. */
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

/* What members read, how many slices are read, and the largest errno. */
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
        text_tell(me, s->m, "reading", s->done, count);
    }
}

static vks_status read_regular(struct message *m, int fd, size_t size, struct text *t)
{
    vks_status status = set_room(m, t, size < SNIFF ? size : SNIFF);
    if (status)
        return status;
    errno = read_slice(fd, t->begin, t->room, 0);
    if (errno)
        return read_failed(m, t);
    t->size = t->room;
    status = text_is_gzip(t) ? VKS_OK : check_beginning(m, t);
    if (!status)
        status = set_room(m, t, size);
    if (status)
        return status;

    uint32_t done = 0, error = 0;
    struct team *team = team_for(team_of(m), size);
    tell_share(m, "reading", 0);
    team_run(team, read_slices, &(struct slices){m, fd, t->begin, size, &done, &error});
    tell_share(m, "reading", 1);
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
        return fail(m, VKS_FILE, "%s: cannot be opened: %s", t->name, strerror(errno));
    struct stat info;
    bool sized = !from_stdin && !fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size > 0;
    vks_status status = sized ? read_regular(m, fd, (size_t)info.st_size, t) : read_stream(m, fd, t);
    if (!from_stdin)
        close(fd);
    return status;
}

/* The end of a long path tells more than its beginning, and leaves place for the message. */
static const char *name_of(const char *path)
{
    size_t length = strlen(path);
    if (!strcmp(path, "-"))
        return "stdin";
    return length > LONGEST_NAME ? path + length - LONGEST_NAME : path;
}

vks_status text_load(struct message *m, const char *path, struct text *t)
{
    *t = (struct text){.name = name_of(path)};
    vks_status status = read_all(m, path, t);
    if (!status && text_is_gzip(t))
        status = text_inflate(m, t);
    if (!status)
        status = check_beginning(m, t);
    if (status) {
        text_free(t);
        return status;
    }
    if (!memchr(t->begin, '\n', t->size))
        for (char *p = t->begin; (p = memchr(p, '\r', t->size - (size_t)(p - t->begin))); p++)
            *p = '\n';
    if (t->begin[t->size - 1] != '\n')
        t->begin[t->size++] = '\n';
    return VKS_OK;
}

void text_free(struct text *t)
{
    free(t->begin);
    free(t->gap);
    *t = (struct text){.name = t->name};
}
