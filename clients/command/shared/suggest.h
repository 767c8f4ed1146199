/* Suggests the word that the user may have meant: one that differs in few letters. */
#ifndef VKS_COMMAND_SHARED_SUGGEST_H
#define VKS_COMMAND_SHARED_SUGGEST_H

#include <stddef.h>

/* Must be zeroed initially. */
struct suggestion {
    const char *name; /* the closest so far; NULL if none is close */
    size_t distance;
};

/* Checks whether the first `length` letters of a word may be a misspelling of `name`: one letter in four may
 * be wrong, missing or extra, and one in shorter names. Words of more than 31 letters match nothing. V. I.
 * Levenshtein, 1966. */
void suggest(struct suggestion *s, const char *word, size_t length, const char *name);

#endif
