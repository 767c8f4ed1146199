#include "sparse/check.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/words.h"
#include "market/market.h"
#include "vksolve/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct check_settings {
    const char *json;
};

static const struct option_line options[] = {
    {0, "json", "FILE",
     "write the findings as a JSON object; with - it goes to standard output,\nand nothing else does",
     TEXT(struct check_settings, json)},
};

static const struct manual manual = {
    .name = "check",
    .about = "Finds what a solver would stumble over, without solving: each finding names the first\n"
             "row, or the row and column, counted from 1 as in the file. Then a verdict for each\n"
             "method, and preconditioner of cg, by what was found against it. Where nothing was (\"fit\"\n"
             "in JSON) it may still fail: whether A is positive definite, as cg needs it, or singular\n"
             "shows in a solve alone. A.mtx may be compressed with gzip; - is standard input.",
    .operands = {"A.mtx"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  nothing was found against cg with jacobi\n"
             "  1  wrong usage, an unreadable file, or an output file that cannot be written\n"
             "  3  something that makes it break down or fail: not square, a diagonal entry that\n"
             "     is zero, missing or negative, or whose reciprocal is infinite, rows that all sum to\n"
             "     zero, a 2 x 2 minor that is not positive, asymmetry beyond rounding, a NaN or an\n"
             "     infinity\n"
             "  4  memory ran out\n\n"
             "example:\n"
             "  vksolve check sherman5.mtx.gz\n",
};

/* A symmetric matrix with a_ij^2 >= a_ii a_jj for some i != j is not positive definite. */
struct minor {
    bool found;
    uint32_t row, col;
    double a_ij, a_ii, a_jj;
};

/* Whether x^2 >= y z, for y z > 0, exactly: the products are compared together with their rounding errors,
 * which fma gives without error where nothing underflows. */
static bool square_reaches(double x, double y, double z)
{
    double square = x * x, product = y * z;
    if (!(square > 1e-250 && product > 1e-250 && isfinite(square) && isfinite(product)))
        return false;
    return square > product || (square == product && fma(x, x, -square) >= fma(y, z, -product));
}

static double diagonal(const struct host_csr *a, uint32_t i)
{
    uint32_t low = a->row[i], high = a->row[i + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->col[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->row[i + 1] && a->col[low] == i ? a->val[low] : 0;
}

/* The first in row-major order of the lower triangle. */
static struct minor find_minor(const struct host_csr *a)
{
    for (uint32_t i = 0; i < a->rows; i++) {
        double a_ii = diagonal(a, i);
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && a->col[k] < i; k++) {
            double a_jj = diagonal(a, a->col[k]);
            if (a_ii > 0 && a_jj > 0 && square_reaches(a->val[k], a_ii, a_jj))
                return (struct minor){true, i, a->col[k], a->val[k], a_ii, a_jj};
        }
    }
    return (struct minor){0};
}

/* The diagonal entries by which Jacobi's preconditioner would multiply with an infinity. */
static struct csr_finding find_infinite_reciprocals(const struct host_csr *a)
{
    struct csr_finding found = {0};
    for (uint32_t i = 0; i < a->rows; i++) {
        double d = diagonal(a, i);
        if (d == 0 || !isinf(1 / d))
            continue;
        if (!found.count++)
            found.row = found.col = i;
    }
    return found;
}

/* Whether every row that has entries sums to zero but for rounding. */
static bool rows_sum_to_zero(const struct host_csr *a)
{
    bool nonzero = false;
    for (uint32_t i = 0; i < a->rows; i++) {
        double sum = 0, magnitudes = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            sum += a->val[k];
            magnitudes += fabs(a->val[k]);
        }
        if (!(fabs(sum) <= 1e-12 * magnitudes) || isinf(magnitudes))
            return false;
        nonzero = nonzero || magnitudes > 0;
    }
    return nonzero;
}

/* But for rounding errors, beside the largest entry. */
static bool is_symmetric(const struct csr_findings *f)
{
    return f->largest_difference <= 1e-12 * f->largest;
}

enum { WHY = 256 };

struct judgement {
    const char *path;
    struct csr_findings f;
    struct minor minor;
    bool zero_row_sums;
    struct csr_finding infinite_reciprocals;
    /* Why each does not fit; "" where it may. */
    char cg[WHY], cg_with_jacobi[WHY], jacobi[WHY], gauss_jordan[WHY], direct[WHY];
};

static const char singular[] = "A times ones is zero: A is singular";

/* Solves with a null space are of a symmetric A. */
static const char *remedy(const struct csr_findings *f)
{
    return is_symmetric(f) ? " (is a boundary condition missing? if not, vksolve solve --singular)" : "";
}

/* These judge in the order in which a user would mend what they find; true: `why` says it. */
static bool fails_all(const struct csr_findings *f, char *why)
{
    if (!f->square)
        snprintf(why, WHY, "the matrix is %u x %u, not square", f->rows, f->cols);
    else if (f->not_finite.count)
        snprintf(why, WHY, "the value at (%u, %u) is not finite", f->not_finite.row + 1,
                 f->not_finite.col + 1);
    return why[0];
}

static bool fails_to_divide(const struct judgement *j, char *why)
{
    const struct csr_findings *f = &j->f;
    if (fails_all(f, why))
        return true;
    if (f->missing_diagonal.count)
        snprintf(why, WHY, "row %u has no diagonal entry", f->missing_diagonal.row + 1);
    else if (f->zero_diagonal.count)
        snprintf(why, WHY, "the diagonal entry of row %u is zero", f->zero_diagonal.row + 1);
    else if (j->zero_row_sums)
        snprintf(why, WHY, "%s%s", singular, remedy(f));
    return why[0];
}

static bool has_no_reciprocal(const struct judgement *j, char *why)
{
    if (j->infinite_reciprocals.count)
        snprintf(why, WHY, "the reciprocal of the diagonal entry of row %u is infinite",
                 j->infinite_reciprocals.row + 1);
    return why[0];
}

static bool fails_cg(const struct judgement *j, char *why)
{
    const struct csr_findings *f = &j->f;
    const struct csr_pair *p = &f->worst_pair;
    if (fails_to_divide(j, why))
        return true;
    if (!is_symmetric(f))
        snprintf(why, WHY, "not symmetric: (%u, %u) is %.6g, (%u, %u) is %.6g", p->row + 1, p->col + 1,
                 p->a_ij, p->col + 1, p->row + 1, p->a_ji);
    else if (f->negative_diagonal.count == f->rows && f->rows)
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

static void judge_jacobi(const struct judgement *j, char *why)
{
    if (!fails_to_divide(j, why) && !has_no_reciprocal(j, why) && j->f.not_dominant.count)
        snprintf(why, WHY, "row %u is not diagonally dominant: with a weight of 1 it may diverge",
                 j->f.not_dominant.row + 1);
}

static void judge_direct(const struct judgement *j, char *why)
{
    const struct csr_findings *f = &j->f;
    if (fails_all(f, why))
        return;
    if (f->empty_rows.count)
        snprintf(why, WHY, "row %u has no entry: A is singular", f->empty_rows.row + 1);
    else if (f->empty_cols.count)
        snprintf(why, WHY, "column %u has no entry: A is singular", f->empty_cols.col + 1);
    else if (j->zero_row_sums)
        snprintf(why, WHY, "%s", singular);
}

static void judge_gauss_jordan(const struct judgement *j, char *why)
{
    const struct csr_findings *f = &j->f;
    memcpy(why, j->direct, WHY);
    if (!why[0] && f->rows > VKS_GAUSS_JORDAN_LARGEST)
        snprintf(why, WHY, "A has %u rows, and it takes up to %u", f->rows, VKS_GAUSS_JORDAN_LARGEST);
}

static void judge(struct judgement *j)
{
    if (fails_cg(j, j->cg))
        memcpy(j->cg_with_jacobi, j->cg, WHY);
    else
        has_no_reciprocal(j, j->cg_with_jacobi);
    judge_jacobi(j, j->jacobi);
    judge_direct(j, j->direct);
    judge_gauss_jordan(j, j->gauss_jordan);
}

/* NULL: whether the method converges does not show in the entries. */
static const char *against(const struct judgement *j, int method, int precond)
{
    if (method == VKS_METHOD_CG)
        return precond == VKS_PRECOND_JACOBI ? j->cg_with_jacobi : j->cg;
    if (method == VKS_METHOD_JACOBI)
        return j->jacobi;
    if (method == VKS_METHOD_DIRECT)
        return j->direct;
    return method == VKS_METHOD_GAUSS_JORDAN ? j->gauss_jordan : NULL;
}

/* The verdicts on a method are numbered from VKS_PRECOND_NONE to below this. */
static int end_of_verdicts(const struct judgement *j, int method)
{
    if (!against(j, method, VKS_PRECOND_NONE))
        return VKS_PRECOND_NONE;
    return vks_method_takes_precond((vks_method)method) ? VKS_PRECOND_COUNT_ : VKS_PRECOND_NONE + 1;
}

static vks_status examine(struct message *m, const char *path, struct judgement *j)
{
    struct market file;
    struct host_csr a = {0};
    *j = (struct judgement){.path = path};
    vks_status status = market_read(m, path, &file);
    if (!status)
        status = host_csr_assemble(m, &file.entries, &a);
    market_free(&file);
    if (!status)
        status = csr_check(m, &a, &j->f);
    if (!status && j->f.square && !j->f.not_finite.count && is_symmetric(&j->f))
        j->minor = find_minor(&a);
    if (!status && j->f.square) {
        j->zero_row_sums = rows_sum_to_zero(&a);
        j->infinite_reciprocals = find_infinite_reciprocals(&a);
    }
    host_csr_free(&a);
    if (!status)
        judge(j);
    return status;
}

static void print_finding(const struct csr_finding *f, const char *name, const char *text)
{
    if (!f->count)
        return;
    printf("  %s %s, first ", words_count(f->count).text, text);
    if (!strcmp(name, "empty_cols"))
        printf("column %u\n", f->col + 1);
    else if (f->row == f->col)
        printf("row %u\n", f->row + 1);
    else
        printf("(%u, %u)\n", f->row + 1, f->col + 1);
}

static void print_judgement(const struct judgement *j)
{
    const struct csr_findings *f = &j->f;
    bool clean = f->square && !j->minor.found && !j->zero_row_sums && !j->infinite_reciprocals.count;
#define X(name, square, text) clean = clean && !f->name.count;
    CSR_FINDINGS(X)
#undef X
    printf("%s: %s x %s, %s entries\n", words_name(j->path).text, words_count(f->rows).text,
           words_count(f->cols).text, words_count(f->entries).text);
    printf("findings%s\n", clean ? ": none" : "");
#define X(name, square, text) print_finding(&f->name, #name, text);
    CSR_FINDINGS(X)
#undef X
    if (!f->square)
        printf("  the matrix is not square\n");
    print_finding(&j->infinite_reciprocals, "", "rows whose diagonal entry has an infinite reciprocal");
    if (j->zero_row_sums)
        printf("  %s%s\n", singular, remedy(f));
    if (f->unequal.count)
        printf("  largest |a_ij - a_ji|: %s of the largest entry\n",
               words_number(f->largest_difference / f->largest).text);
    if (j->minor.found)
        printf("  a 2 x 2 minor that is not positive: rows %u and %u\n", j->minor.col + 1, j->minor.row + 1);
    printf("scale\n  magnitudes from %s to %s\n", words_number(f->smallest).text,
           words_number(f->largest).text);
    printf("verdict\n");
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int p = VKS_PRECOND_NONE; p < end_of_verdicts(j, k); p++) {
            const char *why = against(j, k, p), *name = vks_precond_name((vks_precond_kind)p);
            bool with = vks_method_takes_precond((vks_method)k);
            printf("  %s%s%s: %s%s\n", vks_method_name((vks_method)k), with ? " with " : "", with ? name : "",
                   why[0] ? "not fit: " : "nothing found against it", why);
        }
}

static void put_finding(struct json *j, const char *name, const struct csr_finding *f)
{
    json_object(j, name);
    json_count(j, "count", f->count);
    if (f->count) {
        json_count(j, "row", (uint64_t)f->row + 1);
        json_count(j, "col", (uint64_t)f->col + 1);
    }
    json_end_object(j);
}

static void put_verdicts(struct json *j, const struct judgement *x)
{
    json_array(j, "verdicts");
    for (int k = 1; k < VKS_METHOD_COUNT_; k++)
        for (int p = VKS_PRECOND_NONE; p < end_of_verdicts(x, k); p++) {
            const char *why = against(x, k, p);
            json_object(j, NULL);
            json_string(j, "method", vks_method_name((vks_method)k));
            json_string(j, "precond",
                        vks_method_takes_precond((vks_method)k) ? vks_precond_name((vks_precond_kind)p)
                                                                : NULL);
            json_bool(j, "fit", !why[0]);
            json_string(j, "why_not", why[0] ? why : NULL);
            json_end_object(j);
        }
    json_end_array(j);
}

static void to_json(const struct judgement *x, struct json *j)
{
    const struct csr_findings *f = &x->f;
    struct csr_finding minor = {x->minor.found, x->minor.row, x->minor.col};
    json_object(j, NULL);
    json_string(j, "path", x->path);
    json_count(j, "rows", f->rows);
    json_count(j, "cols", f->cols);
    json_count(j, "entries", f->entries);
    json_object(j, "findings");
#define X(name, square, text) put_finding(j, #name, &f->name);
    CSR_FINDINGS(X)
#undef X
    put_finding(j, "bad_minor", &minor);
    put_finding(j, "infinite_reciprocals", &x->infinite_reciprocals);
    json_end_object(j);
    json_bool(j, "zero_row_sums", x->zero_row_sums);
    json_number(j, "asymmetry", f->largest > 0 ? f->largest_difference / f->largest : 0);
    json_number(j, "smallest", f->smallest);
    json_number(j, "largest", f->largest);
    put_verdicts(j, x);
    json_end_object(j);
}

int check_command(int argc, char **argv)
{
    struct check_settings set = {0};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    if (file_is_same(operands[0], set.json))
        return wrong_usage(&manual, "--json %s would overwrite the matrix that is read", set.json);
    struct message m = {0};
    struct judgement x;
    vks_status status = file_check(&m, set.json);
    if (!status)
        status = examine(&m, operands[0], &x);
    if (!status && set.json) {
        struct json j = {0};
        to_json(&x, &j);
        status = file_write_json(&m, set.json, &j);
    }
    if (!status && !file_is_stream(set.json))
        print_judgement(&x);
    if (status)
        return complain(status, m.text);
    return x.cg_with_jacobi[0] ? EXIT_BREAKDOWN : EXIT_DONE;
}
