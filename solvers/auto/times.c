#include "solvers/auto/times.h"

#include <stdbool.h>

/* Rates of a machine, in microseconds and bytes per microsecond. */
struct machine {
    double dispatch, bytes;                           /* of an iteration with the diagonal */
    double dispatch_with_caution, bytes_with_caution; /* of an iteration with multigrid */
    double measured;                     /* measured over modelled time of an iteration with the diagonal */
    double level, entry, row_of_inverse; /* set-up time: per level except the last, per entry of A, per row of
                                            the inverse on the last level */
};

/* An H200, and two cores of a server (docs/preconditioners/auto.md). */
static const struct machine gpu = {.dispatch = 1.5,
                                   .bytes = 4.3e6,
                                   .dispatch_with_caution = 5,
                                   .bytes_with_caution = 3.6e6,
                                   .measured = 1.6,
                                   .level = 1800,
                                   .entry = 6e-4,
                                   .row_of_inverse = 4.5},
                            host = {.dispatch = 1,
                                    .bytes = 6.6e4,
                                    .dispatch_with_caution = 10,
                                    .bytes_with_caution = 5e4,
                                    .measured = 1,
                                    .level = 3500,
                                    .entry = 0.025,
                                    .row_of_inverse = 12};

/* Coarsening factor of the rows; entries of all levels and their transfers relative to A; rows of all levels
 * relative to A. */
static const double coarsening = 10, all_entries = 1.5, all_rows = 1.1;
/* A level with more rows is coarsened. */
static const double coarsest = 512;
/* Cost of an iteration: dispatches and vectors of conjugate gradients; in a cycle, dispatches, products and
 * vectors per level. */
enum { CG_DISPATCHES = 3, CG_VECTORS = 12, LEVEL_DISPATCHES = 6, LEVEL_PRODUCTS = 4, LEVEL_VECTORS = 21 };

struct times times_of(const struct facts *f)
{
    const struct machine *m = f->on_host ? &host : &gpu;
    double rows = f->rows, entries = f->entries, real = f->real_bytes, last = rows, levels = 0;
    while (last > coarsest) {
        last /= coarsening;
        levels++;
    }
    double moved = entries * (real + 4) + rows * (4 + CG_VECTORS * real);
    double cycle = all_entries * LEVEL_PRODUCTS * 8 * entries + all_rows * LEVEL_VECTORS * 4 * rows;
    double dispatches = CG_DISPATCHES + 3 + LEVEL_DISPATCHES * levels;
    return (struct times){.jacobi = m->measured * (CG_DISPATCHES * m->dispatch + moved / m->bytes),
                          .multigrid =
                              dispatches * m->dispatch_with_caution + (moved + cycle) / m->bytes_with_caution,
                          .setup = levels * m->level + m->entry * entries + m->row_of_inverse * last};
}

/* UMFPACK on one core, for any device. */
static const double row_of_analysis = 0.05, entry_of_analysis = 0.06;
static const double row_of_factors = 0.25, entry_of_factors = 0.02, flops = 2.5e4;

double time_of_analysis(const struct facts *f)
{
    return row_of_analysis * f->rows + entry_of_analysis * f->entries;
}

double time_of_factors(const struct facts *f)
{
    return row_of_factors * f->rows + entry_of_factors * f->promise.entries + f->promise.flops / flops;
}
