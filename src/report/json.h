/* Writes one JSON value (RFC 8259) into memory. The first failed allocation sticks; json_take reports it at
 * the end. */
#ifndef VKS_REPORT_JSON_H
#define VKS_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json {
    char *text;
    size_t length, room;
    unsigned depth; /* open objects and arrays */
    bool follows;   /* the innermost of these already has an element */
    bool failed;
};

/* `key` is NULL in arrays and for the outermost value. */
void json_object(struct json *j, const char *key);
void json_end_object(struct json *j);
void json_array(struct json *j, const char *key);
void json_end_array(struct json *j);

/* Writes UTF-8; each invalid byte becomes U+FFFD. NULL is written as null. */
void json_string(struct json *j, const char *key, const char *value);
/* Writes the fewest digits that read back as the same double, in any locale; null for NaN and infinities. */
void json_number(struct json *j, const char *key, double value);
void json_count(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);

/* Ends the text with a newline; NULL if memory ran out. The caller must free() the text; j is empty
 * afterwards. */
char *json_take(struct json *j);

/* Frees the text; an empty j is fine. */
void json_free(struct json *j);

#endif
