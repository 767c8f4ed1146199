#include "tests/null_space/systems.h"

#include <math.h>
#include <stdlib.h>

static uint64_t next(struct random *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t below(struct random *r, uint32_t n)
{
    return (uint32_t)((next(r) >> 32) % n);
}

double unit(struct random *r)
{
    return (double)(next(r) >> 11) * 0x1p-53;
}

double around(struct random *r)
{
    return 2 * unit(r) - 1;
}

double decades(struct random *r, double least, double most)
{
    return pow(10, least + (most - least) * unit(r));
}

static void room(struct claimed *q, uint32_t n, uint32_t vectors)
{
    q->n = n;
    q->vectors = vectors;
    q->a = calloc((size_t)n * n, sizeof *q->a);
    q->v = calloc((size_t)vectors * n, sizeof *q->v);
    if (!q->a || !q->v)
        abort();
}

/* A spring between unknowns i and j. */
static void tie(struct claimed *q, uint32_t i, uint32_t j, double stiffness)
{
    size_t n = q->n;
    q->a[i * n + i] += stiffness;
    q->a[j * n + j] += stiffness;
    q->a[i * n + j] -= stiffness;
    q->a[j * n + i] -= stiffness;
}

/* Stiffness of the springs: all equal; powers of two, whose sums do not round; anything, over six decades. */
enum stiffness { EVEN, EXACT_JUMPS, JUMPS, STIFFNESSES };

static double stiff(struct random *r, enum stiffness which)
{
    switch (which) {
    case EVEN:
        return 1;
    case EXACT_JUMPS:
        return ldexp(1, (int)below(r, 21) - 10);
    default:
        return decades(r, -3, 3);
    }
}

/* The Laplacian of a grid with Neumann boundaries, in up to three disconnected strips, each with its own
 * constants. */
static void make_grid(struct random *r, struct claimed *q, uint32_t strips)
{
    uint32_t w = 1 + below(r, 14), h = strips * (1 + below(r, 14 / strips)), part = h / strips;
    enum stiffness which = (enum stiffness)below(r, STIFFNESSES);
    room(q, w * h, strips);
    for (uint32_t i = 0; i < q->n; i++) {
        uint32_t x = i % w, y = i / w;
        if (x + 1 < w)
            tie(q, i, i + 1, stiff(r, which));
        if (y + 1 < h && (y + 1) % part)
            tie(q, i, i + w, stiff(r, which));
        q->v[(size_t)(y / part) * q->n + i] = 1;
    }
}

/* The rigid body motions of nodes at p, in `d` dimensions: translations along each axis, rotations in each
 * plane. */
static void rigid_motions(struct claimed *q, uint32_t nodes, uint32_t d, double p[][3])
{
    static const uint32_t plane[3][2] = {{0, 1}, {1, 2}, {0, 2}};
    for (uint32_t k = 0; k < nodes; k++) {
        for (uint32_t axis = 0; axis < d; axis++)
            q->v[(size_t)axis * q->n + k * d + axis] = 1;
        for (uint32_t turn = 0; turn < q->vectors - d; turn++) {
            double *v = q->v + (size_t)(d + turn) * q->n + (size_t)k * d;
            v[plane[turn][0]] = -p[k][plane[turn][1]];
            v[plane[turn][1]] = p[k][plane[turn][0]];
        }
    }
}

/* An unsupported truss: springs between nearby nodes. */
static void make_truss(struct random *r, struct claimed *q)
{
    static double p[MOST_NODES][3];
    uint32_t d = 2 + below(r, 2), w = 2 + below(r, 4), h = 2 + below(r, 4), l = d == 3 ? 2 : 1;
    uint32_t nodes = w * h * l;
    enum stiffness which = (enum stiffness)below(r, STIFFNESSES);
    room(q, d * nodes, d == 3 ? 6 : 3);
    for (uint32_t k = 0; k < nodes; k++) {
        uint32_t at[3] = {k % w, k / w % h, k / (w * h)};
        for (uint32_t axis = 0; axis < 3; axis++)
            p[k][axis] = at[axis] + 0.2 * around(r);
    }
    for (uint32_t i = 0; i < nodes; i++)
        for (uint32_t j = 0; j < i; j++) {
            double e[3], square = 0, k = stiff(r, which);
            for (uint32_t axis = 0; axis < d; axis++) {
                e[axis] = p[i][axis] - p[j][axis];
                square += e[axis] * e[axis];
            }
            for (uint32_t m = 0; square < 4 && m < d * d; m++) {
                double term = k * e[m / d] * e[m % d] / square;
                uint32_t row[2] = {i * d + m / d, j * d + m / d}, col[2] = {i * d + m % d, j * d + m % d};
                for (int c = 0; c < 4; c++)
                    q->a[(size_t)row[c / 2] * q->n + col[c % 2]] += c / 2 == c % 2 ? term : -term;
            }
        }
    rigid_motions(q, nodes, d, p);
}

/* Adds to some diagonal entries, so that A is no longer singular. */
static void shift(struct random *r, struct claimed *q, double by, uint32_t one_of)
{
    for (uint32_t i = 0; i < q->n; i++)
        if (below(r, one_of) == 0)
            q->a[(size_t)i * q->n + i] += by * unit(r);
}

/* Perturbs the vectors, so that they miss the null space. */
static void miss(struct random *r, struct claimed *q, double by)
{
    for (size_t i = 0; i < (size_t)q->vectors * q->n; i++)
        q->v[i] += by * around(r);
}

/* Scales rows: A v = 0 remains true, but v^T A = 0 does not. */
static void scale_rows(struct random *r, struct claimed *q, double by)
{
    for (uint32_t i = 0; i < q->n; i++) {
        double scale = 1 + by * unit(r);
        for (uint32_t j = 0; j < q->n; j++)
            q->a[(size_t)i * q->n + j] *= scale;
    }
}

static void make_base(struct random *r, struct claimed *q)
{
    if (below(r, 3) == 0)
        make_truss(r, q);
    else
        make_grid(r, q, 1 + below(r, 3));
}

struct claimed claimed_create(struct random *r, int floats)
{
    static const char *const kinds[] = {"grid", "truss", "shifted", "missed", "lopsided", "definite"};
    struct claimed q = {0};
    uint32_t kind = below(r, 10);
    q.kind = kinds[kind < 3 ? 0 : kind < 5 ? 1 : kind < 7 ? 2 : kind - 4];
    if (kind < 3)
        make_grid(r, &q, 1 + below(r, 3));
    else if (kind < 5)
        make_truss(r, &q);
    else
        make_base(r, &q);
    if (kind == 5 || kind == 6)
        shift(r, &q, decades(r, -15, -5), 1 + below(r, 8));
    else if (kind == 7)
        miss(r, &q, decades(r, -15, -5));
    else if (kind == 8)
        scale_rows(r, &q, decades(r, -14, 0));
    else if (kind == 9)
        shift(r, &q, decades(r, -6, 0), 1);
    for (size_t i = 0; floats && i < (size_t)q.n * q.n; i++)
        q.a[i] = (float)q.a[i];
    return q;
}

void claimed_free(struct claimed *q)
{
    free(q->a);
    free(q->v);
}
