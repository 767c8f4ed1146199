/* A solve, from its options to its report: it plans, sets up, and iterates by one strategy after the other
 * until one solves A x = b or none is left. docs/design.md follows one from call to report.
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

/* A preconditioner of a set-up, made when its first row comes. */
struct prepared {
    vks_precond_options options;
    struct precond *M;          /* NULL: it has not been made */
    bool is_stale;              /* it has not got the values of A */
    struct diagnosis diagnosis; /* refuses A, or not */
};
enum { MOST_PREPARED = 3 /* of CG: the diagonal, natural blocks, multigrid */ };

/* The row under way. */
struct row_progress {
    uint32_t budget, beyond; /* iterations; and those by which the budget has been extended */
    double time;             /* of an iteration by the model, microseconds; 0: unknown */
    double measure;          /* of the residual when it began */
    uint32_t iterations;     /* before it began */
    double bytes;            /* of memory traffic, of rows that have ended */
    struct {
        double factor; /* by which the row before multiplied the residual */
        double time;   /* of its iterations by the model; 0: there was none */
    } before;
};

/* What failure_hints.c has found out about A, until it has new values. */
struct hints {
    bool has_sums, sums_to_zero;
    uint32_t rows_of_node; /* 0: not looked for */
};

/* An x that was dropped, until the end. */
struct fallback {
    vks_vector *x;    /* NULL: none was */
    struct size size; /* of its residual, and: */
    double scaled, true_residual;
};

/* What the report says of a strategy that has ended. */
struct saved_outcome {
    vks_reason reason;
    vks_method method;
    vks_precond_kind precond;
    vks_scaling scaling;
    uint32_t row;
    char detail[256], warning[256];
};

/* What a method that solves at once keeps of A. */
struct kept {
    const struct method *method;
    void *of_A; /* NULL: nothing */
};

struct solve;
typedef vks_status (*stage)(struct solve *s);

struct solve {
    struct equation equation;
    vks_solve_options asked;           /* by the caller */
    vks_solve_options options;         /* of the row under way, with the defaults filled in */
    vks_solve_report of_setup, report; /* facts of the set-up; the last solve */
    uint32_t values_taken;             /* those of A that the set-up knows */
    bool is_behind;        /* it takes new ones after the first residual, if x is not good enough */
    double seconds_setup;  /* since the last solve */
    struct rec *hand_back; /* submitted when x is there; NULL: nothing */
    stage stage;           /* follows when the operation under way ends; NULL: the solve has ended */

    struct kept kept; /* outlives set-ups */

    struct strategies strategies;
    struct strategy own; /* the row of a list that has one */
    struct row_progress row;
    struct fallback fallback;
    struct parts parts;           /* of A; found when they are first wanted, for a set of values */
    struct parts_of_b parts_of_b; /* of this solve */
    bool lacked_memory;           /* a strategy was left out for want of it */
    struct null_part null_part;   /* of b, likewise */
    bool has_looked_at_parts, has_answered_doubt; /* for a proof that there is no solution */
    struct saved_outcome before;                  /* of the strategy before */
    char left_out[152], why_left_out[96];         /* strategies, and why the last of them; "": none */
    uint32_t attempts_before;                     /* of the strategies before, in the report */

    /* the set-up: */
    struct iteration it;
    struct prepared precond[MOST_PREPARED];
    uint32_t groups;               /* it.batches.groups with the diagonal */
    bool has_groups;               /* that has been found */
    bool recorded_for_diagonal;    /* it.krylov.M may be gone, if it is shared */
    struct ordinary ordinary;      /* of A, for iterations in lower precision; without them zero */
    vks_matrix *f32_copy;          /* of that; NULL: none */
    struct scaled scaled;          /* the system that iterations are of; without B, that of A */
    struct projection *projection; /* NULL: A is not said to be singular */
    struct diagnosis diagnosis;    /* if it refuses A, no iteration may run */
    bool holds;                    /* the entries of A */
    enum precision stored;         /* of A */
    uint32_t shared_version;       /* of the shared preconditioner, when its values were taken */
    struct layouts {
        const struct precond *M;
        uint32_t arrays; /* of A and M */
        uint32_t remade; /* the shared preconditioner */
    } recorded;          /* M and counts of moves, when recordings were made */
    struct hints hints;
};

static inline bool solve_is_under_way(const struct solve *s)
{
    return s->stage != NULL;
}

/* hints.c: adds one to the report; and all that follow from the reason and the options, when the solve has
 * ended. */
void add_hint(struct solve *s, vks_hint hint);
void report_hints(struct solve *s);

/* run.c: the whole of a solve. The options have today's form. */
vks_status solve_run(const struct equation *q, const vks_solve_options *options, vks_solve_report *report);

/* solve.c: checks that the vectors fit the matrix. */
vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x, bool partners);
/* Checks the options, and makes the list of strategies. *s is overwritten. */
vks_status solve_open(struct solve *s, const struct equation *q, const vks_solve_options *options);
/* Resolves the options of the row under way. */
vks_status solve_plan(struct solve *s, const vks_solve_options *options);
/* Makes the list, and resolves the options of its first row. */
vks_status solve_make_list(struct solve *s);
/* Frees the set-up. The equation, the list, the report and the progress stay. */
void solve_clear(struct solve *s);
/* Frees all, also after a failure. */
void solve_close(struct solve *s);

/* setup.c: the set-up of the row under way. s->diagnosis and the report say if A does not suit. */
vks_status solve_setup(struct solve *s);
/* Takes new values in place. *moved: the system is scaled or permuted otherwise now, and needs a new set-up.
 */
vks_status setup_update_values(struct solve *s, bool *moved);
/* Records all batches now, so that solves record none. */
vks_status setup_record_batches(struct solve *s);
/* Whether a shared preconditioner, or the matrix that it is of, has new values. */
bool setup_is_stale(const struct solve *s);

/* update.c: the first set-up. The caller's progress function may cancel it. */
vks_status solve_begin_setup(struct solve *s);
/* Takes the values that A and a shared preconditioner have now, in place or by a new set-up, and begins again
 * at the first row. It can be repeated after a failure. */
vks_status solve_update(struct solve *s);
/* The same before a solve; or later, if the residual can be measured without it. */
vks_status solve_prepare(struct solve *s);

/* set_up_next.c: sets up the next strategy that applies and fits into memory. strategies.at is
 * strategies.count if none is left. */
vks_status set_up_next(struct solve *s);
/* Whether a strategy is left out after this failure. Then it is reported so. */
bool leave_out(struct solve *s, vks_status status);

/* stages.c: begins a solve after the set-up. */
vks_status solve_begin(struct solve *s);
/* Passes a status on. A failure ends the solve, once nothing of it is under way. */
vks_status solve_pass(struct solve *s, vks_status status);
/* drive.c: carries out all further steps that fit into `seconds`. A failure ends the solve, too. */
vks_status solve_advance(struct solve *s, double seconds);
/* The report of the solve, or of its progress: iterations since the cycle began count, too. */
void solve_report(const struct solve *s, vks_solve_report *report);

/* direct.c: the set-up of a method without iterations; the solve. !*solved: s->diagnosis says why. */
vks_status direct_set_up(struct solve *s);
vks_status solve_directly(struct solve *s, bool *solved);
/* The place of what a method keeps; what another one has kept is freed. NULL: it keeps nothing. */
void **kept_of(struct solve *s, const struct method *method);
void kept_forget(struct solve *s);

/* promise.c: what sparse factors of A take, for the list; where they are missing, or do not get so far, there
 * will be no attempt. The latter: only where this takes no time beside a solve. */
vks_status solve_promise(struct solve *s);
vks_status promise_if_small(struct solve *s);
/* The same for a list without a solve. */
vks_status promise_for_plan(const vks_matrix *A, struct strategies *l);
/* Whether that is to be found out when the row under way has spent its budget. */
bool promises_after(const struct solve *s);

/* precond_rows.c: the rows that share a set-up. Forgets values of before, and begins at the first row, or at
 * one that is learned. */
vks_status precond_rows_open(struct solve *s);
/* Begins there again, with the same values. */
vks_status precond_rows_rewind(struct solve *s);
/* Gives the iterations the preconditioner of the row under way, or of the first one after it that can be
 * made. */
vks_status precond_rows_take(struct solve *s);
/* Goes to the next row, and records its preconditioner. */
vks_status precond_rows_next(struct solve *s);
/* Around a change of it.krylov.M: keeps what belongs to the former one, and records for the new one. */
void precond_rows_leave(struct solve *s);
vks_status precond_rows_arrive(struct solve *s);

/* prepared.c: the place of a preconditioner; makes it, or gives it the values of A. */
struct prepared *prepared_of(struct solve *s, const vks_precond_options *o);
vks_status prepare(struct solve *s, struct prepared *t);

void prepared_close(struct solve *s);

/* recorded.c: whether recordings are of the present arrays; records again what depends on them. */
bool recordings_hold(const struct solve *s);
void note_recordings(struct solve *s);
vks_status setup_record_again(struct solve *s);

/* look.c: looks at A, if that has not been done for these values, and chooses a preconditioner. */
vks_status solve_look(struct solve *s);

/* budget.c: the iterations that the row may take, and up to which it may go. */
void set_budget(struct solve *s);
uint32_t limit_of_row(const struct solve *s);
/* The iterations beyond its budget that a row gets which has spent it; 0: none. */
uint32_t budget_extension(const struct solve *s);
/* Whether a row gets a budget that has grown. */
bool deserves_budget(const struct solve *s);
/* Whether A is looked at when it is spent. */
bool looks_after(const struct solve *s);
/* Products with A that an iteration takes, as vks_attempt.products counts them. */
double products_of_iteration(const struct solve *s);

/* not_finite.c: the reason, and the row of b, x or A that is not finite. */
void report_not_finite(struct solve *s);

/* fallback.c: x has grown along a null space of A: the next strategy begins from zero. The best of these x is
 * kept for the end. */
vks_status drop_x(struct solve *s);
/* At the end: takes the x that was dropped, if it is better. Then its residual is not measured. */
vks_status take_better_x(struct solve *s, bool *changed);

/* no_solution.c: after a failure, looks once for a proof that A x = b has no solution, unless the caller
 * cancels. */
vks_status look_for_proof(struct solve *s);
/* Whether there is a proof. */
bool lacks_solution(const struct solve *s);
/* Whether the iterations have ended because they doubt that there is a solution, for the first time; and
 * whether they end so without a proof, since a solution is too large. */
bool doubts_solution(const struct solve *s);
bool ends_by_doubt(const struct solve *s);
/* Makes it the reason. */
void report_no_solution(struct solve *s);
/* Whether the caller has ended the solve, or had it ended by a limit of iterations. */
bool ended_by_caller(const struct solve *s);

/* attempt.c: the report of the row under way, when it begins and when it ends. */
void report_row(struct solve *s, const vks_precond_options *o, vks_reason reason);
void report_row_end(struct solve *s);
/* The same of a strategy whose preconditioner is there: its budget, and why it was chosen. */
void report_strategy(struct solve *s);
uint32_t reported_budget(const struct solve *s);
/* Warns that the row before has failed or the like, and why, and what follows it. */
void warn_of_row(struct solve *s, const char *what, const char *why);
/* Warns of strategies that were left out, or else keeps the warning of the strategy before. */
void warn_of_left_out(struct solve *s);
/* The outcome of a strategy, which is that of the solve if no other follows. */
void save_outcome(struct solve *s);
void restore_outcome(struct solve *s);

/* setup_report.c: facts of the set-up in the report: the method as planned; the preconditioner; the scaling,
 * which may refuse A. */
void report_plan(struct solve *s);
void report_precond(struct solve *s);
void report_scaling(struct solve *s);

/* outcome.c: names a singular A as the reason why an attempt, or the solve, has failed. */
void blame_structure(struct solve *s);
void blame_singularity(struct solve *s);
/* The reason of an x found at once that does not meet the tolerance. */
void report_unrefined(struct solve *s);
/* At the end: an x that meets the tolerance in the plain norm alone is a solution, with a warning. */
void accept_one_norm(struct solve *s);
/* Gives the preconditioner the outcome of the solve; reports the mean reduction of the residual, and hints.
 */
void report_precond_outcome(struct solve *s);

/* failure_hints.c: looks in A for the cause of a failed or slow solve, and warns of it. `iterations` are
 * those of the last row, and `mean` is the factor by which one multiplied the residual; NaN: unknown. */
void add_failure_hints(struct solve *s, uint32_t iterations, double mean);

#endif
