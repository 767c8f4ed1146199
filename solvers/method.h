/* What a method is, and what it is given: a table of operations that record its iteration over verbs. The
 * driver (run/) does what surrounds it: batches, stopping, true residuals, restarts. */
#ifndef VKS_SOLVERS_METHOD_H
#define VKS_SOLVERS_METHOD_H

#include "solvers/finding.h"
#include "solvers/precond.h"
#include "solvers/state.h"

/* A x = b; or x = A x + b. */
struct equation {
    const vks_matrix *A;
    const vks_vector *b;
    vks_vector *x;
    bool fixed_point;
};

/* What a method works on. `own` is its own memory, from `room`. */
struct krylov {
    struct device *device;
    struct message *message;
    const vks_matrix *A; /* of r's precision */
    const struct precond *M;
    struct vec b, x;
    struct vec r;                     /* b - A x, divided by control.scale: the driver sets it before start */
    const struct state *state;        /* its words and numbers */
    struct vec history;               /* r . r after each look at it, as many as there is room for */
    struct reduction sums;            /* method->rows of them */
    const vks_solve_options *options; /* with the defaults filled in */
    struct room *room;
    void *own;
};

static inline control krylov_control(const struct krylov *k)
{
    return state_control(k->state);
}

static inline struct vec krylov_vec(struct krylov *k)
{
    return room_vec(k->room, k->r.n, k->r.precision, "a work vector");
}

/* Many units in one dispatch. */
struct fused {
    /* How many workgroups iterate together; 0: A, M or the device does not suit. */
    vks_status (*prepare)(struct krylov *k, uint32_t *groups);
    void (*units)(struct rec *r, const struct krylov *k, uint32_t count);
    /* They timed out: later solves use fewer. */
    void (*missed)(const struct krylov *k);
};

/* Directions survive a new residual (run/outer.c). */
struct resume {
    /* Sets aside, before k->r is replaced, what the next direction has from those before it. */
    void (*set_aside)(struct rec *r, const struct krylov *k);
    /* Adds it, times `scale`, to the direction that start has made. */
    void (*take_up)(struct rec *r, const struct krylov *k, number scale);
};

/* How a cycle ended. */
struct ending {
    const struct snapshot *last;
    double norm;   /* the true residual */
    double target; /* what it had to meet */
    double rate;   /* report.contraction */
    vks_reason reason;
};

/* What a method that solves at once tells of it. */
struct whole_report {
    uint32_t iterations;
    double residual;
    double seconds_setup, seconds_solve;
    bool solved; /* x is a solution; else f says why not, and x is as it was */
};

/* The weights that a method takes: a number, and VKS_WEIGHT_AUTO. */
enum { WEIGHT_GIVEN = 1, WEIGHT_BY_ENTRIES = 2 };

struct method {
    bool preconditioned; /* it takes a preconditioner; else M is the identity */
    bool symmetric;      /* which must be a linear and symmetric map */
    bool needs_diagonal; /* of A, also where A is an operator */
    unsigned weights;    /* WEIGHT_...; 0: it has none */
    uint32_t rows;       /* of sums */
    uint32_t numbers;    /* of its own in the state */
    uint32_t steps;      /* iterations of a unit; 0: 1 */
    /* Takes k->own and vectors from k->room; a failure is sticky there. NULL: it needs none. */
    void (*room)(struct krylov *k);
    /* Takes the values of A, at first and whenever they have changed. f refuses A. NULL: nothing to take. */
    vks_status (*take_values)(struct krylov *k, struct finding *f);
    /* Its numbers at the start of a cycle, all zero before. NULL: they stay zero. */
    void (*numbers_at_start)(const struct krylov *k, double *number);
    /* Records what comes before the first unit of a cycle, in the precision of k->r. NULL: nothing. */
    void (*start)(struct rec *r, const struct krylov *k);
    /* Records a unit, guarded by the state: what must run after the end, too, is recorded by run_always. */
    void (*unit)(struct rec *r, const struct krylov *k);
    /* Records `count` iterations from x = 0, into k->x, without a look at residuals: a linear map of k->b,
     * symmetric if A is. Its numbers are in the state, and k->r has no elements. NULL: start and units. */
    void (*from_zero)(struct rec *r, const struct krylov *k, uint32_t count);
    const struct resume *resume; /* NULL: it begins anew */
    const struct fused *fused;   /* NULL: it has none */
    /* The factor by which an iteration multiplied the residual lately; NaN: unknown. NULL: always. */
    double (*contraction)(const struct snapshot *end);
    /* Says in f->detail why it ended, from its own numbers. NULL: the state says it all. */
    void (*explain)(const struct ending *e, struct finding *f);
    /* The weight that it took, for the report. NULL: it has none. */
    double (*weight)(const struct krylov *k);
    /* Solves at once, without iterations that the driver sees. Then all of the above is unused. */
    vks_status (*whole)(const struct equation *q, struct whole_report *w, struct finding *f);
};

/* The method of an equation; that of AUTO is cg. */
const struct method *method_of(const struct equation *q, const vks_solve_options *o);
/* Judges the weight; and, where A is an operator, whether it has what the method needs.
 * VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status method_check(struct message *m, const struct equation *q, const vks_solve_options *o);

static inline void method_record_start(struct rec *r, const struct method *m, const struct krylov *k)
{
    enum precision before = rec_precision(r, k->r.precision);
    if (m->start)
        m->start(r, k);
    r->precision = before;
}

static inline void method_record_unit(struct rec *r, const struct method *m, const struct krylov *k)
{
    enum precision precision = rec_precision(r, k->r.precision);
    u32s guard = rec_guard(r, state_guard(k->state));
    m->unit(r, k);
    rec_guard(r, guard);
    r->precision = precision;
}

/* Iterations of a unit. */
static inline uint32_t method_unit(const struct method *m)
{
    return m->steps ? m->steps : 1;
}

/* One for each method of VKS_METHODS; and x = A x + b. */
#define X(NAME, module, name, text) extern const struct method method_##module;
VKS_METHODS(X)
#undef X
extern const struct method method_fixed_point;

#endif
