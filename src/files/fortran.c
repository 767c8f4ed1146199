#include "files/fortran.h"
#include "market/decimal.h"
#include "market/scan.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 4, LONGEST_LINE = 4096, WIDEST = 128 };

/* The rest of the text of a format, and the position on the line so far. */
struct parser {
    const char *p, *end;
    struct fortran_format *f;
    unsigned at;
    int scale;
};

static char next(struct parser *s)
{
    while (s->p < s->end && is_blank(*s->p))
        s->p++;
    return s->p < s->end ? (char)(*s->p >= 'a' && *s->p <= 'z' ? *s->p - 'a' + 'A' : *s->p) : 0;
}

/* Reads a number of digits; returns `none` if there are no digits. */
static unsigned number(struct parser *s, unsigned none)
{
    unsigned value = 0;
    if (!is_digit(next(s)))
        return none;
    for (; is_digit(next(s)); s->p++)
        value = value < LONGEST_LINE ? 10 * value + (unsigned)(*s->p - '0') : value;
    return value;
}

static bool add_fields(struct parser *s, unsigned repeat, char letter)
{
    struct fortran_format *f = s->f;
    unsigned decimals = 0, width = number(s, 0);
    if (next(s) == '.') {
        s->p++;
        decimals = number(s, 0);
    }
    if (letter != 'I' && next(s) == 'E') { /* digits of the exponent */
        s->p++;
        number(s, 0);
    }
    letter = letter == 'I' ? 'I' : 'E';
    if (!width || width > WIDEST || decimals > WIDEST || (f->letter && f->letter != letter))
        return false;
    f->letter = letter;
    for (; repeat; repeat--, s->at += width) {
        if (f->count == FORTRAN_FIELDS || s->at + width > LONGEST_LINE)
            return false;
        f->field[f->count++] =
            (struct field){(uint16_t)s->at, (uint16_t)width, letter == 'I' ? 0 : (uint8_t)decimals,
                           letter == 'I' ? 0 : (int8_t)s->scale};
    }
    return true;
}

static bool read_list(struct parser *s, int depth);

/* Reads an edit descriptor with its repeat count. */
static bool read_item(struct parser *s, int depth)
{
    bool negative = next(s) == '-';
    s->p += negative;
    unsigned count = number(s, 1);
    char letter = next(s);
    if (!letter || (!count && letter != 'P') || (negative && letter != 'P'))
        return false;
    const char *list = s->p++;
    switch (letter) {
    case 'P':
        s->scale = negative ? -(int)count : (int)count;
        return count < 100;
    case 'X':
        s->at += count;
        return s->at <= LONGEST_LINE;
    case '(':
        for (; count; count--) { /* ends, because each pass adds fields and their number is limited */
            unsigned before = s->f->count;
            s->p = list + 1;
            if (depth == DEEPEST || !read_list(s, depth + 1) || s->f->count == before)
                return false;
        }
        return true;
    case 'E':
        if (next(s) == 'S' || next(s) == 'N') /* ES and EN */
            s->p++;
        return add_fields(s, count, letter);
    case 'I':
    case 'D':
    case 'F':
    case 'G':
        return add_fields(s, count, letter);
    default:
        return false;
    }
}

/* Reads up to the closing bracket. */
static bool read_list(struct parser *s, int depth)
{
    while (next(s) != ')') {
        if (!next(s))
            return false;
        if (next(s) == ',')
            s->p++;
        else if (!read_item(s, depth))
            return false;
    }
    s->p++;
    return true;
}

bool fortran_format_read(const char *text, size_t length, struct fortran_format *f)
{
    struct parser s = {text, text + length, f, 0, 0};
    *f = (struct fortran_format){0};
    if (length > LONGEST_LINE || next(&s) != '(')
        return false;
    s.p++;
    return read_list(&s, 0) && f->count;
}

bool fortran_next_line(const struct text *t, const char **p, size_t *line)
{
    const char *end = t->begin + t->size;
    *p = (const char *)memchr(*p, '\n', (size_t)(end - *p)) + 1;
    ++*line;
    return *p < end;
}

static vks_status wrong(const struct fortran_reader *r, const char *word, const char *what)
{
    return fail(r->m, VKS_FORMAT, "%s:%zu: '%s' is %s", r->t->name, r->line, show_word(word).text, what);
}

/* Copies a field without its blanks, and normalises the exponent and the point: 1.5-120 becomes 1.5E-120. The
 * word ends in '\n'. */
static void copy_field(const char *from, const char *end, const struct field *f, char *to)
{
    bool has_point = false, has_exponent = false;
    unsigned digits = 0;
    for (const char *p = from; p < end; p++) {
        if (is_blank(*p))
            continue;
        bool is_sign = *p == '+' || *p == '-', is_letter = strchr("eEdDqQ", *p) && *p;
        if (digits && !has_exponent && (is_sign || is_letter)) {
            *to++ = 'E';
            has_exponent = true;
            if (is_letter)
                continue;
        }
        has_point = has_point || *p == '.';
        digits += is_digit(*p);
        *to++ = *p;
    }
    if (!has_exponent && digits && (f->scale || (!has_point && f->decimals))) {
        int exponent = -f->scale - (has_point ? 0 : f->decimals), size = exponent < 0 ? -exponent : exponent;
        *to++ = 'E';
        *to++ = exponent < 0 ? '-' : '+';
        *to++ = (char)('0' + size / 100);
        *to++ = (char)('0' + size / 10 % 10);
        *to++ = (char)('0' + size % 10);
    }
    *to = '\n';
}

/* Some programs write fields, separated by blanks, of other widths than the format specifies. If a line has
 * as many words as numbers, and a word lies outside its field, the words are the numbers, also on later lines
 * of the part with as many words. */
static void begin_line(struct fortran_reader *r)
{
    size_t expected = r->left < r->format->count ? r->left : r->format->count, words = 0;
    bool is_outside = false;
    for (const char *p = skip_blanks(r->p), *end; *p != '\n'; p = skip_blanks(end), words++) {
        const struct field *f = &r->format->field[words < expected ? words : 0];
        end = skip_word(p);
        is_outside = is_outside || p - r->p < f->at || end - r->p > f->at + f->width;
    }
    r->has_words = r->has_words || (is_outside && words == expected);
    r->word = r->has_words && words == expected ? skip_blanks(r->p) : NULL;
}

static void end_line(struct fortran_reader *r)
{
    fortran_next_line(r->t, &r->p, &r->line);
    r->field = 0;
}

void fortran_begin(struct fortran_reader *r, const struct fortran_format *format, size_t count)
{
    if (r->field)
        end_line(r);
    r->format = format;
    r->left = count;
    r->has_words = false;
}

/* Finds the next number's field, and copies it without blanks to `word`. */
static vks_status take(struct fortran_reader *r, char word[2 * WIDEST + 8])
{
    if (r->field == r->format->count)
        end_line(r);
    if (r->p == r->t->begin + r->t->size)
        return fail(r->m, VKS_FORMAT, "%s:%zu: the file ends before its last number", r->t->name,
                    r->line - 1);
    if (!r->field)
        begin_line(r);
    struct field f = r->format->field[r->field++];
    const char *end = memchr(r->p, '\n', (size_t)(r->t->begin + r->t->size - r->p));
    size_t length = (size_t)(end - r->p);
    const char *from = r->p + (f.at < length ? f.at : length);
    if (r->word) {
        from = r->word;
        end = skip_word(from);
        r->word = skip_blanks(end);
        f = (struct field){.width = WIDEST};
    }
    const char *to = (size_t)(end - from) > f.width ? from + f.width : end;
    while (from < to && is_blank(*from))
        from++;
    if (from == to)
        return fail(r->m, VKS_FORMAT, "%s:%zu: a number is missing", r->t->name, r->line);
    copy_field(from, to, &f, word);
    r->left--;
    return VKS_OK;
}

vks_status fortran_whole(struct fortran_reader *r, uint64_t *value)
{
    char word[2 * WIDEST + 8];
    TRY(take(r, word));
    const char *end = scan_whole(word, value);
    return end && *end == '\n' && *value <= UINT32_MAX
               ? VKS_OK
               : wrong(r, word, "not a whole number from 0 to 4294967295");
}

vks_status fortran_real(struct fortran_reader *r, double *value)
{
    char word[2 * WIDEST + 8];
    bool whole;
    TRY(take(r, word));
    const char *end = decimal_read(r->powers, word, value, &whole);
    if (!end || *end != '\n')
        return wrong(r, word, "not a decimal number");
    return isinf(*value) ? wrong(r, word, "too large for double precision") : VKS_OK;
}
