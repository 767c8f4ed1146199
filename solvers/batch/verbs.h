/* Verbs on batches: each records one kernel for all systems, and counts its bytes. */
#ifndef VKS_SOLVERS_BATCH_VERBS_H
#define VKS_SOLVERS_BATCH_VERBS_H

#include "device/groups.h"
#include "primitive/verbs.h"
#include "shaders/solver/cg.h"
#include "solvers/batch/batch.h"

#define BATCH_REALS(memory) ((reals)(uintptr_t)(memory).address)

/* The slots of all values = values in the order of the caller. */
static inline void batch_values(struct rec *r, const vks_batch *q, reals from)
{
    run(r, batch_values, groups_each(q->slots), .map = words_of(&q->map), .from = from,
        .val = BATCH_REALS(q->val), .slots = q->period ? q->period : 1, .entries = q->period_entries,
        .n = q->slots);
    bill(r, vector_bytes(r, q->slots) + vector_bytes(r, q->entries) + q->map.bytes);
}

/* Calls `record` for the parts of each class that fit into one dispatch, and bills `vectors` of all systems
 * and the matrices. */
typedef void batch_recorder(struct rec *r, const void *of, const struct batch_class *part, uint64_t groups);

static inline void batch_record(struct rec *r, const vks_batch *q, uint32_t vectors, batch_recorder *record,
                                const void *of)
{
    for (uint32_t c = 0; c < BATCH_CLASSES; c++) {
        struct batch_class part = q->class[c];
        uint32_t end = part.end, each = 8 / part.squads, most = r->device->info.max_groups * each;
        for (; part.first < end; part.first = part.end) {
            uint32_t left = end - part.first;
            part.end = part.first + (left < most ? left : most);
            record(r, of, &part, (part.end - part.first + each - 1) / each);
        }
        bill(r, q->class[c].slots * (real_bytes(q->precision) + sizeof(uint32_t)));
    }
    bill(r, vectors * vector_bytes(r, q->rows));
}

/* A solve of a batch. */
struct batch_solve {
    const vks_batch *q;
    struct vec b, x;
    u32s running; /* counted by batch_residual */
    uint32_t turns;
};

/* Arguments common to the kernels of systems. */
#define BATCH_ARGS(q, c)                                                                       \
    .place = words_of(&(q)->place), .col = words_of(&(q)->col), .val = BATCH_REALS((q)->val),  \
    .y = vec_reals((q)->y), .word = words_of(&(q)->word), .numbers = BATCH_REALS((q)->number), \
    .first = (c)->first, .end = (c)->end, .squads = (c)->squads, .spread = (c)->spread

static inline void batch_record_start(struct rec *r, const void *of, const struct batch_class *c,
                                      uint64_t groups)
{
    const struct batch_solve *s = of;
    const vks_batch *q = s->q;
    run(r, batch_start, groups, BATCH_ARGS(q, c), .b = vec_reals(s->b), .x = vec_reals(s->x),
        .d = vec_reals(q->d), .tolerance = BATCH_REALS(q->tolerance),
        .zero_guess = q->options.zero_guess != 0, .positive = q->options.method == VKS_METHOD_CG,
        .form = q->options.precond == VKS_PRECOND_NONE ? FORM_NONE : FORM_EACH);
}

static inline void batch_record_residual(struct rec *r, const void *of, const struct batch_class *c,
                                         uint64_t groups)
{
    const struct batch_solve *s = of;
    const vks_batch *q = s->q;
    run(r, batch_residual, groups, BATCH_ARGS(q, c), .b = vec_reals(s->b), .x = vec_reals(s->x),
        .r = vec_reals(q->r), .running = s->running, .limit = q->options.max_iterations);
}

static inline void batch_record_cg(struct rec *r, const void *of, const struct batch_class *c,
                                   uint64_t groups)
{
    const struct batch_solve *s = of;
    const vks_batch *q = s->q;
    run(r, batch_cg, groups, BATCH_ARGS(q, c), .r = vec_reals(q->r), .p = vec_reals(q->p),
        .d = vec_reals(q->d), .limit = q->options.max_iterations, .turns = s->turns);
}

static inline void batch_record_bicgstab(struct rec *r, const void *of, const struct batch_class *c,
                                         uint64_t groups)
{
    const struct batch_solve *s = of;
    const vks_batch *q = s->q;
    run(r, batch_bicgstab, groups, BATCH_ARGS(q, c), .r = vec_reals(q->r), .p = vec_reals(q->p),
        .d = vec_reals(q->d), .shadow = vec_reals(q->shadow), .limit = q->options.max_iterations,
        .turns = s->turns);
}

/* Begins all systems. */
static inline void batch_start(struct rec *r, const struct batch_solve *s)
{
    batch_record(r, s->q, 4, batch_record_start, s);
}

/* Measures the systems whose iterations have ended, and decides what follows. */
static inline void batch_residual(struct rec *r, const struct batch_solve *s)
{
    batch_record(r, s->q, 4, batch_record_residual, s);
}

static inline void batch_record_tridiagonal(struct rec *r, const void *of, const struct batch_class *c,
                                            uint64_t groups)
{
    const vks_batch *q = ((const struct batch_solve *)of)->q;
    run(r, batch_tridiagonal, groups, BATCH_ARGS(q, c), .r = vec_reals(q->r));
}

static inline void batch_record_dense(struct rec *r, const void *of, const struct batch_class *c,
                                      uint64_t groups)
{
    const vks_batch *q = ((const struct batch_solve *)of)->q;
    run(r, batch_dense, groups, BATCH_ARGS(q, c), .r = vec_reals(q->r), .dense = BATCH_REALS(q->dense));
}

/* A method in the kernels: what records it, vectors that a dispatch moves, and products with A an iteration.
 */
struct batch_method {
    batch_recorder *record;
    uint32_t vectors, products;
};

static const struct batch_method batch_methods[] = {[BATCH_BY_CG] = {batch_record_cg, 7, 1},
                                                    [BATCH_BY_BICGSTAB] = {batch_record_bicgstab, 9, 2},
                                                    [BATCH_BY_REDUCTION] = {batch_record_tridiagonal, 3, 1},
                                                    [BATCH_BY_ELIMINATION] = {batch_record_dense, 3, 1}};

/* Up to `turns` iterations of each system that runs; one by a direct method. */
static inline void batch_iterate(struct rec *r, const struct batch_solve *s)
{
    const struct batch_method *m = &batch_methods[s->q->method];
    batch_record(r, s->q, m->vectors, m->record, s);
}

#endif
