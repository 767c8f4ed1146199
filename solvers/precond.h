/* A preconditioner: z = M^-1 r, recorded by verbs. Any map from r to z qualifies, and any can be nested in a
 * preconditioner that accepts an inner one. It owns its memory, and diagnoses unsuitable matrices itself. */
#ifndef VKS_SOLVERS_PRECOND_H
#define VKS_SOLVERS_PRECOND_H

#include "solvers/diagnosis.h"
#include "solvers/precond_options.h"
#include "sparse/matrix.h"
#include "vksolve/precond.h"

struct precond;

struct precond_ops {
    unsigned options;   /* accepted options: OPTION_... of precond_options.h */
    bool needs_entries; /* A must not be an operator */
    bool rounds_itself; /* an f32 preconditioner is still set up from A in A's own precision */
    /* Checks its own options. NULL: nothing to check. */
    vks_status (*check)(struct message *m, const vks_matrix *A, const vks_precond_options *o);
    /* Allocates all memory from M->room, and uses the structure and values of M->A. Sets the facts of M. If
     * the matrix is unsuitable, f has the reason and the status is VKS_OK. The options have been checked. */
    vks_status (*setup)(struct precond *M, const vks_precond_options *o, struct diagnosis *f);
    /* Updates M for new values of M->A, whose structure is unchanged, and increments M->layout if recordings
     * of M became stale. NULL: nothing depends on the values. */
    vks_status (*refresh)(struct precond *M, struct diagnosis *f);
    /* Reports the end of a solve with M. `digits`: decimal digits by which the solve reduced the residual; 0:
     * it failed. NULL: M ignores this. */
    void (*solved)(const struct precond *M, uint32_t iterations, double digits);
    /* Records out = M^-1 in, in M's precision. `in` and `out` are distinct vectors. */
    void (*apply)(struct rec *r, const struct precond *M, struct vec in, struct vec out);
    /* Records the same, with the stripe sums of in . out in row `row`. NULL: apply, then a dot product. */
    void (*apply_dot)(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                      const struct reduction *sums, uint32_t row);
    /* Returns the matrix of level `at`; 0 is the finest; NULL: no such level. NULL: M has no levels. */
    const vks_matrix *(*level)(const struct precond *M, uint32_t at);
    /* Frees memory outside M->room. NULL: nothing else to free. */
    void (*release)(struct precond *M);
};

/* Forms of M that a kernel can apply itself. */
enum diagonal_form { DIAGONAL_NONE, DIAGONAL_EACH, DIAGONAL_ONE /* d[0] for all rows */ };
struct diagonal {
    enum diagonal_form form;
    struct vec d; /* 1 / diagonal */
};

/* Requirements of the iterations on M. ANY: none. SYMMETRIC: a linear, symmetric and positive definite map; A
 * may be indefinite. POSITIVE: the same, and M refuses an A that cannot be positive definite. */
enum precond_use { PRECOND_FOR_ANY, PRECOND_FOR_SYMMETRIC, PRECOND_FOR_POSITIVE };

struct precond {
    const struct precond_ops *ops;
    vks_precond_kind kind;
    struct device *device;
    struct message *message;
    const vks_matrix *A;
    enum precision precision; /* of its input and output vectors */
    enum precond_use use;     /* set before setup */
    struct room room;
    void *own;
    /* facts: */
    bool linear, symmetric; /* as a map, for symmetric A; true before setup */
    const char *method;     /* method whose steps it runs; NULL: none */
    bool is_diagonal;
    struct diagonal diagonal; /* if is_diagonal */
    uint32_t levels;
    uint32_t blocks, largest_block; /* 0: no blocks */
    uint32_t pivots_set, steps;     /* of ILUT, as in vks_precond_facts */
    uint64_t bytes;                 /* besides M->room: inner preconditioners and copies */
    uint64_t entries;               /* of the matrices that an application multiplies by or solves with */
    const vks_hierarchy *hierarchy; /* its levels; NULL: none */
    uint32_t layout;                /* incremented when its own recordings become stale */
    struct precond *narrow;         /* preconditioner that it applies in lower precision; NULL: none */
};

#define X(NAME, module, name, text) extern const struct precond_ops precond_##module;
VKS_PRECONDS(X)
#undef X
extern const struct precond_ops precond_narrowed;

/* kinds.c: the number after all kinds; its operations apply one in f32 to vectors in f64. */
enum { PRECOND_NARROWED = VKS_PRECOND_COUNT_ };
/* Return the operations of a kind other than AUTO, and the kind that AUTO resolves to for a use. */
const struct precond_ops *precond_of(unsigned kind);
vks_precond_kind precond_auto(const vks_matrix *A, enum precond_use use);
/* Checks options for A, including nested ones. VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED, VKS_LIMIT. */
vks_status precond_check(const vks_matrix *A, const vks_precond_options *o);

/* A copy of options and of the options nested in them, independent of the caller's memory. */
struct nested_options {
    vks_precond_options of[VKS_LARGEST_NESTING];
    double *arrays[VKS_LARGEST_NESTING]; /* arrays of `of`, if copied */
};
/* Copies o and returns the copy; o need not have been checked. Options nested too deeply are not copied, and
 * precond_check refuses them. */
const vks_precond_options *precond_copy_options(struct nested_options *to, const vks_precond_options *o);
/* Also copies the arrays of copied options. The options have been checked for a matrix of `rows` rows. The
 * caller must call precond_free_arrays, also after a failure. */
vks_status precond_copy_arrays(struct message *m, uint32_t rows, struct nested_options *to);
void precond_free_arrays(struct nested_options *to);

/* Creates a preconditioner of A for vectors of precision p, from checked options. If A is unsuitable, f has
 * the reason, and the preconditioner may only be refreshed or destroyed. A must outlive it. The caller holds
 * the CSR of A during these calls. After a failure *out is NULL. */
vks_status precond_create(const vks_matrix *A, enum precision p, enum precond_use use,
                          const vks_precond_options *o, struct diagnosis *f, struct precond **out);
/* Copies the facts of another preconditioner that M applies, except bytes and layout. */
void precond_take_facts(struct precond *M, const struct precond *inner);
vks_status precond_refresh(struct precond *M, struct diagnosis *f);
/* Reports the end of a solve to M, see precond_ops.solved. */
void precond_solved(const struct precond *M, uint32_t iterations, double digits);
void precond_destroy(struct precond *M); /* NULL is fine */
/* VKS_INVALID_ARGUMENT: M is not linear and symmetric, which the named method requires. */
vks_status precond_must_be_symmetric(const struct precond *M, const char *method);
/* Changes whenever recordings of M become stale, also by new values of M->A. */
static inline uint32_t precond_layout(const struct precond *M)
{
    return M->layout + M->A->layout;
}
/* VKS_INVALID_ARGUMENT: M is not linear. */
vks_status precond_must_be_linear(const struct precond *M, const char *method);
/* Bytes of device memory. */
uint64_t precond_bytes(const struct precond *M);
/* Returns M, or its preconditioner in lower precision, whichever has precision p; NULL: neither. */
const struct precond *precond_in(const struct precond *M, enum precision p);

/* Records out = M^-1 in. */
void precond_apply(struct rec *r, const struct precond *M, struct vec in, struct vec out);
/* The same with the stripe sums of in . out in row `row` of `sums`. */
void precond_apply_dot(struct rec *r, const struct precond *M, struct vec in, struct vec out,
                       const struct reduction *sums, uint32_t row);

#endif
