/* The sums of a sparse product on the host in the precision of `number`: spgemm_host_rows.c includes this
 * once for each. An entry of C is the sum of its products in ascending k, starting from +0. */

/* Gathered products. */
struct NAMED(batch) {
    uint32_t col[BATCH + STEP], n;
    number product[BATCH + STEP];
};

static inline void NAMED(multiply)(const struct factors *f, number alpha, struct run b,
                                   struct NAMED(batch) * to)
{
    const number *val = (const number *)f->b_val + b.first;
    number *product = to->product + to->n;
    copy_columns(f, b, to->col + to->n);
    if (may_step(f, b))
        for (uint32_t k = 0; k < b.count; k += STEP)
            for (uint32_t j = k; j < k + STEP; j++)
                product[j] = alpha * val[j];
    else
        for (uint32_t k = 0; k < b.count; k++)
            product[k] = alpha * val[k];
    to->n += b.count;
}

/* Adds alpha times the values to the sums of the n columns so far; returns the new number of columns. The
 * next place is written even if the column is not new, because a branch would be mispredicted too often. */
static inline uint32_t NAMED(add)(const struct taker *t, uint32_t n, number alpha, const uint32_t *col,
                                  const number *val, uint32_t count)
{
    uint32_t *restrict seen = t->seen, *restrict found = t->found, base = t->base;
    number *restrict sum = t->sum;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t column = col[b], s = seen[column] - base;
        s = s < n ? s : n;
        n += s == n;
        seen[column] = base + s;
        found[s] = column;
        sum[s] += alpha * val[b];
    }
    return n;
}

static inline uint32_t NAMED(add_batch)(const struct taker *t, uint32_t n, struct NAMED(batch) * p)
{
    n = NAMED(add)(t, n, 1, p->col, p->product, p->n);
    p->n = 0;
    return n;
}

/* Adds alpha times a run of B; some of its products may remain in the batch. */
static inline uint32_t NAMED(add_run)(const struct taker *t, uint32_t n, const struct factors *f,
                                      number alpha, struct run b, struct NAMED(batch) * p)
{
    if (!f->gathers)
        return NAMED(add)(t, n, alpha, f->b_col + b.first, (const number *)f->b_val + b.first, b.count);
    do {
        NAMED(multiply)(f, alpha, take_off(&b, p->n), p);
        if (p->n == BATCH)
            n = NAMED(add_batch)(t, n, p);
    } while (b.count);
    return n;
}

/* Writes the n columns so far in ascending order, with their sums, which are reset to zero. */
static inline void NAMED(put_in_order)(struct taker *t, uint32_t n, uint32_t *col, number *val)
{
    number *sum = t->sum;
    if (n <= FEW) {
        uint32_t rank[FEW + STEP];
        rank_few(t->found, n, rank);
        for (uint32_t s = 0; s < n; s++) {
            col[rank[s]] = t->found[s];
            val[rank[s]] = sum[s];
        }
    } else {
        for (uint32_t s = 0; s < n; s++)
            bit_tree_add(&t->columns, t->found[s]);
        bit_tree_take(&t->columns, 0, col);
        for (uint32_t s = 0; s < n; s++)
            val[s] = sum[t->seen[col[s]] - t->base];
    }
    if (n) /* if 0, sum may not be allocated */
        memset(sum, 0, n * sizeof *sum);
    t->base += n;
}

/* Writes row i, whose only entry in A is e: a multiple of a row of B. */
static inline void NAMED(sum_multiple)(const struct factors *f, uint32_t i, uint32_t e)
{
    struct run b = run_of(f, e);
    number alpha = ((const number *)f->a_val)[e], *to = (number *)f->c_val + f->c_row[i];
    const number *from = (const number *)f->b_val + b.first;
    memcpy(f->c_col + f->c_row[i], f->b_col + b.first, 4 * (uint64_t)b.count);
    for (uint32_t k = 0; k < b.count; k++)
        to[k] = 0 + alpha * from[k];
}

static inline bool NAMED(sum_row)(const struct factors *f, struct taker *t, uint32_t i)
{
    const number *a_val = f->a_val;
    struct NAMED(batch) p;
    uint32_t at = f->c_row[i], most = f->c_row[i + (size_t)1] - at, n = 0;
    if (!room_for(t, most, sizeof(number)))
        return false;
    begin_row(t, most, f->cols);
    p.n = 0;
    for (uint32_t e = f->a_row[i]; e < f->a_row[i + (size_t)1]; e++)
        n = NAMED(add_run)(t, n, f, a_val[e], run_of(f, e), &p);
    n = NAMED(add_batch)(t, n, &p);
    NAMED(put_in_order)(t, n, f->c_col + at, (number *)f->c_val + at);
    return true;
}

static bool NAMED(crowd_sum_rows)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last)
{
    const struct factors *f = &w->f;
    uint32_t left = first_left(w, first);
    for (uint32_t i = first; i < last; i++) {
        uint32_t e = f->a_row[i], length = f->a_row[i + (size_t)1] - e;
        if (left < w->left && w->left_row[left] == i)
            left++;
        else if (length == 1)
            NAMED(sum_multiple)(f, i, e);
        else if (length && !NAMED(sum_row)(f, t, i))
            return false;
    }
    return true;
}

static bool NAMED(crowd_sum_part)(struct crowd *w, struct taker *t, uint32_t left, uint32_t part)
{
    const struct factors *f = &w->f;
    const struct part p = part_of(w, left, part);
    const number *a_val = f->a_val;
    struct NAMED(batch) batch;
    uint32_t at = f->c_row[p.row] + w->part_begin[(size_t)left * w->parts + part], n = 0;
    if (!room_for(t, p.high - p.low, sizeof(number)))
        return false;
    begin_row(t, p.high - p.low, f->cols);
    batch.n = 0;
    for (uint32_t e = f->a_row[p.row]; e < f->a_row[p.row + (size_t)1]; e++)
        n = NAMED(add_run)(t, n, f, a_val[e], part_of_run(f, e, &p), &batch);
    n = NAMED(add_batch)(t, n, &batch);
    NAMED(put_in_order)(t, n, f->c_col + at, (number *)f->c_val + at);
    return true;
}

/* Updates row i, whose columns are known; false if C lacks an entry. */
static inline bool NAMED(sum_again)(const struct factors *f, struct taker *t, uint32_t i)
{
    const number *a_val = f->a_val, *b_val = f->b_val;
    const uint32_t *col = f->c_col + f->c_row[i];
    number *sum = (number *)f->c_val + f->c_row[i];
    uint32_t n = f->c_row[i + (size_t)1] - f->c_row[i], *seen = t->seen;
    bool whole = true;
    begin_row(t, n, f->cols);
    uint32_t base = t->base;
    t->base += n;
    for (uint32_t s = 0; s < n; s++) {
        seen[col[s]] = base + s;
        sum[s] = 0;
    }
    for (uint32_t e = f->a_row[i]; e < f->a_row[i + (size_t)1]; e++) {
        struct run r = run_of(f, e);
        number alpha = a_val[e];
        for (uint32_t b = r.first; b < r.first + r.count; b++) {
            uint32_t s = seen[f->b_col[b]] - base;
            if (s < n)
                sum[s] += alpha * b_val[b];
            else
                whole = false;
        }
    }
    return whole;
}

static bool NAMED(crowd_sum_again)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        if (!NAMED(sum_again)(&w->f, t, i))
            take_least(&w->missing, i);
    return true;
}
