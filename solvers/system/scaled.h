/* The scaled system that iterations may solve in place of A x = b:
 *
 *   B y = P R b    x = C y    B = P R A C
 *
 * R and C are diagonal matrices of powers of two, and P moves row place[i] of A to row i. Scaling and its
 * inverse are exact, except that a scaled entry that would be denormal becomes zero, and one beyond the range
 * becomes the largest number. B is then a different matrix, but the true residual, which is that of A,
 * decides.
 *
 * Exponents are bounded: those of R by 400 in f64 and 50 in f32, so that the squares of scaled residuals stay
 * in range, and with Ruiz also those of C; with matching, those of C by 1,022 and 126, so that its elements
 * are normal numbers. */
#ifndef VKS_SOLVERS_SYSTEM_SCALED_H
#define VKS_SOLVERS_SYSTEM_SCALED_H

#include "solvers/diagnosis.h"
#include "sparse/matrix.h"
#include "vksolve/solver.h"

/* Facts about the diagonal and the structure. */
struct scaled_structure {
    uint32_t weak; /* number of diagonal entries that are zero, missing, or below 1e-6 relative to their rows
                      and columns, scaled by Ruiz */
    uint32_t rank; /* structural rank, the row count if no entries are weak; UINT32_MAX: unknown */
};

struct scaled {
    const vks_matrix *A;
    vks_matrix *B; /* its CSR is held; NULL: none */
    vks_scaling asked, kind;
    bool may_match;
    struct room room;
    struct memory left, right, place; /* exponents of the rows and columns of A; row of A for each row of B */
    struct vec rows, cols;            /* the diagonals of P R P^T and of C */
    struct vec weight;    /* 1 / rows; its product with the scaled residual is the residual of A, permuted */
    uint32_t *host_place; /* place; NULL: rows are not permuted */
    uint32_t *order;      /* the caller's number of each row of B; NULL: order_of_A */
    const uint32_t *order_of_A; /* NULL: rows of A are in the caller's order */
    struct scaled_structure structure;
    struct diagnosis diagnosis; /* may refuse A, or be cancelled: then B must not be used, and may be NULL */
};

/* Measures the diagonal of a square A with entries, whose values are not pairs of floats; determines the
 * rank, which requires a matching, only if `ranks`. */
vks_status scaled_inspect(const vks_matrix *A, bool ranks, struct scaled_structure *structure);

/* Makes the scaled system of a square A with entries, in the precision of A; A must outlive it. `kind` is
 * RUIZ, MATCH, or AUTO: MATCH if `may_match` and the diagonal is weak, else RUIZ. If matching takes too much
 * work, RUIZ replaces it, with a warning in f. f->order has the caller's numbers of the rows of A; it is
 * replaced by those of the rows of B, and remains valid until scaled_close. If A is structurally singular, f
 * warns; if MATCH finds an entry that is not finite, f refuses A. The caller in f may cancel; then there is
 * no B. The struct is zeroed before. The caller calls scaled_close, also after a failure. */
vks_status scaled_open(const vks_matrix *A, vks_scaling kind, bool may_match, struct diagnosis *f,
                       struct scaled *s);
/* Updates to new values of A, whose structure is unchanged, and matches again. *moved: other rows match now,
 * or the kind has changed. Then B and everything made from it must be rebuilt: scaled_close, scaled_open. */
vks_status scaled_refresh(struct scaled *s, struct diagnosis *f, bool *moved);
void scaled_close(struct scaled *s);
/* Warns in f of a structurally singular A, or of a matching that failed. */
void scaled_warn(const struct scaled *s, struct diagnosis *f);
/* Whether its diagnosis refuses A, or was cancelled. */
bool scaled_refuses(const struct scaled *s);
/* Whether matching was given up as too much work. */
bool scaled_gave_up(const struct scaled *s);
/* Whether A is known to be structurally singular; writes "structural rank 3 of 4". */
bool scaled_is_singular(const struct scaled *s);
void scaled_describe_rank(const struct scaled *s, char *text, size_t size);

/* Records r = P R handed. */
void scaled_hand_over(struct rec *rec, const struct scaled *s, struct vec handed, struct vec r);
/* Records out = C y. */
void scaled_gather(struct rec *rec, const struct scaled *s, struct vec y, struct vec out);

#endif
