#include "solvers/auto/parts.h"
#include "vector/vector.h"
#include "vksolve/vector.h"

#include <math.h>
#include <stdlib.h>

struct sums {
    double *sum, *magnitude;
    uint32_t *count;
};

/* The matrix on the host, and what is found about it. Rows and columns are vertices of one graph: row i is
 * vertex i, and column j vertex rows + j. */
struct search {
    uint32_t rows, cols;
    uint32_t *row, *col;
    double *val;
    double unit;     /* of rounding of the values */
    uint32_t *above; /* of a vertex: one of the same part that comes before, or itself */
    struct sums of_rows, of_cols;
    uint32_t *number; /* of the part of each first row */
};

static bool make_sums(struct sums *s, uint32_t n)
{
    s->sum = calloc((size_t)n + 1, sizeof *s->sum);
    s->magnitude = calloc((size_t)n + 1, sizeof *s->magnitude);
    s->count = calloc((size_t)n + 1, sizeof *s->count);
    return s->sum && s->magnitude && s->count;
}

static void free_sums(struct sums *s)
{
    free(s->sum);
    free(s->magnitude);
    free(s->count);
}

/* Of rounding of the values, relative. */
static double unit_of(const vks_matrix *A)
{
    return matrix_in_pairs(A) ? 0x1p-46 : A->precision == VKS_F64 ? 0x1p-53 : 0x1p-24;
}

static vks_status fetch(const vks_matrix *A, struct search *f)
{
    size_t n = A->csr.n, m = A->csr.cols, entries = A->csr.entries;
    *f = (struct search){.rows = A->csr.n,
                         .cols = A->csr.cols,
                         .unit = unit_of(A),
                         .row = malloc(4 * (n + 1)),
                         .col = malloc(4 * entries + 1),
                         .val = malloc(8 * entries + 1),
                         .above = malloc(4 * (n + m) + 1),
                         .number = malloc(4 * n + 1)};
    bool has_sums = make_sums(&f->of_rows, A->csr.n) & make_sums(&f->of_cols, A->csr.cols);
    if (!f->row || !f->col || !f->val || !f->above || !f->number || !has_sums)
        return fail_memory(&A->context->message, "a copy of the matrix", 12 * entries + 52 * n);
    return vks_matrix_to_csr(A, f->row, f->col, VKS_F64, f->val);
}

static void release(struct search *f)
{
    free(f->row);
    free(f->col);
    free(f->val);
    free(f->above);
    free(f->number);
    free_sums(&f->of_rows);
    free_sums(&f->of_cols);
}

/* The first vertex of a part; the way to it gets shorter. */
static uint32_t top_of(uint32_t *above, uint32_t v)
{
    while (above[v] != v)
        v = above[v] = above[above[v]];
    return v;
}

static void join(uint32_t *above, uint32_t v, uint32_t w)
{
    v = top_of(above, v);
    w = top_of(above, w);
    above[v > w ? v : w] = v > w ? w : v;
}

static void add(struct sums *s, uint32_t i, double value)
{
    s->sum[i] += value;
    s->magnitude[i] += fabs(value);
    s->count[i]++;
}

static void join_all(struct search *f)
{
    for (uint32_t v = 0; v < f->rows + f->cols; v++)
        f->above[v] = v;
    for (uint32_t i = 0; i < f->rows; i++)
        for (uint32_t k = f->row[i]; k < f->row[i + 1]; k++)
            if (f->val[k] != 0) {
                join(f->above, i, f->rows + f->col[k]);
                add(&f->of_rows, i, f->val[k]);
                add(&f->of_cols, f->col[k], f->val[k]);
            }
}

/* Entries may have been rounded as sums of as many terms, and so is their sum here. False for a NaN. */
static bool vanishes(const struct search *f, const struct sums *s, uint32_t i)
{
    return fabs(s->sum[i]) <= 2 * s->count[i] * f->unit * s->magnitude[i];
}

enum { ROWS_DIFFER = 1, COLS_DIFFER = 2, HAS_COLS = 4 };

/* f->number becomes what is known of the part of each first row. */
static void look_at_sums(struct search *f)
{
    for (uint32_t i = 0; i < f->rows; i++)
        f->number[i] = 0;
    for (uint32_t i = 0; i < f->rows; i++)
        if (!vanishes(f, &f->of_rows, i))
            f->number[top_of(f->above, i)] |= ROWS_DIFFER;
    for (uint32_t j = 0; j < f->cols; j++) {
        uint32_t top = top_of(f->above, f->rows + j);
        if (top < f->rows) /* otherwise it is an empty column */
            f->number[top] |= HAS_COLS | (vanishes(f, &f->of_cols, j) ? 0 : COLS_DIFFER);
    }
}

static bool is_singular(uint32_t known)
{
    return !(known & COLS_DIFFER) || !(known & ROWS_DIFFER);
}

static bool belongs(struct search *f, uint32_t i)
{
    return is_singular(f->number[top_of(f->above, i)]);
}

/* Counts the parts that are singular, and their rows. */
static void count_parts(struct search *f, uint32_t *parts, uint32_t *rows)
{
    *parts = *rows = 0;
    for (uint32_t i = 0; i < f->rows; i++) {
        *rows += belongs(f, i);
        *parts += belongs(f, i) && f->above[i] == i;
    }
}

/* First the parts in the order of their first rows, with the numbers of their rows; then the rows. */
static void fill_parts(struct search *f, struct parts *p)
{
    uint32_t count = 0, at = 0;
    uint32_t *size = f->of_rows.count; /* no longer wanted */
    for (uint32_t i = 0; i < f->rows; i++)
        size[i] = 0;
    for (uint32_t i = 0; i < f->rows; i++)
        size[top_of(f->above, i)]++;
    for (uint32_t i = 0; i < f->rows; i++) {
        uint32_t known = f->number[i];
        if (f->above[i] != i || !is_singular(known))
            continue;
        p->part[count] = (struct part){.begin = at,
                                       .end = at,
                                       .has_cols = known & HAS_COLS,
                                       .cols_vanish = !(known & COLS_DIFFER),
                                       .rows_vanish = !(known & ROWS_DIFFER)};
        at += size[i];
        size[i] = count++;
    }
    for (uint32_t i = 0; i < f->rows; i++)
        if (belongs(f, i))
            p->row[p->part[size[top_of(f->above, i)]].end++] = i;
}

static vks_status search_parts(const vks_matrix *A, struct search *f, struct parts *p)
{
    uint32_t rows;
    TRY(fetch(A, f));
    join_all(f);
    look_at_sums(f);
    count_parts(f, &p->count, &rows);
    p->part = malloc((p->count + (size_t)1) * sizeof *p->part);
    p->row = malloc(4 * (size_t)rows + 1);
    if (!p->part || !p->row)
        return fail_memory(&A->context->message, "parts of the matrix", 4 * (uint64_t)rows);
    fill_parts(f, p);
    return VKS_OK;
}

vks_status parts_find(const vks_matrix *A, struct parts *p)
{
    struct search f;
    if (p->are_known && p->values == A->values_taken)
        return VKS_OK;
    if (A->csr.n + (uint64_t)A->csr.cols > UINT32_MAX)
        return fail(&A->context->message, VKS_LIMIT, "rows and columns are too many for one graph");
    parts_free(p);
    vks_status status = search_parts(A, &f, p);
    release(&f);
    if (status)
        parts_free(p);
    p->are_known = !status;
    p->values = A->values_taken;
    return status;
}

void parts_free(struct parts *p)
{
    free(p->part);
    free(p->row);
    *p = (struct parts){0};
}

/* A sum and its lost digits: A. Neumaier (1974). */
struct exact_sum {
    double sum, rest, magnitude;
};

static void add_term(struct exact_sum *s, double term)
{
    double next = s->sum + term;
    s->rest += fabs(s->sum) >= fabs(term) ? (s->sum - next) + term : (term - next) + s->sum;
    s->sum = next;
    s->magnitude += fabs(term);
}

static void subtract_mean(double *b, uint32_t n)
{
    struct exact_sum s = {0};
    for (uint32_t i = 0; i < n; i++)
        add_term(&s, b[i]);
    double mean = (s.sum + s.rest) / n;
    for (uint32_t i = 0; i < n; i++)
        b[i] -= mean;
}

/* unit: of rounding of b, relative. */
static void judge(const struct parts *p, const double *b, double unit, double target, struct parts_of_b *out)
{
    double each = target / sqrt(p->count);
    for (uint32_t k = 0; k < p->count; k++) {
        const struct part *part = &p->part[k];
        struct exact_sum s = {0};
        for (uint32_t i = part->begin; i < part->end && part->cols_vanish; i++)
            add_term(&s, b[p->row[i]]);
        double sum = s.sum + s.rest, share = fabs(sum) / sqrt(part->end - part->begin);
        if (!(fabs(sum) > unit * s.magnitude) || !(share > each))
            continue;
        if (!out->count++) {
            out->first = k;
            out->sum = sum;
        }
        out->norm = hypot(out->norm, share);
    }
    if (!(out->norm > target && isfinite(out->norm)))
        out->count = 0;
}

vks_status parts_judge(const struct parts *p, const vks_vector *b, bool without_mean, double target,
                       struct parts_of_b *out)
{
    *out = (struct parts_of_b){0};
    if (!p->count)
        return VKS_OK;
    uint32_t n = vks_vector_length(b);
    double *values = malloc(8 * (size_t)n + 1);
    if (!values)
        return fail_memory(&b->context->message, "a copy of b", 8 * (uint64_t)n);
    vks_status status = vks_vector_read(b, 0, n, VKS_F64, values);
    if (!status && without_mean)
        subtract_mean(values, n);
    if (!status)
        judge(p, values, vks_vector_precision(b) == VKS_F64 ? 0x1p-52 : 0x1p-23, target, out);
    free(values);
    return status;
}
