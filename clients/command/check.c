#include "command/check/json.h"
#include "command/check/verdict.h"
#include "command/command.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "files/files.h"
#include "report/words.h"

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
    .about = "Finds what makes solvers fail, without solving: each finding names the first\n"
             "row, or the row and column, counted from 1 as in the file. Each method and\n"
             "preconditioner gets a verdict from the entries, the options and, for up to 500 rows, a\n"
             "trial set-up. The attempts that vksolve solve makes by default come last. A method with\n"
             "no problem found (\"fit\" in JSON) may still fail: only a solve shows whether A is\n"
             "singular, or positive definite, as cg needs it.\n\n" FILE_KINDS,
    .operands = {"A.mtx"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  no problem was found for cg with jacobi\n"
             "  1  wrong usage, an unreadable file, or an output file that cannot be written\n"
             "  3  something that makes it break down or fail: not square, a diagonal entry that\n"
             "     is zero, missing or negative, or whose reciprocal is infinite, rows that all sum to\n"
             "     zero, a 2 x 2 minor that is not positive, asymmetry beyond rounding, a NaN or an\n"
             "     infinity\n"
             "  4  memory ran out\n\n"
             "example:\n"
             "  vksolve check sherman5.mtx.gz\n",
};

/* Whether x^2 >= y z, for y z > 0. Exact: the comparison includes the rounding errors of both products, which
 * fma gives without error unless it underflows. */
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

/* The first minor of diagnosis.h in row-major order of the lower triangle. */
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

/* The diagonal entries whose reciprocals overflow: Jacobi's preconditioner would multiply by infinity. */
static struct csr_diagnosis find_infinite_reciprocals(const struct host_csr *a)
{
    struct csr_diagnosis found = {0};
    for (uint32_t i = 0; i < a->rows; i++) {
        double d = diagonal(a, i);
        if (d == 0 || !isinf(1 / d))
            continue;
        if (!found.count++)
            found.row = found.col = i;
    }
    return found;
}

/* Whether every row that has entries sums to zero up to rounding. */
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

static vks_status plan(struct message *m, const struct host_csr *a, struct diagnosis *j, struct planner *p)
{
    TRY(planner_open(m, a, VKS_F64, p));
    return planner_plan(m, p, NULL, &j->plan);
}

static vks_status examine(struct message *m, const struct host_csr *a, struct diagnosis *j, struct planner *p)
{
    TRY(csr_check(m, a, &j->f));
    if (j->f.square && !j->f.not_finite.count && check_is_symmetric(&j->f))
        j->minor = find_minor(a);
    if (j->f.square) {
        j->zero_row_sums = rows_sum_to_zero(a);
        j->infinite_reciprocals = find_infinite_reciprocals(a);
    }
    j->has_plan = !j->f.not_finite.count;
    if (j->has_plan)
        TRY(plan(m, a, j, p));
    check_by_entries(j);
    return j->has_plan ? check_by_library(m, p, j) : VKS_OK;
}

static vks_status read_and_examine(struct message *m, const char *path, struct diagnosis *j)
{
    struct planner p = {0};
    struct market file;
    struct host_csr a = {0};
    *j = (struct diagnosis){.path = path};
    vks_status status = files_read_matrix(m, path, &file);
    IF_OK(status, host_csr_assemble(m, &file.entries, &a));
    market_free(&file);
    IF_OK(status, examine(m, &a, j, &p));
    planner_close(&p);
    host_csr_free(&a);
    return status;
}

static void print_csr_diagnosis(const struct csr_diagnosis *f, const char *name, const char *text)
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

static void print_diagnosis(const struct diagnosis *j)
{
    const struct csr_diagnoses *f = &j->f;
    bool clean = f->square && !j->minor.found && !j->zero_row_sums && !j->infinite_reciprocals.count;
#define X(name, square, text) clean = clean && !f->name.count;
    CSR_DIAGNOSES(X)
#undef X
    printf("%s: %s x %s, %s entries\n", words_name(j->path).text, words_count(f->rows).text,
           words_count(f->cols).text, words_count(f->entries).text);
    printf("findings%s\n", clean ? ": none" : "");
#define X(name, square, text) print_csr_diagnosis(&f->name, #name, text);
    CSR_DIAGNOSES(X)
#undef X
    if (!f->square)
        printf("  the matrix is not square\n");
    print_csr_diagnosis(&j->infinite_reciprocals, "", "rows whose diagonal entry has an infinite reciprocal");
    if (j->zero_row_sums)
        printf("  %s%s\n", check_singular, check_remedy(f));
    if (f->unequal.count)
        printf("  largest |a_ij - a_ji|: %s of the largest entry\n",
               words_number(f->largest_difference / f->largest).text);
    if (j->minor.found)
        printf("  a 2 x 2 minor that is not positive: rows %u and %u\n", j->minor.col + 1, j->minor.row + 1);
    printf("scale\n  magnitudes from %s to %s\n", words_number(f->smallest).text,
           words_number(f->largest).text);
    check_print_verdicts(j, stdout);
    if (j->has_plan)
        plan_print(&j->plan, stdout);
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
    struct diagnosis x;
    vks_status status = file_check(&m, set.json);
    IF_OK(status, read_and_examine(&m, operands[0], &x));
    if (!status && set.json) {
        struct json j = {0};
        check_to_json(&x, &j);
        status = file_write_json(&m, set.json, &j);
    }
    if (!status && !file_is_stream(set.json))
        print_diagnosis(&x);
    if (status)
        return complain(status, m.text);
    return x.against[VKS_METHOD_CG][VKS_PRECOND_JACOBI][0] ? EXIT_BREAKDOWN : EXIT_DONE;
}
