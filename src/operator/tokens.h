/* The tokens of a shader's text as seen by its preprocessor: names, numbers and signs. */
#ifndef VKS_OPERATOR_TOKENS_H
#define VKS_OPERATOR_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

struct token {
    const char *begin;
    size_t length;
    bool is_name;
    bool begins_line; /* ignoring blanks and comments */
    bool after_blank; /* or after a comment */
};

/* A copy of the text with continued lines joined, which the caller frees. NULL: out of memory. */
char *tokens_join_lines(const char *text, size_t length);

/* Takes the next token of a text that ends before *end, and moves *at past it. False: no token is left.
 * `first`: *at is the beginning of a line. */
bool token_next(const char **at, const char *end, bool first, struct token *t);

bool token_is(const struct token *t, const char *word);
bool token_equals(const struct token *a, const struct token *b);

#endif
