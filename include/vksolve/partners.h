/* vksolve/partners.h -- a solve whose rows are shared by several processes, its partners.
 *
 * Each process has a range of the rows of A, b and x on a device of its own, and calls vks_solve with
 * options->partners at the same time. The library knows nothing of MPI: three functions of the program move
 * what has to cross. x, iterations and history are those of one process with all rows, bit for bit, if A was
 * made with the lanes of the whole matrix (vks_matrix_options.lanes) in a format that has the bits of CSR,
 * and M is a diagonal or has blocks within the rows of a process.
 *
 * - Process p has the rows first[p] .. first[p + 1] - 1 of the whole. All but the last process with rows have
 *   a multiple of VKS_CHUNK (vksolve/vector_algebra.h) of them; some may have none.
 * - A has the rows of this process, and `before` + rows + `after` columns: those of rows of lower processes
 *   that it needs, its own, and those of higher ones, each in the order of the whole. b and x have the rows
 *   of this process alone.
 * - The method is CG, which AUTO stands for. The preconditioner is options->shared_precond, made of a square
 *   matrix of this process's rows, such as their diagonal; otherwise NONE, which AUTO stands for.
 * - All other options, the precision of A and, with a vks_solver, the order of calls are the same in all
 *   processes. Otherwise these wait for each other, or take each other's numbers for their own.
 *
 * An iteration has two meetings. The source of the method is that of vks_cg_solve. */
#ifndef VKSOLVE_PARTNERS_H
#define VKSOLVE_PARTNERS_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions return 0, or another number where they fail. They are called by the thread that solves, in
 * the same order in all processes.
 *
 * A failure of the library in one process, such as a lost device or a lack of memory, ends the solve in all
 * of them: it is told in the next gathering. The others return VKS_PARTNER, and the message names the process
 * and what failed there, or why its rows do not suit the preconditioner. It is returned in its process alone
 * where vks_solve refuses its arguments, has no memory for what is gathered, or where vks_solver_create or
 * vks_precond_create fails; where a vks_solver hands x back, which comes last; and where one of the functions
 * fails in one process alone. The program then has
 * to end the others, which wait in a function of its own: the library has no wait there, and the program
 * bounds it.
 *
 * vks_solver_cancel has no effect. vks_solver_poll and vks_solver_wait may be called at different times, but
 * a process that does not call them holds up the others. With a vks_solver, the struct and all that it points
 * to stay until the solver is destroyed. */
typedef struct vks_partners {
    uint32_t processes, process; /* how many there are; this one, from 0 */
    const uint64_t *first;       /* processes + 1 numbers of rows, ascending from 0 */
    uint32_t before, after;
    const vks_array *sent; /* rows of this process, from 0, whose elements others need: VKS_TYPE_U32; NULL:
                              there are none */
    void *user;            /* the first argument of the functions */
    /* Begins to exchange elements, which are doubles, or floats if A is of VKS_F32. `sent` has those that the
     * array names, in its order; `received` takes `before` + `after` elements in the order of the columns.
     * Both stay as they are until `exchanged` returns, which is called in any case. */
    int (*exchange)(void *user, const void *sent, void *received);
    int (*exchanged)(void *user);
    /* Gathers numbers: `own` has `count` of them, `all` takes those of all processes, in their order. Process
     * q always brings 1 + 2 c numbers, where c is (first[q + 1] - first[q]) / VKS_CHUNK, rounded up. */
    int (*gather)(void *user, const double *own, size_t count, double *all);
} vks_partners;

#ifdef __cplusplus
}
#endif
#endif
