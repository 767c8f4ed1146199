/* vksolve/precond.h -- preconditioners: z = M^-1 r, where M approximates A and is easier to invert.
 *
 * A solve makes the preconditioner that its options name. A program can also make one, apply it, and share it
 * among solves. Preconditioners can be nested: see vks_precond_options.inner.
 *
 *     vks_precond_options o = {.kind = VKS_PRECOND_CHEBYSHEV, .degree = 3};
 *     vks_precond_create(A, &o, &M);
 *     vks_solve(A, b, x, &(vks_solve_options){.shared_precond = M}, &report);
 *     vks_precond_destroy(M);
 *
 * The bits are the same on every device that passes vks_context_selftest.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_PRECOND_H
#define VKSOLVE_PRECOND_H

#include "vksolve/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest degree of a Chebyshev preconditioner, and the largest number of steps of an inner method. */
#define VKS_LARGEST_DEGREE 4u
#define VKS_LARGEST_STEPS 64u
/* FSAI: the most entries in a row of a factor, besides the diagonal. */
#define VKS_LARGEST_PATTERN 32u
/* The largest nesting depth, including the outermost preconditioner. */
#define VKS_LARGEST_NESTING 8u

/* ILUT: the most entries in a row of L, and of U; the value of `rows` for one block of all rows. */
#define VKS_LARGEST_FILL 65535u
#define VKS_ALL_ROWS UINT32_MAX

/* AMG: the most unknowns per node, and the most near-null vectors. */
#define VKS_LARGEST_NODE 8u

/* What AMG does with new values of its matrix: it rebuilds all levels, or keeps aggregates and prolongators.
 *
 * With KEEP only the matrices and smoothers of the levels are recomputed, in place and without allocation;
 * the first set-up takes longer and more memory for this. New values take less time than a full set-up, but
 * iterations grow as the values move away from those of the last full set-up. The next new values get a full
 * set-up after a solve that failed, or that took more than 1.5 n and more than n + 5 iterations, where n is
 * the number that the first solve after the last full set-up took for as many decimal digits of the residual.
 * A first solve of less than half a digit does not count.
 *
 * With FULL the bits are those of a new preconditioner. With KEEP they depend on the sequence of values and
 * solves, and are the same on every device. */
typedef enum vks_amg_refresh { VKS_AMG_FULL, VKS_AMG_KEEP } vks_amg_refresh;

/* Options of AMG for vector problems, such as elasticity, and for new values. Zero means: not given.
 *
 * The unknowns of a node are consecutive rows, in the same order in each node. AMG aggregates whole nodes,
 * and represents near-null vectors on all levels: vectors that A makes small without boundary conditions.
 * These are the rigid body modes by `coordinates`, or `near_null`, or else the constants of each unknown,
 * with which elasticity takes about twice as many iterations. Arrays are only read during the call.
 *
 * Methods for any A (see VKS_METHODS) test whether it is symmetric. If it is not, nodes have one unknown, and
 * no near-null vector is given, restrictors are not the transposed prolongators. They suit an A with few
 * positive entries off the diagonal, such as convection by upwind differences. A singular coarsest level is
 * then SINGULAR. Other methods assume that A is symmetric.
 *
 * P. Vanek, M. Brezina, J. Mandel, "Convergence of algebraic multigrid based on smoothed aggregation" (2001).
 * M. Sala, R. Tuminaro, "A new Petrov-Galerkin smoothed aggregation preconditioner for nonsymmetric linear
 * systems" (2008). */
typedef struct vks_amg_options {
    uint32_t block;      /* unknowns per node, 1 to VKS_LARGEST_NODE; 0: `dimensions`, or 1 without them */
    uint32_t dimensions; /* coordinates per node, 2 or 3, equal to its unknowns; 0: none */
    const double *coordinates; /* node by node; if all nodes are collinear or coincide, they only have the
                                  effect of `block` */
    uint32_t vectors;          /* near-null vectors, 1 to VKS_LARGEST_NODE; 0: none are given */
    const double *near_null;   /* vector by vector, each with an element for each row of A, finite and not all
                                  0, of any magnitude */
    vks_amg_refresh refresh;   /* what to rebuild for new values */
} vks_amg_options;

/* Zero means default. VKS_INVALID_ARGUMENT: an option is set that `kind` does not accept, or more than
 * VKS_LARGEST_NESTING preconditioners are nested. */
struct vks_precond_options {
    vks_precond_kind kind; /* AUTO: a solve by CG chooses, see vks_solve; else JACOBI, or NONE for an operator
                              without a diagonal */
    int in_f32; /* 1: works in f32, with half the memory traffic, on rounded vectors and, if f32 changes
                   values of A, on a rounded copy of A. With AUTO: for the diagonal or the blocks of CG */
    uint32_t block_size; /* BLOCK_JACOBI: rows of each block except the last, 1 to 32; 0: natural blocks, see
                            vks_cg_solve */
    uint32_t degree;     /* CHEBYSHEV: products with A in an application, 1 to VKS_LARGEST_DEGREE; 0: 2 */
    vks_method method;   /* INNER: JACOBI, RICHARDSON or CG; 0: JACOBI */
    uint32_t steps;      /* INNER: its iterations in an application, 1 to VKS_LARGEST_STEPS; 0: 4. FSAI: how
                            often the pattern of a row grows, 1 to VKS_LARGEST_PATTERN; 0: 8 */
    double weight; /* INNER: above 0, for JACOBI also VKS_WEIGHT_AUTO; 0: VKS_WEIGHT_AUTO for JACOBI, 1 for
                      RICHARDSON */
    /* The preconditioner of an INNER method that takes one, the one that CHEBYSHEV improves, or the one for
     * the first block of SADDLE, where AMG accepts no coordinates and no near-null vectors. It is only read
     * during the call. NULL: AMG for SADDLE, else JACOBI, or NONE for an operator without a diagonal. */
    const struct vks_precond_options *inner;
    vks_amg_options amg; /* AMG */
    uint32_t fill;       /* ILUT: the most entries of a row of L, and of U, 1 to VKS_LARGEST_FILL; 0: 10 */
    uint32_t rows;       /* ILUT: rows of each block except the last, 1 to 1,024, or VKS_ALL_ROWS; 0: 1,024 */
    double drop;  /* ILUT: drops entries below this share of the root mean square of their row of A, above 0
                     and below 1; 0: 1e-3 */
    uint32_t add; /* FSAI: entries by which a row grows in a step, 1 or more; 0: 2. steps * add is
                     VKS_LARGEST_PATTERN at most */
    /* Called during vks_precond_create and vks_precond_update, as a solve calls vks_solve_options.progress
     * during a set-up. A return value other than 0 ends the set-up, and the call returns VKS_OK: M is
     * CANCELLED until a vks_precond_update succeeds. The function may use the context for other work, but not
     * M. It is ignored in the options of a solve and of an inner preconditioner. */
    int (*progress)(void *user, const vks_progress *progress);
    void *user;
    /* Must be zero, else VKS_INVALID_ARGUMENT. This struct never grows: later versions use these words. */
    uint64_t reserved[8];
};

typedef struct vks_precond_facts {
    vks_precond_kind kind;
    vks_reason reason; /* NOT_RUN: M can be applied. Otherwise why A is unsuitable: ZERO_DIAGONAL, SINGULAR,
                          NOT_POSITIVE_DEFINITE, NOT_FINITE; or CANCELLED */
    uint32_t row;      /* the row in question, from 0; UINT32_MAX: none */
    char detail[256];  /* the same in words; "": nothing to add */
    double seconds_setup; /* of vks_precond_create, or of the last vks_precond_update */
    uint64_t bytes;       /* of device memory, including inner preconditioners and copies of A */
    uint32_t levels;      /* of multigrid; otherwise 1 */
    uint32_t blocks,
        largest_block;       /* BLOCK_JACOBI and ILUT: their number, and the rows of the largest; else 0 */
    vks_hierarchy hierarchy; /* of AMG, also of an inner one */
    uint32_t pivots_set;     /* ILUT: pivots that were too small and were replaced */
    uint32_t steps;          /* ILUT: barriers of an application, in the block with the most; else 0 */
} vks_precond_facts;

/* Makes a preconditioner of the values that A has now; options may be NULL. A must be square; M keeps it
 * alive. If A is unsuitable, the call also returns VKS_OK and a handle: vks_precond_report says why, and
 * solves with it end with that reason.
 *
 * VKS_INVALID_ARGUMENT: A is not square, or an option is out of range or of another kind. VKS_UNSUPPORTED:
 * the kind needs entries and A is an operator, or it needs 64-bit floats, which the device lacks. VKS_LIMIT:
 * A is too large for the kind. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a
 * failure *M is NULL. */
static inline vks_status vks_precond_create(const vks_matrix *A, const vks_precond_options *options,
                                            vks_precond **M);
VKS_CALL(vks_precond_create, (A, options, M), const vks_matrix *A, const vks_precond_options *options,
         vks_precond **M)

/* z = M^-1 r. Both vectors have as many elements as A has rows, and the precision of A's vectors; r and z
 * must be different. In a context with vks_context_options.deferred the call does not wait.
 * VKS_INVALID_ARGUMENT: the vectors do not fit, or M cannot be applied (see vks_precond_report). Device
 * errors as above.
 *
 * Solves scale r by a power of two; this call does not. With in_f32 the elements of r must be in the range of
 * f32, and with INNER by CG their squares in the range of the precision: else z may be zero or not finite. */
vks_status vks_precond_apply(vks_precond *M, const vks_vector *r, vks_vector *z) VKS_API;

/* Updates M to the values that A has now (vks_matrix_set_values and the like); the structure must be
 * unchanged. The bits are those of a new preconditioner, except with VKS_AMG_KEEP, and with FSAI, which keeps
 * the pattern of its factors. Solvers that use M use the new values from their next solve on.
 *
 * Without this call M keeps its values while A changes: a solve may then take more iterations, but its result
 * is equally accurate. INNER, CHEBYSHEV and the finest level of AMG multiply by the new A: M may then be
 * indefinite, and CG may end as NOT_POSITIVE_DEFINITE. If new values of a VKS_MIXED A no longer fit into f32,
 * M is refused with VKS_INVALID_ARGUMENT until it is updated.
 *
 * VKS_INVALID_ARGUMENT: a solve that uses M is in progress. Other errors as vks_precond_create; the call may
 * then be repeated. */
vks_status vks_precond_update(vks_precond *M) VKS_API;

/* Reports the kind of M, its cost, and the reason if it cannot be applied. */
static inline vks_status vks_precond_report(const vks_precond *M, vks_precond_facts *facts);
VKS_CALL(vks_precond_report, (M, facts), const vks_precond *M, vks_precond_facts *facts)

/* Releases M. Solvers that use it keep it alive until they are destroyed. NULL is allowed. */
void vks_precond_destroy(vks_precond *M) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
