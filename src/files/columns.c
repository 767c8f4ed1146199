/* Columns of numbers, as written by NumPy's savetxt, spreadsheets and printf: the numbers of a line are
 * separated by blanks, tabs, a comma or a semicolon; comments begin with # or %. */
#include "files/kinds.h"
#include "market/decimal.h"
#include "market/scan.h"
#include "report/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers read, row-major. */
struct numbers {
    struct message *m;
    const struct text *t;
    struct powers powers;
    double *value;
    size_t count, room, rows, cols, line;
    char separator; /* of all numbers; 0: no line with two numbers yet */
    bool is_whole;  /* no number has a point or an exponent */
};

static bool ends_numbers(char c)
{
    return c == '\n' || c == '#' || c == '%';
}

static vks_status wrong(const struct numbers *n, const char *word, const char *what)
{
    return fail(n->m, VKS_FORMAT, "%s:%zu: in columns of numbers '%s' is %s", n->t->name,
                text_line(n->t, n->line), show_word(word).text, what);
}

static vks_status grow(struct numbers *n)
{
    size_t room = n->room ? 2 * n->room : 1024, most = n->t->size / 2 + 1;
    room = room < most ? room : most;
    TRY(memory_check(n->m, n->t->name, "its numbers", (room - n->room) * sizeof *n->value));
    double *value = realloc(n->value, room * sizeof *value);
    if (!value)
        return memory_lacks(n->m, n->t->name, "its numbers", room * sizeof *value);
    n->value = value;
    n->room = room;
    return VKS_OK;
}

/* Skips the separator after a number. */
static vks_status read_separator(struct numbers *n, const char **p)
{
    const char *at = skip_blanks(*p);
    char separator = *at == ',' || *at == ';' ? *at : ' ';
    *p = skip_blanks(at + (separator != ' '));
    if (separator == ' ' && ends_numbers(*at))
        return VKS_OK;
    if (n->separator && n->separator != separator)
        return fail(n->m, VKS_FORMAT,
                    "%s:%zu: in columns of numbers '%c' and '%c' separate them; decimals have a point, and a "
                    "file one separator",
                    n->t->name, text_line(n->t, n->line), n->separator, separator);
    n->separator = separator;
    return VKS_OK;
}

/* Reads the number at *p and the separator after it. */
static vks_status read_number(struct numbers *n, const char **p)
{
    bool whole;
    if (n->count == n->room)
        TRY(grow(n));
    double *value = &n->value[n->count];
    const char *end = decimal_read(&n->powers, *p, value, &whole);
    if (!end && (begins_with(*p + (**p == '-' || **p == '+'), "nan") ||
                 begins_with(*p + (**p == '-' || **p == '+'), "inf")))
        return wrong(n, *p, "not finite");
    if (!end || !(ends_word(*end) || ends_numbers(*end) || *end == ',' || *end == ';'))
        return wrong(n, *p, "not a decimal number");
    if (isinf(*value))
        return wrong(n, *p, "too large for double precision");
    n->count++;
    n->is_whole = n->is_whole && whole;
    *p = end;
    return read_separator(n, p);
}

static vks_status read_row(struct numbers *n, const char *p)
{
    size_t before = n->count;
    while (!ends_numbers(*p))
        TRY(read_number(n, &p));
    size_t cols = n->count - before;
    if (!cols)
        return VKS_OK;
    if (n->rows && cols != n->cols)
        return fail(n->m, VKS_FORMAT,
                    "%s:%zu: in columns of numbers the line has %zu of them, and lines before have %zu",
                    n->t->name, text_line(n->t, n->line), cols, n->cols);
    n->cols = cols;
    n->rows++;
    return VKS_OK;
}

static vks_status read_rows(struct numbers *n)
{
    const char *p = n->t->begin, *end = p + n->t->size;
    if (begins_with(p, "\xEF\xBB\xBF"))
        p += 3;
    for (; p < end; p++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        n->line++;
        if (memchr(p, 0, (size_t)(newline - p)))
            return fail(n->m, VKS_FORMAT, "%s:%zu: a NUL byte", n->t->name, text_line(n->t, n->line));
        TRY(read_row(n, skip_blanks(p)));
        p = newline;
    }
    return n->rows ? VKS_OK : fail(n->m, VKS_FORMAT, "%s: no numbers, only comments", n->t->name);
}

vks_status read_columns(struct message *m, const struct text *t, struct market *out)
{
    struct numbers n = {.m = m, .t = t, .is_whole = true};
    struct triplets *e = &out->entries;
    powers_fill(&n.powers);
    vks_status s = read_rows(&n);
    IF_OK(s, entries_allocate_array(m, t->name, n.rows, n.cols, out));
    for (size_t k = 0; k < e->count && !s; k++)
        e->val[k] = n.value[e->row[k] * n.cols + e->col[k]];
    free(n.value);
    out->kind = "columns of numbers";
    out->field = n.is_whole ? MARKET_INTEGER : MARKET_REAL;
    out->stored = e->count;
    return s;
}
