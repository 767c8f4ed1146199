#include "report/json.h"
#include "report/digits.h"
#include "report/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct json *j, size_t more)
{
    if (j->failed || more < j->room - j->length)
        return !j->failed;
    size_t room = 2 * (j->length + more) + 256;
    char *text = realloc(j->text, room);
    if (!text) {
        j->failed = true;
        return false;
    }
    j->text = text;
    j->room = room;
    return true;
}

static void put_bytes(struct json *j, const char *bytes, size_t count)
{
    if (!make_room(j, count))
        return;
    memcpy(j->text + j->length, bytes, count);
    j->length += count;
}

static void put(struct json *j, const char *text)
{
    put_bytes(j, text, strlen(text));
}

static void new_line(struct json *j)
{
    put(j, "\n");
    for (unsigned i = 0; i < j->depth; i++)
        put(j, "  ");
}

static void put_escaped(struct json *j, unsigned char c)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *known = strchr(from, c);
    char code[8];
    if (known)
        snprintf(code, sizeof code, "\\%c", to[known - from]);
    else
        snprintf(code, sizeof code, "\\u%04x", c);
    put(j, code);
}

static void put_string(struct json *j, const char *text)
{
    put(j, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length(s);
        if (!length)
            put(j, "\xEF\xBF\xBD");
        else if (*s < ' ' || *s == 0x7F || *s == '"' || *s == '\\')
            put_escaped(j, *s);
        else
            put_bytes(j, (const char *)s, length);
        s += length ? length : 1;
    }
    put(j, "\"");
}

/* Writes the prefix of a value: comma, new line, key. */
static void lead(struct json *j, const char *key)
{
    if (j->follows)
        put(j, ",");
    if (j->depth)
        new_line(j);
    if (key) {
        put_string(j, key);
        put(j, ": ");
    }
    j->follows = true;
}

static void open_level(struct json *j, const char *key, const char *bracket)
{
    lead(j, key);
    put(j, bracket);
    j->depth++;
    j->follows = false;
}

static void close_level(struct json *j, const char *bracket)
{
    j->depth--;
    if (j->follows)
        new_line(j);
    put(j, bracket);
    j->follows = true;
}

void json_object(struct json *j, const char *key)
{
    open_level(j, key, "{");
}

void json_end_object(struct json *j)
{
    close_level(j, "}");
}

void json_array(struct json *j, const char *key)
{
    open_level(j, key, "[");
}

void json_end_array(struct json *j)
{
    close_level(j, "]");
}

void json_string(struct json *j, const char *key, const char *value)
{
    lead(j, key);
    if (value)
        put_string(j, value);
    else
        put(j, "null");
}

/* printf and strtod follow the locale; its decimal point, of one or more bytes, becomes '.'. */
static void put_number(struct json *j, const char *digits)
{
    for (const char *c = digits; *c; c++)
        if (strchr("0123456789+-e", *c))
            put_bytes(j, c, 1);
        else if (c == digits || strchr("0123456789", c[-1]))
            put(j, ".");
}

void json_number(struct json *j, const char *key, double value)
{
    if (!isfinite(value)) {
        json_null(j, key);
        return;
    }
    lead(j, key);
    put_number(j, digits_exact(value).text);
}

void json_count(struct json *j, const char *key, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    lead(j, key);
    put(j, digits);
}

void json_bool(struct json *j, const char *key, bool value)
{
    lead(j, key);
    put(j, value ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
    lead(j, key);
    put(j, "null");
}

char *json_take(struct json *j)
{
    put_bytes(j, "\n", 2); /* with its NUL */
    char *text = j->failed ? NULL : j->text;
    if (j->failed)
        free(j->text);
    *j = (struct json){0};
    return text;
}

void json_free(struct json *j)
{
    free(j->text);
    *j = (struct json){0};
}
