#include "command/check/verdict.h"

#include <math.h>
#include <string.h>

/* Whether A is symmetric up to rounding errors of its largest entry. */
bool check_is_symmetric(const struct csr_diagnoses *f)
{
    return f->largest_difference <= 1e-12 * f->largest;
}

const char check_singular[] = "A times ones is zero: A is singular";

/* Solves with a null space need a symmetric A. */
const char *check_remedy(const struct csr_diagnoses *f)
{
    return check_is_symmetric(f) ? " (is a boundary condition missing? if not, vksolve solve --singular)"
                                 : "";
}

/* Tests in the order in which a user would correct the faults. True if one fails; `why` then describes the
 * fault. */
static bool fails_all(const struct csr_diagnoses *f, char *why)
{
    if (!f->square)
        snprintf(why, WHY, "the matrix is %u x %u, not square", f->rows, f->cols);
    else if (f->not_finite.count)
        snprintf(why, WHY, "the value at (%u, %u) is not finite", f->not_finite.row + 1,
                 f->not_finite.col + 1);
    return why[0];
}

static bool fails_to_divide(const struct diagnosis *j, char *why)
{
    const struct csr_diagnoses *f = &j->f;
    if (fails_all(f, why))
        return true;
    if (f->missing_diagonal.count)
        snprintf(why, WHY, "row %u has no diagonal entry", f->missing_diagonal.row + 1);
    else if (f->zero_diagonal.count)
        snprintf(why, WHY, "the diagonal entry of row %u is zero", f->zero_diagonal.row + 1);
    else if (j->zero_row_sums)
        snprintf(why, WHY, "%s%s", check_singular, check_remedy(f));
    return why[0];
}

static bool has_no_reciprocal(const struct diagnosis *j, char *why)
{
    if (j->infinite_reciprocals.count)
        snprintf(why, WHY, "the reciprocal of the diagonal entry of row %u is infinite",
                 j->infinite_reciprocals.row + 1);
    return why[0];
}

static bool is_asymmetric(const struct diagnosis *j, char *why)
{
    const struct csr_pair *p = &j->f.worst_pair;
    if (!check_is_symmetric(&j->f))
        snprintf(why, WHY, "not symmetric: (%u, %u) is %.6g, (%u, %u) is %.6g", p->row + 1, p->col + 1,
                 p->a_ij, p->col + 1, p->row + 1, p->a_ji);
    return why[0];
}

static bool fails_cg(const struct diagnosis *j, char *why)
{
    const struct csr_diagnoses *f = &j->f;
    if (fails_to_divide(j, why) || is_asymmetric(j, why))
        return true;
    if (f->negative_diagonal.count == f->rows && f->rows)
        snprintf(why, WHY,
                 "not positive definite: every diagonal entry is negative; -A x = -b may be solved instead");
    else if (f->negative_diagonal.count)
        snprintf(why, WHY, "not positive definite: the diagonal entry of row %u is negative",
                 f->negative_diagonal.row + 1);
    else if (j->minor.found)
        snprintf(why, WHY,
                 "not positive definite: rows %u and %u, with %.6g between %.6g and %.6g on the diagonal",
                 j->minor.col + 1, j->minor.row + 1, j->minor.a_ij, j->minor.a_jj, j->minor.a_ii);
    return why[0];
}

static void check_jacobi(const struct diagnosis *j, char *why)
{
    if (!fails_to_divide(j, why) && !has_no_reciprocal(j, why) && j->f.not_dominant.count)
        snprintf(why, WHY, "row %u is not diagonally dominant: with a weight of 1 it may diverge",
                 j->f.not_dominant.row + 1);
}

/* Checks for methods that need only an invertible A. */
static void check_regular(const struct diagnosis *j, char *why)
{
    const struct csr_diagnoses *f = &j->f;
    if (fails_all(f, why))
        return;
    if (f->empty_rows.count)
        snprintf(why, WHY, "row %u has no entry: A is singular", f->empty_rows.row + 1);
    else if (f->empty_cols.count)
        snprintf(why, WHY, "column %u has no entry: A is singular", f->empty_cols.col + 1);
    else if (j->zero_row_sums)
        snprintf(why, WHY, "%s", check_singular);
    else if (j->has_plan && j->plan.structural_rank && j->plan.structural_rank < f->rows)
        snprintf(why, WHY, "the structural rank is %u of %u: A is singular", j->plan.structural_rank,
                 f->rows);
}

static void check_gauss_jordan(const struct diagnosis *j, char *why)
{
    check_regular(j, why);
    if (!why[0] && j->f.rows > VKS_GAUSS_JORDAN_LARGEST)
        snprintf(why, WHY, "A has %u rows, and it takes up to %u", j->f.rows, VKS_GAUSS_JORDAN_LARGEST);
}

static void check_minres(const struct diagnosis *j, char *why)
{
    if (!fails_all(&j->f, why))
        is_asymmetric(j, why);
}

static void check_lsmr(const struct diagnosis *j, char *why)
{
    if (j->f.not_finite.count)
        fails_all(&j->f, why);
}

static void check_entries(const struct diagnosis *j, int method, int precond, char *why)
{
    switch (method) {
    case VKS_METHOD_CG:
        if (!fails_cg(j, why) && precond == VKS_PRECOND_JACOBI)
            has_no_reciprocal(j, why);
        break;
    case VKS_METHOD_JACOBI:
        check_jacobi(j, why);
        break;
    case VKS_METHOD_GAUSS_JORDAN:
        check_gauss_jordan(j, why);
        break;
    case VKS_METHOD_MINRES:
        check_minres(j, why);
        break;
    case VKS_METHOD_LSMR:
        check_lsmr(j, why);
        break;
    default:
        check_regular(j, why);
    }
}

void check_by_entries(struct diagnosis *j)
{
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int p = VKS_PRECOND_NONE; p < check_end_of_verdicts(k); p++)
            check_entries(j, k, p, j->against[k][p]);
}

/* Each preconditioner is set up if A has at most this many rows. More would take longer than some solves. */
enum { FEW_ROWS = 500 };

/* A x = b with all elements of b equal to 1. */
struct trial {
    const struct planner *p;
    vks_vector *b, *x;
};

static vks_status open_trial(const struct planner *p, struct trial *t)
{
    *t = (struct trial){.p = p};
    uint32_t n = vks_matrix_rows(p->A);
    TRY(vks_vector_create(p->context, n, VKS_F64, &t->b));
    TRY(vks_vector_create(p->context, n, VKS_F64, &t->x));
    return vks_vector_fill(t->b, 1);
}

/* Whether the setup rejects A, in which case no cycle of iterations begins. */
static vks_status try_to_begin(const struct trial *t, const vks_solve_options *asked, char *why)
{
    vks_solve_report r;
    vks_cycle first;
    vks_solve_options o = *asked;
    o.scaling = VKS_SCALING_AUTO;
    o.max_iterations = 1;
    o.zero_guess = 1;
    o.cycles = &first;
    o.cycle_capacity = 1;
    vks_status status = vks_solve(t->p->A, t->b, t->x, &o, &r);
    if (!status && r.cycle_count == 0 && r.reason != VKS_REASON_CONVERGED)
        snprintf(why, WHY, "%s%s%.200s", vks_reason_name(r.reason), r.detail[0] ? ": " : "", r.detail);
    return status;
}

static bool is_refusal(vks_status s)
{
    return s == VKS_INVALID_ARGUMENT || s == VKS_UNSUPPORTED || s == VKS_LIMIT;
}

static vks_status ask(const struct trial *t, int method, int precond, char *why)
{
    vks_plan plan;
    vks_solve_options o = {
        .method = (vks_method)method, .precond = (vks_precond_kind)precond, .scaling = VKS_SCALING_NONE};
    vks_status status = vks_solve_plan(t->p->A, &o, &plan);
    if (!status && t->b && vks_method_takes_precond(o.method))
        status = try_to_begin(t, &o, why);
    if (is_refusal(status))
        snprintf(why, WHY, "%s", vks_context_message(t->p->context));
    return is_refusal(status) ? VKS_OK : status;
}

vks_status check_by_library(struct message *m, const struct planner *p, struct diagnosis *j)
{
    struct trial t = {.p = p};
    bool tries = j->f.square && j->f.rows && j->f.rows <= FEW_ROWS;
    vks_status status = tries ? open_trial(p, &t) : VKS_OK;
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int c = VKS_PRECOND_NONE; c < check_end_of_verdicts(k) && !status; c++)
            if (!j->against[k][c][0])
                status = ask(&t, k, c, j->against[k][c]);
    if (status)
        set_message(m, "%s", vks_context_message(p->context));
    vks_vector_destroy(t.b);
    vks_vector_destroy(t.x);
    return status;
}

/* Prints the preconditioners from `first` on with its verdict, or "any" if all have it. */
static void print_names(const struct diagnosis *j, int method, int first, FILE *to)
{
    int alike = 0, end = check_end_of_verdicts(method);
    for (int p = first; p < end; p++)
        alike += !strcmp(j->against[method][p], j->against[method][first]);
    if (alike == end - VKS_PRECOND_NONE)
        fprintf(to, " with any preconditioner");
    for (int p = first; p < end && alike < end - VKS_PRECOND_NONE; p++)
        if (!strcmp(j->against[method][p], j->against[method][first]))
            fprintf(to, "%s%s", p == first ? " with " : ", ", vks_precond_name((vks_precond_kind)p));
}

void check_print_verdicts(const struct diagnosis *j, FILE *to)
{
    fprintf(to, "verdict\n");
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int p = VKS_PRECOND_NONE; p < check_end_of_verdicts(k); p++) {
            const char *why = j->against[k][p];
            int before = VKS_PRECOND_NONE;
            while (before < p && strcmp(j->against[k][before], why) != 0)
                before++;
            if (before < p)
                continue;
            fprintf(to, "  %s", vks_method_name((vks_method)k));
            if (vks_method_takes_precond((vks_method)k))
                print_names(j, k, p, to);
            fprintf(to, ": %s%s\n", why[0] ? "unsuitable: " : "no problem found", why);
        }
}
