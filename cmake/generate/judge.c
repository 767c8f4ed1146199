#include "judge.h"

#include <ctype.h>
#include <string.h>

static int is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return 0;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return 0;
    return 1;
}

void judge_names(const struct paths *shaders, struct problems *p)
{
    for (size_t i = 0; i < shaders->count; i++) {
        const char *path = shaders->at[i], *name = stem(path), *slash = strchr(path, '/');
        if (!slash || slash + 1 != name)
            problem(p, "shaders/%s.comp: expected shaders/<area>/<name>.comp", path);
        if (!is_identifier(name))
            problem(p, "shaders/%s.comp: \"%s\" cannot name a kernel: it is no C identifier", path, name);
        if (i > 0 && strcmp(stem(shaders->at[i - 1]), name) == 0)
            problem(p, "shaders/%s.comp: shaders/%s.comp has the same name", path, shaders->at[i - 1]);
    }
}

static int has(const struct paths *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i], path) == 0)
            return 1;
    return 0;
}

void judge_twins(const struct manifest *m, struct problems *p)
{
    for (size_t i = 0; i < m->shaders.count; i++)
        if (!has(&m->twins, m->shaders.at[i]))
            problem(p, "shaders/%s.comp has no twin: expected src/host/%s.c", m->shaders.at[i],
                    m->shaders.at[i]);
    for (size_t i = 0; i < m->twins.count; i++)
        if (!has(&m->shaders, m->twins.at[i]))
            problem(p, "src/host/%s.c has no shader: expected shaders/%s.comp", m->twins.at[i],
                    m->twins.at[i]);
}

/* Where two interfaces differ first: the index of a member, or -1. */
static int first_difference(const struct interface *a, const struct interface *b)
{
    uint32_t both = a->args < b->args ? a->args : b->args;
    for (uint32_t i = 0; i < both; i++)
        if (strcmp(a->arg[i].name, b->arg[i].name) != 0 || strcmp(a->arg[i].type, b->arg[i].type) != 0 ||
            a->arg[i].offset != b->arg[i].offset)
            return (int)i;
    return a->args == b->args ? -1 : (int)both;
}

void judge_variants(const struct kernel *k, size_t variants, struct problems *p)
{
    const struct variant *first = NULL;
    for (size_t i = 0; i < variants; i++) {
        const struct variant *v = k->variant + i;
        if (!v->code.word)
            continue;
        if (!first) {
            first = v;
            continue;
        }
        const struct interface *a = &first->interface, *b = &v->interface;
        int at = first_difference(a, b);
        if (at >= 0)
            problem(p,
                    "shaders/%s.comp: member \"%s\" is not the same with REAL=%d SUBGROUP=%d as with REAL=%d "
                    "SUBGROUP=%d",
                    k->path, (uint32_t)at < b->args ? b->arg[at].name : a->arg[at].name, v->real, v->subgroup,
                    first->real, first->subgroup);
        if (a->group_size != b->group_size)
            problem(p,
                    "shaders/%s.comp: its workgroup is %u with REAL=%d SUBGROUP=%d but %u with REAL=%d "
                    "SUBGROUP=%d",
                    k->path, b->group_size, v->real, v->subgroup, a->group_size, first->real,
                    first->subgroup);
    }
}
