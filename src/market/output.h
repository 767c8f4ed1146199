/* A file that appears whole or not at all: it is written beside its place and renamed when it is complete.
 *
 * A file that exists and cannot be replaced so is written in place once the rest is done: a mounted file
 * (EBUSY), a file in a folder that is read-only, or without room for a longer name, a file with other names
 * (hard links), with an access control list, or with an owner that a new file cannot have. Its bytes are then
 * collected beside it or, where that cannot be, in TMPDIR, /tmp or memory. Room for them is taken first, so a
 * full disk leaves what was there. If the copying fails, the message says where the whole output is; in
 * memory it is lost. */
#ifndef VKS_MARKET_OUTPUT_H
#define VKS_MARKET_OUTPUT_H

#include "report/message.h"
#include <stdbool.h>
#include <stddef.h>

struct output {
    const char *name;      /* in messages */
    char *target, *beside; /* NULL where the bytes go straight to a device, a pipe or standard output;
                              `beside` also where they are in memory */
    int fd;
    bool in_place; /* the bytes are to be copied into what is at the target */
    bool packed;   /* with gzip */
};

/* Where a path leads that no file is at, or a link to where no file is, or a descriptor of this process
 * ("/dev/stdout"): the end of its links, for free(). NULL: no memory, or links that lead in circles; errno
 * says which. */
char *output_target(const char *path);

/* "-" is standard output, as is its name in /dev. A link is followed, also one to a file that is not there
 * yet; one that leads in a circle is refused. An existing file keeps its permissions, owner and group, and
 * must be writable. A path that ends in .gz is compressed. VKS_FILE, VKS_OUT_OF_MEMORY.
 * VKS_INVALID_ARGUMENT: the path has the ending of another compression, or of a binary format. On failure
 * nothing is open. */
vks_status output_open(struct message *m, const char *path, struct output *o);

vks_status output_write(struct message *m, struct output *o, const void *bytes, size_t size);
/* Writes what is packed already. */
vks_status output_put(struct message *m, struct output *o, const void *bytes, size_t size);

/* Puts the file in its place if `status`, that of the writing, is VKS_OK, and else removes what has been
 * written. Returns `status`, or the failure of closing, renaming or copying. */
vks_status output_close(struct message *m, struct output *o, vks_status status);

/* place.c: where the bytes are collected until the file is complete. On failure errno says why. */
bool place_open(struct output *o, bool exists);
/* Lets the new file have what an existing one has: permissions, owner and group. Decides on in_place. */
bool place_inherit(struct output *o);
/* Closes the new file, and puts it at the target. On failure the file is open again if it can be copied. */
bool place_rename(struct output *o);
/* Copies the collected bytes into the file at the target. */
bool place_copy(const struct output *o);

/* gzip.c: makes a member of a gzip file of `size` bytes, at most 2 GiB; returns its length, 0: no memory or
 * room. */
size_t gzip_pack(const void *bytes, size_t size, void *to, size_t room);
/* The most bytes that it takes. */
size_t gzip_room(size_t size);

#endif
