/* The stages of `vksolve solve`, and the job that they pass on. */
#ifndef VKS_CLI_SOLVE_JOB_H
#define VKS_CLI_SOLVE_JOB_H

#include "cli/coordinates.h"
#include "cli/devices.h"
#include "cli/formats.h"
#include "cli/live.h"
#include "cli/looks.h"
#include "cli/options.h"
#include "cli/preconds.h"
#include "cli/stored.h"
#include "cli/words.h"
#include "entries/check.h"
#include "entries/rcm.h"
#include "report/json.h"
#include "vksolve/solver.h"
#include <stdio.h>

struct solve_settings {
    const char *rhs, *output, *history, *plot, *json, *device, *format, *precond,
        *coordinates; /* NULL: not given */
    int method, scaling, precision, compare,
        reorder; /* places in the lists of words; precision -1: not given */
    double rtol, atol, weight, padding;
    uint32_t max_iterations, block_size, restart;
    uint64_t lapack_memory;
    bool singular, quiet, validate, explain;
};

/* Seconds of each stage; setup is upload and preconditioner. */
struct solve_seconds {
    double read, open, setup, solve;
};

/* The system in another order, as the device gets it; zero where there is no other. */
struct solve_order {
    uint32_t *order;   /* order[new] = old */
    struct host_csr a; /* P A P^T, until it has been uploaded */
    double *b;         /* room for P b */
    struct band before, after;
    double seconds; /* all that reordering took on the host */
};

enum {
    MOST_WARNINGS = 4,
    SOLVE_HISTORY = 1 << 22, /* iterations, what the library keeps at most */
    SOLVE_CYCLES = 256       /* each halves the residual, so that there are far fewer in doubles */
};

/* --compare: the same system by another solver, on the CPU. */
enum { COMPARE_NONE, COMPARE_LAPACK, COMPARE_DIRECT };

struct comparison {
    const char *name;   /* in notes: "LAPACK", "direct" */
    const char *method; /* "dense LU (dgetrf)"; "none": none was tried */
    bool solved;
    char note[256]; /* why it was not, or what else is to be said; else "" */
    double seconds, true_residual;
    double normal_residual; /* ||A^T r|| / (||A|| ||r||) of least squares; else NaN */
    double difference;      /* largest |x_i - y_i| over largest |y_i|, y by that solver; NaN: there is none */
};

/* How the solve for a column of b went. */
struct solve_column {
    vks_reason reason;
    uint32_t iterations;
    double seconds, true_residual;
};

struct solve_job {
    struct solve_settings set;
    const char *path;
    bool is_of_several; /* matrices: a line is printed of each */

    struct host_csr a;
    bool symmetric;   /* exactly */
    bool suits_cg;    /* it is symmetric, but for rounding, and its diagonal is positive */
    double asymmetry; /* largest |a_ij - a_ji| over the largest magnitude */
    uint32_t columns; /* of b and x */
    double *b, *x;    /* column by column */
    struct solve_column *column;
    double *history; /* [0] is the start, [k] after iteration k report.history_step; NULL: not wanted */
    vks_cycle cycles[SOLVE_CYCLES];
    struct looks looks;
    struct live live;

    struct solve_order order;
    struct coordinates coordinates; /* of nodes, with --coordinates */
    vks_device_info device;
    char device_reason[160];
    struct precond_words precond;
    struct format_word format; /* as asked, until the device has a matrix */
    char format_reason[128];
    struct stored stored;
    bool in_f32;   /* the iterations, with x in f64 */
    uint32_t told; /* the column that the report is of: the first that failed, else the slowest */
    vks_solve_report report;
    struct solve_seconds seconds; /* of that column */
    double copy_bandwidth;        /* bytes in a second; NaN: not measured */
    double error_vs_known;        /* the largest |x_i - solve_known(job, i)|; NaN with --rhs */

    struct comparison comparison;

    char warnings[MOST_WARNINGS][256];
    int warning_count;
};

/* solve_job.c: adds a warning to the report; drops those after the first MOST_WARNINGS. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void solve_warn(struct solve_job *job, const char *format, ...);
/* Bytes a second that the iterations moved. NaN: there were none. */
double solve_bandwidth(const struct solve_job *job);

/* solve_settings.c: what the user asks for, with the place of the first matrix in argv. PARSED_WRONG: it has
 * been told why. */
enum parsed solve_parse(int argc, char **argv, struct solve_job *job, int *first);
/* solve.c: everything about one matrix; the exit code. */
int solve_one(struct solve_job *job);
/* solve_several.c: the same of several, with a line about each; the largest exit code. */
int solve_several(const struct solve_job *settings, char **paths, int count);
void solve_print_line(const struct solve_job *job);
/* solve_columns.c: x of every column of b by A, whose solve has these options; the vectors are its room. */
vks_status solve_columns(struct message *m, struct solve_job *job, const vks_matrix *A, vks_vector *b,
                         vks_vector *x, const vks_solve_options *options);
/* The columns in the report, where there are several; the member "columns". */
void solve_columns_print(const struct solve_job *job, FILE *to);
void solve_columns_to_json(const struct solve_job *job, struct json *j);
/* solve_load.c: A, what it is like, and b. */
vks_status solve_load(struct message *m, struct solve_job *job);
/* The x of which b is A times x where there is no --rhs: ones; with --singular, where ones give zero and x
 * has no mean, a ramp from -1 in the first row to 1 in the last. Its name, and its element i. */
const char *solve_known_name(const struct solve_job *job);
double solve_known(const struct solve_job *job, uint32_t i);
/* After a solve: warns where b is zero, which x = 0 solves whatever A is. */
void solve_warn_of_zero(struct solve_job *job);
/* solve_method.c: the method that auto stands for. VKS_UNSUPPORTED: there is none; the message says what is
 * missing. */
void solve_choose(struct solve_job *job, const struct csr_findings *f);
/* Whether conjugate gradients are asked for, or the first that the library will try. */
static inline bool solve_by_cg(const struct solve_job *job)
{
    return job->set.method == VKS_METHOD_CG || (job->set.method == VKS_METHOD_AUTO && job->suits_cg);
}
/* Whether iterations may be in f32 for an x in f64. */
static inline bool solve_refines(const struct solve_job *job)
{
    bool is_lsmr = job->set.method == VKS_METHOD_AUTO && job->a.rows != job->a.cols;
    return !is_lsmr && vks_method_refines((vks_method)job->set.method);
}
/* solve_order.c: job->order, as --reorder asks; b in that order; x from it into the user's; the line of the
 * report, and the member "reorder", null where A stays as it is. */
extern const char *const solve_orders[]; /* ends with NULL */
vks_status solve_reorder(struct message *m, struct solve_job *job);
const double *solve_order_there(const struct solve_order *o, uint32_t n, const double *b);
void solve_order_back(const struct solve_order *o, uint32_t n, double *x);
void solve_order_free(struct solve_order *o);
void solve_order_print(const struct solve_job *job, FILE *to);
void solve_order_to_json(const struct solve_job *job, struct json *j);
/* solve_nodes.c: the coordinates of nodes, as --coordinates asks, for multigrid. */
vks_status solve_take_nodes(struct message *m, struct solve_job *job);
/* solve_device.c: the options of the library's solve that the user gave; x and everything that the device
 * tells. */
vks_solve_options solve_options(const struct solve_job *job);
vks_status solve_on_device(struct message *m, struct solve_job *job);
/* solve_explain.c: tells what would be attempted, and gives the exit code. */
int solve_explain(struct solve_job *job);
/* solve_compare.c: the words of --compare, in the order of the enum, and NULL; job->comparison. */
extern const char *const solve_comparisons[];
vks_status solve_compare(struct message *m, struct solve_job *job);
/* solve_plot.c: a picture of the history. */
vks_status solve_plot(struct message *m, struct solve_job *job);
/* solve_report.c: the preconditioner as it was asked for, with the kind that auto stood for; "cg with
 * jacobi", "jacobi, weight 1", "gauss-jordan"; and the whole report */
struct precond_text solve_precond(const struct solve_job *job);
struct method_text {
    char text[sizeof(struct precond_text) + 64];
};
struct method_text solve_method(const struct solve_job *job);
void solve_print(const struct solve_job *job, FILE *to);
/* solve_json.c: one object. */
void solve_to_json(const struct solve_job *job, struct json *j);

/* Its iterations are steps of refinement: no one sees or ends them. */
static inline bool solves_at_once(int method)
{
    return method == VKS_METHOD_GAUSS_JORDAN || method == VKS_METHOD_DIRECT;
}

/* Once the device is open: as asked, else f64 where the device has it. Where it has not, methods that
 * refine x solve a mixed matrix, by iterations in f32. */
static inline vks_precision solve_precision(const struct solve_job *job)
{
    bool refines = !job->device.f64 && solve_refines(job);
    return device_precision(&job->device, refines && job->set.precision < 0 ? VKS_MIXED : job->set.precision);
}

#endif
