#include "solvers/ilut/factor.h"
#include "device/bit_tree.h"

#include <math.h>
#include <stdlib.h>

struct candidate {
    uint32_t col;
    double val, size; /* size: the candidates of the largest size are kept */
};

/* Work of the calling thread between polls of the caller: some milliseconds. */
enum { ASKED_AFTER = 1 << 20 };

/* Scratch memory of a thread, for a block of up to `rows` rows. */
struct work {
    uint64_t since_asked;
    double *row; /* the row being eliminated; zero between rows */
    struct bit_tree columns;
    uint64_t *bits;
    struct candidate *lower, *upper;
    double *sizes;
};

struct job {
    const struct host_csr *A;
    const uint32_t *order, *place;
    const struct ilut_options *o;
    const struct caller *caller;
    uint32_t *cancelled; /* shared by all threads */
    uint64_t *done;      /* work of all threads */
    double most_work;
    struct work *work; /* of each thread */
    struct factors *of;
};

static bool work_open(struct work *w, uint32_t rows)
{
    w->row = calloc((size_t)rows + 1, sizeof *w->row);
    w->bits = calloc((size_t)rows / 32 + BIT_TREE_LEVELS + 1, sizeof *w->bits);
    w->lower = malloc(((size_t)rows + 1) * sizeof *w->lower);
    w->upper = malloc(((size_t)rows + 1) * sizeof *w->upper);
    w->sizes = malloc(((size_t)rows + 1) * sizeof *w->sizes);
    if (w->bits)
        bit_tree_lay_out(&w->columns, rows, w->bits);
    return w->row && w->bits && w->lower && w->upper && w->sizes;
}

static void work_close(struct work *w)
{
    free(w->row);
    free(w->bits);
    free(w->lower);
    free(w->upper);
    free(w->sizes);
}

static bool factors_open(struct factors *f, uint32_t n)
{
    f->n = n;
    f->fault = f->too_much = UINT32_MAX;
    f->at = calloc(2 * (size_t)n + 1, sizeof *f->at);
    f->level = malloc(2 * (size_t)n * sizeof *f->level);
    f->pivot = malloc(n * sizeof *f->pivot);
    return f->at && f->level && f->pivot;
}

void factors_free(struct factors *f)
{
    free(f->at);
    free(f->col);
    free(f->val);
    free(f->pivot);
    free(f->level);
    *f = (struct factors){0};
}

/* Makes room for `more` entries after the first `used`. */
static bool reserve(struct factors *f, uint32_t used, uint32_t more)
{
    uint64_t need = (uint64_t)used + more, room = need + need / 2 + 64;
    if (need <= f->capacity)
        return true;
    if (need > VKS_MAX_ENTRIES)
        return false;
    room = room > VKS_MAX_ENTRIES ? VKS_MAX_ENTRIES : room;
    uint32_t *col = realloc(f->col, room * sizeof *col);
    f->col = col ? col : f->col;
    double *val = realloc(f->val, room * sizeof *val);
    f->val = val ? val : f->val;
    f->capacity = col && val ? (uint32_t)room : f->capacity;
    return col && val;
}

/* Moves v[i] down to its place in a heap whose root is the least. Returns the number of levels moved. */
static uint32_t sift(double *v, uint32_t count, uint32_t i)
{
    uint32_t levels = 0;
    double moved = v[i];
    for (uint32_t below; (below = 2 * i + 1) < count; i = below, levels++) {
        below += below + 1 < count && v[below + 1] < v[below];
        if (v[below] >= moved)
            break;
        v[i] = v[below];
    }
    v[i] = moved;
    return levels;
}

/* Returns the size of the k-th largest of more than k candidates: the root of a heap of the k largest. Its
 * work is bounded for any order. */
static double find_size(struct work *w, const struct candidate *c, uint32_t count, uint32_t k, uint64_t *work)
{
    double *heap = w->sizes;
    for (uint32_t i = 0; i < k; i++)
        heap[i] = c[i].size;
    for (uint32_t i = k / 2; i-- > 0;)
        *work += sift(heap, k, i);
    for (uint32_t i = k; i < count; i++)
        if (c[i].size > heap[0]) {
            heap[0] = c[i].size;
            *work += sift(heap, k, 0);
        }
    return heap[0];
}

/* Keeps the `fill` largest of `count` candidates, in their order. Returns how many remain. */
static uint32_t keep_largest(struct work *w, struct candidate *c, uint32_t count, uint32_t fill,
                             uint64_t *work)
{
    uint32_t kept = 0, equal = fill;
    if (count <= fill)
        return count;
    double least = find_size(w, c, count, fill, work);
    for (uint32_t i = 0; i < count; i++)
        equal -= c[i].size > least;
    for (uint32_t i = 0; i < count; i++)
        if (c[i].size > least || (c[i].size == least && equal && equal--))
            c[kept++] = c[i];
    return kept;
}

/* A row of A within its block. */
struct extent {
    double most, mean; /* the largest magnitude, and the root mean square */
};

/* Spreads row i of the block of n rows, which starts at row `first`, over w->row and w->columns. */
static struct extent spread(const struct job *j, struct work *w, uint32_t first, uint32_t n, uint32_t i)
{
    const struct host_csr *A = j->A;
    struct extent e = {0, 0};
    uint32_t old = j->order[first + i], count = 0;
    for (uint32_t k = A->row[old]; k < A->row[old + 1]; k++) {
        uint32_t col = j->place[A->col[k]] - first; /* before the block it wraps around to a huge number */
        if (col >= n)
            continue;
        w->row[col] = A->val[k];
        bit_tree_add(&w->columns, col);
        e.most = fmax(e.most, fabs(A->val[k]));
        count++;
    }
    bit_tree_add(&w->columns, i);
    if (e.most == 0)
        return e;
    for (uint32_t k = A->row[old]; k < A->row[old + 1]; k++)
        if (j->place[A->col[k]] - first < n)
            e.mean += A->val[k] / e.most * (A->val[k] / e.most);
    e.mean = e.most * sqrt(e.mean / count);
    return e;
}

/* Subtracts l times row k of U from the row. */
static void subtract_row(const struct factors *f, struct work *w, uint32_t k, double l)
{
    for (uint32_t e = f->at[2 * (size_t)k + 1]; e < f->at[2 * (size_t)k + 2]; e++) {
        w->row[f->col[e]] -= l * f->val[e];
        bit_tree_add(&w->columns, f->col[e]);
    }
}

/* Whether the caller has cancelled. Only the calling thread polls the caller; the others read its result. */
static bool is_cancelled(const struct job *j, struct work *w)
{
    if (w == j->work && w->since_asked >= ASKED_AFTER) {
        w->since_asked = 0;
        if (caller_cancels(j->caller))
            __atomic_store_n(j->cancelled, 1, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(j->cancelled, __ATOMIC_RELAXED);
}

/* Candidates of a row, which is zero afterwards. Both arrays ascend. */
struct found {
    uint32_t lower, upper;
    double pivot;
    bool is_finite;
    uint64_t work; /* counts columns, entries of U, and levels of heaps */
};

static struct found eliminate(const struct factors *f, struct work *w, uint32_t i, double least)
{
    struct found c = {.is_finite = true};
    for (uint32_t k; (k = bit_tree_take_least(&w->columns)) != UINT32_MAX;) {
        double a = w->row[k];
        w->row[k] = 0;
        c.work++;
        c.is_finite = c.is_finite && isfinite(a);
        if (k == i) {
            c.pivot = a;
        } else if (k > i && fabs(a) > least) {
            w->upper[c.upper++] = (struct candidate){k, a, fabs(a)};
        } else if (k < i && a != 0 && fabs(a) >= least) {
            double l = a / f->pivot[k];
            c.is_finite = c.is_finite && isfinite(l);
            subtract_row(f, w, k, l);
            c.work += f->at[2 * (size_t)k + 2] - f->at[2 * (size_t)k + 1];
            w->lower[c.lower++] = (struct candidate){k, l, fabs(a)};
        }
    }
    return c;
}

static void set_pivot(struct factors *f, uint32_t i, double pivot, double most)
{
    double least = ILUT_PIVOT * most;
    bool is_set = !(fabs(pivot) > least);
    if (is_set)
        pivot = copysign(least > 0 ? least : 1, pivot);
    f->pivots_set += is_set;
    f->pivot[i] = pivot;
}

/* Appends a row of L or of U, line 2 i or 2 i + 1. */
static void append(struct factors *f, size_t line, const struct candidate *c, uint32_t count)
{
    uint32_t at = f->at[line];
    for (uint32_t k = 0; k < count; k++, at++) {
        f->col[at] = c[k].col;
        f->val[at] = c[k].val;
    }
    f->at[line + 1] = at;
}

/* Adds to the work of all blocks. Returns whether this block may continue. */
static bool count_work(const struct job *j, struct work *w, struct factors *f, uint32_t i, uint64_t work)
{
    w->since_asked += work;
    f->unwanted = is_cancelled(j, w);
    if ((double)__atomic_add_fetch(j->done, work, __ATOMIC_RELAXED) > j->most_work)
        f->too_much = i;
    return !f->unwanted && f->too_much == UINT32_MAX;
}

/* Factors row i. Returns false if memory is lacking, the row is not finite, or count_work ends the block. */
static bool factor_row(const struct job *j, struct work *w, struct factors *f, uint32_t first, uint32_t i)
{
    struct extent e = spread(j, w, first, f->n, i);
    struct found c = eliminate(f, w, i, j->o->drop * e.mean);
    set_pivot(f, i, c.pivot, e.most);
    if (!c.is_finite || !isfinite(1 / f->pivot[i])) {
        f->fault = i;
        return false;
    }
    c.lower = keep_largest(w, w->lower, c.lower, j->o->fill, &c.work);
    c.upper = keep_largest(w, w->upper, c.upper, j->o->fill, &c.work);
    f->no_memory = !reserve(f, f->at[2 * (size_t)i], c.lower + c.upper);
    if (f->no_memory)
        return false;
    append(f, 2 * (size_t)i, w->lower, c.lower);
    append(f, 2 * (size_t)i + 1, w->upper, c.upper);
    return count_work(j, w, f, i, c.work);
}

/* One more than the highest level that a line reads, or `first`. */
static uint32_t level_of(const struct factors *f, size_t line, uint32_t first)
{
    uint32_t level = first;
    for (uint32_t e = f->at[line]; e < f->at[line + 1]; e++) {
        uint32_t after = f->level[2 * (size_t)f->col[e] + line % 2] + 1;
        level = after > level ? after : level;
    }
    return level;
}

static void find_levels(struct factors *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t level = f->level[2 * (size_t)i] = level_of(f, 2 * (size_t)i, 0);
        f->levels = level >= f->levels ? level + 1 : f->levels;
    }
    for (uint32_t i = f->n, first = f->levels; i-- > 0;) {
        uint32_t level = f->level[2 * (size_t)i + 1] = level_of(f, 2 * (size_t)i + 1, first);
        f->levels = level >= f->levels ? level + 1 : f->levels;
    }
}

static void factor_block(const struct job *j, struct work *w, uint32_t b)
{
    struct factors *f = &j->of[b];
    uint32_t first = b * j->o->rows, left = j->A->rows - first;
    f->no_memory = !factors_open(f, left < j->o->rows ? left : j->o->rows);
    if (f->no_memory)
        return;
    for (uint32_t i = 0; i < f->n; i++)
        if (!factor_row(j, w, f, first, i))
            return;
    find_levels(f);
}

static void factor_blocks(const void *args, struct member *me)
{
    const struct job *j = args;
    TEAM_FOR(me, b, ilut_blocks_of(j->A->rows, j->o->rows), 2, 1)
    {
        factor_block(j, &j->work[me->index], b);
    }
}

/* The block that exceeds the limit depends on the threads; whether one does so does not. */
static vks_status status_of(struct message *m, const struct job *j, uint32_t blocks)
{
    const struct host_csr *A = j->A;
    const struct factors *of = j->of;
    for (uint32_t b = 0; b < blocks; b++)
        if (of[b].no_memory)
            return fail_memory(m, "the factors of ilut", 12 * (uint64_t)A->row[A->rows]);
    for (uint32_t b = 0; b < blocks; b++)
        if (of[b].too_much != UINT32_MAX)
            return fail(m, VKS_LIMIT,
                        "ilut: factors of %u rows take more than %.0f steps, which is too much work", A->rows,
                        j->most_work);
    return VKS_OK;
}

static double most_work(const struct host_csr *A, const struct ilut_options *o)
{
    double kept = (double)A->rows * o->fill, entries = A->row[A->rows];
    return ILUT_LEAST_WORK + ILUT_MOST_WORK * o->fill * (entries + kept);
}

vks_status ilut_factor(struct message *m, struct team *team, const struct host_csr *A, const uint32_t *order,
                       const uint32_t *place, const struct ilut_options *o, const struct caller *caller,
                       struct factors *of)
{
    uint32_t blocks = ilut_blocks_of(A->rows, o->rows), threads = team_size(team), cancelled = 0;
    uint64_t done = 0;
    struct job j = {.A = A,
                    .order = order,
                    .place = place,
                    .o = o,
                    .caller = caller,
                    .cancelled = &cancelled,
                    .done = &done,
                    .most_work = most_work(A, o),
                    .of = of};
    threads = blocks < 2 ? 1 : threads;
    bool room = (j.work = calloc(threads, sizeof *j.work)) != NULL;
    for (uint32_t t = 0; t < threads && room; t++)
        room = work_open(&j.work[t], A->rows < o->rows ? A->rows : o->rows);
    if (room) {
        j.work[0].since_asked = ASKED_AFTER;
        team_run(team, factor_blocks, &j);
    }
    for (uint32_t t = 0; j.work && t < threads; t++)
        work_close(&j.work[t]);
    free(j.work);
    return room ? status_of(m, &j, blocks)
                : fail_memory(m, "the factors of ilut", 12 * (uint64_t)A->row[A->rows]);
}
