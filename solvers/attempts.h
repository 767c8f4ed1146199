/* The preconditioners that a solve attempts, one after the other, each from the best x so far. Most solves
 * have one; VKS_PRECOND_AUTO makes a list. */
#ifndef VKS_SOLVERS_ATTEMPTS_H
#define VKS_SOLVERS_ATTEMPTS_H

#include "solvers/finding.h"
#include "solvers/precond.h"
#include "solvers/signs.h"

struct solve;

#define ATTEMPT_REST UINT32_MAX

/* What a list attempts. The first one is also that of a solve with one preconditioner, whichever it is. */
enum { ATTEMPT_JACOBI, ATTEMPT_BLOCKS, ATTEMPT_MULTIGRID, ATTEMPT_PRECONDS };

/* A row of the list. */
struct attempt {
    uint32_t precond;  /* ATTEMPT_... */
    uint32_t budget;   /* iterations; ATTEMPT_REST: all that are left */
    uint32_t patience; /* it may exceed its budget by budget / patience iterations if, at its mean rate, these
                          reach the tolerance; 0: it may not */
    double time;       /* of an iteration by the model, microseconds */
    bool may_miss;     /* if its set-up finds no memory, or refuses A, the next one takes its turn */
    bool may_fail; /* if its iterations fail, or x is worse, the next one follows from the x before. It has
                      its budget again as long as it does better than the one before */
};

/* A preconditioner of the list, made when its first turn comes. */
struct attempted {
    vks_precond_options options;
    struct precond *M;      /* NULL: it has not been made */
    bool is_stale;          /* it has not taken the values of A */
    struct finding finding; /* refuses A, or not */
};

/* What the rule goes by (rule.h). */
struct rule_facts {
    uint32_t rows, entries;
    uint32_t bytes; /* of a real of the iterations */
    /* measured when A is looked at: */
    struct signs signs;
    double share; /* of the diagonal that natural blocks explain; 0 where it does not matter */
};

struct attempts {
    bool chooses;   /* by the rule, as VKS_PRECOND_AUTO does; else there is one row */
    bool is_open;   /* A has not been looked at: the row under way is the first one, and others may follow */
    bool has_facts; /* of the signs and the share; they hold until A has new values */
    struct rule_facts facts;
    uint32_t at;    /* the row under way */
    uint32_t first; /* the row at which solves begin: those before have missed their turn */
    uint32_t told;  /* attempts in the report when that was found */
    uint32_t count;
    struct attempt row[VKS_LARGEST_ATTEMPTS];
    struct attempted precond[ATTEMPT_PRECONDS];
    struct {
        double factor; /* by which the attempt before multiplied the residual */
        double time;   /* of its iterations by the model; 0: there was none */
    } before;
    uint32_t groups;  /* batches.groups of the diagonal */
    bool is_prepared; /* groups has been found */
    bool of_diagonal; /* the recordings are; krylov.M may be gone, if it is shared */
};

/* Makes the list, for the values that A has now, and begins at its first row. */
vks_status attempts_plan(struct solve *s);
/* attempts_look.c: begins the list anew, for values that have been looked at or not. */
vks_status attempts_begin_list(struct solve *s);
/* Looks at A, if that has not been done. Lengthens the first row, and adds the rows that suit A. */
vks_status attempts_look(struct solve *s);
/* Makes a preconditioner, or has it take the values of A. */
vks_status attempts_make(struct solve *s, struct attempted *t);
bool attempts_lack_memory(vks_status s);
/* Gives the preconditioner of the first row that does not miss its turn to the iterations. s->finding may
 * refuse A. */
vks_status attempts_take_first(struct solve *s);
/* Begins there again, with the same values. */
vks_status attempts_rewind(struct solve *s);
/* Takes the preconditioner of the row under way, or of the first one after it that does not miss its turn, in
 * place of the one that the iterations had. */
vks_status attempts_change(struct solve *s);
/* Around a change of krylov.M: what of the former one is to be kept, and all recordings for the new one. */
void attempts_leave(struct solve *s);
vks_status attempts_arrive(struct solve *s);
/* Warns that the attempt that was told last has failed or the like, and why, and what follows it. */
void attempts_warn(struct solve *s, const char *what, const char *why);
void attempts_release(struct solve *s);

/* attempts_next.c: begins an attempt from x, whose residual has been measured. */
vks_status attempts_begin(struct solve *s);
/* Does a step that counts as set-up, and not as iterations, such as a look at A. */
vks_status attempts_apart(struct solve *s, vks_status (*step)(struct solve *s));

/* For the driver. Whether x may have to be taken back from the attempt under way. */
bool attempts_may_fail(const struct solve *s);
/* The iterations up to which the row under way may go. */
uint32_t attempts_limit(const struct solve *s);
/* The iterations have ended without a solution, and the report says why: the next attempt, or the end. */
vks_status attempts_go_on(struct solve *s);
/* Products with A that an iteration takes, as vks_attempt.products counts them. */
double attempts_products(const struct solve *s);
/* Reports the attempt under way, which ends. */
void attempts_note(struct solve *s);
/* chain_next.c: whether another method follows what has ended; it begins. */
bool chain_goes_on(const struct solve *s);
/* Ends the solve. If a chain ends unsolved and an attempt has found A singular, that is the reason. */
vks_status chain_end(struct solve *s);
vks_status chain_next(struct solve *s);

#endif
