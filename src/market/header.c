#include "market/header.h"
#include "market/scan.h"

#include <string.h>

enum { BANNER_WORDS = 5, MOST_WORDS = 6 };

/* A name in the banner; `value` is an enum value or one of these. */
enum { END_OF_NAMES = -1, REFUSED = -2 };
struct name {
    const char *word;
    int value;
};

static const struct name formats[] = {{"coordinate", false}, {"array", true}, {NULL, END_OF_NAMES}};
static const struct name fields[] = {{"real", MARKET_REAL},       {"double", MARKET_REAL},
                                     {"integer", MARKET_INTEGER}, {"pattern", MARKET_PATTERN},
                                     {"complex", REFUSED},        {NULL, END_OF_NAMES}};
static const struct name symmetries[] = {{"general", MARKET_GENERAL},
                                         {"symmetric", MARKET_SYMMETRIC},
                                         {"skew-symmetric", MARKET_SKEW},
                                         {"hermitian", REFUSED},
                                         {NULL, END_OF_NAMES}};

static bool word_is(const char *word, const char *name)
{
    return begins_with(word, name) && ends_word(word[strlen(name)]);
}

/* Splits a line into words; returns their number, at most MOST_WORDS. */
static int split(const char *line, const char *word[MOST_WORDS])
{
    int count = 0;
    for (const char *p = skip_blanks(line); *p != '\n' && count < MOST_WORDS; p = skip_blanks(skip_word(p)))
        word[count++] = p;
    return count;
}

static vks_status look_up(struct message *m, const struct text *t, const char *word, const char *what,
                          const struct name *names, int *value)
{
    for (; names->word; names++)
        if (word_is(word, names->word))
            break;
    *value = names->value;
    if (names->value == REFUSED)
        return fail(m, VKS_UNSUPPORTED, "%s:1: %s matrices are not supported", t->name, names->word);
    if (names->value == END_OF_NAMES)
        return fail(m, VKS_FORMAT, "%s:1: unknown %s '%s' in the banner", t->name, what,
                    show_word(word).text);
    return VKS_OK;
}

static vks_status read_banner(struct message *m, const struct text *t, const char *line, struct header *h)
{
    const char *word[MOST_WORDS];
    static const struct name objects[] = {{"matrix", 0}, {NULL, END_OF_NAMES}};
    int count = split(line, word), object, format, field, symmetry;
    if (count < BANNER_WORDS)
        return fail(m, VKS_FORMAT, "%s:1: the banner must name object, format, field and symmetry", t->name);
    if (!word_is(word[0], BANNER))
        return fail(m, VKS_FORMAT, "%s:1: not a Matrix Market file: the first word is '%s', not '%s'",
                    t->name, show_word(word[0]).text, BANNER);
    TRY(look_up(m, t, word[1], "object", objects, &object));
    TRY(look_up(m, t, word[2], "format", formats, &format));
    TRY(look_up(m, t, word[3], "field", fields, &field));
    TRY(look_up(m, t, word[4], "symmetry", symmetries, &symmetry));
    if (count > BANNER_WORDS)
        return fail(m, VKS_FORMAT, "%s:1: unexpected '%s' after the banner", t->name,
                    show_word(word[5]).text);
    h->is_array = format;
    h->field = (enum market_field)field;
    h->symmetry = (enum market_symmetry)symmetry;
    if (h->field == MARKET_PATTERN && (h->is_array || h->symmetry == MARKET_SKEW))
        return fail(m, VKS_FORMAT, "%s:1: a pattern matrix cannot be %s", t->name,
                    h->is_array ? "an array" : "skew-symmetric");
    return VKS_OK;
}

/* Reads one number of the size line. */
static vks_status read_size(struct message *m, const struct text *t, size_t line, const char *word,
                            const char *what, uint32_t most, uint32_t *size)
{
    uint64_t value;
    const char *end = scan_whole(word, &value);
    if (*word == '-' && is_digit(word[1]))
        return fail(m, VKS_FORMAT, "%s:%zu: the number of %s, %s, is negative", t->name, line, what,
                    show_word(word).text);
    if (!end || !ends_word(*end))
        return fail(m, VKS_FORMAT, "%s:%zu: the number of %s, '%s', is not an integer", t->name, line, what,
                    show_word(word).text);
    if (value > most)
        return fail(m, VKS_LIMIT, "%s:%zu: %s %s are more than the limit of %u", t->name, line,
                    show_word(word).text, what, (unsigned)most);
    *size = (uint32_t)value;
    return VKS_OK;
}

/* The number of values stored in an array file; rows * cols must be within the limit. */
static size_t array_entries(const struct header *h)
{
    size_t n = h->rows, cells = n * h->cols;
    if (h->symmetry == MARKET_SYMMETRIC)
        return (cells + n) / 2;
    return h->symmetry == MARKET_SKEW ? (cells - n) / 2 : cells;
}

static vks_status read_sizes(struct message *m, const struct text *t, size_t line, const char *at,
                             struct header *h)
{
    const char *word[MOST_WORDS];
    uint32_t entries = 0;
    if (split(at, word) != (h->is_array ? 2 : 3))
        return fail(m, VKS_FORMAT, "%s:%zu: the size line must be %s", t->name, line,
                    h->is_array ? "'rows columns'" : "'rows columns entries'");
    TRY(read_size(m, t, line, word[0], "rows", VKS_MAX_ROWS, &h->rows));
    TRY(read_size(m, t, line, word[1], "columns", VKS_MAX_ROWS, &h->cols));
    if (!h->is_array)
        TRY(read_size(m, t, line, word[2], "entries", VKS_MAX_ENTRIES, &entries));
    if (h->symmetry != MARKET_GENERAL && h->rows != h->cols)
        return fail(m, VKS_FORMAT, "%s:%zu: a %s matrix must be square, not %u x %u", t->name, line,
                    h->symmetry == MARKET_SKEW ? "skew-symmetric" : "symmetric", h->rows, h->cols);
    if (h->is_array && (uint64_t)h->rows * h->cols > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%s:%zu: %u x %u values are more than the limit of %u entries", t->name,
                    line, h->rows, h->cols, (unsigned)VKS_MAX_ENTRIES);
    h->entries = h->is_array ? array_entries(h) : entries;
    return VKS_OK;
}

vks_status header_read(struct message *m, const struct text *t, struct header *h)
{
    const char *p = t->begin, *end = p + t->size;
    *h = (struct header){0};
    if (begins_with(p, "\xEF\xBB\xBF"))
        p += 3;
    TRY(read_banner(m, t, p, h));
    for (size_t kept = 1;; kept++) {
        size_t line = text_line(t, kept);
        const char *next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1, *first = skip_blanks(p);
        if (memchr(p, 0, (size_t)(next - p)))
            return fail(m, VKS_FORMAT, "%s:%zu: a NUL byte", t->name, line);
        if (line > 1 && begins_with(first, BANNER))
            return fail(m, VKS_FORMAT, "%s:%zu: a second banner", t->name, line);
        if (line > 1 && *first != '%' && *first != '\n') {
            h->body = next;
            h->line = kept + 1;
            return read_sizes(m, t, line, first, h);
        }
        if (next == end)
            return fail(m, VKS_FORMAT, "%s:%zu: the file ends before the size line", t->name,
                        text_line(t, kept + 1) - 1);
        p = next;
    }
}
