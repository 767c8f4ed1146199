#include "support/sequence.h"
#include "command/models/generate_matrix.h"
#include "support/jump.h"

#include <stdlib.h>
#include <string.h>

/* As in examples/heat.c. */
static const double dt = 0.002, heat_transfer = 5, slope = 2;
static const double largest_contrast = 1e6;

static void add(struct triplets *t, uint32_t row, uint32_t col, double val)
{
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->val[t->count++] = val;
}

/* Adds M / dt and K(T) of a triangle to A, and M T / dt to b. */
static void add_triangle(struct sequence *s, uint32_t e, const double *T)
{
    const uint32_t *v = s->mesh.corner[e];
    double K[3][3], area = heat_stiffness(&s->mesh, e, K), k = 1 + slope * (T[v[0]] + T[v[1]] + T[v[2]]) / 3;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            double mass = area / (p == q ? 6 : 12) / dt;
            add(&s->t, v[p], v[q], mass + k * K[p][q]);
            s->b[v[p]] += mass * T[v[q]];
        }
}

/* Adds H of a piece of the hole's edge to A, and h to b. */
static void add_edge(struct sequence *s, uint32_t j)
{
    uint32_t v[2] = {heat_node(&s->mesh, 0, j), heat_node(&s->mesh, 0, j + 1)};
    double flow = heat_transfer * heat_edge(&s->mesh, j);
    for (int p = 0; p < 2; p++) {
        s->b[v[p]] += flow / 2;
        for (int q = 0; q < 2; q++)
            add(&s->t, v[p], v[q], flow / (p == q ? 3 : 6));
    }
}

static vks_status heat_step(struct message *m, struct sequence *s, const double *T)
{
    s->t.count = 0;
    memset(s->b, 0, s->mesh.nodes * sizeof *s->b);
    for (uint32_t e = 0; e < s->mesh.triangles; e++)
        add_triangle(s, e, T);
    for (uint32_t j = 0; j < s->mesh.around; j++)
        add_edge(s, j);
    host_csr_free(&s->a);
    return host_csr_assemble(m, &s->t, &s->a);
}

static vks_status open_heat(struct message *m, struct sequence *s)
{
    if (s->size < 2 || s->size > 5000)
        return fail(m, VKS_INVALID_ARGUMENT, "heat: %u rings; 2 to 5000 are allowed", s->size);
    bool made = heat_mesh_make(s->size, &s->mesh);
    size_t terms = 9 * (size_t)s->mesh.triangles + 4 * (size_t)s->mesh.around;
    s->t = (struct triplets){.rows = s->mesh.nodes,
                             .cols = s->mesh.nodes,
                             .row = malloc(4 * terms),
                             .col = malloc(4 * terms),
                             .val = malloc(8 * terms)};
    s->b = malloc(s->mesh.nodes * sizeof *s->b);
    return made && s->t.row && s->t.col && s->t.val && s->b ? VKS_OK : fail_memory(m, "a mesh", 16 * terms);
}

/* A hash of three words, in -1 ... 1. */
static double random_of(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t h = (a * 0x9e3779b1u) ^ (b * 0x85ebca77u) ^ (c * 0xc2b2ae3du);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return (h ^ (h >> 15)) / 2147483648.0 - 1;
}

/* The coefficient of the edge from row i to row j. */
static double coefficient(const struct sequence *s, uint32_t i, uint32_t j, uint32_t step)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    double change = 0.05 * (random_of(low, high, 7) + 0.2 * random_of(low, high, step));
    return 1 + change + (s->kind == SEQUENCE_CONVECTION ? j < i ? 0.4 : -0.4 : 0);
}

/* Changes values; row sums stay the same. */
static void change_values(struct sequence *s, uint32_t step)
{
    const struct host_csr *from = &s->first;
    for (uint32_t i = 0; i < from->rows; i++) {
        double added = 0;
        uint32_t diagonal = 0;
        for (uint32_t k = from->row[i]; k < from->row[i + 1]; k++) {
            uint32_t j = from->col[k];
            double factor = coefficient(s, i, j, step);
            if (j == i)
                diagonal = k;
            else {
                s->a.val[k] = factor * from->val[k];
                added += from->val[k] - s->a.val[k];
            }
        }
        s->a.val[diagonal] = from->val[diagonal] + added;
    }
}

static void change_b(struct sequence *s, uint32_t step)
{
    for (uint32_t i = 0; i < s->a.rows; i++)
        s->b[i] = 1 + random_of(i, step, 3);
}

static vks_status open_model(struct message *m, struct sequence *s)
{
    vks_status status = generate_matrix(m, s->model, s->size, &s->a);
    if (!status && !s->keeps_values)
        status = generate_matrix(m, s->model, s->size, &s->first);
    if (status)
        return status;
    uint64_t bytes = s->a.rows * sizeof *s->b;
    s->b = malloc(bytes);
    for (uint32_t i = 0; s->b && i < s->a.rows; i++)
        s->b[i] = 1;
    return s->b ? VKS_OK : fail_memory(m, "a right side", bytes);
}

static const struct kind {
    const char *name;
    enum sequence_kind kind;
    const char *model;
} kinds[] = {
    {"heat", SEQUENCE_HEAT, NULL},
    {"jump3d", SEQUENCE_JUMP, "poisson3d"},
    {"columns2d", SEQUENCE_COLUMNS, "poisson2d"},
    {"columns3d", SEQUENCE_COLUMNS, "poisson3d"},
    {"newton2d", SEQUENCE_NEWTON, "poisson2d"},
    {"newton3d", SEQUENCE_NEWTON, "poisson3d"},
    {"convection2d", SEQUENCE_CONVECTION, "poisson2d"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

vks_status sequence_open(struct message *m, const char *what, uint32_t steps, struct sequence *s)
{
    const char *colon = strchr(what, ':');
    size_t length = colon ? (size_t)(colon - what) : 0, k = 0;
    char *end = NULL;
    while (k < KINDS && !(strlen(kinds[k].name) == length && !strncmp(what, kinds[k].name, length)))
        k++;
    *s = (struct sequence){.steps = steps};
    if (k < KINDS && colon)
        s->size = (uint32_t)strtoul(colon + 1, &end, 10);
    if (!end || *end)
        return fail(m, VKS_INVALID_ARGUMENT, "%s: expected a sequence and its size, as heat:RINGS", what);
    s->kind = kinds[k].kind;
    s->model = kinds[k].model;
    s->keeps_values = s->kind == SEQUENCE_COLUMNS;
    return s->model ? open_model(m, s) : open_heat(m, s);
}

void sequence_free(struct sequence *s)
{
    heat_mesh_free(&s->mesh);
    triplets_free(&s->t);
    host_csr_free(&s->a);
    host_csr_free(&s->first);
    free(s->b);
}

uint32_t sequence_rows(const struct sequence *s)
{
    return s->kind == SEQUENCE_HEAT ? s->mesh.nodes : s->a.rows;
}

vks_status sequence_step(struct message *m, struct sequence *s, uint32_t i, const double *x)
{
    if (s->kind == SEQUENCE_HEAT)
        return heat_step(m, s, x);
    if (s->kind == SEQUENCE_JUMP)
        jump_values(s->size, pow(largest_contrast, (double)i / (s->steps - 1)), &s->a);
    else
        change_b(s, i);
    if (s->kind == SEQUENCE_NEWTON || s->kind == SEQUENCE_CONVECTION)
        change_values(s, i);
    return VKS_OK;
}
