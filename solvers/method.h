/* A method: a table of operations that record its iteration by verbs, and the operands that it is given. The
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

/* The operands of a method. b and r have as many elements as A has rows, x as A has columns. `own` is its own
 * memory, from `room`. */
struct krylov {
    struct device *device;
    struct message *message;
    const vks_matrix *A; /* of r's precision */
    const struct precond *M;
    bool M_changes; /* it may become another one: update_values is then called again */
    struct vec b, x;
    struct vec r;              /* b - A x, divided by control.scale: the driver sets it before start */
    struct vec weight;         /* what r is multiplied by before its norm is taken; no elements: ones */
    uint32_t starts;           /* of this solve so far */
    bool broke_down;           /* the cycle before this start ended as BREAKDOWN */
    const struct state *state; /* its words and numbers */
    struct vec history;        /* r . r each time that it was computed, as many as fit */
    struct reduction sums;     /* method->rows of them */
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

/* Many units in one dispatch. */
struct fused {
    /* How many workgroups iterate together; 0: A, M or the device does not suit. */
    vks_status (*prepare)(struct krylov *k, uint32_t *groups);
    void (*units)(struct rec *r, const struct krylov *k, uint32_t count);
    /* They timed out: later solves use fewer. */
    void (*missed)(const struct krylov *k);
};

/* Operations by which directions survive a new residual (iterate/refinement.c). */
struct resume {
    /* Saves the share of earlier directions in the next one, before k->r is replaced. */
    void (*set_aside)(struct rec *r, const struct krylov *k);
    /* Adds that share, times `scale`, to the direction that start has made. */
    void (*take_up)(struct rec *r, const struct krylov *k, number scale);
};

/* The numbers of a method for least squares: the share of ||A|| ||r|| that ||A^T r|| has to come down to,
 * which the driver sets, and its own estimate of that share. */
enum { NORMAL_GOAL, NORMAL_NOW, NORMAL_NUMBERS };

/* How a cycle ended. */
struct ending {
    const struct snapshot *last;
    double norm;   /* the true residual */
    double target; /* the norm that it had to meet */
    double normal; /* of least squares: the true ||A^T r|| / (||A|| ||r||) */
    double rate;   /* report.contraction */
    vks_reason reason;
};

/* What factors of A are expected to take, before they are made. */
struct factors_promise {
    double entries, flops, bytes;
};

/* What a method finds that solves at once. */
struct direct_solution {
    uint32_t iterations;
    double residual;
    double seconds_setup, seconds_solve;
    bool solved;  /* x is a solution; otherwise f says why not, and x is unchanged */
    bool is_sure; /* no pivot is small beside the largest: x has not grown along a null space of A */
};

/* The weights that a method takes: a number, and VKS_WEIGHT_AUTO. */
enum { WEIGHT_GIVEN = 1, WEIGHT_BY_ENTRIES = 2 };

struct method {
    bool preconditioned;  /* it takes a preconditioner; otherwise M is the identity */
    enum precond_use use; /* what it needs of the preconditioner */
    bool needs_linear;    /* it needs a preconditioner that is linear */
    bool needs_diagonal;  /* it needs the diagonal of A, also of an operator */
    bool corrects; /* its cycles find a correction of x, from zero, and each begins anew. Its residual may
                      rise */
    bool combines_at_end; /* x lacks the latest iterations until the state has ended: a cycle that is
                             cancelled takes one more */
    bool least_squares; /* it takes A of any shape, and also ends where ||A^T r|| is small beside ||A|| ||r||.
                           Its first numbers are those of NORMAL_... */
    bool restarts;      /* it takes options.restart */
    unsigned weights;   /* WEIGHT_...; 0: it has none */
    uint32_t rows;      /* of sums */
    uint32_t numbers;   /* of its own in the state */
    uint32_t steps;     /* iterations of a unit, fewer if there are few rows; 0: 1 */
    uint32_t products;  /* with A in an iteration; 0: 1 */
    bool sees_each;     /* it computes the residual of each of them, not of the last alone */
    /* Takes k->own and vectors from k->room; a failure is sticky there. NULL: it needs none. */
    void (*room)(struct krylov *k);
    /* Takes the values of A, at first and whenever they have changed. f refuses A. NULL: nothing to take. */
    vks_status (*update_values)(struct krylov *k, struct diagnosis *f);
    /* Its numbers at the start of a cycle, all zero before. NULL: they stay zero. */
    void (*numbers_at_start)(const struct krylov *k, double *number);
    /* Records the beginning of a cycle, before its first unit, in the precision of k->r. NULL: nothing. */
    void (*start)(struct rec *r, const struct krylov *k);
    /* Records a unit, guarded by the state. Kernels that must also run after the end are recorded by
     * run_always. */
    void (*unit)(struct rec *r, const struct krylov *k);
    /* Records, when a cycle has ended, that x becomes the best one that the cycle has seen. NULL: x is. */
    void (*finish)(struct rec *r, const struct krylov *k);
    /* Records `count` iterations from x = 0, into k->x, without looking at residuals: a linear map of k->b,
     * symmetric if A and M are. Its numbers are in the state, and k->r has no elements. NULL: start and units
     * are used instead. */
    void (*apply_from_zero_guess)(struct rec *r, const struct krylov *k, uint32_t count);
    const struct resume *resume; /* NULL: it begins anew */
    const struct fused *fused;   /* NULL: it has none */
    /* The factor by which an iteration multiplied the residual lately; NaN: unknown. NULL: always. */
    double (*contraction)(const struct snapshot *end);
    /* Explains in f->detail why it ended, from its own numbers. NULL: the state says enough. */
    void (*explain)(const struct ending *e, struct diagnosis *f);
    /* The weight that was used, for the report. NULL: it has none. */
    double (*weight)(const struct krylov *k);
    /* Solves at once, without iterations that the driver sees. All of the above is then unused. *kept is what
     * the method keeps of A from one solve to the next: NULL at first. */
    vks_status (*solve_direct)(const struct equation *q, void **kept, struct direct_solution *w,
                               struct diagnosis *f);
    /* Promises what that will take, from the pattern of A. VKS_UNSUPPORTED: the method is missing here. NULL:
     * it cannot. */
    vks_status (*promise)(const struct equation *q, void **kept, struct factors_promise *out);
    /* Frees what is kept. NULL: nothing is. */
    void (*forget)(void *kept);
};

/* The method of an equation; that of AUTO is cg. */
const struct method *method_of(const struct equation *q, const vks_solve_options *o);
/* The preconditioner of options that were resolved. */
vks_precond_options method_precond(const struct method *method, const vks_solve_options *o);
/* Whether a null space may be kept out of its iterations. */
static inline bool method_takes_null_space(const struct method *m)
{
    return !m->solve_direct && !m->least_squares;
}

/* Whether its iterations may find a correction in lower precision than that of x. */
bool method_refines(const struct method *m);
/* Checks the weight, and whether A, if it is an operator, has what the method needs. VKS_INVALID_ARGUMENT,
 * VKS_UNSUPPORTED. */
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

/* One for each method of VKS_METHODS; and x = A x + b. */
#define X(NAME, module, name, text) extern const struct method method_##module;
VKS_METHODS(X)
#undef X
extern const struct method method_fixed_point;

#endif
