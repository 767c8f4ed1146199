/* Growing text, and the one allocation helper of the generator: it ends the program when memory does, so that
 * its callers need not say so again. Nothing is on disk yet wherever it is called. */
#ifndef GENERATE_TEXT_H
#define GENERATE_TEXT_H

#include <stddef.h>

struct text {
    char *at; /* ends with a zero; NULL while empty */
    size_t length;
    size_t room;
};

/* Says so, and ends the program. */
_Noreturn void out_of_memory(void);

/* realloc() for `count` items of `size` bytes; never NULL. */
void *resize(void *old, size_t count, size_t size);

#if defined(__GNUC__)
#define FORMATTED(text, list) __attribute__((format(printf, text, list)))
#else
#define FORMATTED(text, list)
#endif

FORMATTED(2, 3) void text_add(struct text *t, const char *format, ...);
void text_free(struct text *t);

/* The whole file as bytes with a zero behind them, or NULL where it cannot be read. */
char *read_whole(const char *path, size_t *length);

#endif
