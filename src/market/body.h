/* The lines after the size line, in chunks that are counted and then parsed in parallel. A data line is a
 * line that is neither blank nor a comment. */
#ifndef VKS_MARKET_BODY_H
#define VKS_MARKET_BODY_H

#include "market/decimal.h"
#include "market/fault.h"

struct chunk {
    const char *begin, *end; /* whole lines */
    size_t lines, entries;   /* of this chunk; an entry is a data line, valid or not */
    size_t line, first;      /* the number of its first line, and the index of its first entry */
    size_t lower, upper;     /* its entries below and above the diagonal */
    size_t mirrored;         /* off-diagonal entries before it */
    struct fault fault;      /* the first fault */
};

struct body {
    struct chunk *chunk;
    size_t chunks, lines, entries;
};

/* Cuts the body into chunks and counts lines and entries; call body_free even on failure. */
vks_status body_count(struct message *m, const struct text *t, const struct header *h, struct body *b);

/* Parses the entries, at most the declared number, into newly allocated e. */
vks_status body_parse(struct message *m, const struct text *t, const struct header *h, struct body *b,
                      struct triplets *e);

/* The number of the line that holds an entry. */
size_t body_line(const struct body *b, size_t entry);

/* Parses a chunk into e, up to the entry `end`. */
void chunk_parse(const struct header *h, const struct powers *t, struct chunk *c, size_t end,
                 struct triplets *e);

void body_free(struct body *b);

#endif
