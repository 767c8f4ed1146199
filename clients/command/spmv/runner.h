/* A format of a matrix while it is measured: copies of the matrix with vectors, and a recording of products
 * with each in turn. */
#ifndef VKS_COMMAND_SPMV_RUNNER_H
#define VKS_COMMAND_SPMV_RUNNER_H

#include "command/spmv/job.h"
#include "command/spmv/reference.h"
#include "device/record.h"

enum {
    SPMV_BATCHES = 10,        /* unless time or SPMV_LONGEST_BATCH require more */
    SPMV_LONGEST_BATCH = 256, /* products */
    SPMV_MOST_COPIES = 128
};

struct spmv_copy {
    vks_matrix *A;
    vks_vector *x, *y;
};

struct spmv_runner {
    struct spmv_row *row;
    struct spmv_copy copy[SPMV_MOST_COPIES];
    uint32_t copies;
    struct rec rec;
    uint32_t batch;                      /* products in the recording */
    double *seconds, *wall, *dispatches; /* of the batches; of a run of the recording */
    uint32_t batches, products;
    double spent;
};

/* Shared by all runners of a matrix. */
struct spmv_task {
    const struct spmv_job *job;
    const vks_matrix *A; /* in CSR */
    const struct spmv_reference *reference;
    uint64_t room; /* bytes available to the copies of a format */
};

/* Converts, warms up, and records. The message is in the context. runner_end is required even after a
 * failure. */
vks_status runner_begin(const struct spmv_task *t, struct spmv_runner *r);
bool runner_is_done(const struct spmv_task *t, const struct spmv_runner *r);
vks_status runner_run(struct spmv_runner *r);
/* Fills in the figures of the row, after at least one run. */
vks_status runner_evaluate(const struct spmv_task *t, struct spmv_runner *r);
void runner_end(struct spmv_runner *r);

/* Bytes of device memory that the runner holds. */
uint64_t runner_bytes(const struct spmv_runner *r);

/* Times the second of two conversions, because the first may compile kernels. *B is its result, and lean. */
vks_status convert_timed(const vks_matrix *A, vks_format_options o, vks_matrix **B, double *seconds);

#endif
