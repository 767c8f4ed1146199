#include "command/solve/method.h"

/* Differences of up to this fraction of the largest entry are treated as rounding errors from assembly. */
static const double rounding = 1e-12;

static void describe_pair(const struct csr_diagnoses *f, char *text, size_t room)
{
    const struct csr_pair *p = &f->worst_pair;
    snprintf(text, room, "entry (%u, %u) is %.6g and (%u, %u) is %.6g", p->row + 1, p->col + 1, p->a_ij,
             p->col + 1, p->row + 1, p->a_ji);
}

/* Names the first row whose diagonal entry is not positive. Such a row must exist. */
static void describe_diagonal(const struct csr_diagnoses *f, char *text, size_t room)
{
    if (f->negative_diagonal.count)
        snprintf(text, room, "the diagonal entry of row %u is negative", f->negative_diagonal.row + 1);
    else
        snprintf(text, room, "row %u has no diagonal entry other than zero",
                 f->zero_diagonal.count ? f->zero_diagonal.row + 1 : f->missing_diagonal.row + 1);
}

static bool has_positive_diagonal(const struct csr_diagnoses *f)
{
    return !f->negative_diagonal.count && !f->zero_diagonal.count && !f->missing_diagonal.count;
}

/* Sets the method if a preconditioner is given, since each is for one method. Otherwise the library chooses.
 * A null space needs a symmetric A. */
static void choose(struct solve_job *job)
{
    vks_precond_kind kind = job->set.precond.options[0].kind;
    bool is_for_cg = (job->suits_cg || job->set.singular) && kind != VKS_PRECOND_ILUT;
    if (kind != VKS_PRECOND_AUTO)
        job->set.method = is_for_cg ? VKS_METHOD_CG : VKS_METHOD_IDR;
}

static const char *remedy_for(const struct solve_job *job)
{
    return job->set.singular ? "" : "; --method auto takes such matrices";
}

/* `what` is the method as a plural. */
static void warn_if_asymmetric(struct solve_job *job, const struct csr_diagnoses *f, const char *what)
{
    char fault[128];
    if (job->asymmetry <= rounding)
        return;
    describe_pair(f, fault, sizeof fault);
    solve_warn(job, "A is not symmetric, as %s need it: %s%s", what, fault, remedy_for(job));
}

static void warn_for_cg(struct solve_job *job, const struct csr_diagnoses *f)
{
    char fault[128];
    warn_if_asymmetric(job, f, "conjugate gradients");
    if (!has_positive_diagonal(f)) {
        describe_diagonal(f, fault, sizeof fault);
        solve_warn(job, "A is not positive definite: %s%s", fault, remedy_for(job));
    }
}

void solve_choose(struct solve_job *job, const struct csr_diagnoses *f)
{
    job->symmetric = f->symmetric;
    job->asymmetry = f->symmetric || f->largest == 0 ? 0 : f->largest_difference / f->largest;
    job->suits_cg = job->a.rows == job->a.cols && job->asymmetry <= rounding && has_positive_diagonal(f);
    if (job->set.method == VKS_METHOD_AUTO && f->square)
        choose(job);
    if (job->set.method == VKS_METHOD_CG)
        warn_for_cg(job, f);
    else if (job->set.method == VKS_METHOD_MINRES)
        warn_if_asymmetric(job, f, "minimal residuals");
}
