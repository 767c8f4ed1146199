/* vksolve/plan.h -- what a solve would do with a matrix, especially with VKS_METHOD_AUTO.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_PLAN_H
#define VKSOLVE_PLAN_H

#include "vksolve/precond.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An attempt: of the list of AUTO, which is the same for all matrices, or the one that the options set. This
 * struct never grows. */
typedef struct vks_plan_row {
    vks_method method;
    vks_scaling scaling; /* as a solve will use it; but if a matching takes too many steps, a solve replaces
                            MATCH by RUIZ */
    const vks_precond_options *precond; /* NULL: the method's default, or shared_precond. It belongs to the
                                           library, or is precond_options of the options */
    uint32_t products;   /* its budget of products with A, in which applying the preconditioner counts as its
                            entries over those of A; 0: the budget of the solve */
    int applies;         /* 1: the attempt applies to this matrix */
    char condition[120]; /* of A, as text: "A is symmetric, its diagonal is positive"; "always"; "as asked" */
    uint32_t restart;    /* of GMRES; 0: its default, or another method */
} vks_plan_row;

typedef struct vks_plan {
    int square;
    int symmetric; /* up to rounding: a_ij and a_ji differ by at most 2^-40, in VKS_F32 2^-20, of the larger
                      of the two and of the root of |a_ii a_jj| */
    int positive;  /* every diagonal entry is above zero */
    uint32_t weak; /* diagonal entries that are zero, missing, or below 1e-6 after scaling by Ruiz's method */
    uint32_t structural_rank; /* the largest number of entries of A in distinct rows and columns; `rows` if
                                 there are no weak entries; 0: unknown */
    uint32_t count;
    vks_plan_row row[VKS_LARGEST_ATTEMPTS];
    double row_range; /* the largest row magnitude over the smallest; if VKS_ROWS_DIFFER or more, a second
                         norm decides, too (vks_solve_options.norm) */
    uint32_t least_row, largest_row; /* first rows with these sizes, from 0; UINT32_MAX: A has no entries */
} vks_plan;

/* Examines A, and lists the attempts of vks_solve with these options, which may be NULL. If the method is
 * AUTO and A is square, these are the list, in its order; each attempt starts from the best x so far, until
 * one converges. Otherwise it is the one attempt that the options set; `symmetric`, `positive` and `weak` are
 * then determined only if the choice of the scaling needs them. All GPUs have the same plan. The host has its
 * own plan, or with any_device that of GPUs. A solve skips attempts that need more memory than its device
 * has, or 64-bit floats that it lacks. The call takes the time of a few products with A and, for the list,
 * that of a matching on the host if diagonal entries are weak, and of UMFPACK's analysis of the pattern if it
 * is installed. It makes no preconditioner.
 *
 * VKS_INVALID_ARGUMENT, VKS_LIMIT: vks_solve would refuse these options for this A; the message says why.
 * VKS_UNSUPPORTED: A is an operator. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. */
static inline vks_status vks_solve_plan(const vks_matrix *A, const vks_solve_options *options,
                                        vks_plan *plan);
VKS_CALL(vks_solve_plan, (A, options, plan), const vks_matrix *A, const vks_solve_options *options,
         vks_plan *plan)

#ifdef __cplusplus
}
#endif
#endif
