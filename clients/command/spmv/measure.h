#ifndef VKS_COMMAND_SPMV_MEASURE_H
#define VKS_COMMAND_SPMV_MEASURE_H

#include "command/spmv/job.h"

/* Fills in out->row and the choice of AUTO. The row of a format that fails says why. Returns failures before
 * the formats, with the message of the context. */
vks_status spmv_measure(const struct spmv_job *job, const struct host_csr *a, struct spmv_matrix *out);

#endif
