#include "entries/check.h"
#include "device/search.h"
#include "team/team.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the rows, each examined by one thread; their results are merged in ascending order. */
#define PARTS 64
/* Threads that share the symmetry test: each needs a cursor for every row. */
#define MAX_WALKERS 8
/* Loops over rows with at least this many entries are shared. */
#define MANY_ENTRIES 4096

/* The argument `least` of a loop over such rows. */
static uint32_t least_shared(size_t entries)
{
    return entries >= MANY_ENTRIES ? 2 : UINT32_MAX;
}

static int walker_count(const struct team *team)
{
    uint32_t threads = team_size(team);
    return (int)(threads < MAX_WALKERS ? threads : MAX_WALKERS);
}

static uint32_t part_start(uint32_t rows, int part, int parts)
{
    return (uint32_t)((uint64_t)rows * (uint64_t)part / (uint64_t)parts);
}

/* Results for no rows, the neutral element of merge(). */
static struct csr_diagnoses nothing(void)
{
    return (struct csr_diagnoses){
        .smallest = INFINITY, .smallest_diagonal = INFINITY, .shortest = {.length = UINT32_MAX}};
}

static void found(struct csr_diagnosis *f, uint32_t row, uint32_t col)
{
    if (f->count++ == 0) {
        f->row = row;
        f->col = col;
    }
}

static void merge_diagnosis(struct csr_diagnosis *into, const struct csr_diagnosis *later)
{
    if (into->count == 0)
        *into = *later;
    else
        into->count += later->count;
}

/* Adds the results of later rows. */
static void merge(struct csr_diagnoses *f, const struct csr_diagnoses *later)
{
#define MERGE(name, square, text) merge_diagnosis(&f->name, &later->name);
    CSR_DIAGNOSES(MERGE)
#undef MERGE
    if (later->worst_pair.difference > f->worst_pair.difference)
        f->worst_pair = later->worst_pair;
    f->largest_difference = fmax(f->largest_difference, later->largest_difference);
    f->smallest = fmin(f->smallest, later->smallest);
    f->largest = fmax(f->largest, later->largest);
    f->smallest_diagonal = fmin(f->smallest_diagonal, later->smallest_diagonal);
    f->largest_diagonal = fmax(f->largest_diagonal, later->largest_diagonal);
    if (later->bandwidth > f->bandwidth)
        f->bandwidth = later->bandwidth;
    if (later->longest.length > f->longest.length)
        f->longest = later->longest;
    if (later->shortest.length < f->shortest.length)
        f->shortest = later->shortest;
}

static void measure_length(struct csr_diagnoses *f, uint32_t row, uint32_t length)
{
    if (length == 0)
        found(&f->empty_rows, row, row);
    if (length > f->longest.length)
        f->longest = (struct csr_row_length){length, row};
    if (length < f->shortest.length)
        f->shortest = (struct csr_row_length){length, row};
}

static void check_diagonal(struct csr_diagnoses *f, uint32_t row, const double *diagonal, double others)
{
    double size = diagonal ? fabs(*diagonal) : 0;
    if (!diagonal)
        found(&f->missing_diagonal, row, row);
    else if (*diagonal == 0)
        found(&f->zero_diagonal, row, row);
    else if (*diagonal < 0)
        found(&f->negative_diagonal, row, row);
    if (!(size >= others))
        found(&f->not_dominant, row, row);
    if (size > 0 && isfinite(size)) {
        f->smallest_diagonal = fmin(f->smallest_diagonal, size);
        f->largest_diagonal = fmax(f->largest_diagonal, size);
    }
}

/* Checks that need only one row. */
static void scan_row(const struct host_csr *a, uint32_t row, struct csr_diagnoses *f)
{
    const double *diagonal = NULL;
    double others = 0;
    for (size_t k = a->row[row]; k < a->row[row + 1]; k++) {
        uint32_t col = a->col[k], distance = col < row ? row - col : col - row;
        double size = fabs(a->val[k]);
        if (distance == 0)
            diagonal = &a->val[k];
        else
            others += size;
        if (distance > f->bandwidth)
            f->bandwidth = distance;
        if (size == 0) {
            found(&f->explicit_zeros, row, col);
        } else if (!isfinite(size)) {
            found(&f->not_finite, row, col);
        } else {
            f->smallest = size < f->smallest ? size : f->smallest;
            f->largest = size > f->largest ? size : f->largest;
        }
    }
    measure_length(f, row, a->row[row + 1] - a->row[row]);
    if (a->rows == a->cols)
        check_diagonal(f, row, diagonal, others);
}

/* The shared state of the members. */
struct check_work {
    const struct host_csr *a;
    struct csr_diagnoses *part;
    int parts;
    uint32_t *cursor;    /* of the symmetry test */
    unsigned char *used; /* columns */
};

static void scan_parts(const void *work, struct member *me)
{
    const struct check_work *w = work;
    uint32_t rows = w->a->rows;
    TEAM_FOR(me, p, PARTS, least_shared(host_csr_entries(w->a)), 1)
    {
        uint32_t end = part_start(rows, (int)p + 1, PARTS);
        w->part[p] = nothing();
        for (uint32_t r = part_start(rows, (int)p, PARTS); r < end; r++)
            scan_row(w->a, r, &w->part[p]);
    }
}

static void scan_rows(struct team *team, const struct host_csr *a, struct csr_diagnoses *f)
{
    struct csr_diagnoses part[PARTS];
    team_run(team, scan_parts, &(struct check_work){.a = a, .part = part});
    for (int p = 0; p < PARTS; p++)
        merge(f, &part[p]);
}

static void mark_columns(const void *work, struct member *me)
{
    const struct check_work *w = work;
    TEAM_FOR(me, r, w->a->rows, least_shared(host_csr_entries(w->a)), 64)
    for (uint32_t k = w->a->row[r]; k < w->a->row[r + 1]; k++)
        __atomic_store_n(&w->used[w->a->col[k]], 1, __ATOMIC_RELAXED);
}

static vks_status find_empty_cols(struct message *m, struct team *team, const struct host_csr *a,
                                  struct csr_diagnoses *f)
{
    unsigned char *used = calloc((size_t)a->cols + 1, 1);
    if (!used)
        return fail_memory(m, "the check of columns", (size_t)a->cols + 1);
    team_run(team, mark_columns, &(struct check_work){.a = a, .used = used});
    for (uint32_t c = 0; c < a->cols; c++)
        if (!used[c])
            found(&f->empty_cols, 0, c);
    free(used);
    return VKS_OK;
}

static double relative_difference(double x, double y)
{
    double scale = fmax(fabs(x), fabs(y)), difference = fabs(x - y);
    return isfinite(difference) ? difference / scale : fabs(x / scale - y / scale);
}

/* partner is a_ji, or NULL if not stored. */
static void check_pair(struct csr_diagnoses *f, uint32_t row, uint32_t col, double a_ij,
                       const double *partner)
{
    double a_ji = partner ? *partner : 0;
    if (!partner)
        found(&f->unpaired, row, col);
    if (a_ij == a_ji)
        return;
    found(&f->unequal, row, col);
    if (!isfinite(a_ij) || !isfinite(a_ji))
        return;
    f->largest_difference = fmax(f->largest_difference, fabs(a_ij - a_ji));
    double difference = relative_difference(a_ij, a_ji);
    if (difference > f->worst_pair.difference)
        f->worst_pair = (struct csr_pair){difference, row, col, a_ij, a_ji};
}

/* The first entry of `row` at or after column `col`. */
static uint32_t entry_at(const struct host_csr *a, uint32_t row, uint32_t col)
{
    return first_not_below(a->col, a->row[row], a->row[row + 1], col);
}

/* Walks the rows from..to-1. Their indices ascend, so the partners (j,i) searched in a row j also ascend, and
 * one cursor for each row moves over its entries once. A cursor is placed on first use. */
static void walk_pairs(const struct host_csr *a, uint32_t from, uint32_t to, uint32_t *cursor,
                       struct csr_diagnoses *f)
{
    memset(cursor, 0xFF, a->rows * sizeof *cursor);
    for (uint32_t i = from; i < to; i++)
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++) {
            uint32_t j = a->col[k], at = cursor[j], end = a->row[j + 1];
            if (i == j)
                continue;
            if (at == UINT32_MAX)
                at = entry_at(a, j, i);
            while (at < end && a->col[at] < i)
                at++;
            cursor[j] = at;
            check_pair(f, i, j, a->val[k], at < end && a->col[at] == i ? &a->val[at] : NULL);
        }
}

static void walk_parts(const void *work, struct member *me)
{
    const struct check_work *w = work;
    uint32_t rows = w->a->rows;
    TEAM_FOR(me, p, (uint32_t)w->parts, least_shared(host_csr_entries(w->a)), 1)
    {
        w->part[p] = nothing();
        walk_pairs(w->a, part_start(rows, (int)p, w->parts), part_start(rows, (int)p + 1, w->parts),
                   w->cursor + (size_t)p * rows, &w->part[p]);
    }
}

static vks_status compare_with_transpose(struct message *m, struct team *team, const struct host_csr *a,
                                         struct csr_diagnoses *f)
{
    int walkers = walker_count(team);
    size_t cursors = (size_t)a->rows * (size_t)walkers;
    uint32_t *cursor = malloc(cursors * sizeof *cursor + 1);
    struct csr_diagnoses part[MAX_WALKERS];
    if (!cursor)
        return fail_memory(m, "the check of symmetry", cursors * sizeof *cursor);
    team_run(team, walk_parts,
             &(struct check_work){.a = a, .part = part, .parts = walkers, .cursor = cursor});
    for (int p = 0; p < walkers; p++)
        merge(f, &part[p]);
    free(cursor);
    f->structurally_symmetric = f->unpaired.count == 0;
    f->symmetric = f->unequal.count == 0;
    return VKS_OK;
}

vks_status csr_check(struct message *m, const struct host_csr *a, struct csr_diagnoses *f)
{
    *f = nothing();
    f->rows = a->rows;
    f->cols = a->cols;
    f->entries = host_csr_entries(a);
    f->square = a->rows == a->cols;
    struct team *team = team_for(team_of(m), 12 * (uint64_t)f->entries);
    scan_rows(team, a, f);
    vks_status status = find_empty_cols(m, team, a, f);
    if (status == VKS_OK && f->square)
        status = compare_with_transpose(m, team, a, f);
    team_done(team_of(m), team);

    /* Replaces neutral elements by zero if nothing was measured. */
    if (f->largest == 0)
        f->smallest = 0;
    if (f->largest_diagonal == 0)
        f->smallest_diagonal = 0;
    if (a->rows == 0)
        f->shortest.length = 0;
    else
        f->mean_row = (double)f->entries / a->rows;
    return status;
}

static vks_status check_offsets(struct message *m, uint32_t rows, const uint32_t *row)
{
    if (!row)
        return fail(m, VKS_INVALID_ARGUMENT, "the row offsets are NULL");
    if (row[0] != 0)
        return fail(m, VKS_INVALID_ARGUMENT, "row 0: the first offset is %u, not 0", row[0]);
    for (uint32_t r = 0; r < rows; r++)
        if (row[r + 1] < row[r])
            return fail(m, VKS_INVALID_ARGUMENT, "row %u: the offsets descend from %u to %u", r, row[r],
                        row[r + 1]);
    return VKS_OK;
}

static bool row_is_valid(uint32_t cols, const uint32_t *col, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++)
        if (col[k] >= cols || (k > from && col[k] <= col[k - 1]))
            return false;
    return true;
}

static vks_status name_defect(struct message *m, uint32_t row, uint32_t cols, const uint32_t *col, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (cols == 0)
            return fail(m, VKS_INVALID_ARGUMENT, "row %u: column %u, but the matrix has no columns", row,
                        col[k]);
        if (col[k] >= cols)
            return fail(m, VKS_INVALID_ARGUMENT, "row %u: column %u is outside 0..%u", row, col[k], cols - 1);
        if (k > 0 && col[k] == col[k - 1])
            return fail(m, VKS_INVALID_ARGUMENT, "row %u: column %u appears twice", row, col[k]);
        if (k > 0 && col[k] < col[k - 1])
            return fail(m, VKS_INVALID_ARGUMENT,
                        "row %u: column %u comes after column %u, columns must ascend", row, col[k],
                        col[k - 1]);
    }
    return VKS_OK;
}

struct arrays {
    uint32_t rows, cols;
    const uint32_t *row, *col;
    uint32_t *bad; /* the first bad row */
};

static void check_rows(const void *arrays, struct member *me)
{
    const struct arrays *a = arrays;
    TEAM_FOR(me, r, a->rows, least_shared(a->row[a->rows]), 64)
    if (!row_is_valid(a->cols, a->col, a->row[r], a->row[r + 1]))
        take_least(a->bad, r);
}

vks_status csr_offsets_check(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                             const uint32_t *col)
{
    if (rows > VKS_MAX_ROWS || cols > VKS_MAX_ROWS)
        return fail(m, VKS_LIMIT, "%u rows, %u columns: the limit is %u", rows, cols, VKS_MAX_ROWS);
    vks_status status = check_offsets(m, rows, row);
    if (status != VKS_OK)
        return status;
    if (row[rows] > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%u entries: the limit is %u", row[rows], VKS_MAX_ENTRIES);
    if (row[rows] > 0 && !col)
        return fail(m, VKS_INVALID_ARGUMENT, "the column indices are NULL");
    return VKS_OK;
}

uint32_t csr_first_unsorted(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                            const uint32_t *col)
{
    uint32_t bad = rows;
    struct team *team = team_for(team_of(m), 4 * (uint64_t)row[rows]);
    team_run(team, check_rows, &(struct arrays){rows, cols, row, col, &bad});
    team_done(team_of(m), team);
    return bad;
}

vks_status csr_arrays_check(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                            const uint32_t *col)
{
    vks_status status = csr_offsets_check(m, rows, cols, row, col);
    if (status != VKS_OK)
        return status;
    uint32_t bad = csr_first_unsorted(m, rows, cols, row, col);
    if (bad == rows)
        return VKS_OK;
    return name_defect(m, bad, cols, col + row[bad], row[bad + 1] - row[bad]);
}
