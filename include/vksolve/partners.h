/* vksolve/partners.h -- a solve whose rows are shared by several processes, its partners.
 *
 * Each process has a range of the rows of A, b and x on a device of its own, and calls vks_solve with
 * options->partners at the same time. The library does not use MPI itself: three functions of the program
 * exchange the data. x, iterations and history are those of one process with all rows, bit for bit, if A was
 * made with the lanes of the whole matrix (vks_matrix_options.lanes) in a format that has the bits of CSR,
 * and M is a diagonal or has blocks within the rows of a process.
 *
 * - Process p has the rows first[p] .. first[p + 1] - 1 of the whole. All but the last process with rows have
 *   a multiple of VKS_CHUNK (vksolve/vector_algebra.h) of them; some may have none.
 * - A has the rows of this process, and `before` + rows + `after` columns: those that it needs from lower
 * processes, its own, and those that it needs from higher ones, each in the order of the whole. b and x have
 * the rows of this process alone.
 * - The method is CG, also for AUTO. The preconditioner is options->shared_precond, made from a square matrix
 * of this process's rows, such as their diagonal; otherwise NONE, also for AUTO.
 * - All other options, the precision of A and, with a vks_solver, the order of calls are the same in all
 *   processes. Otherwise they wait for each other forever, or exchange wrong numbers.
 *
 * An iteration has two collective steps. The source of the method is that of vks_cg_solve. */
#ifndef VKSOLVE_PARTNERS_H
#define VKSOLVE_PARTNERS_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions return 0, or another number if they fail. The solving thread calls them, in the same order in
 * all processes.
 *
 * A failure of the library in one process, such as a lost device or a lack of memory, ends the solve in all
 * of them: the next `gather` reports it. The others return VKS_PARTNER, and the message names the process and
 * the failure, or why its rows are unsuitable for the preconditioner.
 *
 * Some failures are returned in one process only: vks_solve refuses its arguments or has no memory for the
 * gathered numbers; vks_solver_create or vks_precond_create fails; a vks_solver fails to copy x back at the
 * end; one of the functions fails in one process. The program then has to end the others. They wait in a
 * function of the program, so the program sets the timeout.
 *
 * vks_solver_cancel has no effect. vks_solver_poll and vks_solver_wait may be called at different times, but
 * a process that does not call them delays the others. With a vks_solver, the struct and the data behind its
 * pointers must stay until the solver is destroyed. */
typedef struct vks_partners {
    uint32_t processes, process; /* the number of processes; the index of this one, from 0 */
    const uint64_t *first;       /* processes + 1 numbers of rows, ascending from 0 */
    uint32_t before, after;
    const vks_array *sent; /* rows of this process, from 0, that others need: VKS_TYPE_U32; NULL: none */
    void *user;            /* the first argument of the functions */
    /* Begins to exchange elements: doubles, or floats if A is of VKS_F32. `sent` has the elements named by
     * the array, in its order; `received` receives `before` + `after` elements in the order of the columns.
     * Both stay valid until `exchanged` returns, which is always called. */
    int (*exchange)(void *user, const void *sent, void *received);
    int (*exchanged)(void *user);
    /* Gathers numbers: `own` has the `count` numbers of this process; `all` receives those of all processes,
     * in the order of the processes. Process q always has 1 + 2 c numbers, where c is (first[q + 1] -
     * first[q]) / VKS_CHUNK, rounded up. */
    int (*gather)(void *user, const double *own, size_t count, double *all);
} vks_partners;

#ifdef __cplusplus
}
#endif
#endif
