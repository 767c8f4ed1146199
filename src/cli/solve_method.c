/* --method auto, and what speaks against the method that is taken. */
#include "cli/solve.h"

/* Differences this small, beside the largest entry, are roundings of whatever assembled the matrix. */
static const double rounding = 1e-12;

static void describe_pair(const struct csr_findings *f, char *text, size_t room)
{
    const struct csr_pair *p = &f->worst_pair;
    snprintf(text, room, "entry (%u, %u) is %.6g and (%u, %u) is %.6g", p->row + 1, p->col + 1, p->a_ij,
             p->col + 1, p->row + 1, p->a_ji);
}

/* The only methods so far are for symmetric matrices, or for diagonally dominant ones. A direct one for small
 * systems would have its place here. */
static vks_status choose(struct message *m, struct solve_job *job, const struct csr_findings *f)
{
    char pair[128];
    if (job->asymmetry <= rounding) {
        job->set.method = VKS_METHOD_CG;
        return VKS_OK;
    }
    describe_pair(f, pair, sizeof pair);
    return fail(
        m, VKS_UNSUPPORTED,
        "%s: A is not symmetric: %s. No method for such matrices in general is there yet; --method jacobi "
        "converges where A is diagonally dominant (%s), --method cg where it is symmetric after all",
        job->path, pair, f->not_dominant.count ? "which this one is not" : "as this one is");
}

static void warn_for_cg(struct solve_job *job, const struct csr_findings *f)
{
    char pair[128];
    describe_pair(f, pair, sizeof pair);
    if (job->asymmetry > rounding)
        solve_warn(job, "A is not symmetric, as conjugate gradients need it: %s", pair);
    if (f->negative_diagonal.count)
        solve_warn(job, "A is not positive definite: the diagonal entry of row %u is negative",
                   f->negative_diagonal.row + 1);
    else if (f->zero_diagonal.count || f->missing_diagonal.count)
        solve_warn(job, "A is not positive definite: row %u has no diagonal entry other than zero",
                   f->zero_diagonal.count ? f->zero_diagonal.row + 1 : f->missing_diagonal.row + 1);
}

vks_status solve_choose(struct message *m, struct solve_job *job, const struct csr_findings *f)
{
    job->symmetric = f->symmetric;
    job->asymmetry = f->symmetric || f->largest == 0 ? 0 : f->largest_difference / f->largest;
    vks_status status = job->set.method == VKS_METHOD_AUTO ? choose(m, job, f) : VKS_OK;
    if (!status && job->set.method == VKS_METHOD_CG)
        warn_for_cg(job, f);
    return status;
}
