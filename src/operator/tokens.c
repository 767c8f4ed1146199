#include "operator/tokens.h"

#include <stdlib.h>
#include <string.h>

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

char *tokens_join_lines(const char *text, size_t length)
{
    char *joined = malloc(length + 1), *to = joined;
    for (const char *p = text, *end = text + length; joined && p < end;) {
        if (*p == '\\' && p + 1 < end && ends_line(p[1]))
            p += p[1] == '\r' && p + 2 < end && p[2] == '\n' ? 3 : 2;
        else
            *to++ = *p++;
    }
    if (joined)
        *to = 0;
    return joined;
}

static const char *skip_comment(const char *p, const char *end)
{
    if (p[1] == '/') {
        while (p < end && !ends_line(*p))
            p++;
        return p;
    }
    for (p += 2; p + 1 < end; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    return end;
}

/* The end of a string, or of its line if unterminated, or of the name or number at p. */
static const char *end_of(const char *p, const char *end)
{
    const char *first = p++;
    if (*first == '"') {
        while (p < end && *p != '"' && !ends_line(*p))
            p++;
        return p < end && *p == '"' ? p + 1 : p;
    }
    bool number = is_digit(*first);
    if (number || is_letter(*first))
        while (p < end && (is_letter(*p) || is_digit(*p) || (number && *p == '.')))
            p++;
    return p;
}

bool token_next(const char **at, const char *end, bool first, struct token *t)
{
    const char *p = *at;
    bool blank = false;
    for (;;) {
        if (p < end && (is_blank(*p) || ends_line(*p))) {
            first |= ends_line(*p++);
        } else if (p + 1 < end && p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
            p = skip_comment(p, end);
        } else {
            break;
        }
        blank = true;
    }
    if (p == end)
        return false;
    *t = (struct token){p, 0, is_letter(*p), first, blank};
    *at = end_of(p, end);
    t->length = (size_t)(*at - p);
    return true;
}

bool token_is(const struct token *t, const char *word)
{
    return t->length == strlen(word) && !memcmp(t->begin, word, t->length);
}

bool token_equals(const struct token *a, const struct token *b)
{
    return a->length == b->length && !memcmp(a->begin, b->begin, a->length);
}
