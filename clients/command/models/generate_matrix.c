#include "command/models/generate_matrix.h"
#include "team/team.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWNS 24
#define STRAINS 6

/* Neighbours on a grid of nx x ny x nz points, in the order of their numbers. */
struct stencil {
    uint32_t nx, ny, nz;
    int points;
    int step[27][3];
};

/* The points of the box -1..1 in each dimension, or of the star (at most one step along one axis). */
static struct stencil make_stencil(int dimensions, bool star, uint32_t size)
{
    struct stencil s = {.nx = dimensions == 3 ? size : 1, .ny = size, .nz = size};
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                if ((dimensions == 2 && x != 0) || (star && abs(x) + abs(y) + abs(z) > 1))
                    continue;
                memcpy(s.step[s.points++], (int[]){x, y, z}, sizeof s.step[0]);
            }
    return s;
}

static uint32_t grid_points(const struct stencil *s)
{
    return s->nx * s->ny * s->nz;
}

/* Finds which stencil points of a grid point are on the grid, and their numbers; a step off the grid wraps to
 * a large number. Returns their count. */
static int neighbours(const struct stencil *s, uint32_t point, uint32_t number[27], int which[27])
{
    uint32_t x = point / s->nz / s->ny, y = point / s->nz % s->ny, z = point % s->nz;
    int n = 0;
    for (int i = 0; i < s->points; i++) {
        uint32_t px = x + (uint32_t)s->step[i][0], py = y + (uint32_t)s->step[i][1],
                 pz = z + (uint32_t)s->step[i][2];
        if (px >= s->nx || py >= s->ny || pz >= s->nz)
            continue;
        number[n] = (px * s->ny + py) * s->nz + pz;
        which[n++] = i;
    }
    return n;
}

static vks_status allocate(struct message *m, uint32_t rows, double entries, struct host_csr *a)
{
    size_t n = (size_t)entries;
    *a = (struct host_csr){.rows = rows, .cols = rows};
    a->row = malloc(((size_t)rows + 1) * sizeof *a->row);
    a->col = malloc(n * sizeof *a->col);
    a->val = malloc(n * sizeof *a->val);
    if (a->row && a->col && a->val)
        return VKS_OK;
    host_csr_free(a);
    return fail_memory(m, "the model problem", rows * sizeof *a->row + n * (sizeof *a->col + sizeof *a->val));
}

/* Arguments of the loops of a team. */
struct filling {
    const struct stencil *s;
    struct host_csr *a;
    uint32_t unknowns;     /* at each grid point */
    double (*element)[24]; /* for elasticity */
};

/* Loops over at least this many grid points are shared among threads. */
enum { MANY_POINTS = 4096 };

static void run_filling(team_body body, struct filling f, struct host_csr *a)
{
    f.a = a;
    struct team *team = team_for(NULL, 4 * (uint64_t)a->rows);
    team_run(team, body, &f);
    team_done(NULL, team);
}

static void count_neighbours(const void *filling, struct member *me)
{
    const struct filling *f = filling;
    TEAM_FOR(me, p, grid_points(f->s), MANY_POINTS, 256)
    {
        uint32_t number[27];
        int which[27];
        uint32_t length = f->unknowns * (uint32_t)neighbours(f->s, p, number, which);
        for (uint32_t c = 0; c < f->unknowns; c++)
            f->a->row[(size_t)p * f->unknowns + c + 1] = length;
    }
}

/* The offsets of a matrix with `unknowns` rows and columns at each grid point. */
static void make_offsets(const struct stencil *s, uint32_t unknowns, struct host_csr *a)
{
    run_filling(count_neighbours, (struct filling){.s = s, .unknowns = unknowns}, a);
    a->row[0] = 0;
    for (size_t r = 0; r < a->rows; r++)
        a->row[r + 1] += a->row[r];
}

/* -1 for every neighbour; the diagonal is the number of neighbours of an inner point. */
static void fill_laplacian(const void *filling, struct member *me)
{
    const struct stencil *s = ((const struct filling *)filling)->s;
    struct host_csr *a = ((const struct filling *)filling)->a;
    double diagonal = s->points - 1;
    TEAM_FOR(me, p, grid_points(s), MANY_POINTS, 256)
    {
        uint32_t number[27];
        int which[27], n = neighbours(s, p, number, which);
        for (int i = 0; i < n; i++) {
            a->col[a->row[p] + (uint32_t)i] = number[i];
            a->val[a->row[p] + (uint32_t)i] = number[i] == p ? diagonal : -1;
        }
    }
}

/* Derivatives along x, y, z of the eight trilinear shape functions of the unit brick at the point at[3]. */
static void shape_gradients(const double at[3], double gradient[8][3])
{
    for (int node = 0; node < 8; node++) {
        double value[3], slope[3];
        for (int axis = 0; axis < 3; axis++) {
            bool far = node >> (2 - axis) & 1;
            value[axis] = far ? at[axis] : 1 - at[axis];
            slope[axis] = far ? 1 : -1;
        }
        gradient[node][0] = slope[0] * value[1] * value[2];
        gradient[node][1] = value[0] * slope[1] * value[2];
        gradient[node][2] = value[0] * value[1] * slope[2];
    }
}

/* B: the strains xx, yy, zz, xy, yz, zx (shears as engineering strains) caused by unit displacements. */
static void strain_matrix(double gradient[8][3], double b[STRAINS][UNKNOWNS])
{
    memset(b, 0, STRAINS * sizeof b[0]);
    for (int node = 0; node < 8; node++)
        for (int c = 0; c < 3; c++) {
            int next = (c + 1) % 3, unknown = 3 * node;
            b[c][unknown + c] = gradient[node][c];
            b[3 + c][unknown + c] = gradient[node][next];
            b[3 + c][unknown + next] = gradient[node][c];
        }
}

/* Adds weight B^T D B to k (upper triangle only), D the isotropic elasticity matrix with Lame's constants. */
static void add_stiffness(double b[STRAINS][UNKNOWNS], double lambda, double mu, double weight,
                          double k[UNKNOWNS][UNKNOWNS])
{
    for (int j = 0; j < UNKNOWNS; j++) {
        double stress[STRAINS], pressure = lambda * (b[0][j] + b[1][j] + b[2][j]);
        for (int s = 0; s < STRAINS; s++)
            stress[s] = s < 3 ? pressure + 2 * mu * b[s][j] : mu * b[s][j];
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int s = 0; s < STRAINS; s++)
                sum += b[s][i] * stress[s];
            k[i][j] += weight * sum;
        }
    }
}

void brick_stiffness(double poisson_ratio, double k[24][24])
{
    double lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
    double mu = 0.5 / (1 + poisson_ratio), offset = 0.5 / sqrt(3);
    memset(k, 0, UNKNOWNS * sizeof k[0]);
    for (int gauss = 0; gauss < 8; gauss++) {
        double at[3], gradient[8][3], b[STRAINS][UNKNOWNS];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = gauss >> (2 - axis) & 1 ? 0.5 + offset : 0.5 - offset;
        shape_gradients(at, gradient);
        strain_matrix(gradient, b);
        add_stiffness(b, lambda, mu, 1.0 / 8, k);
    }
    for (int i = 0; i < UNKNOWNS; i++)
        for (int j = 0; j < i; j++)
            k[i][j] = k[j][i];
}

/* The 3 x 3 blocks of one mesh node, summed over its bricks in ascending order: the blocks (p,q) and (q,p)
 * add the same numbers in the same order, so the matrix is exactly symmetric. Local node 7 is the far corner,
 * which makes its brick the first. */
static void gather_blocks(uint32_t size, uint32_t node, double k[24][24], double block[27][3][3])
{
    uint32_t x = node / size / size, y = node / size % size, z = node % size;
    memset(block, 0, 27 * sizeof block[0]);
    for (int p = 7; p >= 0; p--) {
        /* The position of the brick in the mesh; a negative one wraps to a large number. */
        int px = p >> 2, py = p >> 1 & 1, pz = p & 1;
        if (x + 1 - (uint32_t)px >= size || y - (uint32_t)py >= size - 1 || z - (uint32_t)pz >= size - 1)
            continue;
        for (int q = 0; q < 8; q++) {
            int at = ((q >> 2) - px + 1) * 9 + ((q >> 1 & 1) - py + 1) * 3 + (q & 1) - pz + 1;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++)
                    block[at][c][d] += k[3 * p + c][3 * q + d];
        }
    }
}

static void fill_elasticity(const void *filling, struct member *me)
{
    const struct filling *f = filling;
    const struct stencil *s = f->s;
    struct host_csr *a = f->a;
    TEAM_FOR(me, p, grid_points(s), MANY_POINTS, 64)
    {
        double block[27][3][3];
        uint32_t number[27];
        int which[27], n = neighbours(s, p, number, which);
        gather_blocks(s->nz, p, f->element, block);
        for (uint32_t c = 0; c < 3; c++) {
            size_t at = a->row[3 * p + c];
            for (int i = 0; i < n; i++)
                for (uint32_t d = 0; d < 3; d++, at++) {
                    a->col[at] = 3 * number[i] + d;
                    a->val[at] = block[which[i]][c][d];
                }
        }
    }
}

/* Within the limits, rows and entries are exact in double. */
static vks_status make_room(struct message *m, const char *kind, uint32_t size, double rows, double entries,
                            struct host_csr *a)
{
    if (rows > VKS_MAX_ROWS)
        return fail(m, VKS_LIMIT, "%s of size %u has %.0f rows, the limit is %u", kind, size, rows,
                    VKS_MAX_ROWS);
    if (entries > VKS_MAX_ENTRIES)
        return fail(m, VKS_LIMIT, "%s of size %u has %.0f entries, the limit is %u", kind, size, entries,
                    VKS_MAX_ENTRIES);
    return allocate(m, (uint32_t)rows, entries, a);
}

static vks_status begin(struct message *m, const char *kind, const struct stencil *s, uint32_t unknowns,
                        double rows, double entries, struct host_csr *a)
{
    vks_status status = make_room(m, kind, s->nz, rows, entries, a);
    if (status == VKS_OK)
        make_offsets(s, unknowns, a);
    return status;
}

static vks_status laplacian(struct message *m, const char *kind, struct stencil s, double entries,
                            struct host_csr *a)
{
    if (s.nz == 0)
        return fail(m, VKS_INVALID_ARGUMENT, "%s needs a size of at least 1", kind);
    vks_status status = begin(m, kind, &s, 1, (double)s.nx * s.ny * s.nz, entries, a);
    if (status == VKS_OK)
        run_filling(fill_laplacian, (struct filling){.s = &s}, a);
    return status;
}

static vks_status poisson2d(struct message *m, uint32_t size, struct host_csr *a)
{
    double n = size;
    return laplacian(m, "poisson2d", make_stencil(2, true, size), 5 * n * n - 4 * n, a);
}

static vks_status poisson3d(struct message *m, uint32_t size, struct host_csr *a)
{
    double n = size;
    return laplacian(m, "poisson3d", make_stencil(3, true, size), 7 * n * n * n - 6 * n * n, a);
}

static vks_status poisson3d27(struct message *m, uint32_t size, struct host_csr *a)
{
    double n = 3 * (double)size - 2;
    return laplacian(m, "poisson3d27", make_stencil(3, false, size), n * n * n, a);
}

static vks_status elasticity3d(struct message *m, uint32_t size, struct host_csr *a)
{
    double k[24][24], n = size, line = 3 * n - 2;
    if (size < 2)
        return fail(m, VKS_INVALID_ARGUMENT, "elasticity3d needs a size of at least 2");
    struct stencil s = make_stencil(3, false, size);
    vks_status status = begin(m, "elasticity3d", &s, 3, 3 * n * n * n, 9 * line * line * line, a);
    if (status == VKS_OK) {
        brick_stiffness(0.3, k);
        run_filling(fill_elasticity, (struct filling){.s = &s, .element = k}, a);
    }
    return status;
}

vks_status generate_coordinates(struct message *m, uint32_t size, struct coordinates *c)
{
    double n = size;
    *c = (struct coordinates){0};
    if (3 * n * n * n > VKS_MAX_ROWS)
        return fail(m, VKS_LIMIT, "elasticity3d of size %u has %.0f rows, the limit is %u", size,
                    3 * n * n * n, VKS_MAX_ROWS);
    uint32_t nodes = size * size * size;
    double *value = malloc(((uint64_t)nodes + 1) * 3 * sizeof *value);
    if (!value)
        return fail_memory(m, "the coordinates of nodes", ((uint64_t)nodes + 1) * 3 * sizeof *value);
    *c = (struct coordinates){nodes, 3, value};
    for (uint32_t p = 0; p < nodes; p++, value += 3) {
        uint32_t x = p / size / size + 1, y = p / size % size, z = p % size;
        value[0] = x;
        value[1] = y;
        value[2] = z;
    }
    return VKS_OK;
}

static vks_status dense(struct message *m, uint32_t size, struct host_csr *a)
{
    if (size == 0)
        return fail(m, VKS_INVALID_ARGUMENT, "dense needs a size of at least 1");
    TRY(make_room(m, "dense", size, size, (double)size * size, a));
    a->row[0] = 0;
    for (uint32_t i = 0; i < size; i++) {
        a->row[i + 1] = (i + 1) * size;
        for (uint32_t j = 0; j < size; j++) {
            a->col[(size_t)i * size + j] = j;
            a->val[(size_t)i * size + j] = i < j ? (i + 1.0) / (j + 1.0) : (j + 1.0) / (i + 1.0);
        }
    }
    return VKS_OK;
}

vks_status generate_matrix(struct message *m, const char *kind, uint32_t size, struct host_csr *a)
{
    *a = (struct host_csr){0};
#define GENERATE(name, text)      \
    if (strcmp(kind, #name) == 0) \
        return name(m, size, a);
    MODEL_PROBLEMS(GENERATE)
#undef GENERATE
#define LIST(name, text) " " #name
    return fail(m, VKS_INVALID_ARGUMENT, "unknown model problem '%s'; expected" MODEL_PROBLEMS(LIST), kind);
#undef LIST
}
