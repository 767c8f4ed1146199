/* --method auto, and what speaks against the method that is taken. */
#include "cli/solve_job.h"

/* Differences this small, beside the largest entry, are roundings of whatever assembled the matrix. */
static const double rounding = 1e-12;

static void describe_pair(const struct csr_findings *f, char *text, size_t room)
{
    const struct csr_pair *p = &f->worst_pair;
    snprintf(text, room, "entry (%u, %u) is %.6g and (%u, %u) is %.6g", p->row + 1, p->col + 1, p->a_ij,
             p->col + 1, p->row + 1, p->a_ji);
}

/* The first row whose diagonal entry is not positive; there is one. */
static void describe_diagonal(const struct csr_findings *f, char *text, size_t room)
{
    if (f->negative_diagonal.count)
        snprintf(text, room, "the diagonal entry of row %u is negative", f->negative_diagonal.row + 1);
    else
        snprintf(text, room, "row %u has no diagonal entry other than zero",
                 f->zero_diagonal.count ? f->zero_diagonal.row + 1 : f->missing_diagonal.row + 1);
}

/* Up to so many rows elimination takes no more than seconds, where cg would fail. */
enum { SMALL = 4096 };

static bool has_positive_diagonal(const struct csr_findings *f)
{
    return !f->negative_diagonal.count && !f->zero_diagonal.count && !f->missing_diagonal.count;
}

/* A preconditioner is of no use to elimination, which A would get without it. */
static vks_status refuse_precond(struct message *m, const struct solve_job *job, const struct csr_findings *f,
                                 bool symmetric)
{
    const char *name = vks_precond_name(job->precond.options[0].kind);
    char fault[128];
    if (symmetric)
        describe_diagonal(f, fault, sizeof fault);
    else
        describe_pair(f, fault, sizeof fault);
    return fail(m, VKS_UNSUPPORTED,
                "%s: %s, and %s is for cg, whose A is symmetric with a positive diagonal. Leave out "
                "--precond %s, and gauss-jordan solves it, unless A is singular",
                job->path, fault, name, name);
}

/* Symmetric with a positive diagonal, singular, or too large for elimination: cg, which says why if it
 * cannot. Large and not symmetric: there is none. */
static vks_status choose(struct message *m, struct solve_job *job, const struct csr_findings *f)
{
    char pair[128];
    bool symmetric = job->asymmetry <= rounding, small = job->a.rows <= SMALL;
    if (job->set.singular || (symmetric && (has_positive_diagonal(f) || !small)))
        job->set.method = VKS_METHOD_CG;
    else if (small && job->precond.options[0].kind != VKS_PRECOND_AUTO)
        return refuse_precond(m, job, f, symmetric);
    else if (small)
        job->set.method = VKS_METHOD_GAUSS_JORDAN;
    if (job->set.method != VKS_METHOD_AUTO)
        return VKS_OK;
    describe_pair(f, pair, sizeof pair);
    return fail(m, VKS_UNSUPPORTED,
                "%s: A is not symmetric: %s. For such matrices of more than %d rows there is no method that "
                "always works; --method jacobi converges where A is diagonally dominant (%s), --method "
                "gauss-jordan takes up to %u rows",
                job->path, pair, SMALL, f->not_dominant.count ? "which this one is not" : "as this one is",
                VKS_GAUSS_JORDAN_LARGEST);
}

static void warn_for_cg(struct solve_job *job, const struct csr_findings *f)
{
    char fault[128];
    const char *remedy =
        job->a.rows <= VKS_GAUSS_JORDAN_LARGEST ? "; --method gauss-jordan takes such matrices" : "";
    if (job->asymmetry > rounding) {
        describe_pair(f, fault, sizeof fault);
        solve_warn(job, "A is not symmetric, as conjugate gradients need it: %s%s", fault, remedy);
    }
    if (!has_positive_diagonal(f)) {
        describe_diagonal(f, fault, sizeof fault);
        solve_warn(job, "A is not positive definite: %s%s", fault, remedy);
    }
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
