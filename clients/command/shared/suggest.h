/* The word that was meant: one with few other letters. */
#ifndef VKS_COMMAND_SHARED_SUGGEST_H
#define VKS_COMMAND_SHARED_SUGGEST_H

#include <stddef.h>

/* Zeroed to begin with. */
struct suggestion {
    const char *name; /* the closest so far; NULL: none is close */
    size_t distance;
};

/* Looks whether the first `length` letters of a word may have been meant as `name`: a letter of four may be
 * wrong, missing or too many, and one in shorter names. Words of more than 31 letters are far from all
 * others. V. I. Levenshtein, 1966. */
void suggest(struct suggestion *s, const char *word, size_t length, const char *name);

#endif
