/* vksolve/precond.h -- preconditioners: z = M^-1 r, where M resembles A and is easier to invert.
 *
 * A solve makes the preconditioner that its options ask for. A program can also make one by itself, apply it,
 * and give it to several solves. Preconditioners nest: some take another one, see vks_precond_options.inner.
 *
 *     vks_precond_options o = {.kind = VKS_PRECOND_CHEBYSHEV, .degree = 3};
 *     vks_precond_create(A, &o, &M);
 *     vks_solve(A, b, x, &(vks_solve_options){.shared_precond = M}, &report);
 *     vks_precond_destroy(M);
 *
 * The same bits come out on every device that passes vks_context_selftest.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_PRECOND_H
#define VKSOLVE_PRECOND_H

#include "vksolve/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest degree of a Chebyshev preconditioner, the most steps of an inner method, and how deep
 * preconditioners nest, the outermost included. */
#define VKS_LARGEST_DEGREE 4u
#define VKS_LARGEST_STEPS 64u
/* The most entries of a row of a factor of FSAI, beside its diagonal. */
#define VKS_LARGEST_PATTERN 32u
#define VKS_LARGEST_NESTING 8u

/* The most entries of a row that ILUT keeps in L and in U, and its only block in place of many. */
#define VKS_LARGEST_FILL 65535u
#define VKS_ALL_ROWS UINT32_MAX

/* The most unknowns of a node, and near-null vectors, of AMG. */
#define VKS_LARGEST_NODE 8u

/* What AMG does with new values of its matrix: makes all levels anew, or keeps aggregates and prolongators.
 *
 * With KEEP only the matrices of the levels are computed again, in place, and what follows from them. Nothing
 * is allocated for that: a set-up takes the values once more, for the memory, so it takes longer. New values
 * take more memory, and less time than a new set-up; iterations grow as the values move away from those that
 * the prolongators were made for. So the next new values get new levels after a solve that took more than 1.5
 * times the iterations, and 5 more, that the first solve after the last full set-up took for as many decimal
 * digits of the residual; or after one that failed. A first solve of less than half a digit does not count.
 *
 * With FULL the bits are those of a preconditioner that is made anew. With KEEP they depend on the sequence
 * of values and solves, equally on every device. */
typedef enum vks_amg_refresh { VKS_AMG_FULL, VKS_AMG_KEEP } vks_amg_refresh;

/* What AMG may be told of a vector problem, such as elasticity, and of new values. Zero means: nothing.
 *
 * The unknowns of a node are rows that follow each other, in the same order in each node. AMG keeps them
 * together, and represents near-null vectors on all levels: vectors that A makes small without boundary
 * conditions. They are the rigid body modes of the coordinates of the nodes, or those that are given, or else
 * the constants of each unknown, with which elasticity takes about twice as many iterations. Arrays are only
 * read during the call.
 *
 * Methods for any A (see VKS_METHODS) look whether it is symmetric. If it is not, and nodes have one unknown
 * and no near-null vector is given, levels have a restrictor of their own and suit an A whose entries beside
 * the diagonal are hardly ever positive, such as convection by upwind differences. A singular coarsest level
 * then ends as SINGULAR. Other methods take A as symmetric.
 *
 * P. Vanek, M. Brezina, J. Mandel, "Convergence of algebraic multigrid based on smoothed aggregation" (2001).
 * M. Sala, R. Tuminaro, "A new Petrov-Galerkin smoothed aggregation preconditioner for nonsymmetric linear
 * systems" (2008). */
typedef struct vks_amg_options {
    uint32_t block;      /* unknowns of a node, 1 to VKS_LARGEST_NODE; 0: `dimensions`, without them 1 */
    uint32_t dimensions; /* coordinates of a node, 2 or 3, as many as it has unknowns; 0: there are none */
    const double *coordinates; /* of one node after the other; they may lie on a line, or at one place, which
                                  tells no more than `block` */
    uint32_t vectors;          /* near-null vectors, 1 to VKS_LARGEST_NODE; 0: none are given */
    const double *near_null; /* one vector after the other, each with an element for each row of A, finite and
                                not all 0, of any magnitude */
    vks_amg_refresh refresh; /* what new values change */
} vks_amg_options;

/* Zero means default. VKS_INVALID_ARGUMENT: an option is set that `kind` does not take, or more than
 * VKS_LARGEST_NESTING preconditioners are nested. */
struct vks_precond_options {
    vks_precond_kind kind; /* AUTO: in a solve by CG chosen, see vks_solve; else JACOBI, or NONE for an
                              operator that was given no diagonal */
    int in_f32; /* works in f32 and rounds vectors of VKS_F64: half the memory traffic. Takes a rounded copy
                   of a matrix whose values do not survive f32. With AUTO: of the diagonal or the blocks of
                   CG */
    uint32_t block_size; /* BLOCK_JACOBI: rows of each block but the last, 1 to 32; 0: natural blocks, see
                            vks_cg_solve */
    uint32_t degree;     /* CHEBYSHEV: products with A in an application, 1 to VKS_LARGEST_DEGREE; 0: 2 */
    vks_method method;   /* INNER: a method that iterates, JACOBI by default */
    uint32_t steps;      /* INNER: its iterations in an application, 1 to VKS_LARGEST_STEPS; 0: 4. FSAI: how
                            often the pattern of a row grows, 1 to VKS_LARGEST_PATTERN; 0: 8 */
    double weight; /* INNER: above 0, for JACOBI also VKS_WEIGHT_AUTO; 0: VKS_WEIGHT_AUTO for JACOBI, 1 for
                      RICHARDSON */
    /* The preconditioner of an INNER method that takes one, the one that CHEBYSHEV improves, and that of the
     * first block of SADDLE, where AMG takes no coordinates and no near-null vectors. It is only read during
     * the call. NULL: AMG for SADDLE, else JACOBI, or NONE for an operator that was given no diagonal. */
    const struct vks_precond_options *inner;
    vks_amg_options amg; /* AMG */
    uint32_t fill;       /* ILUT: the most entries that a row of L keeps, and one of U, 1 to VKS_LARGEST_FILL;
                            0: 10 */
    uint32_t rows;       /* ILUT: rows of each block but the last, 1 to 1,024, or VKS_ALL_ROWS; 0: 1,024 */
    double drop;  /* ILUT: drops entries below this share of the root mean square of their row of A, above 0
                     and below 1; 0: 1e-3 */
    uint32_t add; /* FSAI: entries by which a row grows in a step, 1 or more; 0: 2. steps * add is
                     VKS_LARGEST_PATTERN at most */
};

typedef struct vks_precond_facts {
    vks_precond_kind kind;
    vks_reason reason;    /* NOT_RUN: nothing is wrong, it can be applied. Otherwise why A does not suit:
                             ZERO_DIAGONAL, SINGULAR, NOT_POSITIVE_DEFINITE, NOT_FINITE */
    uint32_t row;         /* the row in question, from 0; UINT32_MAX: none */
    char detail[256];     /* the same in words; "": nothing to add */
    double seconds_setup; /* of vks_precond_create, or of the last vks_precond_update */
    uint64_t bytes;       /* of device memory, inner preconditioners and copies of A included */
    uint32_t levels;      /* levels of grids; 1 where there are none */
    uint32_t blocks, largest_block; /* of BLOCK_JACOBI and ILUT: how many, and the rows of the largest; else
                                       0 */
    vks_hierarchy hierarchy;        /* of AMG, also of a nested one */
    uint32_t pivots_set;            /* of ILUT: pivots that were too small and were set */
    uint32_t steps; /* of ILUT: barriers of an application, in the block with the most; else 0 */
} vks_precond_facts;

/* Makes a preconditioner of A; options may be NULL. A must be square; M keeps it alive. Its values are taken
 * now. Also returns VKS_OK and a handle if A does not suit: vks_precond_report tells why, and solves with it
 * end with that reason.
 *
 * VKS_INVALID_ARGUMENT: A is not square, or an option is out of range or of another kind. VKS_UNSUPPORTED:
 * the kind needs entries and A is an operator, or it needs 64-bit floats, which the device lacks. VKS_LIMIT:
 * A is too large for the kind. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a
 * failure *M is NULL. */
VKS_CALL(vks_precond_create, (A, options, M), const vks_matrix *A, const vks_precond_options *options,
         vks_precond **M)

/* z = M^-1 r. Both vectors have as many elements as A has rows, and the precision of A's vectors; r and z
 * must be different. In a context with vks_context_options.deferred the call does not wait.
 * VKS_INVALID_ARGUMENT: the vectors do not fit, or A does not suit M (see vks_precond_create). Device errors
 * as above.
 *
 * Solves scale r by a power of two, and this call does not. With in_f32 the elements of r must be in the
 * range of f32, and with INNER by CG their squares in the range of the precision. Otherwise z may be zero or
 * not finite. */
VKS_API vks_status vks_precond_apply(vks_precond *M, const vks_vector *r, vks_vector *z);

/* Takes the values that A has now (vks_matrix_set_values and the like); its structure must be the same. The
 * bits are those of a preconditioner that is made anew, but with VKS_AMG_KEEP, and with FSAI, which keeps the
 * pattern of its factors: there they are those of the same pattern made anew. Solvers that use M take them
 * over in their next solve.
 *
 * Until then M stays what it was made of, while A may change between solves: a solve with an old M may
 * take more iterations, but its result is as good. INNER, CHEBYSHEV and the finest level of AMG multiply by
 * A as it is: their map may then be indefinite, and CG end as NOT_POSITIVE_DEFINITE. Where new values of a
 * VKS_MIXED A no longer fit into f32, M is refused with VKS_INVALID_ARGUMENT until it is updated.
 *
 * VKS_INVALID_ARGUMENT: a solve that uses M is under way. Other errors as vks_precond_create; the call may
 * then be repeated. */
VKS_API vks_status vks_precond_update(vks_precond *M);

/* Tells what M is, and what it took. */
VKS_CALL(vks_precond_report, (M, facts), const vks_precond *M, vks_precond_facts *facts)

/* Releases M. Solvers that use it keep it alive until they are destroyed. NULL is fine. */
VKS_API void vks_precond_destroy(vks_precond *M);

#ifdef __cplusplus
}
#endif
#endif
