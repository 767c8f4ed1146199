/* Iterations of one method, from one x until they end: in batches, and in cycles that each start from the
 * true residual. Iterations in lower precision may be wrapped in refinement of x. Limits are inputs, and the
 * report of the solve has the outcome. This folder is a leaf: it does not decide how the solve continues. It
 * names no method, preconditioner, format, precision or kind of device.
 *
 * An operation (iteration_begin and others) submits work and returns. The iteration is under way until
 * iteration_step has run the last step of the operation. */
#ifndef VKS_SOLVERS_ITERATE_ITERATE_H
#define VKS_SOLVERS_ITERATE_ITERATE_H

#include "solvers/method.h"
#include "solvers/residual.h"
#include "solvers/system/scaled.h"

struct iteration;
typedef vks_status (*step)(struct iteration *it);

/* Batches have 1, 2, 4 ... units of a method, and are recorded on first use. */
enum { BATCH_LENGTHS = 7 };

/* A recording of 1 << length units. It ends by publishing the state in the mailbox of its slot. */
struct batch {
    struct rec rec;
    bool recorded;
    double bytes;        /* per iteration */
    uint32_t dispatches; /* per iteration, rounded */
};

/* One of the two batches in flight. */
struct slot {
    struct batch batch[BATCH_LENGTHS];
    struct memory mailbox; /* host-visible */
    uint32_t length;       /* of the batch in flight */
    uint64_t ticket;
};

struct batches {
    struct slot slot[2];
    struct rec unit;   /* included in batches */
    uint32_t groups;   /* workgroups that iterate in one dispatch; 0: one dispatch per step */
    bool spanned;      /* the device's clock times a batch */
    uint32_t longest;  /* length of batches so far, except near the end */
    uint32_t expected; /* iterations of the previous solve; 0: none */
    step done;         /* runs after the last batch of a cycle */
    int turn;          /* slot that is awaited */
    uint32_t length;   /* length of batches, except near the end */
    double turned;     /* time at which the end of the last batch was observed */
};

/* Iterations that compute a correction of x in an x of their own, see refinement.c. */
struct refinement {
    bool is;
    bool widens;       /* its iterations use lower precision */
    int shift;         /* its iterations use A times 2^shift */
    struct rec gather; /* adds the correction to the x of the solve */
    struct rec resume; /* replaces iteration.start and keeps directions; empty if unsupported */
};

/* The x from the start of the current cycle, see x_backup.c. */
struct backup {
    vks_vector *x;
    struct rec restore; /* the x of the solve = x */
    struct rec save;    /* its x = the x of the solve */
};

/* Goals and limits of the iterations. */
struct limits {
    uint32_t iterations;  /* total, including iterations of earlier methods in the report */
    bool needs_solution;  /* for least squares: without a solution, A is reported singular */
    double singular;      /* ||A^T r|| / (||A|| ||r||) up to which there is none */
    double reduction;     /* largest reduction of the residual in a cycle */
    int largest_exponent; /* of the power of two that divides the residual */
};

/* Size of a residual: its plain norm, and the measure that decides. */
struct size {
    double norm, measure;
};

/* The solve of one right-hand side: its state on the device, goals, residuals and report. A change of
 * method clears state and limits. */
struct column {
    struct iteration *it;
    vks_solve_report *report; /* receives counts, residuals, and how the iterations ended */
    struct limits limits;
    struct state state;
    bool settled; /* the iterations met the tolerance; the report has details */
    double b_norm;
    double target;   /* the residual norm to reach */
    double scaled_b; /* scaled norm of b; NaN: it does not decide */
    double scaled;   /* scaled norm of the residual; NaN: it does not decide */
    double measure;  /* the deciding norm of the residual: the largest of the norms that decide, in units of
                        the plain norm, so that each has the goal `target` */
    bool assessed;   /* this x has been assessed */
    bool is_sure;    /* x comes from factors without small pivots */
    struct assessment assessment;
    double normal;         /* for least squares: ||A^T r|| / (||A|| ||r||) of the true residual r */
    double norm;           /* of the true residual without its part in the null space */
    double part;           /* norm of the part of A x in the null space, the rest of the true residual */
    double sigma;          /* power of two that divides the residual on the device */
    double ratio;          /* previous sigma over this one */
    uint32_t history_from; /* number of history values fetched */

    /* of the current cycle: */
    bool resumes;         /* it kept its directions */
    struct size before;   /* residual at its start; for least squares also when it continued */
    double normal_before; /* likewise */
    struct size
        at_start; /* residual when the last cycle without directions began, and x was saved; infinite: none */
    uint32_t iterations_before; /* at its start */
    double tightening;   /* factor of its goal, reduced when cycles met their goals but not the tolerance */
    uint32_t fruitless;  /* cycles since iteration_begin that did not lower the residual by a tenth */
    struct snapshot end; /* state that the last batch published */
    struct snapshot earlier; /* state that the batch before it published */
};

/* Position between two submissions, of all columns. */
struct progress {
    step next;            /* NULL: the operation has ended */
    uint64_t awaited;     /* submission that `next` waits for */
    bool cancelled;       /* by the caller */
    double begun;         /* start time of the solve */
    double stopped;       /* time at which a set-up stopped the solve's clock; 0: it runs */
    uint32_t setup_steps; /* progress calls before the iterations */
    step measured;        /* runs after the current measurement */
    bool is_last;         /* the last measurement: x is assessed after it in any case */
};

struct iteration {
    struct device *device;
    struct message *message;
    const struct method *method;
    struct equation equation;
    const vks_solve_options *options; /* with the defaults filled in */
    const struct scaled *scaled;      /* system that the iterations solve; without B, A itself */
    const uint32_t *order;            /* the caller's number of each row; NULL: same order */
    struct room room;
    struct partners partners; /* if options->partners */
    struct krylov krylov;
    struct memory r, history; /* of krylov */
    struct memory handed; /* receives the residual of A, if the system is scaled; later the correction of x */
    struct residual residual;
    struct refinement refinement;
    struct backup backup;
    struct rec put;   /* copies the inbox into the state */
    struct rec clear; /* x = 0 */
    struct rec start; /* put; the residual; the method's start */
    struct batches batches;
    struct column column; /* of the only right-hand side */
    struct progress progress;
};

/* The ||A^T r|| / (||A|| ||r||) at which iterations for least squares end. */
static inline double least_goal(const struct column *c)
{
    return c->limits.needs_solution ? c->limits.singular : c->it->options->rtol;
}

/* Converts a scaled norm to units of the plain one: both then have the goal `target`. */
static inline double in_plain_units(const struct column *c, double scaled)
{
    return scaled / c->scaled_b * c->b_norm;
}

static inline bool iteration_is_under_way(const struct iteration *it)
{
    return it->progress.next != NULL;
}

/* workspace.c: makes vectors, state and empty recordings for a known system and iterations in precision p.
 * The caller calls iteration_close, also after a failure; `progress` and `column` survive, without state and
 * limits. */
vks_status iteration_open(struct iteration *it, enum precision p);
void iteration_close(struct iteration *it);
/* Records all except the batches, which are recorded on first use. */
vks_status iteration_record(struct iteration *it);
/* Records again everything that applies A or the preconditioner, after either has changed. */
vks_status iteration_record_again(struct iteration *it);
/* Decides how many workgroups iterate in one dispatch with this preconditioner. */
vks_status iteration_prepare_fused(struct iteration *it);

/* residuals.c: forgets the previous solve, and starts the clock. */
void iteration_forget(struct iteration *it);

/* Operations. */
/* residuals.c: forgets the previous solve, and measures b and the first residual; sets x = 0 first if
 * options->zero_guess. If b = 0, x becomes 0. */
vks_status iteration_measure_first(struct iteration *it);
/* Measures b and the residual of an x computed in one step, and assesses it. */
vks_status iteration_measure(struct iteration *it);
/* Assesses the residual of x for the report, unless already done. */
vks_status iteration_assess(struct iteration *it);
/* Measures the residual of a replaced x, and assesses it. */
vks_status iteration_measure_again(struct iteration *it);
/* cycle.c: iterates from x, whose residual has been measured, until the tolerance is met, a limit is reached,
 * or progress stops. The report has the reason. */
vks_status iteration_begin(struct iteration *it);
/* Continues after a limit that has been raised, or after a failure. */
vks_status iteration_resume(struct iteration *it);
/* x_backup.c: restores the last saved x, and measures its residual. */
vks_status iteration_restore(struct iteration *it);
/* step.c: an operation that only waits for `ticket`, a submission by the caller. */
vks_status iteration_await(struct iteration *it, uint64_t ticket);

/* Waits up to `seconds` for the submission in flight, then runs the next step. *waits: still in flight. */
vks_status iteration_step(struct iteration *it, double seconds, bool *waits);
/* After a failure: ends the operation, and waits until nothing is in flight. */
void iteration_drain(struct iteration *it);

/* Size of the current residual. */
static inline struct size size_of_residual(const struct column *c)
{
    return (struct size){c->norm, c->measure};
}

/* Whether the true residual meets the tolerance. If so, reason and detail are in the report. */
bool column_is_solved(const struct column *c);
/* Whether the plain, or the scaled, norm meets the tolerance; true if that norm does not decide. */
bool column_meets_plain(const struct column *c);
bool column_meets_scaled(const struct column *c);
/* Whether both norms decide, and only the plain one meets the tolerance. */
bool column_meets_plain_alone(const struct column *c);
/* Whether every norm that misses the tolerance is at rounding level, below which nothing lowers it. */
bool column_is_at_rounding(const struct column *c);
/* Whether the rounding level is above the tolerance, which is then out of reach from this x. */
bool column_x_hides_target(const struct column *c);
/* Ends a solve at rounding level: as CONVERGED with a warning, if one of two norms meets the tolerance, or as
 * STAGNATED. False: x is not at that level, or may have grown along a null space of A until it hides b. */
bool column_settle_at_rounding(const struct column *c);
/* Warns that only one of two norms meets the tolerance; `why` describes the other. */
void column_warn_of_norms(const struct column *c, const char *why);
/* Adds to the report's detail that it refers to the lower precision of the iterations. */
void column_add_precision(const struct column *c);
/* Whether a residual is worse than an earlier one, given a goal for the plain norm. One that meets the goal
 * is better than one that misses it; otherwise the measure decides. */
static inline bool size_is_worse(struct size now, struct size before, double goal)
{
    bool met = before.norm <= goal, meets = now.norm <= goal;
    return met == meets ? !(now.measure <= before.measure) : met;
}

/* Whether x is worse than the last saved one. */
bool column_is_worse(const struct column *c);
/* Whether the plain norm meets the tolerance for the last saved x, but not for the current x. */
bool column_left_plain(const struct column *c);
/* Measures the residual in doubles, if the last measurement may be less accurate. */
vks_status iteration_confirm(struct iteration *it);

/* batches.c: iterates until the state is no longer RUNNING or the caller cancels. Then runs `done`, with the
 * last state in column.end. */
vks_status batches_begin(struct iteration *it, step done);
/* Records batches of all lengths, so that a solve records none. */
vks_status batches_record(struct iteration *it);
/* Clears stale recordings. */
void batches_forget(struct iteration *it);
void batches_drain(struct iteration *it);
void batches_release(struct iteration *it);

/* x_backup.c: allocates memory, once; records a save of x, before iterations that may worsen it; restores it,
 * measures its residual again, and then runs `next`. */
vks_status backup_open(struct iteration *it);
void backup_record(struct rec *r, const struct iteration *it);
vks_status backup_restore(struct iteration *it, step next);
/* Saves the best x so far, while the iterations continue. */
vks_status backup_save(struct iteration *it);
void backup_close(struct iteration *it);

/* refinement.c: records the refinement; adds the correction to x. A correction that diverged or is not finite
 * is dropped, unless the method has `finish`. */
vks_status refinement_record(struct iteration *it);
vks_status refinement_gather(struct iteration *it);
void refinement_release(struct iteration *it);

/* goal.c: fills the inbox so that the recurrence runs until its residual is `goal`, from the numbers of
 * `now`; NULL: from the start. */
void set_goal(struct column *c, double goal, const struct snapshot *now, uint32_t iteration);

/* residuals.c: measures the true residual, and then runs `next`. If it seems to meet the tolerance, its
 * rounding errors are bounded first; if they might hide a miss, it is measured again, exactly. */
vks_status measure_residual(struct iteration *it, step next);
/* Assesses the measured residual, unless already done, and then runs `next`. */
vks_status assess_residual(struct iteration *it, step next);
/* Residual norm of the method's recurrence, at the end of the last batch. */
double recurrence_of(const struct column *c);
/* A norm over the norm of b; NaN if the latter is zero or unknown. */
double relative_to_b(const struct column *c, double norm);
/* The true residual, including the part of A x in the null space, over the norm of b; 0 for 0 / 0. */
double relative_residual(const struct column *c);

/* norms.c: whether a norm seems to meet the tolerance, but its rounding errors may hide a miss. */
bool is_hidden_by_rounding(const struct column *c);
/* Whether two norms decide, and only one meets the tolerance. */
bool meets_one_of_two(const struct column *c);

/* ending.c: reason for iterations that ended in `state` without a solution; reports the explanation. */
vks_reason reason_of(const struct column *c, uint32_t state);
void explain(const struct column *c);
/* Growth of the residual that counts as divergence. In exact arithmetic conjugate gradients stay below the
 * root of the condition number. */
#define DIVERGENCE 1e10

/* caller.c: calls the caller's progress function. True: cancel. */
bool cancel_requested(struct iteration *it, double residual);
/* The same in a set-up, for diagnosis.caller. Before the first true residual the caller gets NaN. */
bool cancel_requested_in_setup(void *iteration);

/* Runs `next` once the submission `ticket` has ended. */
static inline vks_status await(struct iteration *it, uint64_t ticket, step next)
{
    it->progress.awaited = ticket;
    it->progress.next = next;
    return VKS_OK;
}

#endif
