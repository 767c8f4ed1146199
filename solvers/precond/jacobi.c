/* The Jacobi preconditioner: M is the diagonal of A. Kernels of methods can apply it themselves
 * (M->diagonal). */
#include "solvers/system/diagonal.h"

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    enum diagonal_form before = M->diagonal.form;
    bool same = false;
    vks_status s = diagonal_invert(M->device, M->A, M->use != PRECOND_FOR_ANY, M->diagonal.d, &same, f);
    M->diagonal.form = same ? DIAGONAL_ONE : DIAGONAL_EACH;
    M->layout += M->diagonal.form != before;
    return s;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    (void)o;
    M->is_diagonal = true;
    M->diagonal.d = diagonal_room(&M->room, M->A, M->precision);
    return M->room.status ? M->room.status : refresh(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    multiply_each(r, M->diagonal.d, in, out);
}

const struct precond_ops precond_jacobi = {.setup = setup, .refresh = refresh, .apply = apply};
