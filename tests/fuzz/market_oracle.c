#include "market_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BANNER "%%matrixmarket"
#define BLANKS " \t\r\v\f"
#define DIGITS "0123456789"

enum { MOST_WORDS = 8 };
static const uint64_t most_of_anything = 0xFF000000u;

/* The words of a line; the line is cut into them. More than MOST_WORDS count as MOST_WORDS. */
static int cut_line(char *line, char *word[MOST_WORDS])
{
    int count = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line, BLANKS, &rest); w && count < MOST_WORDS; w = strtok_r(NULL, BLANKS, &rest))
        word[count++] = w;
    return count;
}

static bool begins_with_banner(const char *word)
{
    return !strncasecmp(word, BANNER, strlen(BANNER));
}

static bool read_count(const char *word, uint64_t *value)
{
    word += *word == '+';
    size_t digits = strspn(word, DIGITS);
    if (!digits || word[digits])
        return false;
    word += strspn(word, "0");
    *value = strlen(word) > 18 ? UINT64_MAX : strtoull(word, NULL, 10);
    return true;
}

size_t oracle_number(const char *text, bool *whole)
{
    const char *p = text + (*text == '+' || *text == '-');
    size_t before = strspn(p, DIGITS), after = 0;
    p += before;
    *whole = *p != '.';
    if (*p == '.') {
        after = strspn(p + 1, DIGITS);
        p += 1 + after;
    }
    if (before + after == 0)
        return 0;
    if (*p && strchr("eEdD", *p)) {
        *whole = false;
        p += 1 + (p[1] == '+' || p[1] == '-');
        if (!strspn(p, DIGITS))
            return 0;
        p += strspn(p, DIGITS);
    }
    return (size_t)(p - text);
}

double oracle_value(char *number)
{
    for (char *p = number; *p; p++)
        if (strchr("eEdD", *p))
            *p = 'e';
    return strtod(number, NULL);
}

static bool read_value(char *word, bool integer, double *value)
{
    bool whole;
    size_t length = oracle_number(word, &whole);
    if (!length || word[length] || (integer && !whole))
        return false;
    *value = oracle_value(word);
    return isfinite(*value);
}

struct reading {
    struct oracle_matrix *a;
    bool array, integer, pattern;
    uint64_t next_row, next_col; /* of an array */
    enum { AT_BANNER, AT_SIZES, AT_ENTRIES } at;
};

static bool read_banner(struct reading *r, char **word, int count)
{
    if (count != 5 || strcasecmp(word[0], BANNER) || strcasecmp(word[1], "matrix"))
        return false;
    bool coordinate = !strcasecmp(word[2], "coordinate");
    r->array = !strcasecmp(word[2], "array");
    r->integer = !strcasecmp(word[3], "integer");
    r->pattern = !strcasecmp(word[3], "pattern");
    bool real = !strcasecmp(word[3], "real") || !strcasecmp(word[3], "double");
    r->a->symmetry = !strcasecmp(word[4], "general")          ? 'g'
                     : !strcasecmp(word[4], "symmetric")      ? 's'
                     : !strcasecmp(word[4], "skew-symmetric") ? 'k'
                                                              : 0;
    bool fits = !r->pattern || (!r->array && r->a->symmetry != 'k');
    return (coordinate || r->array) && (real || r->integer || r->pattern) && r->a->symmetry && fits;
}

static bool read_sizes(struct reading *r, char **word, int count, size_t most)
{
    struct oracle_matrix *a = r->a;
    if (count != (r->array ? 2 : 3) || !read_count(word[0], &a->rows) || !read_count(word[1], &a->cols))
        return false;
    if (a->rows > most_of_anything || a->cols > most_of_anything)
        return false;
    if (a->symmetry != 'g' && a->rows != a->cols)
        return false;
    uint64_t diagonal = a->symmetry == 's' ? a->rows : 0, below = a->rows * (a->rows ? a->rows - 1 : 0) / 2;
    if (r->array)
        a->stored = a->symmetry == 'g' ? a->rows * a->cols : below + diagonal;
    else if (!read_count(word[2], &a->stored))
        return false;
    r->next_row = a->symmetry == 'k';
    /* Each entry takes at least two bytes of the file. */
    if (a->stored > most || (r->array && a->rows * a->cols > most_of_anything))
        return false;
    a->row = malloc((a->stored + 1) * sizeof *a->row);
    a->col = malloc((a->stored + 1) * sizeof *a->col);
    a->val = malloc((a->stored + 1) * sizeof *a->val);
    return a->row && a->col && a->val;
}

static void place_in_array(struct reading *r, uint64_t *row, uint64_t *col)
{
    *row = r->next_row++;
    *col = r->next_col;
    if (r->next_row < r->a->rows)
        return;
    r->next_col++;
    r->next_row = r->a->symmetry == 'g' ? 0 : r->next_col + (r->a->symmetry == 'k');
}

static bool read_entry(struct reading *r, char **word, int count, uint64_t k)
{
    struct oracle_matrix *a = r->a;
    int indices = r->array ? 0 : 2;
    if (k >= a->stored || count != indices + !r->pattern)
        return false;
    a->val[k] = 1;
    if (!r->pattern && !read_value(word[indices], r->integer, &a->val[k]))
        return false;
    if (r->array) {
        place_in_array(r, &a->row[k], &a->col[k]);
    } else {
        if (!read_count(word[0], &a->row[k]) || !read_count(word[1], &a->col[k]))
            return false;
        a->row[k]--; /* of 0: beyond every size */
        a->col[k]--;
    }
    if (a->row[k] >= a->rows || a->col[k] >= a->cols)
        return false;
    return a->symmetry != 'k' || a->row[k] != a->col[k] || a->val[k] == 0;
}

/* No entry of a symmetric file may also be stored the other way round. */
static bool has_one_of_each_pair(const struct oracle_matrix *a)
{
    if (a->symmetry == 'g')
        return true;
    for (uint64_t k = 0; k < a->stored; k++)
        for (uint64_t l = 0; l < k; l++)
            if (a->row[k] != a->col[k] && a->row[k] == a->col[l] && a->col[k] == a->row[l])
                return false;
    return true;
}

static bool read_lines(struct reading *r, char *text)
{
    uint64_t k = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        char *word[MOST_WORDS];
        const char *first = line + strspn(line, BLANKS);
        bool comment = r->at != AT_BANNER && (*first == '%' || !*first);
        if (r->at != AT_BANNER && begins_with_banner(first))
            return false;
        if (comment)
            continue;
        int count = cut_line(line, word);
        if (r->at == AT_BANNER  ? !read_banner(r, word, count)
            : r->at == AT_SIZES ? !read_sizes(r, word, count, strlen(end + 1))
                                : !read_entry(r, word, count, k++))
            return false;
        if (r->at != AT_ENTRIES)
            r->at++;
    }
    return r->at == AT_ENTRIES && k == r->a->stored && has_one_of_each_pair(r->a);
}

/* Checks made before the text is read as a matrix: other kinds of files, and the banner near the
 * beginning. */
static bool begins_well(const char *text, size_t size)
{
    const char *p = text;
    if (size > 262 && !memcmp(text + 257, "ustar", 5))
        return false;
    if (!strncmp(p, "\xEF\xBB\xBF", 3))
        p += 3;
    p += strspn(p, BLANKS);
    return begins_with_banner(p) && p + strlen(BANNER) <= text + 512;
}

bool oracle_read(const uint8_t *data, size_t size, struct oracle_matrix *a)
{
    *a = (struct oracle_matrix){0};
    struct reading r = {.a = a};
    char *text = malloc(size + 2);
    if (!text || !size || memchr(data, 0, size)) {
        free(text);
        return false;
    }
    memcpy(text, data, size);
    text[size] = 0;
    bool good = begins_well(text, size);
    if (!memchr(text, '\n', size))
        for (char *p = text; *p; p++)
            *p = *p == '\r' ? '\n' : *p;
    if (text[size - 1] != '\n')
        strcpy(text + size, "\n");
    good = good && read_lines(&r, strncmp(text, "\xEF\xBB\xBF", 3) ? text : text + 3);
    free(text);
    return good;
}

void oracle_free(struct oracle_matrix *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
    *a = (struct oracle_matrix){0};
}
