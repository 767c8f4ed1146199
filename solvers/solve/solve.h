/* A solve, from its options to its report: it plans, sets up, and runs one strategy after the other until one
 * solves A x = b or none is left. docs/design.md follows one from call to report.
 *
 *     solve_open      options checked, the list of strategies              solve.c
 *     solve_setup     workspace, preconditioner, recordings of a strategy  setup.c, precond_rows.c
 *     solve_begin     the stages                                           stages.c
 *     solve_advance   the loop                                             drive.c
 *     solve_update    new values of A                                      update.c
 *     solve_close */
#ifndef VKS_SOLVERS_SOLVE_SOLVE_H
#define VKS_SOLVERS_SOLVE_SOLVE_H

#include "solvers/auto/parts.h"
#include "solvers/auto/strategy.h"
#include "solvers/iterate/iterate.h"
#include "solvers/residual/null_vector.h"
#include "solvers/system/ordinary.h"

/* A preconditioner of a set-up, made when its first row is reached. */
struct prepared {
    vks_precond_options options;
    struct precond *M;          /* NULL: not made */
    bool is_stale;              /* M does not have the current values of A */
    struct diagnosis diagnosis; /* may refuse A */
};
enum { MOST_PREPARED = 3 /* for CG: the diagonal, natural blocks, multigrid */ };

/* Progress of the current row. */
struct row_progress {
    uint32_t budget, beyond; /* iterations; extension of the budget, in iterations */
    double time;             /* of an iteration, modelled, in microseconds; 0: unknown */
    double measure;          /* of the residual at the row's start */
    uint32_t iterations;     /* before the row */
    double bytes;            /* memory traffic of the rows that have ended */
    struct {
        double factor; /* the previous row's reduction of the residual */
        double time;   /* modelled, of its iterations; 0: no previous row */
    } before;
};

/* Facts about A from failure_hints.c, valid until A has new values. */
struct hints {
    bool has_sums, sums_to_zero;
    uint32_t rows_of_node; /* 0: not determined */
};

/* A dropped x, kept until the end of the solve. */
struct fallback {
    vks_vector *x;    /* NULL: none */
    struct size size; /* of its residual, like the next two */
    double scaled, true_residual;
};

/* Report of a strategy that has ended. */
struct saved_outcome {
    vks_reason reason;
    vks_method method;
    vks_precond_kind precond;
    vks_scaling scaling;
    uint32_t row;
    char detail[256], warning[256];
};

/* Data about A that a direct method keeps. */
struct kept {
    const struct method *method;
    void *of_A; /* NULL: nothing */
};

struct solve;
typedef vks_status (*stage)(struct solve *s);

struct solve {
    struct equation equation;
    vks_solve_options asked;           /* exactly as the caller set them */
    vks_solve_options options;         /* of the current row, with defaults */
    vks_solve_report of_setup, report; /* of the set-up; of the last solve */
    uint32_t values_taken;             /* version of A's values in the set-up */
    bool is_behind;        /* values are updated after the first residual, if x does not meet the tolerance */
    double seconds_setup;  /* since the last solve */
    struct rec *hand_back; /* submitted once x is final; NULL: nothing */
    stage stage;           /* runs when the current operation ends; NULL: the solve has ended */

    struct kept kept; /* outlives set-ups */

    struct strategies strategies;
    struct strategy own; /* the row of a one-row list */
    struct row_progress row;
    struct fallback fallback;
    struct parts parts;                            /* of A; found on first use, for one set of values */
    struct parts_of_b parts_of_b;                  /* of this solve */
    bool lacked_memory;                            /* a strategy was left out for lack of memory */
    struct null_part null_part;                    /* of b, in this solve */
    bool has_checked_parts, has_checked_null_part; /* attempts to prove that there is no solution */
    struct saved_outcome before;                   /* of the previous strategy */
    char left_out[152], why_left_out[96]; /* names of strategies, and the reason for the last; "": none */
    uint32_t attempts_before;             /* by earlier strategies, in the report */

    /* the set-up: */
    struct iteration it;
    struct prepared precond[MOST_PREPARED];
    uint32_t groups;               /* it.batches.groups with the diagonal */
    bool has_groups;               /* `groups` has been determined */
    bool recorded_for_diagonal;    /* kept here since it.krylov.M may no longer exist, if shared */
    struct ordinary ordinary;      /* of A, for iterations in lower precision; otherwise zero */
    vks_matrix *f32_copy;          /* of `ordinary`; NULL: none */
    struct scaled scaled;          /* the system that the iterations solve: A itself if scaled.B is NULL */
    struct projection *projection; /* NULL: A is not declared singular */
    struct diagnosis diagnosis;    /* if it refuses A, no iteration may run */
    bool holds;                    /* the CSR of A */
    enum precision stored;         /* precision of A */
    uint32_t shared_version;       /* of the shared preconditioner at the last update */
    struct layouts {
        const struct precond *M;
        uint32_t arrays; /* of A and M */
        uint32_t remade; /* of the shared preconditioner */
    } recorded;          /* M and layout counts at the time of recording */
    struct hints hints;
};

static inline bool solve_is_under_way(const struct solve *s)
{
    return s->stage != NULL;
}

/* hints.c: adds one hint to the report; after the end, adds all hints by the reason and the options. */
void add_hint(struct solve *s, vks_hint hint);
void report_hints(struct solve *s);

/* run.c: runs a whole solve. The options have the current form. */
vks_status solve_run(const struct equation *q, const vks_solve_options *options, vks_solve_report *report);

/* solve.c: checks that the vectors fit the matrix. */
vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x, bool partners);
/* Checks the options, and makes the list of strategies. *s is overwritten. */
vks_status solve_open(struct solve *s, const struct equation *q, const vks_solve_options *options);
/* Resolves the options of the current row. */
vks_status solve_plan(struct solve *s, const vks_solve_options *options);
/* Makes the list, and resolves the options of its first row. */
vks_status solve_make_list(struct solve *s);
/* Frees the set-up. The equation, the list, the report and the progress remain. */
void solve_clear(struct solve *s);
/* Frees everything, also after a failure. */
void solve_close(struct solve *s);

/* setup.c: sets up the current row. s->diagnosis and the report show whether A is suitable. */
vks_status solve_setup(struct solve *s);
/* Updates values in place. *moved: the system is scaled or permuted differently, and needs a new set-up. */
vks_status setup_update_values(struct solve *s, bool *moved);
/* Records all batches now, so that solves record none. */
vks_status setup_record_batches(struct solve *s);
/* Whether a shared preconditioner, or its matrix, has new values. */
bool setup_is_stale(const struct solve *s);

/* update.c: makes the first set-up. The caller's progress function may cancel it. */
vks_status solve_begin_setup(struct solve *s);
/* Updates to the current values of A and of a shared preconditioner, in place or by a new set-up, and
 * restarts at the first row. Can be repeated after a failure. */
vks_status solve_update(struct solve *s);
/* Does the same before a solve, or defers it if the residual can be measured without it. */
vks_status solve_prepare(struct solve *s);

/* set_up_next.c: sets up the next strategy that applies and fits in memory. strategies.at = count: none is
 * left. */
vks_status set_up_next(struct solve *s);
/* Whether a strategy is left out after this failure. If so, reports that. */
bool leave_out(struct solve *s, vks_status status);

/* stages.c: begins a solve after the set-up. */
vks_status solve_begin(struct solve *s);
/* Returns `status`. A failure ends the solve, once nothing of it is in flight. */
vks_status solve_pass(struct solve *s, vks_status status);
/* drive.c: runs all further steps that fit in `seconds`. A failure ends the solve. */
vks_status solve_advance(struct solve *s, double seconds);
/* Returns the report of the solve or of its progress, including iterations of the current cycle. */
void solve_report(const struct solve *s, vks_solve_report *report);

/* direct.c: set-up of a direct method; its solve. !*solved: s->diagnosis has the reason. */
vks_status direct_set_up(struct solve *s);
vks_status solve_directly(struct solve *s, bool *solved);
/* Slot for the data that a method keeps; frees the data of another method. NULL: it keeps none. */
void **kept_of(struct solve *s, const struct method *method);
void kept_forget(struct solve *s);

/* promise.c: estimates the cost of sparse factors of A, for the list; drops the factors if they are not
 * available or the estimate fails. promise_if_small estimates only if that takes negligible time. */
vks_status solve_promise(struct solve *s);
vks_status promise_if_small(struct solve *s);
/* The same for a list without a solve. */
vks_status promise_for_plan(const vks_matrix *A, struct strategies *l);
/* Whether the cost is to be estimated after the current row has spent its budget. */
bool promises_after(const struct solve *s);

/* precond_rows.c: the rows that share a set-up. Marks values stale; begins at the first or learned row. */
vks_status precond_rows_open(struct solve *s);
/* Restarts the list at its first usable row; values are unchanged. */
vks_status precond_rows_rewind(struct solve *s);
/* Sets the preconditioner of the iterations to that of the current row, or of the first later row whose
 * preconditioner can be made. */
vks_status precond_rows_take(struct solve *s);
/* Moves to the next row, and records its preconditioner. */
vks_status precond_rows_next(struct solve *s);
/* Before and after a change of it.krylov.M: saves the groups of the old one; records for the new one. */
void precond_rows_leave(struct solve *s);
vks_status precond_rows_arrive(struct solve *s);

/* prepared.c: slot of a preconditioner; makes it, or updates its values. */
struct prepared *prepared_of(struct solve *s, const vks_precond_options *o);
vks_status prepare(struct solve *s, struct prepared *t);

void prepared_close(struct solve *s);

/* recorded.c: whether recordings refer to the current arrays; notes that they do; records again everything
 * that depends on the arrays. */
bool recordings_hold(const struct solve *s);
void note_recordings(struct solve *s);
vks_status setup_record_again(struct solve *s);

/* inspect.c: inspects A, unless done for these values, and chooses a preconditioner. */
vks_status solve_inspect(struct solve *s);

/* budget.c: sets the budget of the row; returns the iteration count at which the row must stop. */
void set_budget(struct solve *s);
uint32_t limit_of_row(const struct solve *s);
/* Returns the iterations by which a spent budget is extended; 0: none. */
uint32_t budget_extension(const struct solve *s);
/* Whether the row continues with a budget that has grown. */
bool deserves_budget(const struct solve *s);
/* Whether A is inspected when the budget is spent. */
bool inspects_after(const struct solve *s);
/* Products with A per iteration, as vks_attempt.products counts them. */
double products_of_iteration(const struct solve *s);

/* not_finite.c: reports the reason, and the row of b, x or A that is not finite. */
void report_not_finite(struct solve *s);

/* fallback.c: resets an x that has grown along a null space of A, so the next strategy begins from zero.
 * Keeps the best such x for the end. */
vks_status drop_x(struct solve *s);
/* At the end: restores the dropped x if it is better. Its residual is then not measured. */
vks_status take_better_x(struct solve *s, bool *changed);

/* no_solution.c: after a failure, looks once for a proof that A x = b is unsolvable. It may be cancelled. */
vks_status prove_no_solution(struct solve *s);
/* Whether there is a proof. */
bool lacks_solution(const struct solve *s);
/* Whether the iterations ended, for the first time, because there may be no solution; whether they end for
 * that reason without a proof, since any solution is too large. */
bool suspects_no_solution(const struct solve *s);
bool ends_out_of_reach(const struct solve *s);
/* Reports the lack of a solution as the reason. */
void report_no_solution(struct solve *s);
/* Whether the caller ended the solve, directly or by a limit of iterations. */
bool ended_by_caller(const struct solve *s);

/* row_report.c: reports the current row, at its beginning and at its end. */
void report_row(struct solve *s, const vks_precond_options *o, vks_reason reason);
void report_row_end(struct solve *s);
/* Reports the budget of a strategy whose preconditioner is made, and why it was chosen. */
void report_strategy(struct solve *s);
uint32_t reported_budget(const struct solve *s);
/* Warns of the previous row's failure, with its cause, and names the next preconditioner. */
void warn_of_row(struct solve *s, const char *what, const char *why);
/* Warns of strategies that were left out; otherwise keeps the previous strategy's warning. */
void warn_of_left_out(struct solve *s);
/* Saves the outcome of a strategy; it is that of the solve if no other strategy follows. */
void save_outcome(struct solve *s);
void restore_outcome(struct solve *s);

/* setup_report.c: facts of the set-up in the report: the planned method; the preconditioner; the scaling,
 * which may refuse A. */
void report_plan(struct solve *s);
void report_precond(struct solve *s);
void report_scaling(struct solve *s);

/* outcome.c: reports a singular A as the cause of a failed attempt, or of a failed solve. */
void report_structural_singularity(struct solve *s);
void report_singularity(struct solve *s);
/* Sets the reason for a direct solution that does not meet the tolerance. */
void report_unrefined(struct solve *s);
/* At the end: accepts an x that meets the tolerance in the plain norm only, with a warning. */
void accept_one_norm(struct solve *s);
/* Passes the outcome of the solve to the preconditioner; reports the mean residual reduction, and hints. */
void report_precond_outcome(struct solve *s);

/* failure_hints.c: looks in A for the cause of a failed or slow solve, and warns of it. `iterations` are
 * those of the last row; `mean` is their mean reduction factor of the residual; NaN: unknown. */
void add_failure_hints(struct solve *s, uint32_t iterations, double mean);

#endif
