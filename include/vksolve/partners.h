/* vksolve/partners.h -- a solve whose rows are shared by several processes, its partners.
 *
 * Each process has a range of the rows of A, b and x on a device of its own, and calls vks_solve with
 * options->partners at the same time. The library knows nothing of MPI: three functions of the program move
 * what has to cross. x, iterations and history are those of one process with all rows, bit for bit, if A was
 * made with the lanes of the whole matrix (vks_matrix_options.lanes) and M is a diagonal or has blocks within
 * the rows of a process.
 *
 * - Process p has the rows first[p] .. first[p + 1] - 1 of the whole. All but the last process with rows have
 *   a multiple of VKS_CHUNK (vksolve/vector_algebra.h) of them; some may have none.
 * - A has the rows of this process, and `before` + rows + `after` columns: those of rows of lower processes
 *   that it needs, its own, and those of higher ones, each in the order of the whole. b and x have the rows
 *   of this process alone.
 * - The method is CG, the preconditioner NONE or options->shared_precond, made of a square matrix of this
 *   process's rows, such as their diagonal.
 *
 * Two meetings an iteration: one for an exchange of elements and the sums of p . A p, one for the sums of
 * r . z and r . r. Source of the method: that of vks_cg_solve. */
#ifndef VKSOLVE_PARTNERS_H
#define VKSOLVE_PARTNERS_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions return 0, or another number where they fail. They are called by the thread that solves, in
 * the same order in all processes, also in one whose device has failed. So a failure of a device or of a
 * function ends the solve in all processes: VKS_PARTNER where it was another one's, whose message then says
 * which process failed and how. A failure that comes before the first meeting, such as a wrong option or a
 * lack of memory, is returned in its process alone: the program then ends the others, which wait. No wait of
 * the library's has a part in these functions: the program bounds its own. */
typedef struct vks_partners {
    uint32_t processes, process; /* how many there are; this one, from 0 */
    const uint64_t *first;       /* processes + 1 numbers of rows, ascending from 0 */
    uint32_t before, after;
    const vks_array *sent; /* rows of this process, from 0, whose elements others need: VKS_TYPE_U32 */
    void *user;            /* the first argument of the functions */
    /* Begins to exchange elements, which are doubles, or floats if A is of VKS_F32. `sent` has those that the
     * array names, in its order; `received` takes `before` + `after` elements in the order of the columns.
     * Both stay as they are until `exchanged` returns. */
    int (*exchange)(void *user, const void *sent, void *received);
    int (*exchanged)(void *user);
    /* Gathers numbers: `own` has `count` of them, `all` takes those of all processes, in their order. Process
     * q brings 1 + width times the chunks of its rows, (first[q + 1] - first[q]) / VKS_CHUNK rounded up. */
    int (*gather)(void *user, uint32_t width, const double *own, size_t count, double *all);
} vks_partners;

#ifdef __cplusplus
}
#endif
#endif
