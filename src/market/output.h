/* A file that appears whole or not at all: it is written beside its place and renamed when it is complete. */
#ifndef VKS_MARKET_OUTPUT_H
#define VKS_MARKET_OUTPUT_H

#include "report/message.h"
#include <stddef.h>

struct output {
    const char *name;      /* in messages */
    char *target, *beside; /* NULL where the bytes go straight to a device, a pipe or standard output */
    int fd;
};

/* Where a path leads that no file is at, or a link to where no file is: the end of its links, for free().
 * NULL: no memory, or links that lead in circles; errno says which. */
char *output_target(const char *path);

/* "-" is standard output. A link is followed, also one to a file that is not there yet; one that leads in a
 * circle is refused. An existing file keeps its permissions, and must be writable. VKS_FILE,
 * VKS_OUT_OF_MEMORY. On failure nothing is open. */
vks_status output_open(struct message *m, const char *path, struct output *o);

vks_status output_write(struct message *m, struct output *o, const void *bytes, size_t size);

/* Puts the file in its place if `status`, that of the writing, is VKS_OK, and else removes what has been
 * written. Returns `status`, or the failure of closing or renaming. */
vks_status output_close(struct message *m, struct output *o, vks_status status);

#endif
