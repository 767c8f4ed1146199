/* Validates JSON texts by the grammar of RFC 8259. */
#ifndef TESTS_JSON_VALID_H
#define TESTS_JSON_VALID_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Each returns the end of the element that it is named after; NULL if it is missing. */
static const char *json_value_end(const char *p);

static const char *json_space_end(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *json_string_end(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ')
            return NULL;
        if (*p != '\\')
            continue;
        if (*++p == 'u') {
            for (int i = 0; i < 4; i++)
                if (!isxdigit((unsigned char)*++p))
                    return NULL;
        } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
            return NULL;
        }
    }
    return p + 1;
}

static const char *json_digits_end(const char *p)
{
    return isdigit((unsigned char)*p) ? p + strspn(p, "0123456789") : NULL;
}

static const char *json_number_end(const char *p)
{
    p += *p == '-';
    p = *p == '0' ? p + 1 : json_digits_end(p);
    if (p && *p == '.')
        p = json_digits_end(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p = json_digits_end(p + (*p == '+' || *p == '-'));
    }
    return p;
}

/* An object if `close` is '}', else an array. */
static const char *json_members_end(const char *p, char close)
{
    p = json_space_end(p + 1);
    if (*p == close)
        return p + 1;
    for (;;) {
        if (close == '}') {
            p = json_string_end(p);
            p = p ? json_space_end(p) : "";
            if (*p != ':')
                return NULL;
            p = json_space_end(p + 1);
        }
        p = json_value_end(p);
        if (!p)
            return NULL;
        p = json_space_end(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = json_space_end(p + 1);
    }
}

static const char *json_value_end(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++)
        if (!strncmp(p, words[i], strlen(words[i])))
            return p + strlen(words[i]);
    switch (*p) {
    case '{':
        return json_members_end(p, '}');
    case '[':
        return json_members_end(p, ']');
    case '"':
        return json_string_end(p);
    default:
        return json_number_end(p);
    }
}

/* One value, with nothing else except white space. */
static bool json_valid(const char *text)
{
    const char *p = json_value_end(json_space_end(text));
    return p && !*json_space_end(p);
}

#endif
