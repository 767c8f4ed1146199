/* The driver: iterations in batches, cycles that start from the true residual, and an outer loop around
 * iterations in lower precision. It knows recordings, vectors and the words of the state. It names no method,
 * preconditioner, format, precision or kind of device. */
#ifndef VKS_SOLVERS_RUN_RUN_H
#define VKS_SOLVERS_RUN_RUN_H

#include "solvers/attempts.h"
#include "solvers/chain.h"
#include "solvers/method.h"
#include "solvers/residual.h"
#include "solvers/scaled.h"

struct solve;
typedef vks_status (*step)(struct solve *s);

/* Batches have 1, 2, 4 ... units of a method, each recorded when it is first wanted. */
enum { BATCH_LENGTHS = 7 };

/* A recording of 1 << length units, which ends by publishing the state in the mailbox of its slot. */
struct batch {
    struct rec rec;
    bool recorded;
    double bytes;        /* of an iteration */
    uint32_t dispatches; /* of an iteration, rounded */
};

/* One of the two batches in flight. */
struct slot {
    struct batch batch[BATCH_LENGTHS];
    struct memory mailbox; /* in memory that the host sees */
    uint32_t length;       /* of the batch in flight */
    uint64_t ticket;
};

struct batches {
    struct slot slot[2];
    struct rec unit;        /* included by batches */
    uint32_t groups;        /* workgroups that iterate in one dispatch; 0: a dispatch for each step */
    bool spanned;           /* the device's clock tells how long a batch took */
    uint32_t longest;       /* length of batches so far, unless the end is near */
    uint32_t expected;      /* iterations of the solve before, 0: there is none */
    step done;              /* the step after the last batch of a cycle */
    int turn;               /* the slot that is waited for */
    uint32_t length;        /* of batches, unless the end is near */
    double turned;          /* the time at which the last batch was seen to end */
    struct snapshot before; /* the state that it published */
};

/* Iterations that find a correction of x in an x of their own, see outer.c. */
struct outer {
    bool is;
    bool widens;       /* they are in lower precision */
    struct rec gather; /* adds the correction to the x of the solve */
    struct rec resume; /* replaces solve.start: directions stay; none if they cannot */
};

/* The x when the cycle under way began, see best.c. */
struct best {
    vks_vector *x;      /* NULL: it is not kept */
    struct rec restore; /* the x of the solve = x */
};

/* Numbers by the precision of the iterations. */
struct limits {
    double reduction;     /* of the residual in a cycle, at most */
    double singular;      /* ||A^T r|| over ||A|| ||r|| where A counts as singular */
    int largest_exponent; /* of the power of two by which the residual is divided */
};

/* Progress of a solve. It waits only in solve_advance: a step submits something, and names the step that
 * follows when that has ended. */
struct progress {
    step next;        /* NULL: the solve has ended */
    step then;        /* follows the first true residual */
    uint64_t awaited; /* the submission that `next` waits for */
    bool cancelled;   /* by the caller */
    double begun;     /* the time at which the solve began */
    double stopped;   /* the time of the solve stands still since then, in a set-up; 0: it does not */
    double b_norm;
    double target;          /* the norm of the residual that is asked for */
    double normal;          /* of least squares: ||A^T r|| / (||A|| ||r||) of the true residual r */
    double norm;            /* of the true residual without its part in the null space */
    double norm_of_attempt; /* when the attempt began */
    double part;            /* the norm of the part of A x in the null space, the rest of the true residual */
    double sigma;           /* the power of two by which the device's residual is divided */
    double ratio;           /* the last one divided by this one */
    double bytes;           /* of attempts that have ended */
    uint32_t setup_steps;   /* that the caller has been told of, before the iterations */
    uint32_t iterations_of_attempts; /* when the attempt under way began */
    uint32_t beyond;                 /* iterations that it has beyond its budget */
    uint32_t history_from;           /* values of the history that have been fetched */

    /* of the cycle: */
    bool resumes;               /* it has kept its directions */
    double norm_before;         /* when it began, of least squares also when it went on */
    double normal_before;       /* likewise */
    double norm_at_start;       /* when the last cycle without directions began, and the best x was
                                   recorded; infinite: none has */
    uint32_t iterations_before; /* when it began */
    double tightening;          /* of its goal, as cycles that met theirs did not meet the tolerance */
    uint32_t fruitless;         /* cycles of the attempt that did not lower the residual by a tenth */
    struct snapshot end;        /* the state that the last batch published */
};

/* What doubts.c has found out about A, until it has new values. */
struct doubts {
    bool has_sums, sums_to_zero;
    uint32_t rows_of_node; /* 0: not looked for */
};

struct solve {
    struct device *device;
    struct message *message;
    const struct method *method;
    struct equation equation;
    vks_solve_options options; /* with the defaults filled in */
    vks_solve_report *report;
    bool holds; /* the entries of A */
    struct room room;
    struct partners partners; /* if options.partners */
    struct krylov krylov;
    struct attempts attempts; /* preconditioners of its own; none if krylov.M is shared */
    struct chain chain;       /* of methods, where the solve chooses */
    uint32_t shared_version;  /* of the shared one, when its values were taken */
    vks_matrix *rounded;      /* a copy of A for iterations in lower precision; NULL: none */
    struct scaled scaled;     /* the system that iterations are of; without B, that of A */
    struct memory r, history; /* of krylov */
    struct memory handed;     /* where the residual of A is handed over, if the system is scaled; then also
                                 the correction of x */
    struct state state;
    struct projection *projection; /* NULL: A is not said to be singular */
    struct residual residual;
    struct outer outer;
    struct best best;
    struct limits limits;
    struct rec put;   /* the inbox into the state */
    struct rec clear; /* x = 0 */
    struct rec start; /* put; the residual; the method's start */
    struct batches batches;
    struct finding finding; /* of the set-up: if it refuses A, no iteration may run */
    struct layouts {
        const struct precond *M;
        uint32_t arrays;   /* of A and M */
        uint32_t remade;   /* the shared preconditioner */
    } recorded;            /* M and counts of moves, when recordings were made */
    struct rec *hand_back; /* submitted when x is there; NULL: nothing */
    struct progress progress;
    struct doubts doubts;
};

static inline const struct attempt *attempt_of(const struct solve *s)
{
    return &s->attempts.row[s->attempts.at];
}

/* Begins the solve after the set-up, which may be repeated, and carries out all further steps that fit into
 * `seconds`. The solve has ended when s->progress.next is NULL. A failure ends it, too. */
vks_status solve_begin(struct solve *s);
vks_status solve_advance(struct solve *s, double seconds);

/* Iterates until the state is no longer RUNNING or the caller cancels. Then `done` follows, with the last
 * state in s->progress.end. */
vks_status batches_begin(struct solve *s, step done);
/* Records batches of all lengths now, so that a solve records none. */
vks_status batches_record(struct solve *s);
/* Clears the recordings, which are stale. */
void batches_forget(struct solve *s);
/* Waits after a failure, whose status stands, until no batch is in flight. */
void batches_settle(struct solve *s);
void batches_release(struct solve *s);

/* best.c: takes its memory, once; records that the x of the solve is kept, where it may become worse; takes
 * it back, measures its residual again, and then does `next`. A solve by several methods, or of least
 * squares, takes it back also at its end. */
vks_status best_open(struct solve *s);
bool best_is_kept_to_the_end(const struct solve *s);
bool best_is_kept(const struct solve *s);
void best_record(struct rec *r, const struct solve *s);
vks_status best_restore(struct solve *s, step next);
void best_close(struct solve *s);

/* outer.c: records; adds the correction to x, unless the iterations diverged or ended with numbers that are
 * not finite. A restart drops such a correction. */
vks_status outer_record(struct solve *s);
vks_status outer_gather(struct solve *s);
void outer_release(struct solve *s);

/* begin.c: finds the norms of b and of the first true residual, and the target; then does `then`. */
vks_status measure_first(struct solve *s, step then);

/* cycle.c: starts the method from the true residual, or resumes it with its directions. */
vks_status start_cycle(struct solve *s);
/* Fills the inbox so that the recurrence runs until its residual is `goal`, from the numbers of `now`; NULL:
 * from the start. */
void set_goal(struct solve *s, double goal, const struct snapshot *now, uint32_t iteration);
/* Goes on with the recurrence where the iteration limit has ended it; the limit is higher now. */
vks_status resume_cycle(struct solve *s);
/* Submits the measurement of the true residual; reads its norms when that has ended. */
vks_status measure_residual(struct solve *s, uint64_t *ticket);
vks_status take_norms(struct solve *s);
/* An attempt or the solve has ended: takes the best x, and goes on with the next method, or ends the solve.
 */
vks_status end_solve(struct solve *s);
/* Hands x back; then the solve has ended. */
vks_status solve_ended(struct solve *s);
vks_status has_ended(struct solve *s);
/* Passes a status on; a failure ends the solve, once nothing of it is under way. */
vks_status solve_judge(struct solve *s, vks_status status);

/* progress.c. Asks the caller whether to go on; true: he wants no more. */
bool wants_cancel(struct solve *s, double residual);
/* The same in a set-up, for finding.caller. Before the first true residual there are no norms: the
 * caller is told NaN. */
bool is_unwanted(void *solve);
/* The method's own norm of the residual at the end of the last batch. */
double recurrence_of(const struct progress *p);
/* The true residual, including the part of A x in the null space, over the norm of b; 0 for 0 / 0. */
double relative_residual(const struct progress *p);
/* Whether the tolerance is met, by the true residual. Then reason and detail are in the report. */
bool settle(const struct solve *s);
/* The ||A^T r|| over ||A|| ||r|| at which least squares are solved; one of several methods needs more. */
double least_goal(const struct solve *s);

/* ../report.c: the reason if iterations ended in `state` without a solution, and its explanation in the
 * report. tell_not_singular: A x has a part in the null space that no iteration changes. */
vks_reason reason_of(const struct solve *s, uint32_t state);
void explain(struct solve *s);
/* Tells the preconditioner how the solve has ended; and in the report by how much an iteration of the last
 * attempt multiplied the residual, where levels are told, and doubts. */
void judge_precond(struct solve *s);
/* ../doubts.c: looks in A for the cause of a failed or slow solve, and warns of it. `iterations` are those of
 * the last attempt, and `mean` is the factor by which one multiplied the residual; NaN: unknown. */
void report_doubts(struct solve *s, uint32_t iterations, double mean);
void tell_not_singular(const struct solve *s);
void add_precision(const struct solve *s);

/* Growth of the residual that counts as divergence. In exact arithmetic conjugate gradients stay below the
 * root of the condition number. */
#define DIVERGENCE 1e10

/* Does `next` once the submission `ticket` has ended. */
static inline vks_status await(struct solve *s, uint64_t ticket, step next)
{
    s->progress.awaited = ticket;
    s->progress.next = next;
    return VKS_OK;
}

#endif
