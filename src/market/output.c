/* For readlink. */
#define _XOPEN_SOURCE 700
#include "market/output.h"
#include "market/scan.h"
#include "report/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINK_ROOM = 4096, MOST_LINKS = 40 /* Linux's limits */, LONGEST_PIECE = 1 << 30 };

static vks_status failed(struct message *m, const struct output *o)
{
    return fail_file(m, o->name, "written");
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && begins_with(path + length - tail, ending);
}

/* Refuses names that would make the text look like another format. */
static vks_status check_name(struct message *m, const char *path)
{
    static const char *const compressed[] = {".bz2", ".xz", ".zst", ".zstd", ".lz4", ".lz",  ".lzma", ".lzo",
                                             ".br",  ".z",  ".zip", ".7z",   ".rar", ".tgz", ".tar"};
    static const char *const binary[] = {".npy", ".npz", ".mat", ".h5", ".hdf5"};
    for (size_t i = 0; i < sizeof compressed / sizeof *compressed; i++)
        if (ends_with(path, compressed[i]))
            return fail(m, VKS_INVALID_ARGUMENT,
                        "%s: cannot be written: .gz is the only compression that is written", path);
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (ends_with(path, binary[i]))
            return fail(m, VKS_INVALID_ARGUMENT,
                        "%s: cannot be written: output is Matrix Market text, plain or .gz, and not %s", path,
                        binary[i]);
    return VKS_OK;
}

/* The target of the link at `path`, whose text is `link`; NULL: out of memory. */
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

/* The descriptor of this process that a path names; -1: none. Reopening the file would start at its
 * beginning, and replacing it would leave the descriptor on the old file. */
static int own_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
    char *end;
    if (!strcmp(path, "/dev/stdout"))
        return STDOUT_FILENO;
    if (!strcmp(path, "/dev/stderr"))
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *digits = path + strlen(folders[i]);
        if (strncmp(path, folders[i], strlen(folders[i])) || !is_digit(*digits))
            continue;
        long fd = strtol(digits, &end, 10);
        return *end || fd > 1 << 20 ? -1 : (int)fd;
    }
    return -1;
}

char *output_target(const char *path)
{
    char link[LINK_ROOM];
    char *at = strdup(path);
    for (int links = 0; at; links++) {
        ssize_t length = own_descriptor(at) < 0 ? readlink(at, link, sizeof link - 1) : -1;
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

static vks_status open_regular(struct message *m, const char *path, bool exists, struct output *o)
{
    if (exists && access(path, W_OK))
        return failed(m, o);
    if (!place_open(o, exists) || (exists && !place_inherit(o)))
        return failed(m, o);
    return VKS_OK;
}

/* Opens a device, a pipe, or an open descriptor. */
static vks_status open_stream(struct message *m, const char *path, int fd, struct output *o)
{
    free(o->target);
    o->target = NULL;
    o->fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC);
    return o->fd < 0 ? failed(m, o) : VKS_OK;
}

vks_status output_open(struct message *m, const char *path, struct output *o)
{
    *o = (struct output){.name = path, .fd = -1, .packed = ends_with(path, ".gz")};
    TRY(check_name(m, path));
    if (!strcmp(path, "-")) {
        o->name = "standard output";
        path = "/dev/stdout";
    }
    o->target = output_target(path);
    if (!o->target)
        return failed(m, o);
    struct stat info;
    int fd = own_descriptor(o->target);
    bool exists = fd < 0 && !stat(path, &info);
    if (fd == STDOUT_FILENO)
        fflush(stdout); /* so that the program's own output comes first */
    vks_status status = fd >= 0 || (exists && !S_ISREG(info.st_mode)) ? open_stream(m, path, fd, o)
                                                                      : open_regular(m, path, exists, o);
    return status ? output_close(m, o, status) : VKS_OK;
}

/* Writes to a target file fail instead of raising a signal; a pipe without a reader ends the program. */
vks_status output_put(struct message *m, struct output *o, const void *bytes, size_t size)
{
    struct quiet quiet;
    bool is_file = o->target != NULL;
    for (const char *p = bytes; size;) {
        if (is_file)
            quiet_begin(&quiet);
        ssize_t done = write(o->fd, p, size);
        if (is_file)
            quiet_end(&quiet);
        if (done < 0 && errno != EINTR)
            return failed(m, o);
        p += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return VKS_OK;
}

vks_status output_write(struct message *m, struct output *o, const void *bytes, size_t size)
{
    vks_status status = VKS_OK;
    if (!o->packed)
        return output_put(m, o, bytes, size);
    for (const char *p = bytes; size && !status;) {
        size_t piece = size < LONGEST_PIECE ? size : LONGEST_PIECE, room = gzip_room(piece);
        char *packed = malloc(room);
        size_t length = packed ? gzip_pack(p, piece, packed, room) : 0;
        status = length ? output_put(m, o, packed, length) : fail_memory(m, "compressing the output", room);
        free(packed);
        p += piece;
        size -= piece;
    }
    return status;
}

/* Moves or copies the output to the target. */
static vks_status settle(struct message *m, struct output *o)
{
    if (!o->in_place) {
        if (place_rename(o)) {
            free(o->beside);
            o->beside = NULL;
            return VKS_OK;
        }
        if (o->fd < 0)
            return failed(m, o);
    }
    if (place_copy(o))
        return VKS_OK;
    if (m && !m->text[0])
        m->error = errno;
    vks_status status = fail(m, VKS_FILE, "%s: cannot be written in place: %s; the whole output %s%s",
                             o->name, strerror(errno), o->beside ? "is in " : "was in memory, and is lost",
                             o->beside ? o->beside : "");
    free(o->beside); /* keeps the file */
    o->beside = NULL;
    return status;
}

vks_status output_close(struct message *m, struct output *o, vks_status status)
{
    if (!status && o->target)
        status = settle(m, o);
    if (o->fd >= 0 && close(o->fd) && !status)
        status = failed(m, o);
    if (o->beside)
        unlink(o->beside);
    free(o->beside);
    free(o->target);
    *o = (struct output){.fd = -1};
    return status;
}
