/* A preconditioner: z = M^-1 r, recorded by verbs. Everything that maps r to z is one, and any may be nested
 * in any that takes one. It owns its memory, and says by itself why a matrix does not suit it. */
#ifndef VKS_SOLVERS_PRECOND_H
#define VKS_SOLVERS_PRECOND_H

#include "solvers/diagnosis.h"
#include "solvers/precond_options.h"
#include "sparse/matrix.h"
#include "vksolve/precond.h"

struct precond;

struct precond_ops {
    unsigned options;   /* the options that it takes: OPTION_... of precond_options.h */
    bool needs_entries; /* A may not be an operator */
    bool rounds_itself; /* in f32 it is set up from A in its own precision */
    /* Checks its own options. NULL: there is nothing to check. */
    vks_status (*check)(struct message *m, const vks_matrix *A, const vks_precond_options *o);
    /* Takes all memory from M->room, and the structure and values of M->A. Sets the facts of struct precond.
     * If the matrix does not suit, f says why and the status is VKS_OK. The options have been checked. */
    vks_status (*setup)(struct precond *M, const vks_precond_options *o, struct diagnosis *f);
    /* Takes new values of M->A, whose structure is the same, and increments M->layout if recordings of M
     * became stale. NULL: nothing depends on the values. */
    vks_status (*refresh)(struct precond *M, struct diagnosis *f);
    /* A solve with M has ended. `digits` is how far it lowered the residual, in decimal digits; 0: it failed.
     * NULL: M does not care. */
    void (*solved)(const struct precond *M, uint32_t iterations, double digits);
    /* Records out = M^-1 in, in M's precision. The vectors are different. */
    void (*apply)(struct rec *r, const struct precond *M, struct vec in, struct vec out);
    /* Records the same with the stripe sums of in . out in row `row`. NULL: apply, and then a dot product. */
    void (*apply_dot)(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                      const struct reduction *sums, uint32_t row);
    /* The matrix of a level, from 0, the finest; NULL: there is no such level. NULL: M has no levels. */
    const vks_matrix *(*level)(const struct precond *M, uint32_t at);
    /* Frees what is not in M->room. NULL: nothing. */
    void (*release)(struct precond *M);
};

/* How a kernel may apply M by itself. */
enum diagonal_form { DIAGONAL_NONE, DIAGONAL_EACH, DIAGONAL_ONE /* d[0] in all rows */ };
struct diagonal {
    enum diagonal_form form;
    struct vec d; /* 1 / diagonal */
};

/* What the iterations need of M. ANY: nothing more. SYMMETRIC: a linear, symmetric and positive definite map,
 * while A may be indefinite. POSITIVE: the same, and an A that cannot be positive definite is refused. */
enum precond_use { PRECOND_FOR_ANY, PRECOND_FOR_SYMMETRIC, PRECOND_FOR_POSITIVE };

struct precond {
    const struct precond_ops *ops;
    vks_precond_kind kind;
    struct device *device;
    struct message *message;
    const vks_matrix *A;
    enum precision precision; /* of in and out */
    enum precond_use use;     /* set before setup */
    struct room room;
    void *own;
    /* facts: */
    bool linear, symmetric; /* as a map, if A is symmetric; true before setup */
    const char *method;     /* the method whose steps it takes; NULL: none */
    bool is_diagonal;
    struct diagonal diagonal; /* if is_diagonal */
    uint32_t levels;
    uint32_t blocks, largest_block; /* 0: it has none */
    uint32_t pivots_set, steps;     /* of ILUT, as in vks_precond_facts */
    uint64_t bytes;                 /* beside M->room: of inner preconditioners and copies */
    uint64_t entries;               /* of the matrices that an application multiplies by or solves with */
    const vks_hierarchy *hierarchy; /* its levels; NULL: it has none */
    uint32_t layout;                /* counts how often its own recordings became stale */
    struct precond *narrow;         /* the one that it applies in lower precision; NULL: none */
};

#define X(NAME, module, name, text) extern const struct precond_ops precond_##module;
VKS_PRECONDS(X)
#undef X
extern const struct precond_ops precond_narrowed;

/* kinds.c: the number behind all kinds, of the operations that apply another preconditioner in f32 to vectors
 * in f64. */
enum { PRECOND_NARROWED = VKS_PRECOND_COUNT_ };
/* The operations of a kind other than AUTO; the kind that AUTO stands for where it has that use. */
const struct precond_ops *precond_of(unsigned kind);
vks_precond_kind precond_auto(const vks_matrix *A, enum precond_use use);
/* Checks options for A, inner ones included. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED, VKS_LIMIT. */
vks_status precond_check(const vks_matrix *A, const vks_precond_options *o);

/* A copy of options with those that they nest, apart from the caller's memory. */
struct nested_options {
    vks_precond_options of[VKS_LARGEST_NESTING];
    double *arrays[VKS_LARGEST_NESTING]; /* of `of`, where they are copied, too */
};
/* Copies o, which has been checked for A or not, and returns the copy. Options nested too deep stay in place,
 * and precond_check refuses them. */
const vks_precond_options *precond_copy_options(struct nested_options *to, const vks_precond_options *o);
/* Copies the arrays of copied options, too. The options have been checked for a matrix of `rows` rows.
 * precond_free_arrays is to be called also after a failure. */
vks_status precond_copy_arrays(struct message *m, uint32_t rows, struct nested_options *to);
void precond_free_arrays(struct nested_options *to);

/* Makes a preconditioner of A for vectors of precision p, from options that have been checked. If A does not
 * suit, f says why, and the preconditioner may only be refreshed or destroyed. A must outlive it. The caller
 * holds the CSR of A during these calls. After a failure *out is NULL. */
vks_status precond_create(const vks_matrix *A, enum precision p, enum precond_use use,
                          const vks_precond_options *o, struct diagnosis *f, struct precond **out);
/* Takes over what is told of another preconditioner that M applies, but for bytes and layout. */
void precond_take_facts(struct precond *M, const struct precond *inner);
vks_status precond_refresh(struct precond *M, struct diagnosis *f);
/* Tells M how a solve with it has ended, as precond_ops.solved says. */
void precond_solved(const struct precond *M, uint32_t iterations, double digits);
void precond_destroy(struct precond *M); /* NULL is fine */
/* VKS_INVALID_ARGUMENT: M is not linear and symmetric, as the method of that name needs it. */
vks_status precond_must_be_symmetric(const struct precond *M, const char *method);
/* Changes whenever recordings of M are no longer true, also by new values of M->A. */
static inline uint32_t precond_layout(const struct precond *M)
{
    return M->layout + M->A->layout;
}
/* VKS_INVALID_ARGUMENT: M is not linear. */
vks_status precond_must_be_linear(const struct precond *M, const char *method);
/* Bytes of device memory. */
uint64_t precond_bytes(const struct precond *M);
/* M, or the preconditioner that it applies in lower precision, whichever has precision p; NULL: neither. */
const struct precond *precond_in(const struct precond *M, enum precision p);

/* Records out = M^-1 in. */
void precond_apply(struct rec *r, const struct precond *M, struct vec in, struct vec out);
/* The same with the stripe sums of in . out in row `row` of `sums`. */
void precond_apply_dot(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                       const struct reduction *sums, uint32_t row);

#endif
