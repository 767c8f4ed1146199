/* A solve of one matrix: the request, and the results of each stage. */
#ifndef VKS_COMMAND_SOLVE_JOB_H
#define VKS_COMMAND_SOLVE_JOB_H

#include "command/shared/coordinates.h"
#include "command/shared/device.h"
#include "command/shared/stored.h"
#include "command/solve/live.h"
#include "command/solve/polls.h"
#include "command/solve/settings.h"
#include "entries/rcm.h"
#include "vksolve/solver.h"

/* Seconds of each stage; setup is upload and preconditioner. */
struct solve_seconds {
    double read, open, setup, solve;
};

/* The reordered system that the device receives; zero if A is not reordered. */
struct solve_order {
    uint32_t *order;   /* order[new] = old */
    struct host_csr a; /* P A P^T, until it has been uploaded */
    double *b;         /* room for P b */
    struct band before, after;
    double seconds; /* of all reordering work on the host */
};

enum {
    MOST_WARNINGS = 4,
    SOLVE_HISTORY = 1 << 22, /* the most iterations that the library keeps */
    SOLVE_CYCLES = 256       /* each halves the residual, so that in double there are far fewer */
};

/* The result of another solver. */
struct comparison {
    const char *name;   /* in notes: "LAPACK", "direct" */
    const char *method; /* "dense LU (dgetrf)"; "none": none was tried */
    bool solved;
    char note[256]; /* why it was not solved, or another remark; else "" */
    double seconds, true_residual;
    double normal_residual; /* ||A^T r|| / (||A|| ||r||) of least squares; else NaN */
    double difference; /* largest |x_i - y_i| over largest |y_i|, y by that solver; NaN if there is none */
};

/* How the solve for one column of b ended. */
struct solve_column {
    vks_reason reason;
    uint32_t iterations;
    double seconds, true_residual;
};

struct solve_job {
    struct solve_settings set;
    const char *path;
    bool is_of_several; /* one of several matrices: prints one line each */
    struct live live;

    /* load.h */
    struct host_csr a;
    bool symmetric;   /* exactly */
    bool suits_cg;    /* it is symmetric up to rounding, and its diagonal is positive */
    double asymmetry; /* largest |a_ij - a_ji| / largest |a_ij| */
    uint32_t columns; /* of b and x */
    double *b;        /* column by column */

    /* nodes.h, order.h */
    struct coordinates coordinates; /* of nodes, for --coordinates */
    struct solve_order order;

    /* device.h, range.h */
    vks_device_info device;
    char device_reason[160];
    bool in_f32; /* iterates in f32, with x in f64 */

    /* run.h, columns.h */
    struct format_word format; /* of the matrix on the device */
    char format_reason[128];
    struct stored stored;
    double *x; /* column by column */
    struct solve_column *column;
    double *history; /* [0] is the start, [k] after iteration k report.history_step; NULL if not requested */
    vks_cycle cycles[SOLVE_CYCLES];
    struct polls polls;
    uint32_t reported; /* the column that the report describes: the first that failed, else the slowest */
    vks_solve_report report;
    struct solve_seconds seconds; /* of that column */
    double copy_bandwidth;        /* bytes in a second; NaN: not measured */
    double error_vs_known;        /* the largest error against the known x (known.h); NaN with --rhs */

    /* compare.h */
    struct comparison comparison;

    char warnings[MOST_WARNINGS][256];
    int warning_count;
};

/* Adds a warning to the report. Those after the first MOST_WARNINGS are dropped. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void solve_warn(struct solve_job *job, const char *format, ...);

/* Bytes a second that the iterations moved; NaN if there were none. */
double solve_bandwidth(const struct solve_job *job);

/* Whether the method is conjugate gradients, or the library will try them first. */
bool solve_by_cg(const struct solve_job *job);

/* Whether iterations may run in f32 for an x in f64. */
bool solve_refines(const struct solve_job *job);

/* Valid once the device is open: the requested precision, else f64 if the device has it. On a device without
 * f64, methods that refine x solve a mixed matrix by iterations in f32. */
vks_precision solve_precision(const struct solve_job *job);

#endif
