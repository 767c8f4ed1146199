/* The text of a shader as its preprocessor cuts it: into names, numbers and signs. */
#ifndef VKS_OPERATOR_TOKENS_H
#define VKS_OPERATOR_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

struct token {
    const char *begin;
    size_t length;
    bool is_name;
    bool begins_line; /* blanks and comments aside */
    bool after_blank; /* or after a comment */
};

/* A copy of the text without the ends of lines that are continued, for free(). NULL: no memory. */
char *tokens_join_lines(const char *text, size_t length);

/* Takes the next token of a text that ends before *end, and moves *at behind it. False: there is none.
 * `first` says that *at is where a line begins. */
bool token_next(const char **at, const char *end, bool first, struct token *t);

bool token_is(const struct token *t, const char *word);
bool token_equals(const struct token *a, const struct token *b);

#endif
