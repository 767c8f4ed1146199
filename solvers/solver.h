/* What a method is, what it is given, and the driver that runs it. A method writes its iteration over verbs;
 * whatever surrounds it (workspace, preconditioner, batches, stopping, the true residual, restarts) is the
 * driver's. */
#ifndef VKS_SOLVERS_SOLVER_H
#define VKS_SOLVERS_SOLVER_H

#include "block/verbs.h"
#include "shaders/solver/state.h"
#include "solvers/null_space.h"
#include "sparse/matrix.h"
#include "vksolve/operator.h"
#include "vksolve/solver.h"

struct user_operator;

/* A x = b with the preconditioner M. */
struct system {
    const vks_matrix *A;
    uint32_t n; /* unknowns */
    reals b, x;
    reals d; /* 1 / diagonal of A where jacobi, and for the Jacobi iteration; else nothing */
    bool jacobi;
    bool same_diagonal;                   /* d has one value in all rows */
    const struct diagonal_blocks *blocks; /* where block-jacobi: inverses; else NULL */
    reals z;                              /* then room for M^-1 r */
    bool fixpoint;                        /* the equation is x = A x + b */
};

enum { MOST_VECTORS = 8, NUMBERS = 12 };

/* What the driver gives a method on the device. */
struct workspace {
    control control;
    uint64_t numbers; /* address of NUMBERS reals, the method's scalars */
    reals vector[MOST_VECTORS];
    struct reduction reduction; /* three rows */
    reals history;
    uint32_t history_kept; /* 0: no history is wanted */
    uint32_t groups;       /* that iterate together in one dispatch; 0: an iteration is several dispatches */
    uint32_t spread;       /* a workgroup has then up to 1 << spread tiles of 256 elements */
    u32s met;              /* by which they meet */
};

struct solve;
struct snapshot;

struct method {
    /* The whole solve, of a method that does not iterate; then it has nothing else but one step. */
    vks_status (*direct)(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x);
    uint32_t vectors; /* of n elements each; vector[0] is the residual, which the driver sets before start */
    uint32_t steps;   /* iterations that `iterate` records; in the first, r . r of what is there is found */
    /* What A has to offer the method, beside the preconditioner. NULL: nothing. */
    vks_status (*prepare)(struct solve *s);
    /* What the values of A have to offer it, before `prepare` and whenever they have changed; may refuse A
     * (s->refused). NULL: nothing. */
    vks_status (*take_values)(struct solve *s);
    /* NULL: zeros are what it starts from. */
    void (*start)(struct rec *r, const struct system *s, const struct workspace *w);
    /* For residuals that are replaced on the way (refinement.c): what the next direction has from those
     * before it is set aside before vector[0] is replaced, and is added, times `scale`, after `start`, which
     * begins anew. NULL: it cannot iterate in f32 for an x in f64. */
    void (*set_aside)(struct rec *r, const struct system *s, const struct workspace *w);
    void (*take_up)(struct rec *r, const struct system *s, const struct workspace *w, number scale);
    void (*iterate)(struct rec *r, const struct system *s, const struct workspace *w);
    /* `count` iterations in one dispatch, where `prepare` has found that w->groups workgroups meet. NULL: not
     * known. */
    void (*together)(struct rec *r, const struct system *s, const struct workspace *w, uint32_t count);
    /* By what an iteration multiplied the norm of the residual lately; NaN: not known. NULL: it does not
     * tell. */
    double (*contraction)(const struct snapshot *end);
};

/* The words of the state that kernels share (shaders/solver/control.glsl) as the driver sees them, followed
 * by the numbers of which the driver knows those named here (shaders/solver/cg.glsl, jacobi.glsl). */
struct control_words {
    uint32_t state, iteration, limit, pending;
};
enum {
    NUMBER_RHO,
    NUMBER_PQ,
    NUMBER_ALPHA,
    NUMBER_RHO_OLD,
    NUMBER_RR,
    NUMBER_STOP,
    NUMBER_CEILING,
    NUMBER_SCALE,
    NUMBER_WEIGHT,
    NUMBER_KEPT = NUMBER_WEIGHT /* of CG: the scale of take_up */
};
enum { CONTROL_BYTES = 16, STATE_BYTES = CONTROL_BYTES + 8 * NUMBERS };
/* Behind the state there is a zero. */
enum { ZERO = STATE_BYTES, STATE_AND_ZERO = ZERO + 8 };

/* One for each method of VKS_METHODS. */
#define X(NAME, module, name, text) extern const struct method method_##module;
VKS_METHODS(X)
#undef X

/* A copy of the state, as a batch published it. */
struct snapshot {
    struct control_words control;
    double number[NUMBERS];
};

/* Batches have 1, 2, 4 ... iterations of the recordings of a method, each recorded when it is first wanted.
 */
enum { BATCH_LENGTHS = 7 };

/* A recording of 1 << length times the iterations of a method, the last of which publishes the state into the
 * mailbox of its lane. */
struct batch {
    struct rec rec;
    bool recorded;
    double bytes;        /* of an iteration */
    uint32_t dispatches; /* of an iteration, rounded */
};

/* One of the two batches that are in flight. */
struct lane {
    struct batch batch[BATCH_LENGTHS];
    struct memory mailbox; /* that the host sees */
    uint32_t length;       /* of the batch in flight */
    uint64_t ticket;
};

/* Of an operator, see operator.c. */
struct operator_residual {
    struct user_operator *source;             /* NULL: A has entries */
    struct user_operator *on_host;            /* elsewhere: that one; else NULL */
    struct memory array[VKS_OPERATOR_ARRAYS]; /* elsewhere: copies */
};

/* The true residual, see residual.c. */
struct residual {
    struct device *device; /* where it is computed: the solve's, or a host device of its own */
    bool elsewhere;
    struct csr A;
    reals b, x;
    const struct memory *b_memory, *x_memory; /* those of the solve */
    struct memory copy[5];                    /* elsewhere: row offsets, columns, values, b, x */
    struct long_rows long_rows;               /* elsewhere: of the copy */
    struct operator_residual of_operator;
    void *piece;                 /* elsewhere: of an array that is copied there or back */
    struct memory wide, numbers; /* b - A x in doubles; the numbers of the recordings */
    struct memory wide_x;        /* x in doubles, where it is in f32 and A x is computed by itself */
    struct memory box;           /* a copy of the numbers that the host sees */
    struct reduction reduction;
    struct rec measure, measure_b, hand_over;
};

/* The same on the device in pairs of floats, where it has no 64-bit ones, see residual_pairs.c. */
struct pairs_residual {
    bool is;
    struct device *device;
    struct memory r, numbers; /* b - A x; the numbers of the recordings */
    struct memory box;        /* a copy of the numbers that the host sees */
    double scale;             /* of what has been squared */
    struct reduction reduction;
    struct rec measure;
};

/* Iterations in f32 for an x in f64, see refinement.c. */
struct refinement {
    bool is;
    vks_matrix *rounded; /* a copy of A in f32, where there is none yet; else NULL */
    struct memory x;     /* what the iterations have found since the x of the solve took it, over sigma */
    struct memory sigma, box; /* sigma in f64, and where the host puts it */
    struct rec gather;        /* the x of the solve takes it */
    struct rec resume;        /* in place of solve.start: the directions stay */
};

/* Where a solve has come to. But for what is brief or rare it waits in one place, solve_advance: what it
 * submits there names what is to be done once that has ended. */
struct course {
    vks_status (*next)(struct solve *s); /* NULL: the solve has ended */
    uint64_t awaited;                    /* the submission that `next` waits for */
    bool cancelled;                      /* by the caller */
    double begun;                        /* the time at which the solve began */
    double b_norm, target;               /* target: the norm of the residual that is asked for */
    double norm;                         /* the true residual, without what it has in the null space */
    double part;                         /* of A x in the null space: the other leg of the true residual */
    double sigma;                        /* the power of two by which the device's residual is divided */
    double kept;                         /* the last one over this one */
    uint32_t history_from;               /* iterations whose history has been fetched */

    /* of the cycle: */
    bool resumes;               /* it has kept its directions */
    double norm_before;         /* when it began */
    double norm_at_start;       /* when the last cycle without directions began */
    uint32_t iterations_before; /* when it began */
    struct snapshot end;        /* what the last batch that has ended published */

    /* of the batches: */
    int turn;               /* the lane that is waited for */
    uint32_t length;        /* of batches, where the end is not near */
    double turned;          /* the time at which the last one was seen to end */
    struct snapshot before; /* what that published */
};

struct solve {
    struct device *device;
    struct message *message;
    enum precision given;     /* of A, b and x */
    enum precision precision; /* of the iterations */
    const vks_matrix *A;      /* as it was given; its CSR is held */
    const struct method *method;
    vks_solve_options options; /* with the defaults filled in */
    vks_solve_report *report;
    struct system system;
    struct workspace workspace;
    uint32_t n;

    struct memory vectors[MOST_VECTORS], diagonal, z, state, history;
    struct diagonal_blocks blocks;
    struct memory meeting;     /* w->met, where workgroups iterate together */
    struct meetings *meetings; /* then: what the device knows of them */
    struct memory inbox;       /* what the host puts into the state: solve_state */
    struct residual residual;
    struct pairs_residual pairs;
    struct refinement refinement;
    struct null_space null_space;
    struct rec put;   /* the inbox into the state */
    struct rec clear; /* x = 0 */
    struct rec start; /* put; b - A x, scaled, into vector[0]; the method's start */
    struct lane lane[2];
    uint32_t longest;  /* length of batches so far, where the end is not near */
    uint32_t expected; /* iterations of the solve before, 0: there is none */

    uint32_t layout;       /* of the arrays of system.A that are recorded */
    bool refused;          /* there is no such preconditioner or diagonal: no iteration may run */
    double weight;         /* of the Jacobi iteration */
    struct rec *hand_back; /* what is to be done when x is there; NULL: nothing */
    bool polled;           /* the host may be away when a batch ends */
    struct course course;
};

/* The number of a row, from 0, by which the caller knows it. */
static inline uint32_t row_of_caller(const struct solve *s, uint32_t row)
{
    return s->options.order ? s->options.order[row] : row;
}

/* solve.c: judges the arguments of a public call; what is asked for, with the defaults filled in, and a
 * report that tells of nothing yet. After a failure report_failure makes sure that it does not look like a
 * solve that converged. */
vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x);
vks_status solve_limits(struct message *m, const vks_matrix *A, vks_solve_options *o);
vks_status solve_open(struct solve *s, const vks_matrix *A, bool fixpoint, const vks_solve_options *options,
                      vks_solve_report *report);
void report_failure(vks_solve_report *report, const char *message);

/* setup.c: workspace, preconditioner and recordings; s->refused, with the reason in the report, where the
 * preconditioner cannot be made. solve_take_values: those of A have changed, and nothing else of it.
 * solve_release frees all, also after a failure. */
vks_status solve_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x);
vks_status solve_take_values(struct solve *s);
void solve_release(struct solve *s);
/* The inbox into the state, and x = 0 in the iterations. */
void solve_record_put(struct rec *r, const struct solve *s);
void solve_record_zero(struct rec *r, const struct solve *s, reals x);
/* What the state will be once s->put or s->start has run; before, nothing that reads the inbox may be under
 * way. */
void solve_state(struct solve *s, const struct control_words *control, const double number[NUMBERS]);

/* residual.c. residual_measure submits what finds the norm of b - A x, in double precision, or that of b;
 * once the ticket has arrived it can be had. residual_hand_over prepares for s->start, which takes b - A x
 * times `scale`, by what residual_record has recorded into it. */
vks_status residual_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x);
void residual_release(struct solve *s);
/* Those of A, or of b, have changed. */
vks_status residual_take_values(struct solve *s);
vks_status residual_take_b(struct solve *s);
vks_status residual_measure(struct solve *s, uint64_t *ticket);
vks_status residual_measure_b(struct solve *s, uint64_t *ticket);
vks_status residual_norm(struct solve *s, double *norm);
vks_status residual_norm_of_b(struct solve *s, double *norm);
/* The norm of what b has in the null space of A, if that is kept out; else 0. */
double residual_part_of_b(const struct solve *s);
vks_status residual_hand_over(struct solve *s, double scale);
void residual_record(struct rec *r, const struct solve *s);

/* The same in double precision, and at once, also where residual_norm is that in pairs of floats, which it is
 * until it meets the target. */
vks_status residual_confirmed(struct solve *s, double *norm);

/* image.c: y = A x in doubles, by the operator o or, where that is NULL, by the CSR of s->A. */
void image_record(struct rec *r, const struct solve *s, struct user_operator *o, doubles x, doubles y);

/* residual_pairs.c: as above, in pairs of floats; x = 0; a number as a pair, in memory that the host sees. */
vks_status pairs_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x);
void pairs_release(struct solve *s);
vks_status pairs_measure(struct solve *s, uint64_t *ticket);
vks_status pairs_norm(struct solve *s, double *norm);
vks_status pairs_tell(struct solve *s); /* of the end: the true residual in double precision */
void pairs_hand_over(struct solve *s, double scale);
void pairs_record(struct rec *r, const struct solve *s);
void pairs_record_zero(struct rec *r, const struct solve *s, const vks_vector *x);
void pairs_put(struct memory *box, uint64_t offset, double value);
/* Copies an array between the devices of a solve, through host memory, in pieces; one in pairs of floats, to
 * doubles. */
vks_status copy_across(const struct residual *e, struct device *from, const struct memory *source, bool pairs,
                       struct device *to, struct memory *target);

/* operator.c: whether the operator, if A is one, has what these options want, else VKS_UNSUPPORTED; system.d
 * = 1 / its diagonal, and flags as csr_diagonal (`one` holds 1; uses vector[0], on which nothing may be under
 * way); what the host needs to compute A x. */
vks_status operator_suits(struct message *m, const vks_matrix *A, const vks_solve_options *options,
                          bool fixpoint);
bool operator_lacks_diagonal(const vks_matrix *A);
void operator_diagonal(struct rec *r, const struct solve *s, doubles one, u32s flags);
vks_status operator_residual_setup(struct solve *s);
vks_status operator_residual_take_values(struct solve *s);
void operator_residual_release(struct solve *s);

/* refinement.c: the operands of iterations in f32, in s->system, in place of those that were given; the
 * recordings, once the workspace is there; x takes what the iterations have found, unless they ended in what
 * is not finite or has grown: then it is forgotten when they begin anew. */
vks_status refinement_setup(struct solve *s);
vks_status refinement_take_values(struct solve *s);
vks_status refinement_record(struct solve *s);
vks_status refinement_gather(struct solve *s);
void refinement_release(struct solve *s);

/* batch.c: iterations until the state is no longer RUNNING, or the caller cancels; then cycle_iterated
 * follows, with the last state in s->course.end. */
vks_status batches_begin(struct solve *s);
/* Records batches of all lengths now, so that none is left to a solve. */
vks_status batches_record(struct solve *s);
/* What has been recorded is no longer true. */
void batches_forget(struct solve *s);
/* After a failure, whose status stands: nothing of them is under way any more. */
void batches_settle(struct solve *s);
/* The state as it is; for tests and measurements. */
vks_status read_snapshot(struct solve *s, struct snapshot *out);

/* driver.c: the whole solve after the set-up, which can be repeated: its first step, and all further ones
 * that can be made within `seconds`; the solve has ended when s->course.next is NULL. A failure ends it, too.
 */
vks_status solve_begin(struct solve *s);
vks_status solve_advance(struct solve *s, double seconds);
vks_status cycle_iterated(struct solve *s);
/* Tells the caller how far it is; whether he wants no more. */
bool wants_cancel(struct solve *s, double residual);
/* The norm of the residual as the method had it when the last batch ended. */
double recurrence_of(const struct course *c);

/* Growth of the residual that counts as divergence. In exact arithmetic conjugate gradients stay below the
 * root of the condition number. */
#define DIVERGENCE 1e10

/* ending.c: why iterations that ended in `state`, not having solved the system, will not; what there is to
 * tell of it, in the report; and there, that it is about f32 where f64 was given. tell_not_singular: A x has
 * a part in the null space that no iteration changes. */
vks_reason reason_of(const struct solve *s, uint32_t state);
void explain(const struct solve *s);
void tell_not_singular(const struct solve *s);
void add_f32(const struct solve *s);

/* To do `next` once the submission `ticket` has ended. */
static inline vks_status await(struct solve *s, uint64_t ticket, vks_status (*next)(struct solve *s))
{
    s->course.awaited = ticket;
    s->course.next = next;
    return VKS_OK;
}

/* diagonal.c: s->system.d; s->refused (with the reason in the report) where a diagonal entry is zero, not
 * finite, or where `positive`, negative. May be repeated when the values of A have changed. */
vks_status diagonal_setup(struct solve *s, bool positive);

/* precond/block_jacobi.c: s->system.blocks and z; s->refused (with the reason in the report) where a block is
 * singular. block_jacobi_invert alone when the values of A have changed; block_jacobi_release frees all, also
 * after a failure. */
vks_status block_jacobi_setup(struct solve *s);
vks_status block_jacobi_invert(struct solve *s);
void block_jacobi_release(struct solve *s);

/* dominance.c: the largest and the smallest ratio of the other entries of a row to its diagonal entry, by
 * sums of magnitudes, and the row of the largest. Uses vector[0], on which nothing may be under way. */
struct dominance {
    double worst, best;
    uint32_t worst_row;
};
vks_status dominance_measure(struct solve *s, struct dominance *out);

/* vks_solver.c */
vks_context *solver_context(const vks_solver *solver);

#endif
