/* An upper bound on the size of a text after macro expansion. A macro counts as its expanded body, and
 * multiplies the contents of the parentheses after it by the number of uses of its most used parameter. A
 * name that may become a macro, such as a parameter, counts as the worst macro. Several definitions of one
 * name count as the largest, and lines excluded by a condition count too. */
#include "operator/growth.h"
#include "operator/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The count of an included file, in tokens: an upper bound for the library's files. */
enum { OF_INCLUDED = 4096 };

/* Bounds of a macro, stored with the first definition of its name. `tail` multiplies parentheses after an
 * expansion. */
struct macro {
    double tokens, weight, tail;
    bool may_be_empty, has_reference;
    bool calls_unknown; /* has parentheses after a name that may become any macro */
};

struct cost {
    struct macro whole;
    double weight[TEXT_MOST_PARAMETERS], statement;
    bool too_deep, unbalanced;
};

struct growth {
    struct items text;
    struct macro *macro;
    double largest_weight; /* factor for unknown macros */
};

static void count_macro(const struct growth *g, const struct item *i, double times, double *next,
                        struct cost *c)
{
    const struct macro *m = &g->macro[i->index];
    c->whole.tokens += times * (1 + m->tokens);
    c->whole.has_reference |= m->has_reference;
    c->whole.may_be_empty &= m->may_be_empty;
    if (m->may_be_empty)
        *next = g->largest_weight;
    else
        *next = g->text.definition[i->index].takes_parameters ? m->weight : m->tail;
}

/* Whether parentheses after an item may belong to a macro named by another text. */
static bool is_unknown(const struct growth *g, const struct item *i)
{
    if (i->kind == MACRO)
        return g->macro[i->index].may_be_empty || !g->text.definition[i->index].takes_parameters;
    return i->kind == PARAMETER || i->kind == CLOSE;
}

static void count_end(double *since, struct cost *c)
{
    c->statement = fmax(c->statement, c->whole.tokens - *since);
    *since = c->whole.tokens;
}

/* Counts the expansion of items from known bounds of macros. `next` multiplies the next parentheses. */
static void count(const struct growth *g, const struct item *item, size_t items, struct cost *c)
{
    double outside[TEXT_MOST_NESTED], behind[TEXT_MOST_NESTED], times = 1, next = 1, since = 0;
    int depth = 0;
    bool called = false; /* the previous item may become the name of a macro */
    *c = (struct cost){.whole.may_be_empty = true};
    for (const struct item *i = item; i < item + items && !c->too_deep; i++) {
        bool expands = i->kind == MACRO || i->kind == PARAMETER;
        c->whole.may_be_empty &= expands;
        c->whole.has_reference |= i->kind == REFERENCE;
        if (i->kind == MACRO) {
            count_macro(g, i, times, &next, c);
            called = true;
            continue;
        }
        c->whole.tokens += i->kind == INCLUDED ? OF_INCLUDED : times;
        c->too_deep = i->kind == OPEN && depth == TEXT_MOST_NESTED;
        c->whole.calls_unknown |= i->kind == OPEN && i > item && is_unknown(g, i - 1);
        c->unbalanced |= i->kind == CLOSE && !depth;
        if (i->kind == PARAMETER)
            c->weight[i->index] += times;
        if (i->kind == END && !depth)
            count_end(&since, c);
        if (i->kind == OPEN && !c->too_deep) {
            outside[depth] = times;
            behind[depth++] = called ? g->largest_weight : 1;
            times *= next;
        }
        next = i->kind == PARAMETER ? g->largest_weight : 1;
        if (i->kind == CLOSE && depth) {
            times = outside[--depth];
            next = behind[depth];
        }
        called = i->kind == PARAMETER || (i->kind == CLOSE && next > 1);
    }
    count_end(&since, c);
    c->unbalanced |= depth > 0;
    c->whole.tail = next;
}

/* Counts a definition; true if this raised the bounds of its macro. */
static bool learn(struct growth *g, const struct definition *d, struct cost *c)
{
    struct macro *m = &g->macro[d->same], before = *m;
    count(g, g->text.item + d->first, d->count, c);
    m->tokens = fmax(m->tokens, c->whole.tokens);
    m->tail = fmax(m->tail, c->whole.tail);
    m->may_be_empty |= c->whole.may_be_empty;
    m->has_reference |= c->whole.has_reference;
    m->calls_unknown |= c->whole.calls_unknown;
    for (int k = 0; k < TEXT_MOST_PARAMETERS; k++)
        m->weight = fmax(m->weight, c->weight[k]);
    return m->tokens > before.tokens || m->tail > before.tail || m->weight > before.weight ||
           m->may_be_empty != before.may_be_empty || m->has_reference != before.has_reference;
}

static vks_status too_many(struct message *m)
{
    return fail(m, VKS_LIMIT, "the glsl has more than %d tokens after macro expansion", TEXT_MOST_TOKENS);
}

static vks_status too_deep(struct message *m)
{
    return fail(m, VKS_LIMIT, "the glsl has more than %d nested parentheses", TEXT_MOST_NESTED);
}

/* Iterates with the current weight of unknown macros. */
static vks_status settle(struct growth *g, size_t of_library)
{
    bool more = true;
    for (int round = 0; more; round++) {
        if (round == TEXT_MOST_MACROS_NESTED)
            return fail(g->text.m, VKS_LIMIT, "macros of the glsl are recursive, or nested more than %d deep",
                        TEXT_MOST_MACROS_NESTED);
        more = false;
        for (size_t k = 0; k < g->text.definitions; k++) {
            const struct definition *d = &g->text.definition[k];
            struct cost c;
            more |= learn(g, d, &c);
            if (c.too_deep)
                return too_deep(g->text.m);
            if (c.unbalanced && k >= of_library)
                return fail(g->text.m, VKS_INVALID_ARGUMENT, "the macro %.*s of the glsl lacks a parenthesis",
                            (int)(d->name.length < 60 ? d->name.length : 60), d->name.begin);
            if (c.whole.tokens > TEXT_MOST_TOKENS)
                return too_many(g->text.m);
        }
    }
    return VKS_OK;
}

/* A macro does not expand within itself. So each macro that calls unknown ones occurs at most once in a
 * nesting, and the bounds converge after one step per such macro. */
static vks_status count_macros(struct growth *g, size_t of_library)
{
    g->largest_weight = 1;
    for (size_t step = 0, steps = 1; step < steps; step++) {
        TRY(settle(g, of_library));
        double largest = 1;
        steps = 1;
        for (size_t k = 0; k < g->text.definitions; k++) {
            largest = fmax(largest, g->macro[k].weight);
            steps += g->macro[k].calls_unknown;
        }
        steps = largest > g->largest_weight ? steps : 0;
        g->largest_weight = largest;
    }
    return VKS_OK;
}

static vks_status measure_growth(struct growth *g, const char *text, size_t of_library)
{
    for (size_t k = 0; k < g->text.definitions; k++) {
        struct definition *d = &g->text.definition[k];
        d->same = d->same < k ? d->same : k;
        g->macro[k] = (struct macro){.weight = 1, .tail = 1};
        TRY(items_add_body(&g->text, d));
    }
    size_t first = g->text.items;
    struct cost c;
    TRY(items_add_text(&g->text, text));
    TRY(count_macros(g, of_library));
    count(g, g->text.item + first, g->text.items - first, &c);
    if (c.too_deep)
        return too_deep(g->text.m);
    if (c.whole.tokens > TEXT_MOST_TOKENS)
        return too_many(g->text.m);
    if (c.statement > TEXT_MOST_IN_STATEMENT)
        return fail(g->text.m, VKS_LIMIT,
                    "a statement of the glsl has %.0f tokens after macro expansion; the most "
                    "is %d",
                    c.statement, TEXT_MOST_IN_STATEMENT);
    return c.whole.has_reference ? cannot_have(g->text.m, "a buffer reference of its own") : VKS_OK;
}

vks_status text_check(struct message *m, const char *glsl, const struct shader_text *library, size_t count)
{
    struct growth g = {.text.m = m};
    size_t length = strlen(glsl), of_library = 0;
    if (length > TEXT_MOST_BYTES)
        return fail(m, VKS_LIMIT, "the glsl has %zu bytes; the most is %d", length, TEXT_MOST_BYTES);
    char **text = calloc(count + 1, sizeof *text);
    g.text.definition = malloc(TEXT_MOST_MACROS * sizeof *g.text.definition);
    g.macro = malloc(TEXT_MOST_MACROS * sizeof *g.macro);
    vks_status s =
        text && g.text.definition && g.macro
            ? VKS_OK
            : fail_memory(m, "the macros of an operator", TEXT_MOST_MACROS * sizeof *g.text.definition);
    for (size_t k = 0; k <= count && !s; k++) {
        text[k] = k < count ? tokens_join_lines(library[k].text, library[k].length)
                            : tokens_join_lines(glsl, length);
        s = text[k] ? items_define(&g.text, text[k], k == count)
                    : fail_memory(m, "the text of an operator", length);
        of_library = k < count ? g.text.definitions : of_library;
    }
    IF_OK(s, measure_growth(&g, text[count], of_library));
    for (size_t k = 0; text && k <= count; k++)
        free(text[k]);
    free(text);
    free(g.text.definition);
    free(g.macro);
    free(g.text.item);
    return s;
}
