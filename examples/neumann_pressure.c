/* Smoke that rises in a closed box: velocities on the faces of cells, advected along themselves, pushed up by
 * the smoke, and made free of divergence by a pressure p,
 *
 *     -laplace p = -div u,  dp/dn = 0 at the walls;      u = u - grad p
 *
 * The walls make the system singular: constants are its null space. No matrix is stored: a row of the 5-point
 * Laplacian is a function, in GLSL on a GPU, where libshaderc compiles it at run time, and in C on the host.
 * The program prints the remaining divergence, and draws a picture of the smoke.
 *
 *     neumann_pressure [CELLS] [STEPS] [FOLDER] [DEVICE] */
#include "support/picture.h"
#include <stdlib.h>
#include <vksolve/vksolve.h>

enum { MOST = 512 };
static const double dt = 0.05, lift = 6;

/* Cells, and the faces between them: u on those to the left and right, v on those below and above. */
struct box {
    int n;
    double u[(MOST + 1) * MOST], v[MOST * (MOST + 1)], smoke[MOST * MOST];
    double source[MOST * MOST], p[MOST * MOST];
};

struct pressure {
    vks_context *context;
    vks_matrix *A;
    vks_vector *b, *p, *diagonal;
    vks_solver *solver;
    char message[1024]; /* why there is no context */
};

static const char laplacian[] = "real row(uint i)\n"
                                "{\n"
                                "    uint w = word0, column = i % w;\n"
                                "    real sum = real(0), degree = real(0);\n"
                                "    if (i >= w) { sum = sum - x.at[i - w]; degree += real(1); }\n"
                                "    if (column > 0) { sum = sum - x.at[i - 1]; degree += real(1); }\n"
                                "    degree += real(column + 1 < w) + real(i + w < n);\n"
                                "    sum = sum + degree * x.at[i];\n"
                                "    if (column + 1 < w) sum = sum - x.at[i + 1];\n"
                                "    if (i + w < n) sum = sum - x.at[i + w];\n"
                                "    return sum;\n"
                                "}\n";

static double degree_of(uint32_t i, uint32_t w, uint32_t n)
{
    return (i >= w) + (i % w > 0) + (i % w + 1 < w) + (i + w < n);
}

/* The same in C. */
static void rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    uint32_t w = A->word[0], n = A->n;
    for (uint32_t i = first; i < first + count; i++) {
        double sum = 0;
        if (i >= w)
            sum = sum - x[i - w];
        if (i % w > 0)
            sum = sum - x[i - 1];
        sum = sum + degree_of(i, w, n) * x[i];
        if (i % w + 1 < w)
            sum = sum - x[i + 1];
        if (i + w < n)
            sum = sum - x[i + w];
        y[i] = sum;
    }
}

static vks_status set_up(struct pressure *q, const struct box *f, const char *device)
{
    uint32_t w = (uint32_t)f->n, n = w * w;
    static double degree[MOST * MOST];
    vks_context_options o = {.device = device, .message = q->message, .message_size = sizeof q->message};
    vks_status s = vks_context_create(&o, &q->context);
    for (uint32_t i = 0; i < n; i++)
        degree[i] = degree_of(i, w, n);
    if (!s)
        s = vks_vector_create(q->context, n, VKS_F64, &q->diagonal);
    if (!s)
        s = vks_vector_write(q->diagonal, 0, n, VKS_F64, degree);
    vks_operator A = {.glsl = laplacian, .rows_f64 = rows, .word = {w}, .diagonal = q->diagonal};
    if (!s)
        s = vks_operator_create(q->context, n, &A, &q->A);
    if (!s)
        s = vks_vector_create(q->context, n, VKS_F64, &q->b);
    if (!s)
        s = vks_vector_create(q->context, n, VKS_F64, &q->p);
    return s ? s : vks_solver_create(q->A, &(vks_solve_options){.singular = 1, .rtol = 1e-7}, &q->solver);
}

static void destroy(struct pressure *q)
{
    vks_solver_destroy(q->solver);
    vks_vector_destroy(q->p);
    vks_vector_destroy(q->b);
    vks_matrix_destroy(q->A);
    vks_vector_destroy(q->diagonal);
    vks_context_destroy(q->context);
    *q = (struct pressure){0};
}

/* Interpolates between the four values around (x, y), which are one apart and `width` in a row. */
static double sample(const double *field, int width, int height, double x, double y)
{
    x = fmin(fmax(x, 0), width - 1);
    y = fmin(fmax(y, 0), height - 1);
    int i = (int)fmin(x, width - 2), j = (int)fmin(y, height - 2);
    const double *a = field + j * width + i;
    return (1 - (y - j)) * ((1 - (x - i)) * a[0] + (x - i) * a[1]) +
           (y - j) * ((1 - (x - i)) * a[width] + (x - i) * a[width + 1]);
}

/* Moves values at (i + dx, j + dy) along the flow: J. Stam, "Stable fluids" (1999). */
static void advect(const struct box *f, double *field, int width, int height, double dx, double dy)
{
    static double old[(MOST + 1) * (MOST + 1)];
    int n = f->n;
    memcpy(old, field, sizeof *old * (size_t)(width * height));
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            double x = i + dx, y = j + dy;
            double u = sample(f->u, n + 1, n, x, y - 0.5), v = sample(f->v, n, n + 1, x - 0.5, y);
            field[j * width + i] = sample(old, width, height, i - dt * n * u, j - dt * n * v);
        }
}

static void move(struct box *f)
{
    static struct box old;
    int n = f->n;
    old = *f;
    advect(&old, f->u, n + 1, n, 0, 0.5);
    advect(&old, f->v, n, n + 1, 0.5, 0);
    advect(&old, f->smoke, n, n, 0.5, 0.5);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double x = (i + 0.5) / n - 0.47, y = (j + 0.5) / n - 0.1;
            if (x * x + y * y < 0.003)
                f->smoke[j * n + i] = 1;
            if (j > 0)
                f->v[j * n + i] += dt * lift * (f->smoke[j * n + i] + f->smoke[(j - 1) * n + i]) / 2;
        }
    for (int j = 0; j < n; j++)
        f->u[j * (n + 1)] = f->u[j * (n + 1) + n] = f->v[j] = f->v[n * n + j] = 0; /* the walls */
}

/* Sets the source to -div u of each cell, times its width; returns the norm. */
static double find_source(struct box *f)
{
    int n = f->n;
    double square = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double *u = f->u + j * (n + 1) + i, *v = f->v + j * n + i;
            double s = u[0] - u[1] + v[0] - v[n];
            f->source[j * n + i] = s;
            square += s * s;
        }
    return sqrt(square);
}

static vks_status make_free_of_divergence(struct box *f, struct pressure *q, vks_solve_report *report)
{
    int n = f->n;
    uint32_t cells = (uint32_t)(n * n);
    vks_status s = vks_vector_write(q->b, 0, cells, VKS_F64, f->source);
    if (!s)
        s = vks_solver_solve(q->solver, q->b, q->p, report);
    if (!s)
        s = vks_vector_read(q->p, 0, cells, VKS_F64, f->p);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int c = j * n + i;
            if (i > 0)
                f->u[j * (n + 1) + i] -= f->p[c] - f->p[c - 1];
            if (j > 0)
                f->v[c] -= f->p[c] - f->p[c - n];
        }
    return s;
}

static int draw(const struct box *f, const char *folder)
{
    enum { PIXELS = 384 };
    static struct picture p;
    char path[1024];
    picture_clear(&p, PIXELS, PIXELS);
    for (int j = 0; j + 1 < f->n; j++)
        for (int i = 0; i + 1 < f->n; i++) {
            struct picture_corner c[4];
            for (int v = 0; v < 4; v++) {
                int x = i + (v & 1), y = j + (v >> 1);
                c[v] = (struct picture_corner){(x + 0.5) * PIXELS / f->n, PIXELS - (y + 0.5) * PIXELS / f->n,
                                               f->smoke[y * f->n + x]};
            }
            picture_triangle(&p, c);
            picture_triangle(&p, c + 1);
        }
    snprintf(path, sizeof path, "%s/neumann_pressure.png", folder);
    return picture_write(&p, path);
}

/* Sets *left to the largest share of the divergence that remained after a step. */
static vks_status run(struct box *f, struct pressure *q, int steps, double *left)
{
    uint32_t iterations = 0;
    vks_solve_report report = {0};
    vks_status s = VKS_OK;
    *left = 0;
    for (int i = 0; i < steps && !s; i++) {
        move(f);
        double before = find_source(f);
        s = make_free_of_divergence(f, q, &report);
        *left = fmax(*left, find_source(f) / before);
        iterations += report.iterations;
    }
    printf("%d x %d cells, %d steps of %.1f iterations, %.2f ms of solving in the last\n", f->n, f->n, steps,
           (double)iterations / steps, 1e3 * report.seconds_solve);
    return s;
}

int main(int argc, char **argv)
{
    static struct box f;
    struct pressure q = {0};
    double left = 1;
    f.n = argc > 1 ? atoi(argv[1]) : 64;
    int steps = argc > 2 ? atoi(argv[2]) : 60;
    const char *folder = argc > 3 ? argv[3] : ".";
    if (f.n < 8 || f.n > MOST || steps < 1) {
        fprintf(stderr, "neumann_pressure [CELLS, 8 to %d] [STEPS] [FOLDER] [DEVICE]\n", MOST);
        return 1;
    }
    vks_status s = set_up(&q, &f, argc > 4 ? argv[4] : NULL);
    if (s == VKS_UNSUPPORTED) { /* a GPU without libshaderc or without 64-bit floats */
        fprintf(stderr, "%s: on the host, then\n", vks_context_message(q.context));
        destroy(&q);
        s = set_up(&q, &f, "host");
    }
    if (!s)
        s = run(&f, &q, steps, &left);
    if (!s && !draw(&f, folder))
        s = VKS_FILE;
    if (s)
        fprintf(stderr, "%s: %s\n", vks_status_text(s),
                q.context ? vks_context_message(q.context) : q.message);
    else
        printf("of the divergence, at most %.1e is left in a step\n", left);
    destroy(&q);
    return s != VKS_OK || left > 1e-6;
}
