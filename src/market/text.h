/* A file as text in memory, ready to be scanned without bounds checks. */
#ifndef VKS_MARKET_TEXT_H
#define VKS_MARKET_TEXT_H

#include "report/message.h"
#include <stddef.h>

struct text {
    const char *name; /* the file in messages */
    char *begin;      /* every line, also the last, ends in '\n' */
    size_t size;
    size_t room; /* allocated, without the one byte kept for a missing final newline */
};

/* Reads and, if need be, inflates a file that begins with a Matrix Market banner; text_free it. Other files
 * are refused after their first bytes. In a file without '\n', '\r' ends lines and becomes '\n'. `path` must
 * outlive the text. On failure the text is empty. */
vks_status text_load(struct message *m, const char *path, struct text *t);

/* Makes more room. Before a text grows large it is refused if it does not begin as a Matrix Market file does.
 */
vks_status text_grow(struct message *m, struct text *t);

/* Whether the text is gzip, and its inflation in place. */
int text_is_gzip(const struct text *t);
vks_status text_inflate(struct message *m, struct text *t);

void text_free(struct text *t);

#endif
