#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(const char *folder, const char *name, const char *suffix)
{
    struct text t = {0};
    text_add(&t, "%s/%s%s", folder, name, suffix);
    return t.at;
}

static int is_unchanged(const struct output *o, const char *path)
{
    size_t length;
    char *old = read_whole(path, &length);
    int same = old && length == o->text.length && memcmp(old, o->text.at, length) == 0;
    free(old);
    return same;
}

static void write_beside(struct output *o, const char *folder, struct problems *p)
{
    char *path = path_of(folder, o->name, ""), *beside = path_of(folder, o->name, ".new");
    if (!is_unchanged(o, path)) {
        FILE *f = fopen(beside, "wb");
        int good = f && fwrite(o->text.at, 1, o->text.length, f) == o->text.length;
        if (f && fclose(f))
            good = 0;
        if (!good)
            problem(p, "%s: %s", beside, strerror(errno));
        o->written = f != NULL;
    }
    free(path);
    free(beside);
}

void outputs_write(struct output *list, size_t count, const char *folder, struct problems *p)
{
    for (size_t i = 0; i < count; i++)
        write_beside(list + i, folder, p);
    for (size_t i = 0; i < count; i++) {
        if (!list[i].written)
            continue;
        char *path = path_of(folder, list[i].name, ""), *beside = path_of(folder, list[i].name, ".new");
        if (!p->count && rename(beside, path) != 0)
            problem(p, "%s: %s", path, strerror(errno));
        if (p->count)
            remove(beside);
        free(path);
        free(beside);
    }
}
