/* bench_parts: the kernels of a preconditioner's setup and application, by the device's clock. */
#include "device/context.h"
#include "report/clock.h"
#include "solvers/solve/shared.h"
#include "support/input.h"
#include "support/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_parts DEVICE PRECOND KIND:SIZE|FILE.mtx ...\n"
    "\n"
    "Sets up the preconditioner of each system and applies it, and prints for both what each kernel takes,\n"
    "in microseconds. KIND is as in bench_amg; amg without a block takes rigid body modes of elasticity3d.\n"
    "Timestamps slow a recording down: \"as usual\" is the time of the whole without them.\n";

enum { WARM_UPS = 2, APPLICATIONS = 10 };

struct trial {
    vks_context *context;
    struct problem p;
    vks_precond *M;
    struct vec in, out;
    struct room room;
};

static int by_seconds(const void *a, const void *b)
{
    const struct spent *x = *(const struct spent *const *)a, *y = *(const struct spent *const *)b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void forget(struct device *d)
{
    memset(d->spent, 0, sizeof d->spent);
    d->waits = 0;
}

static void print_kernels(const struct device *d, int runs)
{
    const struct spent *order[KERNEL_COUNT];
    for (int i = 0; i < KERNEL_COUNT; i++)
        order[i] = &d->spent[i];
    qsort(order, KERNEL_COUNT, sizeof *order, by_seconds);
    for (int i = 0; i < KERNEL_COUNT && order[i]->runs; i++)
        printf("  %-24s %6.1f runs %10.1f us\n", kernels[order[i] - d->spent].name,
               (double)order[i]->runs / runs, 1e6 * order[i]->seconds / runs);
}

static double sum_of_kernels(const struct device *d)
{
    double sum = 0;
    for (int i = 0; i < KERNEL_COUNT; i++)
        sum += d->spent[i].seconds;
    return sum;
}

static vks_status open_trial(struct message *m, const char *device, const char *precond,
                             const struct input *in, bool timestamps, struct trial *t)
{
    struct precond_words words;
    vks_context_options o = {
        .device = device, .timestamps = timestamps, .message = m->text, .message_size = sizeof m->text};
    *t = (struct trial){0};
    vks_status s = preconds_read(m, precond, &words);
    if (!s)
        s = vks_context_create(&o, &t->context);
    if (!s)
        s = problem_create(t->context, &in->a, VKS_F64, VKS_FORMAT_AUTO, true, &t->p);
    if (!s)
        input_take_coordinates(in, &words);
    if (!s)
        s = vks_precond_create(t->p.A, words.options, &t->M);
    for (int i = 0; i < WARM_UPS && !s; i++)
        s = vks_precond_update(t->M);
    return s;
}

static vks_status set_up(struct trial *t, double *seconds)
{
    vks_precond_facts facts;
    forget(t->context->device);
    vks_status s = vks_precond_update(t->M);
    if (!s)
        s = vks_precond_report(t->M, &facts);
    *seconds = s ? 0 : facts.seconds_setup;
    return s;
}

static vks_status apply(struct trial *t, double *seconds)
{
    const struct precond *M = t->M->M;
    struct device *d = t->context->device;
    struct rec r;
    uint64_t ticket;
    room_open(&t->room, d);
    t->in = room_vec(&t->room, t->p.A->csr.n, M->precision, "a vector");
    t->out = room_vec(&t->room, t->p.A->csr.n, M->precision, "a vector");
    rec_create(&r, d, M->precision);
    vks_status s = t->room.status;
    if (!s) {
        fill_words(&r, (u32s)(uintptr_t)t->in.at, 0, 0, t->in.n * (real_bytes(M->precision) / 4), 1);
        precond_apply(&r, M, t->in, t->out);
        s = rec_run(&r);
    }
    forget(d);
    double begun = clock_seconds();
    for (int i = 0; i < APPLICATIONS && !s; i++)
        s = d->timed ? rec_run(&r) : rec_start(&r, &ticket);
    if (!s && !d->timed)
        s = rec_finish(&r, ticket);
    *seconds = (clock_seconds() - begun) / APPLICATIONS;
    rec_destroy(&r);
    return s;
}

static void close_trial(struct trial *t)
{
    room_close(&t->room);
    vks_precond_destroy(t->M);
    problem_destroy(&t->p);
    vks_context_destroy(t->context);
}

static vks_status measure(struct message *m, const char *device, const char *precond, const struct input *in)
{
    struct trial usual, timed = {0};
    double usual_setup = 0, usual_apply = 0, setup = 0, application = 0;
    vks_status s = open_trial(m, device, precond, in, false, &usual);
    if (!s)
        s = set_up(&usual, &usual_setup);
    if (!s)
        s = apply(&usual, &usual_apply);
    if (!s)
        s = open_trial(m, device, precond, in, true, &timed);
    if (!s)
        s = set_up(&timed, &setup);
    if (!s) {
        const struct device *d = timed.context->device;
        printf("%s %s: set-up %.0f us as usual, %.0f us with timestamps, kernels %.0f us, %llu waits\n",
               in->what, precond, 1e6 * usual_setup, 1e6 * setup, 1e6 * sum_of_kernels(d),
               (unsigned long long)d->waits);
        print_kernels(d, 1);
        s = apply(&timed, &application);
    }
    if (!s) {
        const struct device *d = timed.context->device;
        printf("%s %s: application %.0f us as usual, kernels %.0f us\n", in->what, precond, 1e6 * usual_apply,
               1e6 * sum_of_kernels(d) / APPLICATIONS);
        print_kernels(d, APPLICATIONS);
    }
    close_trial(&usual);
    close_trial(&timed);
    return s;
}

static bool bench(const char *device, const char *precond, const char *what)
{
    struct message m = {0};
    struct input in;
    vks_status s = input_load(&m, what, true, &in);
    if (!s)
        s = measure(&m, device, precond, &in);
    if (s)
        fprintf(stderr, "bench_parts: %s: %s\n", what, m.text);
    input_free(&in);
    return !s;
}

int main(int argc, char **argv)
{
    bool good = true;
    if (argc < 4) {
        fputs(help, stderr);
        return 1;
    }
    for (int i = 3; i < argc; i++)
        good = bench(argv[1], argv[2], argv[i]) && good;
    return good ? 0 : 4;
}
