/* The readers of each kind of file except Matrix Market. After a failure the caller calls market_free. */
#ifndef VKS_FILES_KINDS_H
#define VKS_FILES_KINDS_H

#include "market/market.h"
#include "market/text.h"

vks_status read_boeing(struct message *m, const struct text *t, struct market *out);
vks_status read_columns(struct message *m, const struct text *t, struct market *out);
vks_status read_numpy(struct message *m, const struct text *t, struct market *out);
vks_status read_archive(struct message *m, const struct text *t, struct market *out);

/* entries.c: allocates entries of a rows x cols matrix. VKS_LIMIT, VKS_OUT_OF_MEMORY. */
vks_status entries_allocate(struct message *m, const char *name, uint64_t rows, uint64_t cols, uint64_t count,
                            struct triplets *e);
/* entries_allocate for an array, with column-major places filled in. */
vks_status entries_allocate_array(struct message *m, const char *name, uint64_t rows, uint64_t cols,
                                  struct market *out);
/* Refuses a non-finite value at a row and column, both from 0. */
vks_status entries_check_value(struct message *m, const char *name, double value, uint64_t row, uint64_t col);

/* A little-endian whole number of up to 8 bytes. */
static inline uint64_t little_endian(const void *at, unsigned bytes)
{
    const unsigned char *b = at;
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)b[i] << 8 * i;
    return value;
}

#endif
