/* A method: a table of operations that record its iteration by verbs, and the operands that they take. The
 * driver (iterate/) does the rest: batches, stopping, true residuals, restarts. */
#ifndef VKS_SOLVERS_METHOD_H
#define VKS_SOLVERS_METHOD_H

#include "solvers/diagnosis.h"
#include "solvers/distributed/partners.h"
#include "solvers/precond.h"
#include "solvers/state.h"

/* A x = b; or x = A x + b. */
struct equation {
    const vks_matrix *A;
    const vks_vector *b;
    vks_vector *x;
    bool fixed_point;
};

/* Operands of a method. b and r have as many elements as A has rows, x as many as A has columns. `own` is the
 * method's own memory, from `room`. */
struct krylov {
    struct device *device;
    struct message *message;
    const vks_matrix *A; /* of r's precision */
    const struct precond *M;
    bool M_changes; /* M may be replaced: update_values is then called again */
    struct vec b, x;
    struct vec r;                     /* b - A x, divided by control.scale; set by the driver before start */
    struct vec weight;                /* factor of r before its norm is taken; no elements: ones */
    uint32_t starts;                  /* number of starts in this solve */
    bool broke_down;                  /* the previous cycle ended as BREAKDOWN */
    const struct state *state;        /* words and numbers of the method */
    struct vec history;               /* each computed r . r, until it is full */
    struct reduction sums;            /* it has method->rows rows */
    const vks_solve_options *options; /* with the defaults filled in */
    struct room *room;
    struct partners *partners; /* NULL: this process has all rows */
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

/* Runs many units in one dispatch. */
struct fused {
    /* Computes how many workgroups iterate together; 0: A, M or the device does not allow it. */
    vks_status (*prepare)(struct krylov *k, uint32_t *groups);
    void (*units)(struct rec *r, const struct krylov *k, uint32_t count);
    /* Records that the workgroups timed out: later solves use fewer. */
    void (*missed)(const struct krylov *k);
};

/* Operations that keep search directions when the residual is replaced (iterate/refinement.c). */
struct resume {
    /* Saves the share of earlier directions in the next one. Runs before k->r is replaced. */
    void (*set_aside)(struct rec *r, const struct krylov *k);
    /* Adds that share, times `scale`, to the direction that start has made. */
    void (*take_up)(struct rec *r, const struct krylov *k, number scale);
};

/* Numbers of a least-squares method: the goal for ||A^T r|| / (||A|| ||r||), which the driver sets, and the
 * method's own estimate of that ratio. */
enum { NORMAL_GOAL, NORMAL_NOW, NORMAL_NUMBERS };

/* How a cycle ended. */
struct ending {
    const struct snapshot *last;
    double norm;   /* the true residual */
    double target; /* the goal for `norm` */
    double normal; /* of least squares: the true ||A^T r|| / (||A|| ||r||) */
    double rate;   /* report.contraction */
    vks_reason reason;
};

/* Expected cost of the factors of A, before they are computed. */
struct factors_promise {
    double entries, flops, bytes;
};

/* Result of a direct method. */
struct direct_solution {
    uint32_t iterations;
    double residual;
    double seconds_setup, seconds_solve;
    bool solved;  /* x is a solution; if false, f has the reason and x is unchanged */
    bool is_sure; /* no pivot is small relative to the largest: x has not grown along a null space of A */
};

/* Weights that a method accepts: a number, and VKS_WEIGHT_AUTO. */
enum { WEIGHT_GIVEN = 1, WEIGHT_BY_ENTRIES = 2 };

struct method {
    bool preconditioned;  /* it takes a preconditioner; otherwise M is the identity */
    enum precond_use use; /* its requirements on the preconditioner */
    bool needs_linear;    /* it requires a linear preconditioner */
    bool needs_diagonal;  /* it requires the diagonal of A, even if A is an operator */
    bool corrects; /* each cycle computes a correction of x, starting from zero and without history. Its
                      residual may rise */
    bool combines_at_end; /* x lacks the latest iterations until the state has ended: a cancelled cycle runs
                             one more iteration */
    bool least_squares;   /* it accepts A of any shape, and also stops where ||A^T r|| is small relative to
                             ||A|| ||r||. Its first numbers are those of NORMAL_... */
    bool restarts;        /* it uses options.restart */
    unsigned weights;     /* WEIGHT_...; 0: no weight */
    uint32_t rows;        /* rows of `sums` */
    uint32_t numbers;     /* number of its own numbers in the state */
    uint32_t steps;       /* iterations in a unit, fewer for small systems; 0: 1 */
    uint32_t products;    /* products with A in an iteration; 0: 1 */
    bool sees_each;       /* it computes the residual of each iteration, not only of the unit's last */
    /* Allocates k->own and vectors from k->room; a failure is sticky there. NULL: no memory is needed. */
    void (*room)(struct krylov *k);
    /* Updates data that depend on A's values, initially and after changes. May refuse A in f. NULL: no such
     * data. */
    vks_status (*update_values)(struct krylov *k, struct diagnosis *f);
    /* Sets the method's numbers, all zero before, at the start of a cycle. NULL: they stay zero. */
    void (*numbers_at_start)(const struct krylov *k, double *number);
    /* Records the start of a cycle, before its first unit, in k->r's precision. NULL: nothing to record. */
    void (*start)(struct rec *r, const struct krylov *k);
    /* Records a unit, guarded by the state. Kernels that must run even after the end use run_always. */
    void (*unit)(struct rec *r, const struct krylov *k);
    /* Records, after a cycle has ended, that x becomes the best iterate of the cycle. NULL: x already is. */
    void (*finish)(struct rec *r, const struct krylov *k);
    /* Records `count` iterations from x = 0 into k->x, without residual checks: a linear map of k->b,
     * symmetric if A and M are. Its numbers are in the state, and k->r has no elements. NULL: start and units
     * are used instead. */
    void (*apply_from_zero_guess)(struct rec *r, const struct krylov *k, uint32_t count);
    const struct resume *resume; /* NULL: it restarts without history */
    const struct fused *fused;   /* NULL: unsupported */
    /* Returns the recent residual reduction per iteration; NaN: unknown. NULL: always unknown. */
    double (*contraction)(const struct snapshot *end);
    /* Explains in f->detail why the cycle ended, from its own numbers. NULL: the state explains enough. */
    void (*explain)(const struct ending *e, struct diagnosis *f);
    /* Returns the weight used, for the report. NULL: no weight. */
    double (*weight)(const struct krylov *k);
    /* Solves directly, without iterations visible to the driver; the operations above are then unused. *kept
     * holds the method's data about A between solves, NULL at first. */
    vks_status (*solve_direct)(const struct equation *q, void **kept, struct direct_solution *w,
                               struct diagnosis *f);
    /* Estimates the cost of solve_direct from A's pattern. VKS_UNSUPPORTED: unavailable. NULL: none. */
    vks_status (*promise)(const struct equation *q, void **kept, struct factors_promise *out);
    /* Frees *kept. NULL: nothing is kept. */
    void (*forget)(void *kept);
};

/* Returns the method of an equation; AUTO gives cg. */
const struct method *method_of(const struct equation *q, const vks_solve_options *o);
/* Returns the preconditioner of resolved options. */
vks_precond_options method_precond(const struct method *method, const vks_solve_options *o);
/* Whether a null space can be projected out of its iterations. */
static inline bool method_takes_null_space(const struct method *m)
{
    return !m->solve_direct && !m->least_squares;
}

/* Whether its iterations can compute a correction in lower precision than x. */
bool method_refines(const struct method *m);
/* Checks the weight and the restart, and whether A, if an operator, provides what the method requires.
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

static inline void method_record_finish(struct rec *r, const struct method *m, const struct krylov *k)
{
    enum precision before = rec_precision(r, k->r.precision);
    if (m->finish)
        m->finish(r, k);
    r->precision = before;
}

/* Iterations of a unit. */
static inline uint32_t method_unit(const struct method *m)
{
    return m->steps ? m->steps : 1;
}

/* The methods of VKS_METHODS, and the iteration x = A x + b. */
#define X(NAME, module, name, text) extern const struct method method_##module;
VKS_METHODS(X)
#undef X
extern const struct method method_fixed_point;

#endif
