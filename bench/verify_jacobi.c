/* bench_verify_jacobi: checks the Jacobi iteration against the spectral radius of I - w D^-1 A, which is
 * computed independently: it must converge at that rate if it can, and must report that it diverges if it
 * cannot. */
#include "report/clock.h"
#include "verify/named.h"
#include "verify/spectrum.h"
#include "verify/verifying.h"
#include "vksolve/vksolve.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_verify_jacobi [OPTION...] MATRIX...\n"
    "\n"
    "MATRIX: a Matrix Market file, a folder of them (and of folders of them), or a model problem.\n"
    "Each is solved with a weight of 1 and with `auto`, from x = 0, b random, to 1e-8 in f64.\n"
    "\n"
    "  --device DEVICE  host, gpu, an index or part of a name (default: auto)\n"
    "  --exact N        all eigenvalues by LAPACK up to N rows (default: 1000), else Ritz values\n"
    "  --largest N      leaves out matrices of more rows (default: 200000)\n"
    "  --limit N        iterations (default: 10000)\n"
    "  --csv            comma-separated values\n"
    "  --help\n"
    "\n"
    "Columns: the weight, the spectral radius R of I - w D^-1 A, how it was found and by how much\n"
    "it changed in the last quarter of the steps (Lanczos, Arnoldi), the growth G for which\n"
    "||r after k|| <= G R^k ||r||; how the solve ended, its iterations, by what one multiplied the\n"
    "residual in the mean over all, and at the end. What breaks a bound is named in capitals, and\n"
    "the exit status is then 2:\n"
    "  FAST      the mean over k iterations is below R (1000 sqrt n)^(-1/k): b would have to have a\n"
    "            thousandth of what a random vector has of the eigenvector\n"
    "  SLOW      at the end it is above R G^(1/s), s the iterations that it was measured over\n"
    "  LIMIT     the limit is met, though G R^k is below 1e-8 or R^k / (1000 sqrt n) above 1e10\n"
    "  DIVERGED  though G R^256 is below 1\n"
    "  STAGNATED though G R^512 is below 1, or R^512 above 2000 sqrt n\n"
    "  ROW, WARNING, WEIGHT: not the first row with a zero on the diagonal, no warning (or one in\n"
    "            vain) of rows that are not dominant, not 4 / (3 (1 + g)); ENDING: anything else\n";

struct options {
    const char *device;
    uint32_t exact, largest, limit;
    bool csv;
};

struct subject {
    char name[64];
    struct host_csr A;
    double *D, *b;
    uint32_t zero_row; /* the first with a zero on the diagonal; UINT32_MAX for none */
    double worst;      /* the largest ratio of the other entries of a row to its diagonal entry */
    bool strict;       /* a row whose ratio is below 1 */
};

static void subject_free(struct subject *s)
{
    host_csr_free(&s->A);
    free(s->D);
    free(s->b);
}

static void check_row(struct subject *s, uint32_t i)
{
    double others = 0;
    for (uint32_t e = s->A.row[i]; e < s->A.row[i + 1]; e++)
        if (s->A.col[e] == i)
            s->D[i] = s->A.val[e];
        else
            others += fabs(s->A.val[e]);
    if (s->D[i] == 0 && s->zero_row == UINT32_MAX)
        s->zero_row = i;
    s->worst = fmax(s->worst, others / fabs(s->D[i]));
    s->strict |= others < (1 - 1e-12) * fabs(s->D[i]);
}

static vks_status subject_load(struct message *m, const struct options *o, const char *what,
                               struct subject *s)
{
    uint64_t state = 3;
    *s = (struct subject){.zero_row = UINT32_MAX};
    short_name(what, s->name, sizeof s->name);
    vks_status status = square_load(m, what, o->largest, &s->A);
    uint32_t n = s->A.rows;
    s->D = calloc(n + (size_t)1, sizeof *s->D);
    s->b = calloc(n + (size_t)1, sizeof *s->b);
    if (!status && (!s->D || !s->b))
        status = fail_memory(m, "a right-hand side", n * sizeof *s->b);
    for (uint32_t i = 0; i < n && !status; i++) {
        s->b[i] = next_random(&state);
        check_row(s, i);
    }
    return status;
}

static vks_status solve(vks_context *c, const struct options *o, const struct subject *s, double weight,
                        vks_solve_report *report)
{
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    uint32_t n = s->A.rows;
    const vks_solve_options options = {.weight = weight, .zero_guess = 1, .max_iterations = o->limit};
    vks_status status = vks_matrix_from_csr(c, n, n, s->A.row, s->A.col, s->A.val, NULL, &A);
    if (!status)
        status = vks_vector_create(c, n, VKS_F64, &b);
    if (!status)
        status = vks_vector_create(c, n, VKS_F64, &x);
    if (!status)
        status = vks_vector_write(b, 0, n, VKS_F64, s->b);
    if (!status)
        status = vks_jacobi_solve(A, b, x, &options, report);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(A);
    return status;
}

/* What is known before an iteration: logarithms of the least and the largest rate consistent with the radius,
 * of its growth and of 1000 sqrt n. */
struct forecast {
    double radius, change, least, most, growth, hidden;
};

static struct forecast forecast_of(const struct subject *s, const struct spectrum *e, double weight)
{
    struct forecast f = {.growth = log(e->growth), .hidden = log(1000 * sqrt(s->A.rows))};
    f.radius = spectrum_radius(e, weight, &f.change);
    f.least = f.radius > f.change ? log(f.radius - f.change) : -INFINITY;
    f.most = log(f.radius + f.change);
    return f;
}

/* ||r|| is between exp(k least - hidden) and exp(k most + growth) times its value k iterations earlier; 1e-6
 * covers rounding in eigenvalues. */
static const char *verify_ending(const struct forecast *f, const vks_solve_report *r)
{
    double k = r->iterations, falls = k * f->most + f->growth, grows = k * f->least - f->hidden;
    switch (r->reason) {
    case VKS_REASON_CONVERGED:
        return "";
    case VKS_REASON_ITERATION_LIMIT:
        return falls < log(1e-8) - 1e-6 || grows > log(1e10) + 1e-6 ? "LIMIT " : "";
    case VKS_REASON_DIVERGED:
        return 256 * f->most + f->growth < -1e-6 ? "DIVERGED " : f->most < 0 ? "(a hump) " : "";
    case VKS_REASON_STAGNATED:
        if (512 * f->most + f->growth < -1e-6 || 512 * f->least > f->hidden + log(2) + 1e-6)
            return "STAGNATED ";
        return f->most < 0 ? "(a hump) " : "";
    default:
        return "ENDING ";
    }
}

static double mean_rate(const vks_solve_report *r)
{
    return r->iterations ? pow(r->true_residual / r->initial_residual, 1.0 / r->iterations) : NAN;
}

static const char *verify_rate(const struct forecast *f, const vks_solve_report *r)
{
    double mean = mean_rate(r), k = r->iterations, span = k < 72 ? k : 72;
    if (r->iterations == 0 || !isfinite(mean) || isnan(r->contraction) || r->true_residual < 1e-13)
        return "";                                            /* or it consists only of rounding */
    double rounding = 1e-6 + 1e-14 / r->true_residual / span; /* of residuals, which are this small */
    if (log(mean) < f->least - f->hidden / k - rounding)
        return "FAST ";
    return log(r->contraction) > f->most + f->growth / span + rounding ? "SLOW " : "";
}

static const char *verify_dominance(const struct subject *s, const vks_solve_report *r)
{
    double slack = 1e-10;
    bool wanted = s->worst > 1 + slack || !s->strict;
    return fabs(s->worst - 1) > slack && wanted != (*r->warning != 0) ? "WARNING " : "";
}

static void print(const struct options *o, const struct subject *s, const struct spectrum *e,
                  const struct forecast *f, const vks_solve_report *r, const char *verdict)
{
    const char *form = o->csv ? "%s,%" PRIu32 ",%.4g,%.9f,%s,%.0e,%.1e,%s,%" PRIu32 ",%.9f,%.9f,%s\n"
                              : "%-36s %6" PRIu32 " %8.4g %14.9f %-7s %6.0e %8.1e  %-15s %6" PRIu32
                                " %13.9f %13.9f  %s\n";
    printf(form, s->name, s->A.rows, r->weight, f->radius, e->how, f->change, e->growth,
           vks_reason_name(r->reason), r->iterations, mean_rate(r), r->contraction,
           *verdict ? verdict : "ok");
    fflush(stdout);
}

static void count(struct tally *t, const char *verdict)
{
    t->verified++;
    t->broken += strpbrk(verdict, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != NULL;
}

static vks_status verify_weight(vks_context *c, const struct options *o, const struct subject *s,
                                const struct spectrum *e, double weight, struct tally *t)
{
    vks_solve_report r;
    char verdict[128];
    vks_status status = solve(c, o, s, weight, &r);
    if (status)
        return status;
    struct forecast f = forecast_of(s, e, r.weight);
    double expected = weight == VKS_WEIGHT_AUTO ? 4 / (3 * (1 + s->worst)) : 1;
    snprintf(verdict, sizeof verdict, "%s%s%s%s", verify_ending(&f, &r), verify_rate(&f, &r),
             verify_dominance(s, &r), fabs(r.weight - expected) <= 1e-10 * expected ? "" : "WEIGHT ");
    print(o, s, e, &f, &r, verdict);
    count(t, verdict);
    return VKS_OK;
}

/* Checks the refusal of a matrix with a zero on the diagonal. */
static vks_status verify_refusal(vks_context *c, const struct options *o, const struct subject *s,
                                 struct tally *t)
{
    vks_solve_report r;
    vks_status status = solve(c, o, s, 1, &r);
    if (status)
        return status;
    const char *verdict = r.reason != VKS_REASON_ZERO_DIAGONAL ? "ENDING "
                          : r.row != s->zero_row               ? "ROW "
                                                               : "";
    const struct spectrum none = {.how = "none", .growth = NAN};
    print(o, s, &none, &(struct forecast){.radius = NAN, .change = NAN}, &r, verdict);
    count(t, verdict);
    return VKS_OK;
}

static vks_status verify_loaded(vks_context *c, const struct options *o, const struct subject *s,
                                struct tally *t)
{
    struct message m = {0};
    struct spectrum e;
    if (s->zero_row != UINT32_MAX)
        return verify_refusal(c, o, s, t);
    vks_status status = spectrum_find(&m, &s->A, s->D, o->exact, &e);
    if (status)
        fprintf(stderr, "bench_verify_jacobi: %s: %s\n", s->name, m.text);
    if (!status)
        status = verify_weight(c, o, s, &e, 1, t);
    if (!status)
        status = verify_weight(c, o, s, &e, VKS_WEIGHT_AUTO, t);
    spectrum_free(&e);
    return status;
}

static vks_status verify(vks_context *c, const void *options, const char *what, bool one_of_many,
                         struct tally *t)
{
    const struct options *o = options;
    struct message m = {0};
    struct subject s;
    vks_status status = subject_load(&m, o, what, &s);
    if (status && one_of_many) {
        t->left_out++;
        status = VKS_OK;
    } else if (status)
        fprintf(stderr, "bench_verify_jacobi: %s\n", m.text);
    else if ((status = verify_loaded(c, o, &s, t)))
        fprintf(stderr, "bench_verify_jacobi: %s: %s: %s\n", what, vks_status_text(status),
                vks_context_message(c));
    subject_free(&s);
    return status;
}

static bool read_number(const char *text, uint32_t *value)
{
    char *end;
    unsigned long v = strtoul(text, &end, 10);
    *value = (uint32_t)v;
    return *text && !*end && v >= 1 && v <= 100000000;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {{"device", required_argument, NULL, 'd'},
                                          {"exact", required_argument, NULL, 'e'},
                                          {"largest", required_argument, NULL, 'l'},
                                          {"limit", required_argument, NULL, 'i'},
                                          {"csv", no_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    *o = (struct options){.exact = 1000, .largest = 200000, .limit = 10000};
    bool good = true;
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        if (c == 'd')
            o->device = optarg;
        else if (c == 'c')
            o->csv = true;
        else if (c == 'e' || c == 'l' || c == 'i')
            good = good && read_number(optarg, c == 'e' ? &o->exact : c == 'l' ? &o->largest : &o->limit);
        else
            return false;
    return good && optind < argc;
}

static void print_head(const struct options *o)
{
    if (o->csv)
        puts("matrix,n,weight,radius,how,change,growth,reason,iterations,mean,end,verdict");
    else
        printf("%-36s %6s %8s %14s %-7s %6s %8s  %-15s %6s %13s %13s  verdict\n", "matrix", "n", "weight",
               "radius", "how", "change", "growth", "reason", "its", "mean", "end");
}

int main(int argc, char **argv)
{
    struct options o;
    if (!read_options(argc, argv, &o)) {
        fputs(help, argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr);
        return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 1;
    }
    vks_context *c = verifying_open("bench_verify_jacobi", o.device);
    if (!c)
        return 1;
    print_head(&o);
    return verifying_run("bench_verify_jacobi", c, verify, &o, argc - optind, argv + optind);
}
