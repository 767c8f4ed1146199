/* The settings and the results of `vksolve spmv`. */
#ifndef VKS_COMMAND_SPMV_JOB_H
#define VKS_COMMAND_SPMV_JOB_H

#include "command/shared/formats.h"
#include "command/shared/stored.h"
#include "entries/host_csr.h"
#include "report/json.h"
#include "report/message.h"
#include "vksolve/vksolve.h"
#include <stdio.h>

struct spmv_settings {
    const char *formats, *device, *csv, *json, *chart;
    int precision; /* -1: the highest that the device supports */
    uint32_t products;
    double seconds; /* time to spend on the products of a format */
    double padding; /* 0: the library's default */
    bool quiet;
};

/* X(name): numbers, the columns of the CSV and the members of the JSON. docs/measurements/products.md
 * explains them. NaN: unknown. */
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
    struct message refused; /* the reason, unless status is VKS_OK */
    struct spmv_figures figures;
};

struct spmv_matrix {
    const char *path;
    uint32_t rows, cols;
    uint64_t entries;
    struct stored stored;
    vks_format chosen;     /* by AUTO; AUTO if that failed */
    char reason[128];      /* for that choice */
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
    bool timed;            /* with the device's clock */
    double copy_bandwidth; /* NaN if memory was too small to measure it */
    struct spmv_matrix *matrices;
    int count;
};

/* More than any cache holds. If a matrix and its vectors have fewer bytes, products cycle through several
 * copies of them. */
enum { SPMV_COLD_BYTES = 1 << 28 };

#endif
