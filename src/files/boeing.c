/* Harwell-Boeing and Rutherford-Boeing files: compressed columns in Fortran formats. */
#include "files/fortran.h"
#include "files/kinds.h"
#include "market/mirror.h"
#include "market/scan.h"

#include <inttypes.h>

enum { HEADER_LINES = 4 };

struct boeing {
    struct message *m;
    const struct text *t;
    char type[3]; /* in upper case: values, symmetry, assembly */
    uint64_t rows, cols, entries;
    bool is_harwell, has_rhs;
    struct fortran_format pointers, indices, values;
    struct powers powers;
    struct fortran_reader at; /* the start of the next part */
};

static vks_status refuse(const struct boeing *b, vks_status status, size_t line, const char *what)
{
    return fail(b->m, status, "%s:%zu: %s", b->t->name, line, what);
}

/* Reads whole numbers from a line; returns their count, at most `most`. */
static int read_wholes(const char *p, uint64_t *value, int most)
{
    int count = 0;
    for (p = skip_blanks(p); count < most && *p != '\n'; p = skip_blanks(p)) {
        const char *end = scan_whole(p, &value[count]);
        if (!end || !ends_word(*end))
            return count;
        p = end;
        count++;
    }
    return count;
}

static vks_status check_type(struct boeing *b)
{
    const char *type = b->type;
    if (type[0] == 'C')
        return refuse(b, VKS_UNSUPPORTED, 3, "complex matrices are not supported");
    if (type[1] == 'H')
        return refuse(b, VKS_UNSUPPORTED, 3, "hermitian matrices are not supported");
    if (type[2] == 'E')
        return refuse(b, VKS_UNSUPPORTED, 3,
                      "a matrix by elements, which are not assembled, is not supported");
    if (type[0] == 'Q')
        return refuse(b, VKS_UNSUPPORTED, 3, "values in a file of their own are not supported");
    if ((type[1] == 'S' || type[1] == 'Z') && b->rows != b->cols)
        return refuse(b, VKS_FORMAT, 3, "a symmetric or skew-symmetric matrix must be square");
    return VKS_OK;
}

/* Reads the parenthesised format at or after *at, and moves *at to its end. */
static vks_status read_format(const struct boeing *b, const char **at, struct fortran_format *f)
{
    const char *from = skip_blanks(*at);
    int depth = 0;
    for (*at = from; **at != '\n'; ++*at) {
        depth += (**at == '(') - (**at == ')');
        if (!depth)
            break;
    }
    *at += **at == ')';
    if (fortran_format_read(from, (size_t)(*at - from), f))
        return VKS_OK;
    return refuse(b, VKS_FORMAT, 4, "not Fortran's formats of numbers, such as (16I5) (10F7.1)");
}

static vks_status read_header(struct boeing *b)
{
    const char *line[HEADER_LINES], *p = b->t->begin;
    size_t number = 1;
    uint64_t lines[5] = {0}, size[4] = {0};
    for (int i = 0; i < HEADER_LINES; i++) {
        line[i] = p;
        if (!fortran_next_line(b->t, &p, &number))
            return refuse(b, VKS_FORMAT, number - 1, "the file ends in its header");
    }
    b->is_harwell = read_wholes(line[1], lines, 5) == 5;
    b->has_rhs = lines[4] > 0;
    if (line[3] - line[2] <= 4) /* the length includes the end of the line */
        return refuse(b, VKS_FORMAT, 3, "the type of the matrix is missing");
    for (int i = 0; i < 3; i++)
        b->type[i] = (char)(line[2][i] >= 'a' ? line[2][i] - 'a' + 'A' : line[2][i]);
    if (read_wholes(line[2] + 3, size, 4) < 3)
        return refuse(b, VKS_FORMAT, 3, "the numbers of rows, columns and entries are missing");
    b->rows = size[0];
    b->cols = size[1];
    b->entries = size[2];
    TRY(check_type(b));
    TRY(read_format(b, &line[3], &b->pointers));
    TRY(read_format(b, &line[3], &b->indices));
    if (b->type[0] != 'P')
        TRY(read_format(b, &line[3], &b->values));
    if (b->pointers.letter != 'I' || b->indices.letter != 'I')
        return refuse(b, VKS_FORMAT, 4, "the formats of pointers and indices are not of whole numbers");
    bool is_about_rhs = b->has_rhs || lower_case(*p) == 'f' || lower_case(*p) == 'm';
    if (is_about_rhs && !fortran_next_line(b->t, &p, &number))
        return refuse(b, VKS_FORMAT, number - 1, "the file ends in its header");
    b->at = (struct fortran_reader){.m = b->m, .t = b->t, .powers = &b->powers, .line = number, .p = p};
    return VKS_OK;
}

/* Each number takes some text, so there are at most as many numbers as bytes. */
static vks_status check_sizes(const struct boeing *b)
{
    uint64_t size = b->t->size;
    if (b->cols + 1 <= size && b->entries <= size)
        return VKS_OK;
    return refuse(b, VKS_FORMAT, 3, "the file ends before as many columns and entries as it declares");
}

/* Reads the column pointers, and sets the column of each entry. */
static vks_status read_pointers(struct boeing *b, struct triplets *e)
{
    uint64_t from = 0, to = 0;
    fortran_begin(&b->at, &b->pointers, b->cols + 1);
    for (uint64_t j = 0; j <= b->cols; j++, from = to) {
        TRY(fortran_whole(&b->at, &to));
        if (j ? to < from || to > b->entries + 1 : to != 1)
            return fail(b->m, VKS_FORMAT,
                        "%s:%zu: column %" PRIu64 " begins with entry %" PRIu64
                        ", and columns ascend from 1 to %" PRIu64,
                        b->t->name, b->at.line, j + 1, to, b->entries + 1);
        for (uint64_t k = from; j && k < to; k++)
            e->col[k - 1] = (uint32_t)(j - 1);
    }
    if (to != b->entries + 1)
        return refuse(b, VKS_FORMAT, b->at.line, "the columns end before the last entry");
    return VKS_OK;
}

static vks_status read_indices(struct boeing *b, struct triplets *e)
{
    uint64_t row;
    fortran_begin(&b->at, &b->indices, e->count);
    for (size_t k = 0; k < e->count; k++) {
        TRY(fortran_whole(&b->at, &row));
        if (row - 1 >= b->rows)
            return fail(b->m, VKS_FORMAT, "%s:%zu: row %" PRIu64 " is outside 1..%" PRIu64, b->t->name,
                        b->at.line, row, b->rows);
        e->row[k] = (uint32_t)(row - 1);
    }
    return VKS_OK;
}

static vks_status read_values(struct boeing *b, struct triplets *e)
{
    fortran_begin(&b->at, &b->values, e->count);
    for (size_t k = 0; k < e->count; k++) {
        e->val[k] = 1;
        if (b->type[0] != 'P')
            TRY(fortran_real(&b->at, &e->val[k]));
        if (b->type[1] == 'Z' && e->row[k] == e->col[k] && e->val[k] != 0)
            return refuse(b, VKS_FORMAT, b->at.line, "the diagonal of a skew-symmetric matrix must be zero");
    }
    return VKS_OK;
}

/* Appends the entries of the other triangle. */
static vks_status expand(const struct boeing *b, double sign, struct triplets *e)
{
    size_t lower = 0, upper = 0, stored = e->count, twice;
    for (size_t k = 0; k < stored; k++) {
        lower += e->row[k] > e->col[k];
        upper += e->row[k] < e->col[k];
    }
    TRY(mirror_find_pair(b->m, b->t->name, e, lower, upper, &twice));
    if (twice != SIZE_MAX)
        return fail(b->m, VKS_FORMAT,
                    "%s: both (%u,%u) and (%u,%u) are stored: a symmetric file may hold only one of them",
                    b->t->name, e->row[twice] + 1, e->col[twice] + 1, e->col[twice] + 1, e->row[twice] + 1);
    if (stored + lower + upper > VKS_MAX_ENTRIES)
        return fail(b->m, VKS_LIMIT, "%s: %zu entries with the mirrored ones are more than the limit of %u",
                    b->t->name, stored + lower + upper, VKS_MAX_ENTRIES);
    if (lower + upper)
        TRY(mirror_grow(b->m, b->t->name, stored + lower + upper, e));
    for (size_t k = 0; k < stored; k++) {
        if (e->row[k] == e->col[k])
            continue;
        e->row[e->count] = e->col[k];
        e->col[e->count] = e->row[k];
        e->val[e->count++] = sign * e->val[k];
    }
    return VKS_OK;
}

vks_status read_boeing(struct message *m, const struct text *t, struct market *out)
{
    struct boeing b = {.m = m, .t = t};
    struct triplets *e = &out->entries;
    powers_fill(&b.powers);
    TRY(read_header(&b));
    TRY(check_sizes(&b));
    TRY(entries_allocate(m, t->name, b.rows, b.cols, b.entries, e));
    TRY(read_pointers(&b, e));
    TRY(read_indices(&b, e));
    TRY(read_values(&b, e));
    out->stored = e->count;
    out->has_rhs = b.has_rhs;
    out->kind = b.is_harwell ? "Harwell-Boeing" : "Rutherford-Boeing";
    out->field = b.type[0] == 'P' ? MARKET_PATTERN : b.type[0] == 'I' ? MARKET_INTEGER : MARKET_REAL;
    out->symmetry = b.type[1] == 'S' ? MARKET_SYMMETRIC : b.type[1] == 'Z' ? MARKET_SKEW : MARKET_GENERAL;
    if (out->symmetry != MARKET_GENERAL)
        TRY(expand(&b, b.type[1] == 'Z' ? -1 : 1, e));
    return VKS_OK;
}
