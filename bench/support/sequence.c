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

/* M / dt and K(T) of a triangle in A, M T / dt in b. */
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

/* H of a piece of the hole's edge in A, h in b. */
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

static vks_status open_jump(struct message *m, struct sequence *s)
{
    vks_status status = generate_matrix(m, "poisson3d", s->size, &s->a);
    if (status)
        return status;
    uint64_t bytes = s->a.rows * sizeof *s->b;
    s->b = malloc(bytes);
    for (uint32_t i = 0; s->b && i < s->a.rows; i++)
        s->b[i] = 1;
    return s->b ? VKS_OK : fail_memory(m, "a right side", bytes);
}

vks_status sequence_open(struct message *m, const char *what, uint32_t steps, struct sequence *s)
{
    static const char heat[] = "heat:", jump[] = "jump3d:";
    char *end = NULL;
    *s = (struct sequence){.steps = steps, .is_heat = !strncmp(what, heat, sizeof heat - 1)};
    if (s->is_heat || !strncmp(what, jump, sizeof jump - 1))
        s->size = (uint32_t)strtoul(strchr(what, ':') + 1, &end, 10);
    if (!end || *end)
        return fail(m, VKS_INVALID_ARGUMENT, "%s: expected heat:RINGS or jump3d:SIZE", what);
    return s->is_heat ? open_heat(m, s) : open_jump(m, s);
}

void sequence_free(struct sequence *s)
{
    heat_mesh_free(&s->mesh);
    triplets_free(&s->t);
    host_csr_free(&s->a);
    free(s->b);
}

uint32_t sequence_rows(const struct sequence *s)
{
    return s->is_heat ? s->mesh.nodes : s->a.rows;
}

vks_status sequence_step(struct message *m, struct sequence *s, uint32_t i, const double *x)
{
    if (s->is_heat)
        return heat_step(m, s, x);
    jump_values(s->size, pow(largest_contrast, (double)i / (s->steps - 1)), &s->a);
    return VKS_OK;
}
