#include "cli/solve.h"
#include "cli/words.h"
#include "market/market.h"
#include "report/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Differences this small, beside the largest entry, are roundings of whatever assembled the matrix. */
static const double rounding = 1e-12;

static vks_status examine(struct message *m, struct solve_job *job)
{
    struct csr_findings f;
    vks_status status = csr_check(m, &job->a, &f);
    if (status)
        return status;
    job->symmetric = f.symmetric;
    job->asymmetry = f.largest > 0 ? f.largest_difference / f.largest : 0;
    if (job->set.method == VKS_METHOD_GAUSS_JORDAN) /* which needs nothing of what follows */
        return VKS_OK;
    const struct csr_pair *p = &f.worst_pair;
    if (!f.symmetric && job->asymmetry > rounding)
        solve_warn(
            job,
            "A is not symmetric, as conjugate gradients need it: entry (%u, %u) is %.6g and (%u, %u) is %.6g",
            p->row + 1, p->col + 1, p->a_ij, p->col + 1, p->row + 1, p->a_ji);
    if (f.negative_diagonal.count)
        solve_warn(job, "A is not positive definite: the diagonal entry of row %u is negative",
                   f.negative_diagonal.row + 1);
    else if (f.zero_diagonal.count || f.missing_diagonal.count)
        solve_warn(job, "A is not positive definite: row %u has no diagonal entry other than zero",
                   f.zero_diagonal.count ? f.zero_diagonal.row + 1 : f.missing_diagonal.row + 1);
    return VKS_OK;
}

static vks_status read_matrix(struct message *m, struct solve_job *job)
{
    struct market file;
    vks_status status = market_read(m, job->path, &file);
    if (!status && file.entries.rows != file.entries.cols)
        status = fail(m, VKS_INVALID_ARGUMENT,
                      "%s: the matrix is %" PRIu32 " x %" PRIu32 "; a solve needs a square one", job->path,
                      file.entries.rows, file.entries.cols);
    if (!status)
        status = host_csr_assemble(m, &file.entries, &job->a);
    market_free(&file);
    return status ? status : examine(m, job);
}

static vks_status read_rhs(struct message *m, struct solve_job *job)
{
    uint32_t rows, cols, n = job->a.rows;
    vks_status status = market_read_dense(m, job->set.rhs, &rows, &cols, &job->b);
    if (!status && (rows != n || cols != 1))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: the right-hand side is %" PRIu32 " x %" PRIu32 "; the matrix, %" PRIu32 " x %" PRIu32
                    ", needs %" PRIu32 " x 1",
                    job->set.rhs, rows, cols, n, n, n);
    return status;
}

/* b = A times ones: the sums of the rows, in ascending order of the columns. */
static vks_status sum_rows(struct message *m, struct solve_job *job)
{
    const struct host_csr *a = &job->a;
    job->b = calloc((size_t)a->rows + 1, sizeof *job->b);
    if (!job->b)
        return fail_memory(m, "the right-hand side", a->rows * sizeof *job->b);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            job->b[i] += a->val[k];
    return VKS_OK;
}

vks_status solve_load(struct message *m, struct solve_job *job)
{
    double begun = clock_seconds();
    vks_status status = read_matrix(m, job);
    if (!status)
        status = job->set.rhs ? read_rhs(m, job) : sum_rows(m, job);
    job->seconds.read = clock_seconds() - begun;
    return status;
}
