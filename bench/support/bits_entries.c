/* The entries of the matrices that bench_solve_bits makes. */
#include "support/bits_systems.h"

#include <math.h>
#include <stdlib.h>

/* The finaliser of splitmix64 (S. Vigna), which mixes all bits of its argument. */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double bits_random(uint64_t seed, uint64_t i, uint64_t j)
{
    uint64_t bits = mixed(seed * 0x9e3779b97f4a7c15u + mixed(i * 0x100000001b3u + j + 1));
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

static uint32_t least(uint32_t i, uint32_t j)
{
    return i < j ? i : j;
}

static uint32_t greatest(uint32_t i, uint32_t j)
{
    return i > j ? i : j;
}

/* The offset of point j from point i along each axis of a grid. */
static void offsets(const struct bits_system *s, uint32_t i, uint32_t j, int32_t by[3])
{
    uint32_t layer = s->width * s->height;
    by[0] = (int32_t)(j % s->width) - (int32_t)(i % s->width);
    by[1] = (int32_t)(j % layer / s->width) - (int32_t)(i % layer / s->width);
    by[2] = (int32_t)(j / layer) - (int32_t)(i / layer);
}

static bool neighbours(const struct bits_system *s, uint32_t i, uint32_t j, bool box)
{
    int32_t by[3];
    offsets(s, i, j, by);
    uint32_t x = (uint32_t)abs(by[0]), y = (uint32_t)abs(by[1]), z = (uint32_t)abs(by[2]);
    return box ? x <= 1 && y <= 1 && z <= 1 : x + y + z <= 1;
}

static int axes(const struct bits_system *s)
{
    uint32_t points = s->n / (s->block ? s->block : 1);
    return s->height == 1 ? 1 : points > s->width * s->height ? 3 : 2;
}

/* -1 to neighbours along the axes, 1 + q downwind and 1 - q upwind; the diagonal is their number + p. */
bool entry_star(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = i == j ? 2 * axes(s) + s->p : j > i ? -1 + s->q : -1 - s->q;
    return neighbours(s, i, j, false);
}

/* -1 to all neighbours in a box; the diagonal is their number + p. */
bool entry_box(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = i == j ? (double[]){0, 2, 8, 26}[axes(s)] + s->p : -1;
    return neighbours(s, i, j, true);
}

/* As star, with p instead of 1 along y and q instead of 1 along z; an axis of 0 couples nothing. */
bool entry_stretched(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    int32_t by[3];
    offsets(s, i, j, by);
    *value = i == j ? 2 + 2 * s->p + 2 * s->q : by[0] ? -1 : by[1] ? -s->p : -s->q;
    return neighbours(s, i, j, false) && *value != 0;
}

/* The sum of the magnitudes of the other entries in the row of i. */
static double others(const struct bits_system *s, uint32_t i,
                     bool (*entry)(const struct bits_system *, uint32_t, uint32_t, double *))
{
    double sum = 0, value;
    for (uint32_t j = 0; j < s->n; j++)
        if (j != i && entry(s, i, j, &value))
            sum += fabs(value);
    return sum;
}

/* The Laplacian of a grid with free boundaries, + p; the constants are its null space if p is 0. Points are
 * coupled by q - 1 along y, so that q = 1 makes separate chains. */
bool entry_free_star(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    int32_t by[3];
    offsets(s, i, j, by);
    *value = by[1] ? s->q - 1 : -1;
    if (i == j) {
        double sum = s->p, one;
        for (uint32_t k = 0; k < s->n; k++)
            if (k != i && entry_free_star(s, i, k, &one))
                sum -= one;
        *value = sum;
    }
    return neighbours(s, i, j, false) && *value != 0;
}

/* The same, but p is added for the first quarter of the points, so that the constants are nearly its null
 * space. */
bool entry_held_star(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    struct bits_system plain = *s;
    plain.p = 0;
    bool there = entry_free_star(&plain, i, j, value);
    *value += i == j && i < s->n / 4 ? s->p : 0;
    return there;
}

/* A chain whose rows sum to zero, with -1 - p to the right and -1 + p to the left: A times ones is zero, and
 * A^T times ones is not. */
bool entry_drift(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    double left = i > 0 ? -1 + s->p : 0, right = i + 1 < s->n ? -1 - s->p : 0;
    *value = i == j ? -(left + right) : j < i ? left : right;
    return i == j || i + 1 == j || j + 1 == i;
}

/* Star on a grid with `block` unknowns at each point, which a symmetric positive definite block couples; p is
 * added to its diagonal, and q turns the coupling to neighbours. */
bool entry_nodes(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    uint32_t a = i % s->block, b = j % s->block;
    struct bits_system points = *s;
    points.q = points.p = 0;
    bool there = entry_star(&points, i / s->block, j / s->block, value);
    double coupling = a == b ? 1 : bits_random(7, least(a, b), greatest(a, b)) / s->block;
    *value = *value * coupling + (i == j ? s->p : 0) + (a != b && i / s->block != j / s->block ? s->q : 0);
    return there;
}

/* Random off-diagonal entries, a share p of all, symmetric. The diagonal of a dominant matrix is the sum of
 * the others' magnitudes + q, else it is q. */
static bool spread(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    uint32_t a = least(i, j), b = greatest(i, j);
    *value = bits_random(s->n, a, b);
    return i == j || bits_random(s->n + 1, a, b) < 2 * s->p - 1;
}

bool entry_constant_diagonal(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = spread(s, i, j, value);
    *value = i == j ? s->q : *value;
    return there;
}

bool entry_dominant(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = spread(s, i, j, value);
    *value = i == j ? others(s, i, spread) + s->q : *value;
    return there;
}

/* The same with different entries in each triangle. */
static bool spread_unsymmetric(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = bits_random(s->n + 2, i, j);
    return i == j || bits_random(s->n + 3, i, j) < 2 * s->p - 1;
}

bool entry_constant_diagonal_unsymmetric(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = spread_unsymmetric(s, i, j, value);
    *value = i == j ? s->q : *value;
    return there;
}

bool entry_dominant_unsymmetric(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = spread_unsymmetric(s, i, j, value);
    *value = i == j ? others(s, i, spread_unsymmetric) + s->q : *value;
    return there;
}

/* D S D with S of star and D random powers of two up to 2^p, so that the condition number is about 4^p. */
bool entry_badly_scaled(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    struct bits_system plain = *s;
    plain.p = s->q;
    plain.q = 0;
    bool there = entry_star(&plain, i, j, value);
    int by = (int)(s->p * (1 + bits_random(3, i, 0)) / 2) + (int)(s->p * (1 + bits_random(3, j, 0)) / 2);
    *value = ldexp(*value, by - (int)s->p);
    return there;
}

/* Row p is full, and so is column p unless q is 1; the diagonal is 4, and that of row p the number of
 * rows. */
bool entry_arrow(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    uint32_t at = (uint32_t)s->p;
    *value = i != j ? bits_random(11, least(i, j), greatest(i, j)) : i == at ? s->n : 4;
    return i == j || i == at || (j == at && s->q != 1);
}

static bool edge(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    double a = least(i, j) + 1, b = greatest(i, j) + 1;
    *value = -1;
    return i != j && (1 + bits_random(s->n, (uint64_t)a, (uint64_t)b)) / 2 < s->q * s->n / (a * b);
}

/* The Laplacian of a graph whose degrees fall as a power, + p; q scales their number. */
bool entry_power_law(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    bool there = edge(s, i, j, value);
    if (i == j)
        *value = others(s, i, edge) + s->p;
    return there || i == j;
}

bool entry_hilbert(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = 1 / (double)(i + j + 1) + (i == j ? s->p : 0);
    return true;
}

/* p on the diagonal, increasing by q from row to row. */
bool entry_diagonal(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = s->p + s->q * i;
    return i == j;
}

bool entry_constant(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    (void)i, (void)j;
    *value = s->p;
    return true;
}

/* An entry in row i and column (p i + 1) mod n. */
bool entry_permutation(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = 1;
    return j == ((uint64_t)s->p * i + 1) % s->n;
}

bool entry_skew(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    double r = bits_random(s->n, least(i, j), greatest(i, j));
    *value = j > i ? r : -r;
    return i != j;
}

bool entry_lower_triangle(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    *value = i == j ? s->p : bits_random(s->n, i, j);
    return j <= i;
}

/* The rows of star, shifted by two: no diagonal. */
bool entry_turned(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    return entry_star(s, (i + 2) % s->n, j, value);
}

/* Star, bordered by a fifth of the rows and columns, which take differences of neighbours; the corner block
 * is zero. */
bool entry_saddle(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    uint32_t points = s->n - s->n / 5, a = least(i, j), b = greatest(i, j);
    struct bits_system inner = *s;
    inner.n = points;
    inner.p = inner.q = 0;
    if (b < points)
        return entry_star(&inner, i, j, value);
    *value = a % 2 ? -1 : 1;
    return a < points && a / 2 == b - points;
}

bool entry_empty(const struct bits_system *s, uint32_t i, uint32_t j, double *value)
{
    (void)s, (void)i, (void)j;
    *value = 0;
    return false;
}
