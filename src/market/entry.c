#include "market/body.h"
#include "market/scan.h"

#include <math.h>
#include <string.h>

struct place {
    uint32_t row, col;
};

/* The position of the k-th stored value of an array. Only this function converts a triangle's k to a
 * position; next_place steps from there. */
static struct place place_of(const struct header *h, size_t k)
{
    if (h->symmetry == MARKET_GENERAL)
        return (struct place){(uint32_t)(k % h->rows), (uint32_t)(k / h->rows)};
    uint64_t skew = h->symmetry == MARKET_SKEW, n = h->rows - skew, col = 0, last = n - 1;
    while (col < last) { /* column c begins with value c n - c (c - 1) / 2 */
        uint64_t middle = (col + last + 1) / 2;
        if (middle * n - middle * (middle - 1) / 2 <= k)
            col = middle;
        else
            last = middle - 1;
    }
    uint64_t begin = col * n - col * (col - 1) / 2;
    return (struct place){(uint32_t)(col + skew + k - begin), (uint32_t)col};
}

static struct place next_place(const struct header *h, struct place at)
{
    if (at.row + 1 < h->rows)
        return (struct place){at.row + 1, at.col};
    uint32_t col = at.col + 1;
    return (struct place){h->symmetry == MARKET_GENERAL ? 0 : col + (h->symmetry == MARKET_SKEW), col};
}

/* The functions below return the end of the text they have read, or NULL with the fault noted. */

static const char *wrong(struct fault *f, enum fault_kind kind, enum part part, const char *at)
{
    *f = (struct fault){.kind = kind, .part = part, .at = at};
    return NULL;
}

static inline const char *parse_index(const char *p, uint32_t most, enum part part, uint32_t *index,
                                      struct fault *f)
{
    uint64_t v;
    p = skip_blanks(p);
    const char *end = scan_whole(p, &v);
    if (!end || !ends_word(*end))
        return wrong(f, *p == '\n' ? FAULT_MISSING : FAULT_NOT_INTEGER, part, p);
    if (v - 1 >= most)
        return wrong(f, FAULT_OUTSIDE, part, p);
    *index = (uint32_t)(v - 1);
    return end;
}

static inline const char *parse_value(const char *p, const struct powers *t, bool integer, double *value,
                                      struct fault *f)
{
    bool whole;
    p = skip_blanks(p);
    const char *end = decimal_read(t, p, value, &whole);
    if (!end || !ends_word(*end))
        return wrong(f, *p == '\n' ? FAULT_MISSING : FAULT_NOT_NUMBER, PART_VALUE, p);
    if (integer && !whole)
        return wrong(f, FAULT_NOT_INTEGER, PART_VALUE, p);
    if (isinf(*value))
        return wrong(f, FAULT_TOO_LARGE, PART_VALUE, p);
    return end;
}

static inline const char *parse_entry(const char *p, const struct header *h, const struct powers *t,
                                      struct place *at, double *value, struct fault *f)
{
    if (!h->is_array) {
        p = parse_index(p, h->rows, PART_ROW, &at->row, f);
        if (p)
            p = parse_index(p, h->cols, PART_COLUMN, &at->col, f);
        if (!p)
            return NULL;
    }
    *value = 1;
    if (h->field != MARKET_PATTERN) {
        const char *first = p;
        p = parse_value(p, t, h->field == MARKET_INTEGER, value, f);
        if (!p)
            return NULL;
        if (h->symmetry == MARKET_SKEW && at->row == at->col && *value != 0)
            return wrong(f, FAULT_DIAGONAL, PART_VALUE, skip_blanks(first));
    }
    p = skip_blanks(p);
    return *p == '\n' ? p : wrong(f, FAULT_EXTRA, PART_VALUE, p);
}

static const char *parse_comment(const char *p, const char *end, struct fault *f)
{
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    if (begins_with(p, BANNER))
        return wrong(f, FAULT_BANNER, PART_ROW, p);
    if (memchr(p, 0, (size_t)(line_end - p)))
        return wrong(f, FAULT_NUL, PART_ROW, p);
    return line_end;
}

/* Completes a fault. A NUL explains other faults in its line. */
static void finish_fault(struct fault *f, const char *line, const char *end, size_t number)
{
    const char *line_end = memchr(line, '\n', (size_t)(end - line));
    if (memchr(line, 0, (size_t)(line_end - line)))
        f->kind = FAULT_NUL;
    f->line = number;
}

void chunk_parse(const struct header *h, const struct powers *t, struct chunk *c, size_t end,
                 struct triplets *e)
{
    size_t k = c->first, lower = 0, upper = 0, line = c->line;
    struct place at = {0};
    if (h->is_array && k < end)
        at = place_of(h, k);
    for (const char *p = c->begin, *first; p < c->end; p++, line++) {
        first = p;
        p = skip_blanks(p);
        if (*p == '\n')
            continue;
        if (*p == '%') {
            p = parse_comment(p, c->end, &c->fault);
        } else {
            if (k == end)
                break;
            p = parse_entry(p, h, t, &at, &e->val[k], &c->fault);
            e->row[k] = at.row;
            e->col[k++] = at.col;
            lower += at.row > at.col;
            upper += at.row < at.col;
            if (h->is_array)
                at = next_place(h, at);
        }
        if (!p) {
            finish_fault(&c->fault, first, c->end, line);
            break;
        }
    }
    c->lower = lower;
    c->upper = upper;
}
