/* The parts of `vksolve spmv`: what is measured, how it is measured, and how it is told. */
#ifndef VKS_CLI_SPMV_JOB_H
#define VKS_CLI_SPMV_JOB_H

#include "cli/formats.h"
#include "cli/stored.h"
#include "entries/host_csr.h"
#include "report/json.h"
#include "report/message.h"
#include "vksolve/vksolve.h"
#include <stdio.h>

struct spmv_settings {
    const char *formats, *device, *csv, *json, *chart;
    int precision; /* -1: the best that the device has */
    uint32_t products;
    double seconds; /* for the products of a format */
    double padding; /* 0: the library's default */
    bool quiet;
};

/* X(name), all of them numbers: the columns of the CSV, the members of the JSON.
 * docs/measurements/products.md says what they are. NaN where there is none. */
#define SPMV_FIGURES(X) \
    X(setup_seconds)    \
    X(products)         \
    X(batches)          \
    X(seconds)          \
    X(seconds_least)    \
    X(seconds_most)     \
    X(wall_seconds)     \
    X(gflops)           \
    X(bytes)            \
    X(bandwidth)        \
    X(bandwidth_share)  \
    X(memory_bytes)     \
    X(efficiency)       \
    X(error)            \
    X(copies)           \
    X(copies_bytes)

#define SPMV_MEMBER_(name) double name;
struct spmv_figures {
    SPMV_FIGURES(SPMV_MEMBER_)
};
#undef SPMV_MEMBER_

enum { SPMV_MOST_FORMATS = 32 };

/* A format of a matrix. */
struct spmv_row {
    struct format_word format;
    vks_status status;
    struct message refused; /* why, unless status is VKS_OK */
    struct spmv_figures figures;
};

struct spmv_matrix {
    const char *path;
    uint32_t rows, cols;
    uint64_t entries;
    struct stored stored;
    vks_format chosen;     /* by AUTO; AUTO where that failed */
    char reason[128];      /* of it */
    double chosen_seconds; /* to choose and convert */
    struct spmv_row row[SPMV_MOST_FORMATS];
    int count;
};

struct spmv_job {
    struct spmv_settings set;
    struct format_word formats[SPMV_MOST_FORMATS];
    int format_count;
    vks_device_info device;
    vks_precision precision;
    vks_context *context;
    bool timed;            /* by the device's clock */
    double copy_bandwidth; /* NaN: there was no room to measure it */
    struct spmv_matrix *matrices;
    int count;
};

/* Copies of a matrix and its vectors are taken in turns where one alone is smaller than this: so many bytes
 * are beyond any cache. */
enum { SPMV_COLD_BYTES = 1 << 28 };

/* spmv_reference.c: x, and for y = A x what y should be. The x is the same in f32 and f64. */
struct spmv_reference {
    uint32_t rows, cols;
    double *x;
    double *y;     /* A x, summed as if in twice the precision of f64 */
    double *scale; /* |A| |x| */
};

vks_status spmv_reference(struct message *m, const struct host_csr *a, struct spmv_reference *r);
void spmv_reference_free(struct spmv_reference *r);
/* The largest |y - A x| / (|A| |x|) of all rows; infinite where a y is not finite, or not 0 though it should
 * be. */
double spmv_error(const struct spmv_reference *r, const double *y);

/* spmv_measure.c: fills in out->row and what AUTO chooses. A format that fails is a row that says why; what
 * is returned is a failure before there are any. The message is the context's. */
vks_status spmv_measure(const struct spmv_job *job, const struct host_csr *a, struct spmv_matrix *out);

/* spmv_report.c and spmv_files.c */
void spmv_print_head(const struct spmv_job *job, FILE *to);
void spmv_print(const struct spmv_matrix *a, FILE *to);
vks_status spmv_write_csv(struct message *m, const struct spmv_job *job);
vks_status spmv_write_json(struct message *m, const struct spmv_job *job);

/* spmv_chart.c: GFLOP/s, efficiency and share of the bandwidth, in files of their own whose names come from
 * that of the option: "a.png" gives "a-gflops.png". */
enum { SPMV_CHARTS = 3 };
struct spmv_chart_path {
    char text[4096];
};
/* VKS_INVALID_ARGUMENT: the name is too long. */
vks_status spmv_chart_path(struct message *m, const char *given, int chart, struct spmv_chart_path *path);
/* Whether they can be made, found out before the work. */
vks_status spmv_charts_check(struct message *m, const struct spmv_job *job);
vks_status spmv_charts(struct message *m, const struct spmv_job *job);

#endif
