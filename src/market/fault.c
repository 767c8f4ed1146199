#include "market/fault.h"
#include "market/scan.h"

#include <inttypes.h>
#include <string.h>

static const char *const part_names[] = {"row", "column", "value"};

/* Reports a word that is not a number, with the reason if it is refused on purpose. */
static vks_status not_number(struct message *m, const char *name, size_t line, const struct fault *f)
{
    const char *word = f->at + (*f->at == '-' || *f->at == '+');
    bool special = begins_with(word, "nan") || begins_with(word, "inf");
    return fail(m, VKS_FORMAT, "%s:%zu: the value '%s' is not %s", name, line, show_word(f->at).text,
                special ? "finite" : "a decimal number");
}

static vks_status outside(struct message *m, const char *name, size_t line, const struct header *h,
                          const struct fault *f)
{
    uint32_t most = f->part == PART_ROW ? h->rows : h->cols;
    const char *part = part_names[f->part];
    if (!most)
        return fail(m, VKS_FORMAT, "%s:%zu: an entry in a matrix without %ss", name, line, part);
    return fail(m, VKS_FORMAT, "%s:%zu: %s %s is outside 1..%" PRIu32, name, line, part,
                show_word(f->at).text, most);
}

vks_status fault_report(struct message *m, const struct text *t, const struct header *h,
                        const struct fault *f)
{
    const char *name = t->name, *part = part_names[f->part];
    struct shown word = show_word(f->at);
    size_t line = text_line(t, f->line);
    switch (f->kind) {
    case FAULT_MISSING:
        return fail(m, VKS_FORMAT, "%s:%zu: the %s is missing", name, line, part);
    case FAULT_NOT_INTEGER:
        if (*f->at == '-' && is_digit(f->at[1]))
            return outside(m, name, line, h, f);
        return fail(m, VKS_FORMAT, "%s:%zu: the %s '%s' is not an integer", name, line, part, word.text);
    case FAULT_OUTSIDE:
        return outside(m, name, line, h, f);
    case FAULT_NOT_NUMBER:
        return not_number(m, name, line, f);
    case FAULT_TOO_LARGE:
        return fail(m, VKS_FORMAT, "%s:%zu: the value %s is too large for double precision", name, line,
                    word.text);
    case FAULT_DIAGONAL:
        return fail(m, VKS_FORMAT, "%s:%zu: the diagonal of a skew-symmetric matrix must be zero, not %s",
                    name, line, word.text);
    case FAULT_EXTRA:
        return fail(m, VKS_FORMAT, "%s:%zu: unexpected '%s' after the entry", name, line, word.text);
    case FAULT_BANNER:
        return fail(m, VKS_FORMAT, "%s:%zu: a second banner", name, line);
    case FAULT_NUL:
        return fail(m, VKS_FORMAT, "%s:%zu: a NUL byte", name, line);
    case FAULT_NONE:
        break;
    }
    return VKS_OK;
}
