/* bench_partners: compares conjugate gradients on several devices that share the rows, one thread for each,
 * with one device that has all rows. The matrix is poisson3d of the given widths. Exchanged data are copied
 * behind barriers. */
#include "report/clock.h"
#include "vksolve/vksolve.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_partners ITERATIONS DEVICE[,DEVICE...] WIDTH...\n"
    "\n"
    "Prints a line for each width: microseconds an iteration of CG with the diagonal, in f64, by\n"
    "the first device alone and by all of them; whether x has the same bits; and what the first of\n"
    "them spends an iteration with elements, with sums, and elsewhere, which is what the device takes.\n";

enum { MOST = 8 };

/* Seconds in the functions that the library calls. */
struct spent {
    double elements, sums;
};

/* The threads poll at a barrier, as MPI processes do: one that sleeps takes tens of microseconds to wake
 * up. */
struct barrier {
    atomic_uint come, turns;
};

struct run {
    uint32_t width, count, iterations;
    const char *device[MOST];
    uint64_t first[MOST + 1];
    struct barrier barrier;
    struct side *side;
    double *x;          /* of the whole */
    struct spent spent; /* for the first device, microseconds an iteration */
};

/* The rows of one device. The `before` rows that it needs before its own are the last of the device below. */
struct side {
    struct run *run;
    struct spent spent, best; /* of one solve */
    uint32_t process, before, after, rows;
    const char *sent;
    char *received;
    const double *brings;
    size_t count;
    vks_context *context; /* closed after all threads have ended (docs/gpu.md) */
    vks_status status;
    char message[256];
    vks_solve_report report;
};

static void meet(struct run *r)
{
    struct barrier *b = &r->barrier;
    unsigned turn = atomic_load(&b->turns);
    if (atomic_fetch_add(&b->come, 1) + 1 == r->count) {
        atomic_store(&b->come, 0);
        atomic_store(&b->turns, turn + 1);
        return;
    }
    for (uint32_t polls = 0; atomic_load(&b->turns) == turn; polls++)
        if (polls > 100000)
            sched_yield();
}

static uint32_t layer(const struct run *r)
{
    return r->width * r->width;
}

/* The elements that a side sends: its first layer downwards, then its last layer upwards. */
static uint32_t sends_down(const struct side *s)
{
    return s->process ? layer(s->run) : 0;
}

static uint32_t sends_up(const struct side *s)
{
    return s->process + 1 < s->run->count ? layer(s->run) : 0;
}

/* Starts the exchange; `exchanged` copies the elements while the device works. */
static int exchange(void *user, const void *sent, void *received)
{
    struct side *s = user;
    s->sent = sent;
    s->received = received;
    return 0;
}

static int exchanged(void *user)
{
    struct side *s = user;
    const struct run *r = s->run;
    const size_t bytes = layer(r) * sizeof(double);
    double begun = clock_seconds();
    meet(s->run);
    if (s->before)
        memcpy(s->received, r->side[s->process - 1].sent + sends_down(s - 1) * sizeof(double), bytes);
    if (s->after)
        memcpy(s->received + s->before * sizeof(double), r->side[s->process + 1].sent, bytes);
    meet(s->run);
    s->spent.elements += clock_seconds() - begun;
    return 0;
}

static int gather(void *user, const double *own, size_t count, double *all)
{
    struct side *s = user;
    struct run *r = s->run;
    double begun = clock_seconds();
    s->brings = own;
    s->count = count;
    meet(r);
    for (uint32_t q = 0; q < r->count; q++) {
        memcpy(all, r->side[q].brings, r->side[q].count * sizeof *all);
        all += r->side[q].count;
    }
    meet(r);
    s->spent.sums += clock_seconds() - begun;
    return 0;
}

struct arrays {
    uint32_t *row, *col, *sent, *diagonal;
    double *val, *six, *b;
};

static void arrays_free(struct arrays *a)
{
    free(a->row), free(a->col), free(a->sent), free(a->diagonal);
    free(a->val), free(a->six), free(a->b);
}

static void fill_row(const struct side *s, struct arrays *a, uint32_t i, uint32_t *at)
{
    const int64_t w = s->run->width, n = w * w * w, row = (int64_t)(s->run->first[s->process] + i);
    const int64_t x = row % w, y = row / w % w, low = row - i - s->before;
    const int64_t to[] = {row - w * w, row - w, row - 1, row, row + 1, row + w, row + w * w};
    const bool is[] = {to[0] >= 0, y > 0, x > 0, true, x + 1 < w, y + 1 < w, to[6] < n};
    for (int k = 0; k < 7; k++)
        if (is[k]) {
            a->col[*at] = (uint32_t)(to[k] - low);
            a->val[(*at)++] = k == 3 ? 6 : -1;
        }
    a->row[i + 1] = *at;
    a->diagonal[i] = i;
    a->six[i] = 6;
    a->b[i] = 1 + (double)(row % 7) / 8;
}

static bool make_arrays(const struct side *s, struct arrays *a)
{
    size_t n = s->rows;
    *a = (struct arrays){malloc((n + 1) * 4), malloc(7 * n * 4), malloc(2 * (size_t)layer(s->run) * 4),
                         malloc((n + 1) * 4), malloc(7 * n * 8), malloc(n * 8),
                         malloc(n * 8)};
    if (!a->row || !a->col || !a->sent || !a->diagonal || !a->val || !a->six || !a->b)
        return false;
    uint32_t at = a->row[0] = 0;
    for (uint32_t i = 0; i < s->rows; i++)
        fill_row(s, a, i, &at);
    a->diagonal[n] = s->rows;
    for (uint32_t i = 0; i < sends_down(s); i++)
        a->sent[i] = i;
    for (uint32_t i = 0; i < sends_up(s); i++)
        a->sent[sends_down(s) + i] = s->rows - layer(s->run) + i;
    return true;
}

struct objects {
    vks_matrix *A, *D;
    vks_vector *b, *x;
    vks_array *sent;
    vks_precond *M;
};

static vks_status make_objects(vks_context *c, const struct side *s, const struct arrays *a,
                               struct objects *o)
{
    const vks_precond_options jacobi = {.kind = VKS_PRECOND_JACOBI};
    uint32_t sends = sends_down(s) + sends_up(s);
    vks_status e =
        vks_matrix_from_csr(c, s->rows, s->before + s->rows + s->after, a->row, a->col, a->val, NULL, &o->A);
    if (!e)
        e = vks_matrix_from_csr(c, s->rows, s->rows, a->diagonal, a->diagonal, a->six, NULL, &o->D);
    if (!e)
        e = vks_precond_create(o->D, &jacobi, &o->M);
    if (!e)
        e = vks_vector_create(c, s->rows, VKS_F64, &o->b);
    if (!e)
        e = vks_vector_create(c, s->rows, VKS_F64, &o->x);
    if (!e)
        e = vks_vector_write(o->b, 0, s->rows, VKS_F64, a->b);
    if (!e)
        e = vks_array_create(c, sends, VKS_TYPE_U32, &o->sent);
    return e ? e : vks_array_write(o->sent, 0, sends, a->sent);
}

static vks_status solve(vks_context *c, struct side *s)
{
    struct run *r = s->run;
    struct arrays a;
    struct objects o = {0};
    vks_status e = make_arrays(s, &a) ? make_objects(c, s, &a, &o) : VKS_OUT_OF_MEMORY;
    arrays_free(&a);
    const vks_partners with = {r->count, s->process, r->first, s->before, s->after,
                               o.sent,   s,          exchange, exchanged, gather};
    const vks_solve_options options = {.method = VKS_METHOD_CG,
                                       .shared_precond = o.M,
                                       .partners = r->count > 1 ? &with : NULL,
                                       .rtol = 1e-30,
                                       .zero_guess = 1,
                                       .max_iterations = r->iterations};
    for (int turn = 0; turn < 3 && !e; turn++) { /* the best of three */
        vks_solve_report report;
        s->spent = (struct spent){0};
        e = vks_solve(o.A, o.b, o.x, &options, &report);
        if (!turn || report.seconds_solve < s->report.seconds_solve) {
            s->report = report;
            s->best = s->spent;
        }
    }
    if (!e)
        e = vks_vector_read(o.x, 0, s->rows, VKS_F64, r->x + r->first[s->process]);
    vks_array_destroy(o.sent);
    vks_vector_destroy(o.b);
    vks_vector_destroy(o.x);
    vks_precond_destroy(o.M);
    vks_matrix_destroy(o.A);
    vks_matrix_destroy(o.D);
    return e;
}

static void *work(void *side)
{
    struct side *s = side;
    vks_context_options o = {
        .device = s->run->device[s->process], .message = s->message, .message_size = sizeof s->message};
    s->status = vks_context_create(&o, &s->context);
    if (s->status)
        return NULL;
    s->status = solve(s->context, s);
    snprintf(s->message, sizeof s->message, "%s", vks_context_message(s->context));
    return NULL;
}

/* Divides the rows at multiples of VKS_CHUNK. */
static void cut(struct run *r)
{
    uint64_t n = (uint64_t)layer(r) * r->width, chunks = n / VKS_CHUNK;
    for (uint32_t q = 0; q < r->count; q++)
        r->first[q] = chunks * q / r->count * VKS_CHUNK;
    r->first[r->count] = n;
}

/* Microseconds an iteration; negative after a failure, which is reported on stderr. */
static double measure(struct run *r)
{
    struct side side[MOST] = {0};
    pthread_t thread[MOST];
    double microseconds = 0;
    r->side = side;
    cut(r);
    r->barrier = (struct barrier){0};
    for (uint32_t q = 0; q < r->count; q++) {
        side[q] = (struct side){.run = r,
                                .process = q,
                                .rows = (uint32_t)(r->first[q + 1] - r->first[q]),
                                .before = q ? layer(r) : 0,
                                .after = q + 1 < r->count ? layer(r) : 0};
        if (pthread_create(&thread[q], NULL, work, &side[q]))
            abort();
    }
    for (uint32_t q = 0; q < r->count; q++) {
        pthread_join(thread[q], NULL);
        if (side[q].status) {
            fprintf(stderr, "device %s: %s: %s\n", r->device[q], vks_status_name(side[q].status),
                    side[q].message);
            microseconds = -1;
        }
    }
    for (uint32_t q = 0; q < r->count; q++)
        vks_context_destroy(side[q].context);
    if (microseconds < 0 || !side[0].report.iterations)
        return -1;
    double to_each = 1e6 / side[0].report.iterations;
    r->spent = (struct spent){to_each * side[0].best.elements, to_each * side[0].best.sums};
    return to_each * side[0].report.seconds_solve;
}

static bool compare(struct run *all)
{
    size_t n = (size_t)layer(all) * all->width;
    struct run alone = *all;
    alone.count = 1;
    alone.x = malloc(n * sizeof *alone.x);
    all->x = malloc(n * sizeof *all->x);
    double one = alone.x && all->x ? measure(&alone) : -1, many = one < 0 ? -1 : measure(all);
    if (many > 0)
        printf("%u\t%zu\t%.1f\t%.1f\t%.2f\t%s\t%.1f\t%.1f\t%.1f\n", all->width, n, one, many, one / many,
               memcmp(alone.x, all->x, n * sizeof *all->x) ? "other bits" : "same bits", all->spent.elements,
               all->spent.sums, many - all->spent.elements - all->spent.sums);
    fflush(stdout);
    free(alone.x);
    free(all->x);
    return many > 0;
}

int main(int argc, char **argv)
{
    if (argc < 4 || atoi(argv[1]) < 1) {
        fputs(help, stderr);
        return 1;
    }
    struct run r = {.iterations = (uint32_t)atoi(argv[1])};
    for (char *name = strtok(argv[2], ","); name && r.count < MOST; name = strtok(NULL, ","))
        r.device[r.count++] = name;
    printf("width\trows\tone (us)\t%u (us)\tratio\tx\telements\tsums\trest\n", r.count);
    bool good = true;
    for (int i = 3; i < argc && good; i++) {
        r.width = (uint32_t)atoi(argv[i]);
        good = r.width >= 2 && (uint64_t)layer(&r) * r.width >= (uint64_t)r.count * VKS_CHUNK && compare(&r);
    }
    return !good;
}
