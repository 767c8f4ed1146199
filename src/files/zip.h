/* Reads members of a zip archive in memory, as defined by PKWARE's APPNOTE.TXT, including zip64 sizes. */
#ifndef VKS_FILES_ZIP_H
#define VKS_FILES_ZIP_H

#include "report/message.h"
#include <stddef.h>
#include <stdint.h>

struct zip {
    const char *name; /* the file in messages */
    const unsigned char *bytes;
    size_t size;
    uint64_t members, directory; /* the number of members, and the offset of their list */
};

struct zip_member {
    char name[64];             /* a longer name keeps only its end */
    const unsigned char *data; /* `packed` bytes */
    uint64_t packed, size;
    uint32_t crc;
    unsigned method;
};

/* VKS_FORMAT: not an archive, or truncated. */
vks_status zip_open(struct message *m, const char *name, const void *bytes, size_t size, struct zip *z);

/* Reads the member at *at of the list, 0 for the first, and moves *at to the next one. VKS_FORMAT: damaged.
 * VKS_UNSUPPORTED: encrypted. */
vks_status zip_next(struct message *m, const struct zip *z, uint64_t *at, struct zip_member *member);

/* Inflates the member's bytes; the caller frees them. VKS_FORMAT: damaged. VKS_UNSUPPORTED: another
 * compression. VKS_OUT_OF_MEMORY. */
vks_status zip_extract(struct message *m, const struct zip *z, const struct zip_member *member, char **bytes);

#endif
