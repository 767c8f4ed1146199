/* Internals of a vks_batch. */
#ifndef VKS_SOLVERS_BATCH_H
#define VKS_SOLVERS_BATCH_H

#include "device/room.h"
#include "shaders/batch/batch.h"
#include "shaders/solver/state.h"
#include "vector/vec.h"
#include "vksolve/batch.h"

/* Systems that the same lanes solve: `squads` lane groups of a workgroup, 1 << spread rows a lane. */
struct batch_class {
    uint32_t squads, spread, first, end; /* first .. end - 1, sorted by classes */
    uint64_t slots;                      /* stored entries, for bills */
    uint32_t width;                      /* entries of the longest row */
};

enum { BATCH_CLASSES = 6 };

enum batch_by { BATCH_BY_CG, BATCH_BY_BICGSTAB, BATCH_BY_REDUCTION, BATCH_BY_ELIMINATION };

struct vks_batch {
    vks_context *context;
    vks_batch_options options; /* with defaults filled in */
    enum precision precision;
    enum batch_by method;
    bool is_tridiagonal;                    /* each system */
    uint32_t systems, rows, entries, slots; /* rows, entries and stored entries of all systems */
    uint64_t dense_elements;                /* of all systems as dense matrices */
    uint32_t largest;                       /* rows of the largest system */
    struct batch_class class[BATCH_CLASSES];
    uint32_t *system_of; /* the caller's number of each system in the order of classes */
    uint32_t period;     /* slots of the map of values: of one system, or of all */
    uint32_t period_entries;
    struct room room;
    struct memory place, map; /* PLACE_... and the map of batch_values */
    struct memory col, val;
    struct memory word, number; /* WORD_..., NUMBER_... */
    struct memory tolerance;    /* relative, absolute */
    struct memory running, box; /* systems that go on; 0, and a copy of that */
    struct vec y, r, d;
    struct vec p, shadow; /* of iterations; of BiCGStab */
    struct memory dense;  /* of elimination: dense matrices */
};

/* layout.c: the patterns of systems on the device. A system without values. */
struct batch_patterns {
    uint32_t systems;
    const vks_batch_system *own; /* NULL: `shared` is the pattern of all */
    const vks_batch_system *shared;
};

/* Checks patterns and limits, and sets the totals and the classes. */
vks_status batch_measure(vks_batch *q, const struct batch_patterns *patterns);
/* Makes the arrays that depend on patterns. */
vks_status batch_lay_out(vks_batch *q, const struct batch_patterns *patterns);

/* values.c: puts all values, in the order of the caller, in their slots. */
vks_status batch_take_values(vks_batch *q, vks_precision of_values, const void *values);

static inline const vks_batch_system *batch_pattern(const struct batch_patterns *patterns, uint32_t s)
{
    return patterns->own ? &patterns->own[s] : patterns->shared;
}

#endif
