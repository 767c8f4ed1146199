/* Implicit heat conduction in a plate with a hole, through which a hot fluid flows: dT/dt = div k(T) grad T,
 * k = 1 + 2 T, T = 0 at first. At the edge of the hole heat enters as 5 (1 - T); the other edges are
 * insulated. Linear finite elements on triangles, backward Euler with k from the previous step: each step
 * solves
 *
 *     (M / dt + K(T) + H) T_new = M T / dt + h
 *
 * with K(T) assembled again. Nothing leaves the device except an occasional picture. A product with a matrix
 * of means gives the conductivities of the triangles, and another product their element matrices.
 * vks_assembly sums these into A, and the solver, which was set up once, updates its values: its
 * preconditioner, algebraic multigrid, is rebuilt from them. With `keep`, its aggregates and prolongators
 * stay until iterations have grown, which costs less and allocates nothing.
 *
 *     heat [RINGS] [STEPS] [FOLDER] [DEVICE] [full|keep]     4 RINGS (RINGS + 1) nodes; frames go to FOLDER
 *
 * DEVICE may be auto. */
#include "support/heat_mesh.h"
#include "support/picture.h"
#include <string.h>
#include <time.h>
#include <vksolve/vksolve.h>

static const double dt = 0.002, heat_transfer = 5, slope = 2;

enum { PIXELS = 360, FRAMES = 5 };

struct heat {
    struct heat_mesh mesh;
    vks_context *context;
    vks_matrix *M, *means, *elements, *A; /* M / dt; T -> k - 1 of triangles; k - 1 -> element matrices */
    vks_assembly *assembly;
    vks_vector *T, *b, *h, *k, *fixed, *values;
    vks_solver *solver;
};

/* Coordinates and values of a matrix under construction. */
struct triplets {
    size_t count;
    uint32_t *row, *col;
    double *val;
};

static int triplets_make(struct triplets *t, size_t most)
{
    *t = (struct triplets){0, malloc(4 * most), malloc(4 * most), malloc(8 * most)};
    return t->row && t->col && t->val;
}

static void triplets_free(struct triplets *t)
{
    free(t->row);
    free(t->col);
    free(t->val);
}

static void add(struct triplets *t, uint32_t row, uint32_t col, double val)
{
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->val[t->count++] = val;
}

/* Fills in all that does not depend on T, in the order of the triplets of A: nine for each triangle, then
 * four for each piece of the hole's edge. */
static void fill_in(const struct heat_mesh *m, struct triplets *A, struct triplets *M, struct triplets *means,
                    struct triplets *elements, double *h)
{
    for (uint32_t e = 0; e < m->triangles; e++) {
        const uint32_t *v = m->corner[e];
        double K[3][3], area = heat_stiffness(m, e, K);
        for (int a = 0; a < 3; a++) {
            add(means, e, v[a], slope / 3);
            for (int b = 0; b < 3; b++) {
                double mass = area / (a == b ? 6 : 12) / dt;
                add(M, v[a], v[b], mass);
                add(elements, (uint32_t)A->count, e, K[a][b]);
                add(A, v[a], v[b], mass + K[a][b]);
            }
        }
    }
    for (uint32_t j = 0; j < m->around; j++) {
        uint32_t v[2] = {heat_node(m, 0, j), heat_node(m, 0, j + 1)};
        double length = heat_edge(m, j);
        for (int a = 0; a < 2; a++) {
            h[v[a]] += heat_transfer * length / 2;
            for (int b = 0; b < 2; b++)
                add(A, v[a], v[b], heat_transfer * length / (a == b ? 3 : 6));
        }
    }
}

static vks_status upload_words(vks_context *c, const struct triplets *t, const uint32_t *words, vks_array **a)
{
    vks_status s = vks_array_create(c, (uint32_t)t->count, VKS_TYPE_U32, a);
    return s ? s : vks_array_write(*a, 0, (uint32_t)t->count, words);
}

static vks_status upload(vks_context *c, uint32_t n, const double *v, vks_vector **x)
{
    vks_status s = vks_vector_create(c, n, VKS_F64, x);
    return s || !v ? s : vks_vector_write(*x, 0, n, VKS_F64, v);
}

static vks_status matrix_of(vks_context *c, uint32_t rows, uint32_t cols, const struct triplets *t,
                            vks_matrix **A)
{
    return vks_matrix_from_coo(c, rows, cols, t->count, t->row, t->col, t->val, NULL, A);
}

static vks_status assembly_of(struct heat *q, const struct triplets *t)
{
    uint32_t n = q->mesh.nodes;
    vks_array *row = NULL, *col = NULL;
    vks_status s = upload_words(q->context, t, t->row, &row);
    if (!s)
        s = upload_words(q->context, t, t->col, &col);
    if (!s)
        s = vks_assembly_create(q->context, n, n, row, col, &q->assembly);
    if (!s)
        s = vks_assembly_matrix(q->assembly, vks_vector_array(q->fixed), VKS_FORMAT_AUTO, &q->A);
    vks_array_destroy(row);
    vks_array_destroy(col);
    return s;
}

static vks_status set_up(struct heat *q, vks_amg_refresh refresh)
{
    const struct heat_mesh *m = &q->mesh;
    uint32_t n = m->nodes, nine = 9 * m->triangles;
    struct triplets A = {0}, M = {0}, means = {0}, elements = {0};
    double *h = calloc(n, sizeof *h);
    vks_status s = VKS_OUT_OF_MEMORY;
    if (h && triplets_make(&A, nine + 4 * m->around) && triplets_make(&M, nine) &&
        triplets_make(&means, 3 * m->triangles) && triplets_make(&elements, nine)) {
        fill_in(m, &A, &M, &means, &elements, h);
        s = matrix_of(q->context, n, n, &M, &q->M);
    }
    uint32_t terms = (uint32_t)A.count;
    if (!s)
        s = matrix_of(q->context, m->triangles, n, &means, &q->means);
    if (!s)
        s = matrix_of(q->context, terms, m->triangles, &elements, &q->elements);
    if (!s)
        s = upload(q->context, n, h, &q->h);
    if (!s)
        s = upload(q->context, terms, A.val, &q->fixed);
    if (!s)
        s = upload(q->context, terms, NULL, &q->values);
    if (!s)
        s = upload(q->context, m->triangles, NULL, &q->k);
    if (!s)
        s = upload(q->context, n, NULL, &q->b);
    if (!s)
        s = upload(q->context, n, NULL, &q->T);
    if (!s)
        s = assembly_of(q, &A);
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1, .amg.refresh = refresh};
    if (!s)
        s = vks_solver_create(q->A, &(vks_solve_options){.precond_options = &amg, .rtol = 1e-8}, &q->solver);
    triplets_free(&A);
    triplets_free(&M);
    triplets_free(&means);
    triplets_free(&elements);
    free(h);
    return s;
}

static vks_status step(struct heat *q, vks_solve_report *report)
{
    vks_status s = vks_spmv(q->means, q->T, q->k);
    if (!s)
        s = vks_spmv(q->elements, q->k, q->values);
    if (!s)
        s = vks_vector_axpy(1, q->fixed, q->values);
    if (!s)
        s = vks_assembly_update(q->assembly, vks_vector_array(q->values), q->A);
    if (!s)
        s = vks_spmv(q->M, q->T, q->b);
    if (!s)
        s = vks_vector_axpy(1, q->h, q->b);
    return s ? s : vks_solver_solve(q->solver, q->b, q->T, report);
}

/* The heat in the plate over dt, and the net heat that enters per unit of time at T. */
static vks_status balance(struct heat *q, double *heat, double *entering)
{
    double all = 0, lost = 0;
    vks_status s = vks_spmv(q->M, q->T, q->b);
    if (!s)
        s = vks_vector_sum(q->b, heat);
    if (!s)
        s = vks_vector_sum(q->h, &all);
    if (!s)
        s = vks_vector_dot(q->h, q->T, &lost);
    *entering = all - lost;
    return s;
}

static vks_status draw(struct heat *q, const char *folder, int steps)
{
    const struct heat_mesh *m = &q->mesh;
    static struct picture p;
    double *T = malloc(m->nodes * sizeof *T);
    vks_status s = T ? vks_vector_read(q->T, 0, m->nodes, VKS_F64, T) : VKS_OUT_OF_MEMORY;
    picture_clear(&p, PIXELS, PIXELS);
    for (uint32_t e = 0; !s && e < m->triangles; e++) {
        struct picture_corner c[3];
        for (int v = 0; v < 3; v++) {
            uint32_t i = m->corner[e][v];
            c[v] = (struct picture_corner){(m->x[i] + 1) * PIXELS / 2, (1 - m->y[i]) * PIXELS / 2, T[i]};
        }
        picture_triangle(&p, c);
    }
    free(T);
    char path[1024];
    snprintf(path, sizeof path, "%s/heat-%04d.png", folder, steps);
    return s || picture_write(&p, path) ? s : VKS_FILE;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the relative difference between the heat in the plate and the heat that has entered. */
static vks_status run(struct heat *q, int steps, const char *folder, double *lack)
{
    double entered = 0, heat = 0, entering = 0, first = 0, later = 0, made = 0, updated = 0;
    uint32_t iterations = 0, setups = 0;
    vks_solve_report report = {0};
    vks_status s = VKS_OK;
    for (int i = 1; i <= steps && !s; i++) {
        double begun = now(), levels = report.hierarchy.level[0].seconds;
        s = step(q, &report);
        *(i == 1 ? &first : &later) += now() - begun;
        *(i == 1 ? &made : &updated) += report.seconds_setup;
        iterations += report.iterations;
        setups += report.hierarchy.level[0].seconds != levels; /* which do not change while levels are kept */
        if (!s && report.reason != VKS_REASON_CONVERGED)
            fprintf(stderr, "step %d: %s\n", i, vks_reason_text(report.reason));
        if (!s)
            s = balance(q, &heat, &entering);
        entered += entering;
        if (!s && i % ((steps + FRAMES - 1) / FRAMES) == 0)
            s = draw(q, folder, i);
    }
    printf("%u nodes, multigrid with %u levels, set up in %.3g ms, and made again %u times\n", q->mesh.nodes,
           report.hierarchy.levels, 1e3 * made, setups - 1);
    printf("%d steps of %.1f iterations; the first took %.3g ms, the others %.3g ms each, with %.3g ms for "
           "new values\n",
           steps, (double)iterations / steps, 1e3 * first, 1e3 * later / (steps - 1),
           1e3 * updated / (steps - 1));
    *lack = fabs(heat - entered) / entered;
    return s;
}

static void destroy(struct heat *q)
{
    vks_vector *vectors[] = {q->T, q->b, q->h, q->k, q->fixed, q->values};
    vks_solver_destroy(q->solver);
    vks_assembly_destroy(q->assembly);
    vks_matrix_destroy(q->A);
    vks_matrix_destroy(q->elements);
    vks_matrix_destroy(q->means);
    vks_matrix_destroy(q->M);
    for (int i = 0; i < 6; i++)
        vks_vector_destroy(vectors[i]);
    vks_context_destroy(q->context);
    heat_mesh_free(&q->mesh);
}

int main(int argc, char **argv)
{
    struct heat q = {0};
    char message[1024] = "out of memory";
    int rings = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 20;
    vks_context_options o = {
        .device = argc > 4 ? argv[4] : NULL, .message = message, .message_size = sizeof message};
    const char *refresh = argc > 5 ? argv[5] : "full";
    int keep = !strcmp(refresh, "keep");
    double lack = 1;
    if (rings < 2 || rings > 5000 || steps < 2 || (!keep && strcmp(refresh, "full"))) {
        fprintf(stderr, "heat [RINGS, 2 to 5000] [STEPS, 2 or more] [FOLDER] [DEVICE] [full|keep]\n");
        return 1;
    }
    vks_status s =
        heat_mesh_make((uint32_t)rings, &q.mesh) ? vks_context_create(&o, &q.context) : VKS_OUT_OF_MEMORY;
    if (!s)
        s = set_up(&q, keep ? VKS_AMG_KEEP : VKS_AMG_FULL);
    if (!s)
        s = run(&q, steps, argc > 3 ? argv[3] : ".", &lack);
    if (s)
        fprintf(stderr, "%s: %s\n", vks_status_text(s), q.context ? vks_context_message(q.context) : message);
    else
        printf("of the heat that entered, %.1e is missing\n", lack);
    destroy(&q);
    return s != VKS_OK || lack > 1e-6;
}
