#include "market/decimal.h"
#include "market/market.h"
#include "market/pages.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct csr_job {
    const struct host_csr *a;
    bool symmetric;
};

static char *print_index(uint32_t index, char *to)
{
    char digit[10];
    int count = 0;
    for (; index; index /= 10)
        digit[count++] = (char)('0' + index % 10);
    while (count)
        *to++ = digit[--count];
    *to++ = ' ';
    return to;
}

/* The row that holds entry k. */
static uint32_t row_of(const struct host_csr *a, size_t k)
{
    uint32_t from = 0, to = a->rows - 1; /* the last row that begins at or before k */
    while (from < to) {
        uint32_t middle = to - (to - from) / 2;
        if (a->row[middle] <= k)
            from = middle;
        else
            to = middle - 1;
    }
    return from;
}

static char *print_csr(const struct pages *p, size_t from, size_t to, char *text)
{
    const struct csr_job *job = p->data;
    const struct host_csr *a = job->a;
    uint32_t i = from < to ? row_of(a, from) : 0;
    for (size_t k = from; k < to; k++) {
        while (k >= a->row[i + 1])
            i++;
        if (job->symmetric && a->col[k] > i)
            continue;
        text = print_index(i + 1, text);
        text = print_index(a->col[k] + 1, text);
        text = decimal_write(p->powers, a->val[k], text);
        *text++ = '\n';
    }
    return text;
}

static char *print_dense(const struct pages *p, size_t from, size_t to, char *text)
{
    const double *value = p->data;
    for (size_t k = from; k < to; k++) {
        text = decimal_write(p->powers, value[k], text);
        *text++ = '\n';
    }
    return text;
}

/* The index of the first non-finite value, or `count`. */
static size_t find_special(const double *value, size_t count)
{
    size_t k = 0;
    while (k < count && isfinite(value[k]))
        k++;
    return k;
}

static vks_status refuse_special(struct message *m, const char *path, size_t row, size_t col)
{
    return fail(
        m, VKS_INVALID_ARGUMENT,
        "%s: cannot be written: the value in row %zu, column %zu is not finite, which the format cannot hold",
        path, row + 1, col + 1);
}

static size_t count_lower(const struct host_csr *a)
{
    size_t count = 0;
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            count += a->col[k] <= i;
    return count;
}

vks_status market_write_csr(struct message *m, const char *path, const struct host_csr *a, bool symmetric)
{
    size_t entries = host_csr_entries(a), special = find_special(a->val, entries);
    if (symmetric && a->rows != a->cols)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: cannot be written as symmetric: the matrix is %" PRIu32 " x %" PRIu32, path, a->rows,
                    a->cols);
    if (special < entries)
        return refuse_special(m, path, row_of(a, special), a->col[special]);
    char head[HEAD_ROOM];
    snprintf(head, sizeof head, "%%%%MatrixMarket matrix coordinate real %s\n%" PRIu32 " %" PRIu32 " %zu\n",
             symmetric ? "symmetric" : "general", a->rows, a->cols, symmetric ? count_lower(a) : entries);
    struct powers powers;
    powers_fill(&powers);
    struct csr_job job = {a, symmetric};
    struct pages pages = {head, entries, print_csr, &job, &powers};
    return pages_write(m, path, &pages);
}

vks_status market_write_dense(struct message *m, const char *path, uint32_t rows, uint32_t cols,
                              const double *column_major)
{
    size_t cells = (size_t)rows * cols, special = find_special(column_major, cells);
    if (special < cells)
        return refuse_special(m, path, special % rows, special / rows);
    char head[HEAD_ROOM];
    snprintf(head, sizeof head, "%%%%MatrixMarket matrix array real general\n%" PRIu32 " %" PRIu32 "\n", rows,
             cols);
    struct powers powers;
    powers_fill(&powers);
    struct pages pages = {head, cells, print_dense, column_major, &powers};
    return pages_write(m, path, &pages);
}
