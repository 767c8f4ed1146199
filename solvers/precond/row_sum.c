/* M = the sums of the magnitudes of each row of A: a diagonal, positive whatever the signs in A. For a
 * symmetric A all eigenvalues of M^-1 A lie between -1 and 1 (S. Gershgorin, 1931). Known as l1-Jacobi: A.
 * Baker, R. Falgout, T. Kolev, U. Yang, "Multigrid smoothers for ultraparallel computing" (2011). Kernels of
 * methods can apply it themselves (M->diagonal). */
#include "solvers/system/diagonal.h"

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    return diagonal_of_row_sums(M->device, M->A, M->diagonal.d, f);
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    (void)o;
    M->is_diagonal = true;
    M->diagonal.form = DIAGONAL_EACH;
    M->diagonal.d = diagonal_room(&M->room, M->A, M->precision);
    return M->room.status ? M->room.status : refresh(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    multiply_each(r, M->diagonal.d, in, out);
}

const struct precond_ops precond_row_sum = {
    .needs_entries = true, .setup = setup, .refresh = refresh, .apply = apply};
