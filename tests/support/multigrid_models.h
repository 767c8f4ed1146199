/* Matrices for multigrid, row by row; host_csr_free frees them. */
#ifndef VKS_TESTS_MULTIGRID_MODELS_H
#define VKS_TESTS_MULTIGRID_MODELS_H

#include "tests/support/matrix.h"

/* A grid of cells: rows are numbered along the last axis first. */
struct grid {
    uint32_t size[3];
    double weight[3]; /* of neighbours along an axis; 0 for none */
    double contrast;  /* of cells of 8 points a side, chosen by a hash; 0 for none */
    bool free_ends;   /* rows sum to zero; otherwise values outside are 0 */
};

/* Writes the entries of a row in any order, and returns their number. */
typedef uint32_t model_row(const void *model, uint32_t i, uint32_t *col, double *val);

/* Sorts the few entries of a row. */
static inline void sort_row(uint32_t *col, double *val, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        for (uint32_t q = k; q > 0 && col[q - 1] > col[q]; q--) {
            uint32_t c = col[q];
            double v = val[q];
            col[q] = col[q - 1];
            val[q] = val[q - 1];
            col[q - 1] = c;
            val[q - 1] = v;
        }
}

static inline struct host_csr model_csr(uint32_t n, size_t most, model_row *row, const void *model)
{
    struct host_csr A = new_csr(n, n, most);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = A.row[i], count = row(model, i, A.col + at, A.val + at);
        sort_row(A.col + at, A.val + at, count);
        A.row[i + 1] = at + count;
        cr_assert_leq(A.row[i + 1], most);
    }
    return A;
}

static inline double cell_value(const struct grid *g, const uint32_t at[3])
{
    uint64_t cell = ((at[0] / 8 * (uint64_t)4096) + at[1] / 8) * 4096 + at[2] / 8,
             state = cell ^ (1ULL << 40);
    return g->contrast > 0 && (random_bits(&state) & 1) ? g->contrast : 1;
}

static inline uint32_t grid_row(const void *model, uint32_t i, uint32_t *col, double *val)
{
    static const uint32_t axes[] = {0, 1, 2, 2, 1, 0};
    const struct grid *g = model;
    const uint32_t *size = g->size, at[3] = {i / size[2] / size[1], i / size[2] % size[1], i % size[2]};
    double own = cell_value(g, at), diagonal = 0;
    uint32_t count = 0;
    for (int way = 0; way < 6; way++) {
        uint32_t axis = axes[way], to[3] = {at[0], at[1], at[2]};
        to[axis] += way < 3 ? UINT32_MAX : 1;
        bool inside = to[axis] < size[axis];
        double other = inside ? cell_value(g, to) : own,
               w = g->weight[axis] * 2 * own * other / (own + other);
        if (w == 0 || (!inside && g->free_ends))
            continue;
        diagonal += w;
        col[count] = (to[0] * size[1] + to[1]) * size[2] + to[2];
        val[count] = -w;
        count += inside;
    }
    col[count] = i;
    val[count] = diagonal;
    return count + 1;
}

static inline struct host_csr grid_csr(struct grid g)
{
    uint32_t n = g.size[0] * g.size[1] * g.size[2];
    return model_csr(n, 7 * (size_t)n, grid_row, &g);
}

/* A square or a cube with the stencil of a Laplacian. */
static inline struct grid square(uint32_t size, double across)
{
    return (struct grid){.size = {1, size, size}, .weight = {0, across, 1}};
}

static inline struct grid cube(uint32_t size, double contrast)
{
    return (struct grid){.size = {size, size, size}, .weight = {1, 1, 1}, .contrast = contrast};
}

/* A mesh of tetrahedra, six to a cube, with random weights and its nodes in random order. */
struct mesh {
    uint32_t size;
    uint32_t *place, *node; /* of each node, and the inverse map */
};

static inline uint32_t mesh_row(const void *model, uint32_t i, uint32_t *col, double *val)
{
    const struct mesh *m = model;
    uint32_t size = m->size, node = m->node[i], count = 0;
    uint32_t at[3] = {node / size / size, node / size % size, node % size};
    double diagonal = 0.01;
    for (uint32_t way = 1; way < 8; way++)
        for (int back = 0; back < 2; back++) {
            uint32_t to[3];
            bool inside = true;
            for (int d = 0; d < 3; d++) {
                to[d] = at[d] + (way >> d & 1 ? (back ? UINT32_MAX : 1) : 0);
                inside = inside && to[d] < size;
            }
            if (!inside)
                continue;
            uint32_t other = (to[0] * size + to[1]) * size + to[2];
            uint64_t state = 8 * (uint64_t)(back ? other : node) + way;
            double w = (double)(random_bits(&state) >> 40) * 0x1p-24 + 0.01;
            col[count] = m->place[other];
            val[count++] = way == 7 ? w / 16 : -w; /* the longest edges have positive entries */
            diagonal += way == 7 ? w / 16 : w;
        }
    col[count] = i;
    val[count] = diagonal;
    return count + 1;
}

static inline struct host_csr mesh_csr(uint32_t size)
{
    uint32_t n = size * size * size;
    uint64_t seed = size;
    struct mesh m = {size, room(n, 4), room(n, 4)};
    for (uint32_t i = 0; i < n; i++)
        m.node[i] = i;
    for (uint32_t i = n - 1; i > 0; i--) {
        uint32_t k = random_below(&seed, i + 1), node = m.node[i];
        m.node[i] = m.node[k];
        m.node[k] = node;
    }
    for (uint32_t i = 0; i < n; i++)
        m.place[m.node[i]] = i;
    struct host_csr A = model_csr(n, 15 * (size_t)n, mesh_row, &m);
    free(m.place);
    free(m.node);
    return A;
}

/* One dense row and column, `hub`, and a diagonal: a star. Its rows sum to `extra`. */
struct star {
    uint32_t n, hub;
    double extra;
};

static inline uint32_t star_row(const void *model, uint32_t i, uint32_t *col, double *val)
{
    const struct star *s = model;
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->n; k++)
        if (k == i || k == s->hub || i == s->hub) {
            col[count] = k;
            val[count++] = k != i ? -1 : s->extra + (i == s->hub ? s->n - 1 : 1);
        }
    return count;
}

static inline struct host_csr star_csr(struct star s)
{
    return model_csr(s.n, 4 * (size_t)s.n, star_row, &s);
}

/* A diagonal matrix; if `gap` is not 0, every `gap`-th row is linked to the one before. */
struct lone {
    uint32_t n, gap;
};

static inline uint32_t lone_row(const void *model, uint32_t i, uint32_t *col, double *val)
{
    const struct lone *l = model;
    col[0] = i;
    val[0] = 1 + i % 7;
    if (!l->gap || i / l->gap * l->gap + 1 >= l->n || i % l->gap > 1)
        return 1;
    col[1] = i % l->gap ? i - 1 : i + 1;
    val[1] = -0.5;
    return 2;
}

static inline struct host_csr lone_csr(uint32_t n, uint32_t gap)
{
    struct lone l = {n, gap};
    return model_csr(n, 2 * (size_t)n, lone_row, &l);
}

#endif
