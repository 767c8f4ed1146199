#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void out_of_memory(void)
{
    fprintf(stderr, "kernels_generator: out of memory\n");
    exit(EXIT_FAILURE);
}

void *resize(void *old, size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    void *p = count <= SIZE_MAX / size ? realloc(old, count * size) : NULL;
    if (!p)
        out_of_memory();
    return p;
}

void text_add(struct text *t, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0) {
        fprintf(stderr, "kernels_generator: cannot format \"%s\"\n", format);
        exit(EXIT_FAILURE);
    }

    size_t need = t->length + (size_t)length + 1;
    if (need > t->room) {
        t->room = need > 2 * t->room ? need : 2 * t->room;
        t->at = resize(t->at, t->room, 1);
    }
    vsnprintf(t->at + t->length, (size_t)length + 1, format, again);
    va_end(again);
    t->length += (size_t)length;
}

void text_free(struct text *t)
{
    free(t->at);
    *t = (struct text){0};
}

char *read_whole(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;

    char *bytes = NULL;
    size_t room = 0, got;
    *length = 0;
    do {
        if (*length + 1 >= room) {
            room = room ? 2 * room : 1 << 16;
            bytes = resize(bytes, room, 1);
        }
        got = fread(bytes + *length, 1, room - *length - 1, f);
        *length += got;
    } while (got > 0);

    int failed = ferror(f);
    fclose(f);
    if (failed) {
        free(bytes);
        return NULL;
    }
    bytes[*length] = 0;
    return bytes;
}
