/* No preconditioner: z = r. */
#include "solvers/precond.h"

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    (void)o, (void)f;
    M->is_diagonal = true;
    return VKS_OK;
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    (void)M;
    copy(r, in, out);
}

const struct precond_ops precond_none = {.setup = setup, .apply = apply};
