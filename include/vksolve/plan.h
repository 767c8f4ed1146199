/* vksolve/plan.h -- what a solve would do with a matrix, and VKS_METHOD_AUTO above all, without a solve.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_PLAN_H
#define VKSOLVE_PLAN_H

#include "vksolve/precond.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An attempt: of the list of AUTO, which is the same for all matrices, or the one that was asked for. This
 * struct never grows. */
typedef struct vks_plan_row {
    vks_method method;
    vks_scaling scaling; /* for AUTO what a solve will take; where a matching is too much work, it takes RUIZ
                            for MATCH */
    const vks_precond_options *precond; /* NULL: the method's default, or what the options share. It belongs
                                           to the library, or is precond_options of the options */
    uint32_t products; /* its budget: products with A, where an application of the preconditioner counts by
                          its entries over those of A; 0: as many as the solve has */
    int applies;       /* 1: to this matrix */
    char
        condition[120]; /* of A, in words: "A is symmetric, its diagonal is positive"; "always"; "as asked" */
    uint32_t restart;   /* of GMRES; 0: its default, or another method */
} vks_plan_row;

typedef struct vks_plan {
    int square;
    int symmetric; /* but for rounding: entries differ from their mirror images by at most 2^-40, in VKS_F32
                      2^-20, of the larger of the two and of the root of |a_ii a_jj| */
    int positive;  /* every diagonal entry is above zero */
    uint32_t weak; /* diagonal entries that are zero, missing, or below 1e-6 beside those of their rows and
                      columns, scaled by Ruiz's method */
    uint32_t structural_rank; /* the most entries of A in rows and columns of their own: without weak entries
                                 all rows; 0: not known */
    uint32_t count;
    vks_plan_row row[VKS_LARGEST_ATTEMPTS];
} vks_plan;

/* Looks at A, and tells which attempts vks_solve would make with these options, which may be NULL. Where they
 * leave the method to AUTO and A is square: the list, in its order, each from the best x so far, until one
 * converges. Otherwise the one attempt that they ask for; `symmetric`, `positive` and `weak` are then looked
 * for only where the scaling is chosen by them. The plan is the same on every device; a solve leaves out what
 * its device has no memory for, or no 64-bit floats. Time: some products with A, and for the list, where
 * entries on the diagonal are weak, a matching on the host. No preconditioner of A is made.
 *
 * VKS_INVALID_ARGUMENT, VKS_LIMIT: vks_solve would refuse these options for this A; the message says why.
 * VKS_UNSUPPORTED: A is an operator. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. */
VKS_CALL(vks_solve_plan, (A, options, plan), const vks_matrix *A, const vks_solve_options *options,
         vks_plan *plan)

#ifdef __cplusplus
}
#endif
#endif
