#include "entries/rcm.h"
#include "entries/check.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An undirected graph: the neighbours of v are next[start[v]] to next[start[v + 1] - 1]. */
struct graph {
    uint32_t n;
    size_t *start;  /* n + 1 */
    uint32_t *next; /* at most twice the entries */
};

struct work {
    struct graph g;
    uint32_t *transpose_row; /* n + 1: the pattern of the transpose */
    uint32_t *transpose_col; /* entries */
    uint32_t *mark;          /* n: the last vertex or search that visited each vertex */
    uint32_t *list; /* n: the neighbours of a vertex, or the vertices of a search in order of discovery */
    uint32_t *by_degree; /* n: the vertices by ascending degree */
    bool *numbered;      /* n */
};

double rcm_memory(const struct host_csr *pattern)
{
    double n = pattern->rows, entries = (double)host_csr_entries(pattern);
    return n * (sizeof(size_t) + 4 * sizeof(uint32_t) + sizeof(bool)) + 3 * entries * sizeof(uint32_t);
}

static void release(struct work *w)
{
    free(w->g.start);
    free(w->g.next);
    free(w->transpose_row);
    free(w->transpose_col);
    free(w->mark);
    free(w->list);
    free(w->by_degree);
    free(w->numbered);
}

static vks_status allocate(struct message *m, const struct host_csr *a, struct work *w)
{
    size_t n = (size_t)a->rows + 2, entries = host_csr_entries(a);
    w->g.n = a->rows;
    w->g.start = calloc(n, sizeof *w->g.start);
    w->g.next = malloc(2 * entries * sizeof *w->g.next + 1);
    w->transpose_row = calloc(n, sizeof *w->transpose_row);
    w->transpose_col = malloc(entries * sizeof *w->transpose_col + 1);
    w->mark = malloc(n * sizeof *w->mark);
    w->list = malloc(n * sizeof *w->list);
    w->by_degree = malloc(n * sizeof *w->by_degree);
    w->numbered = calloc(n, sizeof *w->numbered);
    if (!w->g.start || !w->g.next || !w->transpose_row || !w->transpose_col || !w->mark || !w->list ||
        !w->by_degree || !w->numbered)
        return fail_memory(m, "the reverse Cuthill-McKee order", (unsigned long long)rcm_memory(a));
    return VKS_OK;
}

/* Counts column c in row[c + 2] and sums, so that row[c + 1] is the beginning of c and, after filling, its
 * end. */
static void transpose(const struct host_csr *a, struct work *w)
{
    size_t entries = host_csr_entries(a);
    uint32_t *row = w->transpose_row;
    for (size_t k = 0; k < entries; k++)
        row[(size_t)a->col[k] + 2]++;
    for (size_t i = 2; i < (size_t)a->rows + 2; i++)
        row[i] += row[i - 1];
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++)
            w->transpose_col[row[(size_t)a->col[k] + 1]++] = r;
}

/* Appends to w->list the vertices among col[from..to-1] that v has not yet marked. */
static uint32_t add_neighbours(uint32_t v, const uint32_t *col, size_t from, size_t to, struct work *w,
                               uint32_t found)
{
    for (size_t k = from; k < to; k++)
        if (w->mark[col[k]] != v) {
            w->mark[col[k]] = v;
            w->list[found++] = col[k];
        }
    return found;
}

/* Stores the distinct neighbours of v in A and A^T, without v itself, in w->list. Returns their number. */
static uint32_t neighbours(const struct host_csr *a, uint32_t v, struct work *w)
{
    const uint32_t *t = w->transpose_row;
    w->mark[v] = v;
    uint32_t found = add_neighbours(v, a->col, a->row[v], a->row[v + 1], w, 0);
    return add_neighbours(v, w->transpose_col, t[v], t[v + 1], w, found);
}

static void sort_by_degree(struct work *w)
{
    const size_t *start = w->g.start;
    uint32_t n = w->g.n, *count = w->mark;
    memset(count, 0, ((size_t)n + 1) * sizeof *count);
    for (uint32_t v = 0; v < n; v++)
        count[start[v + 1] - start[v] + 1]++;
    for (uint32_t d = 0; d < n; d++)
        count[d + 1] += count[d];
    for (uint32_t v = 0; v < n; v++)
        w->by_degree[count[start[v + 1] - start[v]]++] = v;
}

/* Builds the graph with the neighbours of each vertex by ascending degree, without sorting any list: it
 * appends each vertex, by ascending degree, to the lists of its neighbours. */
static void build_graph(const struct host_csr *a, struct work *w)
{
    uint32_t n = a->rows;
    struct graph *g = &w->g;
    memset(w->mark, 0xFF, n * sizeof *w->mark);
    for (uint32_t v = 0; v < n; v++)
        g->start[v + 1] = g->start[v] + neighbours(a, v, w);
    sort_by_degree(w);

    memset(w->mark, 0xFF, n * sizeof *w->mark);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = w->by_degree[i], degree = neighbours(a, v, w);
        for (uint32_t k = 0; k < degree; k++)
            g->next[g->start[w->list[k]]++] = v;
    }
    /* Filling moved every start to its end. */
    memmove(g->start + 1, g->start, n * sizeof *g->start);
    g->start[0] = 0;
}

/* Breadth-first search from `root` through its component; writes the vertices to order[] as they are found.
 * `search` is a fresh mark. Returns the number found, in *depth the number of levels, and in *last the start
 * of the last level. */
static uint32_t search_from(struct work *w, uint32_t root, uint32_t search, uint32_t *order, uint32_t *depth,
                            uint32_t *last)
{
    const struct graph *g = &w->g;
    uint32_t found = 1, at = 0, end = 0;
    order[0] = root;
    w->mark[root] = search;
    for (*depth = 0; at < found; ++*depth) {
        *last = at;
        for (end = found; at < end; at++)
            for (size_t k = g->start[order[at]]; k < g->start[order[at] + 1]; k++)
                if (w->mark[g->next[k]] != search) {
                    w->mark[g->next[k]] = search;
                    order[found++] = g->next[k];
                }
    }
    return found;
}

static uint32_t degree_of(const struct graph *g, uint32_t v)
{
    return (uint32_t)(g->start[v + 1] - g->start[v]);
}

/* More searches would break the linear time on contrived graphs; common graphs take 2 to 5. */
enum { MOST_SEARCHES = 24 };

/* George and Liu: moves to a vertex of least degree in the last level as long as that makes the search
 * deeper. Leaves in order[] the search from the final vertex. */
static uint32_t search_component(struct work *w, uint32_t root, uint32_t *search, uint32_t *order)
{
    uint32_t depth, last, deepest = 1;
    uint32_t found = search_from(w, root, (*search)++, order, &depth, &last);
    for (int searches = 1; depth > deepest && searches < MOST_SEARCHES; searches++) {
        uint32_t candidate = order[last];
        for (uint32_t i = last + 1; i < found; i++)
            if (degree_of(&w->g, order[i]) < degree_of(&w->g, candidate))
                candidate = order[i];
        deepest = depth;
        found = search_from(w, candidate, (*search)++, order, &depth, &last);
    }
    return found;
}

/* Numbers the components one after the other from the back, which reverses the Cuthill-McKee order. */
static void number_all(struct work *w, uint32_t *perm)
{
    uint32_t n = w->g.n, left = n, search = 0;
    memset(w->mark, 0xFF, n * sizeof *w->mark);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = w->by_degree[i];
        if (w->numbered[root])
            continue;
        uint32_t found = search_component(w, root, &search, w->list);
        for (uint32_t k = 0; k < found; k++) {
            perm[--left] = w->list[k];
            w->numbered[w->list[k]] = true;
        }
    }
}

vks_status rcm_order(struct message *m, const struct host_csr *pattern, uint32_t *perm)
{
    if (pattern->rows != pattern->cols)
        return fail(m, VKS_INVALID_ARGUMENT, "%u rows, %u columns: an order needs a square matrix",
                    pattern->rows, pattern->cols);
    if (pattern->rows > INT32_MAX)
        return fail(m, VKS_LIMIT, "%u rows: an order takes at most %d", pattern->rows, INT32_MAX);
    struct work w = {0};
    vks_status status = allocate(m, pattern, &w);
    if (status == VKS_OK) {
        transpose(pattern, &w);
        build_graph(pattern, &w);
        number_all(&w, perm);
    }
    release(&w);
    return status;
}

void rcm_invert(uint32_t rows, const uint32_t *perm, uint32_t *place)
{
    for (uint32_t i = 0; i < rows; i++)
        place[perm[i]] = i;
}

struct band rcm_band(const struct host_csr *pattern, const uint32_t *place)
{
    struct band b = {0};
    double sum = 0;
    for (uint32_t r = 0; r < pattern->rows; r++)
        for (size_t k = pattern->row[r]; k < pattern->row[r + 1]; k++) {
            uint32_t i = place ? place[r] : r, j = place ? place[pattern->col[k]] : pattern->col[k];
            if (i > j && i - j > b.lower)
                b.lower = i - j;
            if (j > i && j - i > b.upper)
                b.upper = j - i;
            sum += i > j ? i - j : j - i;
        }
    if (host_csr_entries(pattern))
        b.mean = sum / (double)host_csr_entries(pattern);
    return b;
}

vks_status vks_reorder_rcm(uint32_t rows, const uint32_t *row, const uint32_t *col, uint32_t *order)
{
    vks_status status = csr_arrays_check(NULL, rows, rows, row, col);
    if (status || rows == 0)
        return status;
    if (!order)
        return VKS_INVALID_ARGUMENT;
    /* The pattern is only read, but the arrays of host_csr are not const, since others own them. */
    struct host_csr pattern = {
        .rows = rows, .cols = rows, .row = (uint32_t *)(uintptr_t)row, .col = (uint32_t *)(uintptr_t)col};
    return rcm_order(NULL, &pattern, order);
}
