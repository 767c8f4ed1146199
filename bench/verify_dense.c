/* bench_verify_dense: compares Gauss-Jordan elimination with LAPACK, on hard and real matrices: backward
 * errors of solutions, errors of inverses, condition numbers, determinants, and why pivots differ, if so. */
#include "report/clock.h"
#include "solvers/dense/elimination.h"
#include "verify/named.h"
#include "verify/pivots.h"
#include "verify/reference.h"
#include "verify/verifying.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_verify_dense [OPTION...] MATRIX...\n"
    "\n"
    "MATRIX: a Matrix Market file, a folder of them (and of folders of them), a model\n"
    "problem (poisson2d:20), or KIND:N with KIND\n"
#define SPECIMEN_(name, text) "  " #name ": " text "\n"
    SPECIMENS(SPECIMEN_)
#undef SPECIMEN_
        "\n"
        "  --device DEVICE      host, gpu, an index or part of a name (default: auto)\n"
        "  --precision f64|f32  (default: f64)\n"
        "  --largest N          leaves out matrices of more rows (default: 4096)\n"
        "  --csv                comma-separated values\n"
        "  --help\n"
        "\n"
        "Columns: backward errors max |b - A x| / (|A| max |x| + max |b|) of solutions, the\n"
        "larger of two right-hand sides, ours, LAPACK's, the ratio, and our steps of refinement;\n"
        "|X A - I| / (|A| |X|) of inverses, which xGETRI bounds, and of A X - I the ratio alone;\n"
        "reciprocal condition numbers; by how much the determinants' logarithms differ; seconds\n"
        "of all of this; where the orders of pivots part, and why.\n"
        "What breaks a bound is named in capitals, and the exit status is then 2: an error above\n"
        "ten times LAPACK's and ten times the unit roundoff u (of an inverse on both sides), but\n"
        "where A is singular but for 10 u and we say so; a condition number that is not within a\n"
        "factor of ten, unless it is n u or elimination is unstable; a determinant off by more\n"
        "than n u (1 + 10 / rcond); pivots that part where rounding does not explain it; a matrix\n"
        "that one of both finds singular, or that overflows in ours alone. In parentheses stands\n"
        "what is only remarked.\n";

struct options {
    const char *device;
    vks_precision precision;
    uint32_t largest;
    bool csv;
};

/* Ours and LAPACK's. */
struct pair {
    double ours, theirs;
};

struct findings {
    struct pair solve, left, right, condition, determinant; /* logarithms for the determinant */
    bool same_sign;
    vks_gauss_jordan_report solved, inverted;
    uint32_t singular; /* according to LAPACK */
    struct parting parting;
    double seconds;
};

/* Whether our elimination completed. */
static bool has_pivots(const struct findings *f)
{
    return f->solved.reason == VKS_REASON_CONVERGED || f->solved.reason == VKS_REASON_STAGNATED;
}

static double unit(const struct specimen *s)
{
    return s->precision == VKS_F32 ? 0x1p-24 : 0x1p-53;
}

/* The order of our rows, from inside the library, which does not offer it to users. */
static vks_status our_rows(const vks_dense *A, uint32_t *row_of)
{
    struct elimination e;
    vks_status s = elimination_create(&e, A->context, A->precision, A->rows, 0);
    if (!s)
        s = elimination_run(&e, dense_block(A), (struct block){0}, (struct block){0}, false);
    if (!s && !e.ending)
        memcpy(row_of, e.row_of, A->rows * sizeof *row_of);
    elimination_release(&e);
    return s;
}

static vks_status verify_pivots(const struct specimen *s, const vks_dense *A, const struct reference *r,
                                struct findings *f)
{
    uint32_t *ours = malloc((s->n + (size_t)1) * sizeof *ours),
             *theirs = malloc((s->n + (size_t)1) * sizeof *theirs);
    vks_status status = ours && theirs ? our_rows(A, ours) : VKS_OUT_OF_MEMORY;
    if (!status) {
        reference_rows(r, theirs);
        status = find_parting(s, ours, theirs, &f->parting);
    }
    free(ours);
    free(theirs);
    return status;
}

static vks_status verify_solution(const struct specimen *s, const vks_dense *A, const struct reference *r,
                                  struct findings *f)
{
    vks_dense *B = NULL;
    double *x = malloc((s->n + (size_t)1) * RIGHT_SIDES * sizeof *x);
    const vks_gauss_jordan_options o = {.condition = 1};
    vks_status status = x ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!status)
        status = vks_dense_from_array(A->context, s->n, RIGHT_SIDES, s->precision, VKS_F64, s->b, 0, &B);
    if (!status)
        status = vks_gauss_jordan_solve(A, B, &o, &f->solved);
    if (!status)
        status = vks_dense_get(B, VKS_F64, x, 0);
    f->solve = (struct pair){NAN, NAN};
    if (!status && has_pivots(f))
        f->solve.ours = backward_error(s, x);
    if (!status && r->singular == UINT32_MAX)
        status = reference_solve(r, s->b, x);
    if (!status && r->singular == UINT32_MAX)
        f->solve.theirs = backward_error(s, x);
    vks_dense_destroy(B);
    free(x);
    return status;
}

static vks_status verify_inverse(struct specimen *s, const vks_dense *A, const struct reference *r,
                                 struct findings *f)
{
    vks_dense *inverse = NULL;
    double *X = malloc(((size_t)s->n * s->n + 1) * sizeof *X);
    vks_status status = X ? vks_gauss_jordan_invert(A, &inverse, NULL, &f->inverted) : VKS_OUT_OF_MEMORY;
    f->left = f->right = (struct pair){NAN, NAN};
    if (!status && inverse) {
        status = vks_dense_get(inverse, VKS_F64, X, 0);
        f->left.ours = left_error(s, X);
        f->right.ours = right_error(s, X);
    }
    if (!status && r->singular == UINT32_MAX) {
        status = reference_invert(r, X);
        f->left.theirs = left_error(s, X);
        f->right.theirs = right_error(s, X);
    }
    vks_dense_destroy(inverse);
    free(X);
    return status;
}

static vks_status verify_all(vks_context *c, struct specimen *s, struct findings *f)
{
    vks_dense *A = NULL;
    struct reference r;
    int sign = 0;
    double begun = clock_seconds();
    *f = (struct findings){.parting.explained = true, .parting.column = s->n};
    vks_status status = reference_factor(s, &r);
    f->singular = r.singular;
    if (!status)
        status = vks_dense_from_array(c, s->n, s->n, s->precision, VKS_F64, s->A, 0, &A);
    if (!status)
        status = verify_solution(s, A, &r, f);
    if (!status)
        status = verify_inverse(s, A, &r, f);
    if (!status && has_pivots(f) && r.singular == UINT32_MAX)
        status = verify_pivots(s, A, &r, f);
    if (!status)
        status = reference_condition(&r, norm_columns(s->A, s->n), &f->condition.theirs);
    if (!status) {
        f->condition.ours = f->solved.reciprocal_condition;
        reference_determinant(&r, &sign, &f->determinant.theirs);
        f->determinant.ours = f->solved.determinant_log;
        f->same_sign = sign == f->solved.determinant_sign;
    }
    vks_dense_destroy(A);
    reference_free(&r);
    f->seconds = clock_seconds() - begun;
    return status;
}

/* An error is good up to ten times LAPACK's or ten roundings: a smaller one of LAPACK's is luck. */
static bool is_worse(struct pair e, double u)
{
    return !(e.ours <= 10 * e.theirs || e.ours <= 10 * u);
}

static const char *verify_solve(const struct specimen *s, const struct findings *f)
{
    double u = unit(s);
    bool near = f->condition.theirs < 10 * u && *f->solved.warning;
    if (is_worse(f->solve, u))
        return near ? "(solve: warned) " : "SOLVE ";
    return f->solve.ours > 10 * f->solve.theirs ? "(solve: below 10 u) " : "";
}

static const char *verify_inverse_of(const struct specimen *s, const struct findings *f)
{
    double u = unit(s);
    bool near = f->condition.theirs < 10 * u && *f->inverted.warning;
    bool left = is_worse(f->left, u), right = is_worse(f->right, u);
    if (left && right)
        return near ? "(inverse: warned) " : "INVERSE ";
    return left ? "(X A alone) " : right ? "(A X alone) " : "";
}

static const char *verify_condition(const struct specimen *s, const struct findings *f)
{
    double wider = f->condition.ours / f->condition.theirs, u = unit(s);
    if ((wider > 0.1 && wider < 10) || f->condition.theirs < s->n * u)
        return "";
    return f->solve.theirs > 1000 * s->n * u ? "(condition: elimination is unstable) " : "CONDITION ";
}

/* An error of n u |A| in LU changes the determinant by that much times the condition number. */
static const char *verify_determinant(const struct specimen *s, const struct findings *f)
{
    double off = s->n * unit(s) * (1 + 10 / f->condition.theirs);
    if (off > 1 || (f->same_sign && fabs(f->determinant.ours - f->determinant.theirs) <= off))
        return "";
    return "DETERMINANT ";
}

/* The broken bounds, as words in capitals. */
static void verdict_of(const struct specimen *s, const struct findings *f, char *text, size_t size)
{
    double u = unit(s);
    bool ours = f->solved.reason == VKS_REASON_SINGULAR, theirs = f->singular != UINT32_MAX;
    if (f->solved.reason == VKS_REASON_NOT_FINITE)
        snprintf(text, size, "%s", isfinite(f->solve.theirs) ? "OVERFLOW" : "both overflow");
    else if (ours && theirs)
        snprintf(text, size, "both refuse it");
    else if (ours || theirs)
        snprintf(text, size, "%s",
                 (ours ? f->condition.theirs : f->condition.ours) < s->n * u ? "singular but for rounding"
                                                                             : "SINGULAR");
    else
        snprintf(text, size, "%s%s%s%s%s", verify_solve(s, f), verify_inverse_of(s, f),
                 verify_condition(s, f), verify_determinant(s, f), f->parting.explained ? "" : "PIVOTS ");
}

static double ratio(struct pair e)
{
    return e.ours == e.theirs ? 1 : e.ours / e.theirs;
}

static void print_parting(const struct specimen *s, const struct findings *f)
{
    const struct parting *p = &f->parting;
    if (f->solved.reason == VKS_REASON_NOT_FINITE)
        printf("column %" PRIu32 " overflows", f->solved.column + 1);
    else if (f->solved.reason == VKS_REASON_SINGULAR || f->singular != UINT32_MAX)
        printf("zero pivots: ours %" PRIu32 ", LAPACK's %" PRIu32, f->solved.column + 1, f->singular + 1);
    else if (p->column == s->n)
        printf("the same");
    else if (p->roundings == 0)
        printf("column %" PRIu32 ": rows %" PRIu32 " and %" PRIu32 " are equal, %.3g", p->column + 1,
               p->ours + 1, p->theirs + 1, p->ours_size);
    else
        printf("column %" PRIu32 ": row %" PRIu32 " has %.3g and row %" PRIu32
               " %+.1e of that: %.2g roundings",
               p->column + 1, p->ours + 1, p->ours_size, p->theirs + 1, p->theirs_size / p->ours_size - 1,
               p->roundings);
}

static void print(const struct options *o, const struct specimen *s, const struct findings *f,
                  const char *verdict)
{
    const char *form = o->csv ? "%s,%" PRIu32 ",%.2e,%.2e,%.3g,%" PRIu32
                                ",%.2e,%.2e,%.3g,%.3g,%.2e,%.2e,%.1e,%.2f,"
                              : "%-22s %5" PRIu32 " %9.2e %9.2e %7.2g %2" PRIu32
                                "  %9.2e %9.2e %7.2g %7.2g  %9.2e %9.2e  %8.1e %7.2f  ";
    printf(form, s->name, s->n, f->solve.ours, f->solve.theirs, ratio(f->solve), f->solved.refinements,
           f->left.ours, f->left.theirs, ratio(f->left), ratio(f->right), f->condition.ours,
           f->condition.theirs, fabs(f->determinant.ours - f->determinant.theirs), f->seconds);
    fputs(o->csv ? "\"" : "", stdout); /* the text contains commas */
    print_parting(s, f);
    printf("%s%s\n", o->csv ? "\"," : "  ", *verdict ? verdict : "ok");
    fflush(stdout);
}

static void print_head(const struct options *o)
{
    if (o->csv)
        puts("matrix,n,solve,LAPACK,ratio,refinements,inverse,LAPACK,ratio,ratio_of_AX,rcond,LAPACK,log_"
             "determinant,"
             "seconds,pivots,"
             "verdict");
    else
        printf("%-22s %5s %9s %9s %7s %2s  %9s %9s %7s %7s  %9s %9s  %8s %7s  pivots, verdict\n", "matrix",
               "n", "solve", "LAPACK", "ratio", "+", "inverse", "LAPACK", "ratio", "of A X", "rcond",
               "LAPACK", "log det", "seconds");
}

/* Capitals outside parentheses, which hold mere remarks. */
static bool is_broken(const char *verdict)
{
    int depth = 0;
    for (; *verdict; verdict++) {
        depth += (*verdict == '(') - (*verdict == ')');
        if (depth == 0 && *verdict >= 'A' && *verdict <= 'Z')
            return true;
    }
    return false;
}

static vks_status verify(vks_context *c, const void *options, const char *what, bool one_of_many,
                         struct tally *t)
{
    const struct options *o = options;
    struct message m = {0};
    struct specimen s;
    struct findings f;
    char verdict[128];
    vks_status status = specimen_load(&m, what, o->precision, o->largest, &s);
    if (status && one_of_many) {
        t->left_out++;
        status = VKS_OK;
    } else if (status)
        fprintf(stderr, "bench_verify_dense: %s\n", m.text);
    else if ((status = verify_all(c, &s, &f)))
        fprintf(stderr, "bench_verify_dense: %s: %s: %s\n", what, vks_status_text(status),
                vks_context_message(c));
    else {
        verdict_of(&s, &f, verdict, sizeof verdict);
        print(o, &s, &f, verdict);
        t->verified++;
        t->broken += is_broken(verdict);
    }
    specimen_free(&s);
    return status;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {
        {"device", required_argument, NULL, 'd'},  {"precision", required_argument, NULL, 'p'},
        {"largest", required_argument, NULL, 'l'}, {"csv", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},          {0}};
    *o = (struct options){.precision = VKS_F64, .largest = 4096};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        if (c == 'd')
            o->device = optarg;
        else if (c == 'p' && (!strcmp(optarg, "f64") || !strcmp(optarg, "f32")))
            o->precision = strcmp(optarg, "f32") ? VKS_F64 : VKS_F32;
        else if (c == 'l' && atoi(optarg) >= 1 && atoi(optarg) <= 32768)
            o->largest = (uint32_t)atoi(optarg);
        else if (c == 'c')
            o->csv = true;
        else
            return false;
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct options o;
    if (!read_options(argc, argv, &o)) {
        fputs(help, argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr);
        return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 1;
    }
    vks_context *c = verifying_open("bench_verify_dense", o.device);
    if (!c)
        return 1;
    print_head(&o);
    return verifying_run("bench_verify_dense", c, verify, &o, argc - optind, argv + optind);
}
