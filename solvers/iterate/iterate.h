/* Iterations of one method, from one x until they end: in batches, and in cycles that each start from the
 * true residual. x may be refined around iterations in lower precision. Limits go in as data, and the report
 * of the solve tells the outcome. This folder is a leaf: it decides nothing about what follows. It names no
 * method, preconditioner, format, precision or kind of device.
 *
 * An operation (iteration_begin and others) submits work and returns. The iteration is under way until
 * iteration_step has done the last step of the operation. */
#ifndef VKS_SOLVERS_ITERATE_ITERATE_H
#define VKS_SOLVERS_ITERATE_ITERATE_H

#include "solvers/method.h"
#include "solvers/residual.h"
#include "solvers/system/scaled.h"

struct iteration;
typedef vks_status (*step)(struct iteration *it);

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
    bool spanned;           /* the device's clock times a batch */
    uint32_t longest;       /* length of batches so far, unless the end is near */
    uint32_t expected;      /* iterations of the solve before; 0: there was none */
    step done;              /* the step after the last batch of a cycle */
    int turn;               /* the slot that is waited for */
    uint32_t length;        /* of batches, unless the end is near */
    double turned;          /* the time at which the last batch was seen to end */
    struct snapshot before; /* the state that it published */
};

/* Iterations that find a correction of x in an x of their own, see refinement.c. */
struct refinement {
    bool is;
    bool widens;       /* they are in lower precision */
    int shift;         /* they are with A times 2^shift */
    struct rec gather; /* adds the correction to the x of the solve */
    struct rec resume; /* replaces iteration.start: directions stay; none if they cannot */
};

/* The x when the cycle under way began, see x_backup.c. */
struct backup {
    vks_vector *x;
    struct rec restore; /* the x of the solve = x */
    struct rec save;    /* the reverse */
};

/* What iterations have to reach, and what they may take. */
struct limits {
    uint32_t iterations;  /* in all: the report has those of methods before, too */
    bool needs_solution;  /* of least squares: without one A is singular */
    double singular;      /* ||A^T r|| over ||A|| ||r|| at which that is so */
    double reduction;     /* of the residual in a cycle, at most */
    int largest_exponent; /* of the power of two by which the residual is divided */
};

/* Of a residual: its plain norm, and the measure that decides. */
struct size {
    double norm, measure;
};

/* The position between two submissions. It outlives a change of the method. */
struct progress {
    step next;            /* NULL: the operation has ended */
    uint64_t awaited;     /* the submission that `next` waits for */
    bool cancelled;       /* by the caller */
    bool settled;         /* the iterations have met the tolerance; the report says how */
    double begun;         /* the time at which the solve began */
    double stopped;       /* the time of the solve stands still since then, in a set-up; 0: it does not */
    uint32_t setup_steps; /* reported to the caller before the iterations */
    double b_norm;
    double target;   /* the norm of the residual that is asked for */
    double scaled_b; /* the scaled norm of b; NaN: it decides nothing */
    double scaled;   /* of the residual; NaN likewise */
    double measure;  /* the norm of the residual that decides: the largest of those that do, in units of the
                        plain one, so that `target` is the goal of each */
    step measured;   /* follows the measurement under way */
    bool is_last;    /* x is assessed after it in any case */
    bool assessed;   /* this x was */
    bool is_sure;    /* it comes from factors without small pivots */
    struct assessment assessment;
    double normal;         /* of least squares: ||A^T r|| / (||A|| ||r||) of the true residual r */
    double norm;           /* of the true residual without its part in the null space */
    double part;           /* the norm of the part of A x in the null space, the rest of the true residual */
    double sigma;          /* the power of two by which the device's residual is divided */
    double ratio;          /* the last one divided by this one */
    uint32_t history_from; /* values of the history that have been fetched */

    /* of the cycle: */
    bool resumes;               /* it has kept its directions */
    struct size before;         /* of the residual when it began, of least squares also when it went on */
    double normal_before;       /* likewise */
    struct size at_start;       /* when the last cycle without directions began, and x was saved; infinite:
                                   none has */
    uint32_t iterations_before; /* when it began */
    double tightening;          /* of its goal, as cycles that met theirs did not meet the tolerance */
    uint32_t fruitless;         /* cycles since iteration_begin that did not lower the residual by a tenth */
    struct snapshot end;        /* the state that the last batch published */
};

struct iteration {
    struct device *device;
    struct message *message;
    const struct method *method;
    struct equation equation;
    const vks_solve_options *options; /* with the defaults filled in */
    vks_solve_report *report;         /* counts, residuals, and how the iterations ended */
    const struct scaled *scaled;      /* the system that iterations are of; without B, that of A */
    const uint32_t *order; /* the caller's number of each row; NULL: rows are in the caller's order */
    struct limits limits;
    struct room room;
    struct partners partners; /* if options->partners */
    struct krylov krylov;
    struct memory r, history; /* of krylov */
    struct memory handed;     /* where the residual of A is handed over, if the system is scaled; then also
                                 the correction of x */
    struct state state;
    struct residual residual;
    struct refinement refinement;
    struct backup backup;
    struct rec put;   /* the inbox into the state */
    struct rec clear; /* x = 0 */
    struct rec start; /* put; the residual; the method's start */
    struct batches batches;
    struct progress progress;
};

/* The ||A^T r|| over ||A|| ||r|| at which least squares end. */
static inline double least_goal(const struct iteration *it)
{
    return it->limits.needs_solution ? it->limits.singular : it->options->rtol;
}

/* A scaled norm in units of the plain one: both then have the goal `target`. */
static inline double in_plain_units(const struct progress *p, double scaled)
{
    return scaled / p->scaled_b * p->b_norm;
}

static inline bool iteration_is_under_way(const struct iteration *it)
{
    return it->progress.next != NULL;
}

/* workspace.c: makes vectors, the state and empty recordings, for a system that is known and iterations in
 * precision p. iteration_close frees all, also after a failure; progress stays. */
vks_status iteration_open(struct iteration *it, enum precision p);
void iteration_close(struct iteration *it);
/* Records all but the batches, which are recorded when they are wanted. */
vks_status iteration_record(struct iteration *it);
/* Records again what applies A or the preconditioner, after one of them has changed. */
vks_status iteration_record_again(struct iteration *it);
/* Decides how many workgroups iterate together with this preconditioner. */
vks_status iteration_prepare_fused(struct iteration *it);

/* Operations. */
/* residuals.c: forgets the solve before, and measures b and the first residual; x = 0 first if that is asked
 * for. If b = 0, x becomes 0. */
vks_status iteration_measure_first(struct iteration *it);
/* Measures b and the residual of an x that was found at once, and assesses it. */
vks_status iteration_measure(struct iteration *it);
/* Assesses the residual of x, if that was not done, for the report. */
vks_status iteration_assess(struct iteration *it);
/* Measures the residual of another x, and assesses it. */
vks_status iteration_measure_again(struct iteration *it);
/* cycle.c: iterates from x, whose residual has been measured, until the tolerance is met, the limits are
 * reached, or nothing is gained. The report has the reason. */
vks_status iteration_begin(struct iteration *it);
/* Continues what ended by a limit that is higher now, or by a failure. */
vks_status iteration_resume(struct iteration *it);
/* x_backup.c: restores the x that was saved last, and measures its residual. */
vks_status iteration_restore(struct iteration *it);
/* step.c: waits for a submission of the caller. */
vks_status iteration_await(struct iteration *it, uint64_t ticket);

/* Waits up to `seconds` for the submission under way, and then does the next step. *waits: the time was too
 * short. */
vks_status iteration_step(struct iteration *it, double seconds, bool *waits);
/* Waits after a failure, whose status stands, until nothing is in flight. The operation has ended. */
void iteration_drain(struct iteration *it);

/* Of the residual now. */
static inline struct size size_of_residual(const struct iteration *it)
{
    return (struct size){it->progress.norm, it->progress.measure};
}

/* Whether the tolerance is met, by the true residual. Then reason and detail are in the report. */
bool iteration_is_solved(const struct iteration *it);
/* Whether the plain norm meets the tolerance, and the scaled one, as far as they decide. */
bool iteration_meets_plain(const struct iteration *it);
bool iteration_meets_scaled(const struct iteration *it);
/* Whether the plain one does, and the scaled one does not. */
bool iteration_meets_plain_alone(const struct iteration *it);
/* Whether no norm that misses the tolerance is above the level of rounding, below which nothing lowers it. */
bool iteration_is_at_rounding(const struct iteration *it);
/* Whether that level is above the tolerance, which then nothing reaches from this x. */
bool iteration_x_hides_target(const struct iteration *it);
/* Ends a solve at that level: as CONVERGED with a warning, if one of two norms meets the tolerance, or as
 * STAGNATED. False: it is not at that level, or x may have grown along a null space of A until it hides b. */
bool iteration_settle_at_rounding(struct iteration *it);
/* Warns that only one of two norms meets the tolerance; `why` says what is known of the other. */
void iteration_warn_of_norms(struct iteration *it, const char *why);
/* Whether a residual is worse than one before, where the plain norm has a goal. One that meets it is better
 * than one that does not; the measure decides between others. */
static inline bool size_is_worse(struct size now, struct size before, double goal)
{
    bool met = before.norm <= goal, meets = now.norm <= goal;
    return met == meets ? !(now.measure <= before.measure) : met;
}

/* Whether x is worse than the one that was saved last. */
bool iteration_is_worse(const struct iteration *it);
/* Whether the one that was saved last meets the plain norm, and x does not. */
bool iteration_left_plain(const struct iteration *it);
/* Measures the residual in doubles, where the last one may have been less exact. */
vks_status iteration_confirm(struct iteration *it);
/* Adds to the report's detail that it is about the lower precision of the iterations. */
void iteration_add_precision(const struct iteration *it);

/* batches.c: iterates until the state is no longer RUNNING or the caller cancels. Then `done` follows, with
 * the last state in progress.end. */
vks_status batches_begin(struct iteration *it, step done);
/* Records batches of all lengths now, so that a solve records none. */
vks_status batches_record(struct iteration *it);
/* Clears the recordings, which are stale. */
void batches_forget(struct iteration *it);
void batches_drain(struct iteration *it);
void batches_release(struct iteration *it);

/* x_backup.c: takes its memory, once; records that x is saved, where it may become worse; restores it,
 * measures its residual again, and then does `next`. */
vks_status backup_open(struct iteration *it);
void backup_record(struct rec *r, const struct iteration *it);
vks_status backup_restore(struct iteration *it, step next);
/* Saves an x that is the best so far, while the iterations go on. */
vks_status backup_save(struct iteration *it);
void backup_close(struct iteration *it);

/* refinement.c: records; adds the correction to x, unless the iterations diverged or ended with numbers that
 * are not finite. A restart drops such a correction. */
vks_status refinement_record(struct iteration *it);
vks_status refinement_gather(struct iteration *it);
void refinement_release(struct iteration *it);

/* goal.c: fills the inbox so that the recurrence runs until its residual is `goal`, from the numbers of
 * `now`; NULL: from the start. */
void set_goal(struct iteration *it, double goal, const struct snapshot *now, uint32_t iteration);

/* residuals.c: measures the true residual, and then does `next`. If it seems to meet the tolerance, its
 * rounding errors are bounded first; if they might hide that it does not, it is measured again, exactly. */
vks_status measure_residual(struct iteration *it, step next);
/* Assesses the residual that was measured, unless that has been done, and then does `next`. */
vks_status assess_residual(struct iteration *it, step next);
/* The method's own norm of the residual at the end of the last batch. */
double recurrence_of(const struct progress *p);
/* A norm over that of b; NaN if that is zero, or not known yet. */
double relative_to_b(const struct progress *p, double norm);
/* The true residual, including the part of A x in the null space, over the norm of b; 0 for 0 / 0. */
double relative_residual(const struct progress *p);

/* norms.c: whether a norm seems to meet the tolerance, and its rounding errors may hide that it does not. */
bool is_hidden_by_rounding(const struct iteration *it);
/* Whether two norms decide, and one of them alone meets the tolerance. */
bool meets_one_of_two(const struct iteration *it);

/* ending.c: the reason if iterations ended in `state` without a solution; and its explanation, in the report.
 */
vks_reason reason_of(const struct iteration *it, uint32_t state);
void explain(const struct iteration *it);
/* Growth of the residual that counts as divergence. In exact arithmetic conjugate gradients stay below the
 * root of the condition number. */
#define DIVERGENCE 1e10

/* caller.c: asks the caller's progress function whether to go on. True: cancel. */
bool cancel_requested(struct iteration *it, double residual);
/* The same in a set-up, for diagnosis.caller. Before the first true residual there are no norms: the caller
 * gets NaN. */
bool cancel_requested_in_setup(void *iteration);

/* Does `next` once the submission `ticket` has ended. */
static inline vks_status await(struct iteration *it, uint64_t ticket, step next)
{
    it->progress.awaited = ticket;
    it->progress.next = next;
    return VKS_OK;
}

#endif
