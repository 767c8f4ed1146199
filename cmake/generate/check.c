#include "check.h"

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

void check_names(const struct paths *shaders, struct problems *p)
{
    for (size_t i = 0; i < shaders->count; i++) {
        const char *path = shaders->at[i], *name = stem(path), *slash = strchr(path, '/');
        if (!slash || slash + 1 != name)
            problem(p, "shaders/%s.comp: expected shaders/<area>/<name>.comp", path);
        if (!is_identifier(name))
            problem(p, "shaders/%s.comp: \"%s\" cannot name a kernel: it is not a C identifier", path, name);
        if (i > 0 && strcmp(stem(shaders->at[i - 1]), name) == 0)
            problem(p, "shaders/%s.comp: shaders/%s.comp has the same name", path, shaders->at[i - 1]);
    }
}

void check_twins(const struct manifest *m, struct problems *p)
{
    for (size_t i = 0; i < m->shaders.count; i++) {
        const char *path = m->shaders.at[i];
        bool own = paths_have(&m->each, path), twin = paths_have(&m->twins, path);
        if (!own && !twin)
            problem(p, "shaders/%s.comp has no twin: expected src/host/%s.c", path, path);
        if (own && twin)
            problem(p, "shaders/%s.comp includes each.glsl, so it is its own twin: src/host/%s.c is another",
                    path, path);
    }
    for (size_t i = 0; i < m->twins.count; i++)
        if (!paths_have(&m->shaders, m->twins.at[i]))
            problem(p, "src/host/%s.c has no shader: expected shaders/%s.comp", m->twins.at[i],
                    m->twins.at[i]);
}

/* The index of the first member in which two interfaces differ, or -1. */
static int first_difference(const struct interface *a, const struct interface *b)
{
    uint32_t both = a->args < b->args ? a->args : b->args;
    for (uint32_t i = 0; i < both; i++)
        if (strcmp(a->arg[i].name, b->arg[i].name) != 0 || strcmp(a->arg[i].type, b->arg[i].type) != 0 ||
            a->arg[i].offset != b->arg[i].offset)
            return (int)i;
    if (a->args == b->args && a->push_bytes != b->push_bytes) /* a member in one is a constant in the other */
        return (int)(both - (a->constants > b->constants ? a->constants : b->constants));
    return a->args == b->args ? -1 : (int)both;
}

static void check_pair(const char *path, const struct variant *first, const struct variant *v,
                       struct problems *p)
{
    const struct interface *a = &first->interface, *b = &v->interface;
    struct text here = variant_name(v), there = variant_name(first);
    int at = first_difference(a, b);
    if (at >= 0)
        problem(p, "shaders/%s.comp: member \"%s\" is not the same with %s as with %s", path,
                (uint32_t)at < b->args ? b->arg[at].name : a->arg[at].name, here.at, there.at);
    if (a->group_size != b->group_size)
        problem(p, "shaders/%s.comp: its workgroup is %u with %s but %u with %s", path, b->group_size,
                here.at, a->group_size, there.at);
    text_free(&here);
    text_free(&there);
}

void check_variants(const struct kernels *k, const struct kernel *kernel, struct problems *p)
{
    const struct variant *first = NULL;
    for (size_t i = 0; i < k->variants; i++) {
        const struct variant *v = kernel->variant + i;
        if (v->code.word && first)
            check_pair(kernel->path, first, v, p);
        else if (v->code.word)
            first = v;
    }
}

void check_values(const struct kernel *k, struct problems *p)
{
    const struct variant *v = k->variant;
    const struct arg *values = NULL;
    for (uint32_t i = 0; v->code.word && i < v->interface.args; i++)
        if (strcmp(v->interface.arg[i].type, "values") == 0)
            values = v->interface.arg + i;
    if (values && !k->takes_values)
        problem(p,
                "shaders/%s.comp: member \"%s\" has the type values, but the build found no line \"values "
                "%s;\": expected in the shader or in a file that it includes directly",
                k->path, values->name, values->name);
    if (v->code.word && k->takes_values && !values)
        problem(p,
                "shaders/%s.comp: the build found a line \"values NAME;\", but no member of ARGS has the "
                "type values",
                k->path);
}
