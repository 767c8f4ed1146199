#include "manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int by_stem(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcmp(stem(x), stem(y));
    return order ? order : strcmp(x, y);
}

static void add_path(struct paths *p, const char *path)
{
    p->at = resize(p->at, p->count + 1, sizeof *p->at);
    p->at[p->count++] = path;
}

int paths_have(const struct paths *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i], path) == 0)
            return 1;
    return 0;
}

static int add_choices(struct choices *c, const char *text)
{
    char *end;
    for (c->count = 0; c->count < MAX_CHOICES; text = end) {
        long value = strtol(text, &end, 10);
        if (end == text)
            break;
        c->value[c->count++] = (int)value;
    }
    return c->count > 0 && *text == 0;
}

/* "NAME ELEMENT" */
static int add_scalar(struct scalars *s, char *text)
{
    char *element = strchr(text, ' ');
    if (!element || s->count == MAX_CHOICES)
        return 0;
    *element++ = 0;
    s->name[s->count++] = text;
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->name[i], element) == 0 && (i == s->count - 1 || s->element[i] == i)) {
            s->element[s->count - 1] = i;
            return 1;
        }
    return 0;
}

/* The rest of the line after `key` and a blank; NULL if the line begins otherwise. */
static char *behind(char *line, const char *key)
{
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static int add_line(struct manifest *m, char *line)
{
    char *rest;
    if ((rest = behind(line, "shader")))
        add_path(&m->shaders, rest);
    else if ((rest = behind(line, "values")))
        add_path(&m->values, rest);
    else if ((rest = behind(line, "twin")))
        add_path(&m->twins, rest);
    else if ((rest = behind(line, "each")))
        add_path(&m->each, rest);
    else if ((rest = behind(line, "scalar")))
        return add_scalar(&m->scalars, rest);
    else if ((rest = behind(line, "subgroups")))
        return add_choices(&m->subgroups, rest);
    else
        return *line == 0;
    return 1;
}

void manifest_read(struct manifest *m, const char *path, struct problems *p)
{
    *m = (struct manifest){0};
    size_t length;
    m->bytes = read_whole(path, &length);
    if (!m->bytes) {
        problem(p, "%s: %s", path, strerror(errno));
        return;
    }

    int number = 1;
    for (char *line = m->bytes, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (!add_line(m, line))
            problem(p, "%s:%d: cannot read \"%s\"", path, number, line);
    }
    if (!m->scalars.count || !m->subgroups.count)
        problem(p, "%s: lacks its line of a scalar or of subgroups", path);
    if (!m->shaders.count)
        problem(p, "%s: no kernel found: expected shaders/<area>/<name>.comp", path);
    if (m->shaders.count)
        qsort(m->shaders.at, m->shaders.count, sizeof *m->shaders.at, by_stem);
    if (m->twins.count)
        qsort(m->twins.at, m->twins.count, sizeof *m->twins.at, by_stem);
}

void manifest_free(struct manifest *m)
{
    free(m->shaders.at);
    free(m->values.at);
    free(m->twins.at);
    free(m->each.at);
    free(m->bytes);
    *m = (struct manifest){0};
}
