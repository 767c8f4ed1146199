/* Growing text, and the one allocation helper of the generator: it ends the program if memory runs out, so
 * that its callers need no check. No caller has written a file yet. */
#ifndef GENERATE_TEXT_H
#define GENERATE_TEXT_H

#include <stddef.h>

struct text {
    char *at; /* ends with a zero; NULL while empty */
    size_t length;
    size_t room;
};

/* Prints the failure, and ends the program. */
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

/* The bytes of the file with a zero after them; NULL if it cannot be read. */
char *read_whole(const char *path, size_t *length);

#endif
