#include "solvers/precond_text.h"
#include "report/digits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
precond_text_add(struct precond_text *t, const char *format, ...)
{
    size_t used = strlen(t->text);
    va_list args;
    va_start(args, format);
    vsnprintf(t->text + used, sizeof t->text - used, format, args);
    va_end(args);
}

static void write_number(struct precond_text *t, uint32_t number)
{
    if (number == VKS_ALL_ROWS)
        precond_text_add(t, "all");
    else
        precond_text_add(t, "%u", number);
}

static void write_real(struct precond_text *t, double real)
{
    precond_text_add(t, "%s", real == VKS_WEIGHT_AUTO ? "auto" : digits_exact(real).text);
}

static void write_nested(struct precond_text *t, vks_precond_options o);

static void write_value(struct precond_text *t, vks_precond_options *o, const struct precond_option *p)
{
    const void *at = precond_option_in(o, p);
    switch (p->type) {
    case PRECOND_NUMBER:
    case PRECOND_ROWS:
        write_number(t, *(const uint32_t *)at);
        break;
    case PRECOND_METHOD:
        precond_text_add(t, "%s", vks_method_name(*(const vks_method *)at));
        break;
    case PRECOND_WEIGHT:
    case PRECOND_SHARE:
        write_real(t, *(const double *)at);
        break;
    default:
        write_nested(t, *o->inner);
    }
}

/* Whether an option differs from its default. */
static bool is_given(const vks_precond_options *o, int i)
{
    bool is_auto = o->inner && o->inner->kind == VKS_PRECOND_AUTO && !o->inner->in_f32;
    unsigned silent = is_auto ? OPTION_INNER : 0;
    return (precond_options_set(o) & ~silent) >> i & 1;
}

static void write_nested(struct precond_text *t, vks_precond_options o)
{
    const struct precond_option *number = precond_number(o.kind);
    const char *before = "(";
    precond_text_add(t, "%s", vks_precond_name(o.kind));
    for (int i = 0; i < PRECOND_OPTION_COUNT; i++)
        if (is_given(&o, i) && &precond_options[i] != number) {
            precond_text_add(t, "%s%s=", before, precond_options[i].key);
            write_value(t, &o, &precond_options[i]);
            before = ",";
        }
    if (*before == ',')
        precond_text_add(t, ")");
    if (number && is_given(&o, (int)(number - precond_options))) {
        precond_text_add(t, "/");
        write_value(t, &o, number);
    }
    if (o.in_f32)
        precond_text_add(t, "/f32");
}

struct precond_text precond_write(const vks_precond_options *o)
{
    struct precond_text t = {""};
    write_nested(&t, *o);
    return t;
}
