#include "operator/items.h"
#include "operator/growth.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Extension names that endanger the compiler or devices, with their descriptions. */
static const struct {
    const char *extension, *what;
} refused[] = {
    {"GL_EXT_debug_printf", "debug output"},
    {"GL_EXT_spirv_intrinsics", "SPIR-V of its own"},
    {"GL_EXT_null_initializer", "initializers of nothing"},
};

vks_status cannot_have(struct message *m, const char *what)
{
    return fail(m, VKS_INVALID_ARGUMENT, "the glsl has %s, which rows of an operator must not have", what);
}

/* The end of a directive's line. */
static const char *end_of_line(const char *at, const char *end)
{
    struct token t;
    const char *last = at;
    while (token_next(&at, end, false, &t) && !t.begins_line)
        last = at;
    return last;
}

/* The index of a name among the parameters, or -1. */
static int find_parameter(const struct definition *d, const struct token *name)
{
    struct token t;
    int place = 0;
    for (const char *at = d->parameters; token_next(&at, d->body, false, &t); place += t.is_name)
        if (t.is_name && token_equals(&t, name))
            return place;
    return -1;
}

static size_t find_macro(const struct items *g, const struct token *name)
{
    size_t k = 0;
    while (k < g->definitions && !token_equals(&g->definition[k].name, name))
        k++;
    return k;
}

static vks_status add_item(struct items *g, enum item_kind kind, size_t index)
{
    if (g->items == g->room) {
        size_t room = g->room ? 2 * g->room : 1 << 12;
        struct item *item = realloc(g->item, room * sizeof *item);
        if (!item)
            return fail_memory(g->m, "the text of an operator", room * sizeof *item);
        g->item = item;
        g->room = room;
    }
    g->item[g->items++] = (struct item){(uint16_t)kind, (uint16_t)index};
    return VKS_OK;
}

/* Adds a token of a text, or of the body of d; a macro does not expand within itself. */
static vks_status add_token(struct items *g, const struct definition *d, const struct token *t)
{
    static const char reference[] = "buffer_reference"; /* also matches _align and _uvec2; case is ignored */
    if (!t->is_name)
        return add_item(g,
                        token_is(t, "(")             ? OPEN
                        : token_is(t, ")")           ? CLOSE
                        : strchr(";{}", t->begin[0]) ? END
                                                     : PLAIN,
                        0);
    if (t->length >= strlen(reference) && !strncasecmp(t->begin, reference, strlen(reference)))
        return add_item(g, REFERENCE, 0);
    int place = d ? find_parameter(d, t) : -1;
    if (place >= 0)
        return add_item(g, PARAMETER, (size_t)place);
    size_t k = find_macro(g, t);
    bool expands = k < g->definitions && !(d && d->same == k);
    return add_item(g, expands ? MACRO : PLAIN, k);
}

/* Adds the definition that follows "#define". */
static vks_status add_definition(struct items *g, const char *at, const char *end)
{
    struct definition d = {.end = end};
    struct token t;
    int parameters = 0;
    if (!token_next(&at, end, false, &d.name))
        return VKS_OK; /* the compiler reports it */
    if (g->definitions == TEXT_MOST_MACROS)
        return fail(g->m, VKS_LIMIT, "the glsl has more macros than %d, with those of vksolve",
                    TEXT_MOST_MACROS);
    d.same = find_macro(g, &d.name);
    d.parameters = at;
    d.takes_parameters = at < end && *at == '(';
    for (bool more = d.takes_parameters; more && token_next(&at, end, false, &t); more = !token_is(&t, ")"))
        parameters += t.is_name;
    if (parameters > TEXT_MOST_PARAMETERS)
        return fail(g->m, VKS_LIMIT, "the macro %.*s of the glsl has %d parameters; the most is %d",
                    (int)(d.name.length < 60 ? d.name.length : 60), d.name.begin, parameters,
                    TEXT_MOST_PARAMETERS);
    d.body = at;
    while (token_next(&at, end, false, &t))
        if (at[-1] == '#' && at < end && *at == '#')
            return cannot_have(g->m, "names that are pasted together (##)");
    g->definition[g->definitions++] = d;
    return VKS_OK;
}

static vks_status check_extension(struct message *m, const char *at, const char *end)
{
    struct token t;
    if (token_next(&at, end, false, &t))
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
            if (token_is(&t, refused[i].extension))
                return cannot_have(m, refused[i].what);
    return VKS_OK;
}

vks_status items_define(struct items *g, const char *at, bool of_program)
{
    const char *end = at + strlen(at);
    struct token t;
    for (bool first = true; token_next(&at, end, first, &t); first = false) {
        if (!t.begins_line || !token_is(&t, "#"))
            continue;
        const char *line = at;
        at = end_of_line(at, end);
        if (!token_next(&line, at, false, &t))
            continue;
        if (token_is(&t, "define"))
            TRY(add_definition(g, line, at));
        else if (token_is(&t, "extension") && of_program)
            TRY(check_extension(g->m, line, at));
    }
    return VKS_OK;
}

vks_status items_add_text(struct items *g, const char *at)
{
    const char *end = at + strlen(at);
    struct token t;
    bool in_directive = false;
    for (bool first = true; token_next(&at, end, first, &t); first = false) {
        bool begins = t.begins_line && token_is(&t, "#");
        const char *line = at;
        if ((in_directive && t.begins_line) || begins)
            TRY(add_item(g, END, 0));
        in_directive = begins || (in_directive && !t.begins_line);
        struct token name;
        bool named = begins && token_next(&line, end, false, &name);
        if (named && token_is(&name, "define"))
            at = end_of_line(at, end);
        else
            TRY(named && token_is(&name, "include") ? add_item(g, INCLUDED, 0) : add_token(g, NULL, &t));
    }
    return add_item(g, END, 0);
}

vks_status items_add_body(struct items *g, struct definition *d)
{
    struct token t;
    d->first = g->items;
    for (const char *at = d->body; token_next(&at, d->end, false, &t);)
        TRY(add_token(g, d, &t));
    d->count = g->items - d->first;
    return VKS_OK;
}
