/* A file that appears whole or not at all: it is written next to its target and renamed when complete.
 *
 * An existing file that cannot be replaced this way is written in place once the rest is done: a mounted file
 * (EBUSY), one in a folder that is read-only or has no room for a longer name, one with hard links, an access
 * control list, or an owner that a new file cannot have. The bytes are then collected next to it or, if that
 * is impossible, in TMPDIR, /tmp or memory. Disk space is reserved first, so a full disk leaves the old file
 * intact. If the copying fails, the message names the place of the whole output; in memory it is lost. */
#ifndef VKS_MARKET_OUTPUT_H
#define VKS_MARKET_OUTPUT_H

#include "report/message.h"
#include <stdbool.h>
#include <stddef.h>

struct output {
    const char *name;      /* in messages */
    char *target, *beside; /* NULL if the bytes go directly to a device, a pipe or standard output; `beside`
                              also if they are in memory */
    int fd;
    bool in_place; /* the bytes must be copied into the file at the target */
    bool packed;   /* compressed with gzip */
};

/* The final target of a path's links, even if no such file exists; stops at a descriptor of this process
 * ("/dev/stdout"). The caller frees it. NULL: out of memory, or circular links, as in errno. */
char *output_target(const char *path);

/* "-" and its name in /dev are standard output. Links are followed, even to a file that does not exist yet;
 * circular links are refused. An existing file keeps its permissions, owner and group, and must be writable.
 * If the path ends in .gz, the output is compressed. VKS_FILE, VKS_OUT_OF_MEMORY. VKS_INVALID_ARGUMENT: the
 * path has the ending of another compression, or of a binary format. After a failure nothing is open. */
vks_status output_open(struct message *m, const char *path, struct output *o);

vks_status output_write(struct message *m, struct output *o, const void *bytes, size_t size);
/* Writes bytes that are already packed. */
vks_status output_put(struct message *m, struct output *o, const void *bytes, size_t size);

/* Moves the file to its target if `status`, the status of the writing, is VKS_OK; otherwise removes the
 * output. Returns `status`, or the failure of closing, renaming or copying. */
vks_status output_close(struct message *m, struct output *o, vks_status status);

/* place.c: opens the file that collects the bytes until it is complete. A failure sets errno. */
bool place_open(struct output *o, bool exists);
/* Gives the new file the permissions, owner and group of an existing file. Sets in_place. */
bool place_inherit(struct output *o);
/* Closes the new file, and moves it to the target. On failure the file is open again if it can be copied. */
bool place_rename(struct output *o);
/* Copies the collected bytes into the file at the target. */
bool place_copy(const struct output *o);

/* gzip.c: packs `size` bytes, at most 2 GiB, into a member of a gzip file; returns its length, 0 if out of
 * memory or room. */
size_t gzip_pack(const void *bytes, size_t size, void *to, size_t room);
/* The most bytes that gzip_pack writes. */
size_t gzip_room(size_t size);

#endif
