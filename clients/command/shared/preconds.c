#include "command/shared/preconds.h"
#include "command/shared/options.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reader {
    struct message *m;
    const char *text, *at; /* the whole text, and its unread part */
    struct precond_words *out;
};

/* Reports an error at r->at. The text before it is ASCII, so that bytes are columns. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static vks_status
wrong(const struct reader *r, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail(r->m, VKS_INVALID_ARGUMENT, "%s\n  %s\n  %*s^", what, r->text, (int)(r->at - r->text), "");
}

struct word {
    char text[32]; /* "" if it is longer */
    size_t length;
};

static struct word next_word(const struct reader *r)
{
    struct word w = {.length =
                         strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_")};
    if (w.length < sizeof w.text)
        memcpy(w.text, r->at, w.length);
    return w;
}

static vks_status read_kind(struct reader *r, vks_precond_options *o)
{
    struct word w = next_word(r);
    for (int k = VKS_PRECOND_AUTO; k < VKS_PRECOND_COUNT_; k++)
        if (!strcmp(w.text, vks_precond_name((vks_precond_kind)k))) {
            o->kind = (vks_precond_kind)k;
            r->at += w.length;
            return VKS_OK;
        }
#define NAME(KIND, module, name, text) ", " name
    return wrong(r, "expected auto" VKS_PRECONDS(NAME));
#undef NAME
}

static vks_status read_number(struct reader *r, vks_precond_options *o, const struct precond_option *p)
{
    struct word w = next_word(r);
    uint32_t largest = precond_largest(o->kind, p);
    if (!parse_count(w.text, 1, largest, precond_option_in(o, p)))
        return wrong(r, "expected the %s of %s, a whole number from 1 to %u%s", p->key,
                     vks_precond_name(o->kind), largest, p->type == PRECOND_ROWS ? ", or all" : "");
    r->at += w.length;
    return VKS_OK;
}

static vks_status read_rows(struct reader *r, vks_precond_options *o, const struct precond_option *p)
{
    struct word w = next_word(r);
    if (strcmp(w.text, "all") != 0)
        return read_number(r, o, p);
    *(uint32_t *)precond_option_in(o, p) = VKS_ALL_ROWS;
    r->at += w.length;
    return VKS_OK;
}

static vks_status read_method(struct reader *r, vks_method *method)
{
    struct word w = next_word(r);
    char names[128] = "";
    for (int k = VKS_METHOD_AUTO + 1; k < VKS_METHOD_COUNT_; k++) {
        size_t used = strlen(names);
        if (!precond_takes_steps_of((vks_method)k))
            continue;
        if (!strcmp(w.text, vks_method_name((vks_method)k))) {
            *method = (vks_method)k;
            r->at += w.length;
            return VKS_OK;
        }
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", vks_method_name((vks_method)k));
    }
    return wrong(r, "expected a method that iterates: %s", names);
}

static vks_status read_weight(struct reader *r, double *weight)
{
    struct word w = next_word(r);
    if (!strcmp(w.text, "auto"))
        *weight = VKS_WEIGHT_AUTO;
    else if (!parse_real(w.text, DBL_TRUE_MIN, DBL_MAX, weight))
        return wrong(r, "expected a weight above 0, or auto");
    r->at += w.length;
    return VKS_OK;
}

static vks_status read_share(struct reader *r, double *share)
{
    struct word w = next_word(r);
    if (!parse_real(w.text, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2, share))
        return wrong(r, "expected a number above 0 and below 1");
    r->at += w.length;
    return VKS_OK;
}

static vks_status read_precond(struct reader *r, const vks_precond_options **to);

static vks_status read_value(struct reader *r, vks_precond_options *o, const struct precond_option *p)
{
    void *to = precond_option_in(o, p);
    switch (p->type) {
    case PRECOND_NUMBER:
        return read_number(r, o, p);
    case PRECOND_ROWS:
        return read_rows(r, o, p);
    case PRECOND_METHOD:
        return read_method(r, to);
    case PRECOND_WEIGHT:
        return read_weight(r, to);
    case PRECOND_SHARE:
        return read_share(r, to);
    default:
        return read_precond(r, to);
    }
}

/* The options that a kind takes: "method, steps". */
static struct precond_text keys_of(vks_precond_kind kind)
{
    struct precond_text t = {""};
    unsigned takes = precond_takes(kind);
    for (int i = 0; i < PRECOND_OPTION_COUNT; i++)
        if (takes >> i & 1)
            precond_text_add(&t, "%s%s", t.text[0] ? ", " : "", precond_options[i].key);
    return t;
}

/* KEY=VALUE */
static vks_status read_option(struct reader *r, vks_precond_options *o)
{
    struct word w = next_word(r);
    int i = 0;
    while (i < PRECOND_OPTION_COUNT &&
           !(precond_takes(o->kind) >> i & 1 && !strcmp(w.text, precond_options[i].key)))
        i++;
    if (i == PRECOND_OPTION_COUNT)
        return wrong(r, "expected an option of %s: %s", vks_precond_name(o->kind), keys_of(o->kind).text);
    if (precond_options_set(o) >> i & 1)
        return wrong(r, "%s is given twice", w.text);
    r->at += w.length;
    if (*r->at != '=')
        return wrong(r, "expected = and a value");
    r->at++;
    return read_value(r, o, &precond_options[i]);
}

/* (KEY=VALUE,...) */
static vks_status read_options(struct reader *r, vks_precond_options *o)
{
    if (!precond_takes(o->kind))
        return wrong(r, "%s has no options", vks_precond_name(o->kind));
    vks_status s;
    do {
        r->at++;
        s = read_option(r, o);
    } while (!s && *r->at == ',');
    if (s)
        return s;
    if (*r->at != ')')
        return wrong(r, "expected , or )");
    r->at++;
    return VKS_OK;
}

/* Reads the text after a slash. */
static vks_status read_suffix(struct reader *r, vks_precond_options *o)
{
    const struct precond_option *p = precond_number(o->kind);
    struct word w = next_word(r);
    if (o->in_f32)
        return wrong(r, "nothing follows /f32");
    if (!strcmp(w.text, "f32")) {
        o->in_f32 = 1;
        r->at += w.length;
        return VKS_OK;
    }
    if (!p)
        return wrong(r, "expected f32; %s has no number", vks_precond_name(o->kind));
    if (precond_options_set(o) >> (p - precond_options) & 1)
        return wrong(r, "expected f32; there is a value for %s already", p->key);
    return read_number(r, o, p);
}

static vks_status read_precond(struct reader *r, const vks_precond_options **to)
{
    if (r->out->count == VKS_LARGEST_NESTING)
        return wrong(r, "more than %u preconditioners are nested", VKS_LARGEST_NESTING);
    vks_precond_options *o = &r->out->options[r->out->count++];
    *o = (vks_precond_options){0};
    *to = o;
    vks_status s = read_kind(r, o);
    if (!s && *r->at == '(')
        s = read_options(r, o);
    while (!s && *r->at == '/') {
        r->at++;
        s = read_suffix(r, o);
    }
    return s;
}

vks_status preconds_read(struct message *m, const char *text, struct precond_words *out)
{
    const vks_precond_options *first;
    struct reader r = {m, text, text, out};
    out->count = 0;
    if (strlen(text) > LONGEST_PRECOND)
        return fail(m, VKS_INVALID_ARGUMENT, "a preconditioner of %zu characters; %d are allowed",
                    strlen(text), LONGEST_PRECOND);
    vks_status s = read_precond(&r, &first);
    return s || !*r.at ? s : wrong(&r, "expected nothing more");
}
