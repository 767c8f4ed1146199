#ifndef VKS_COMMAND_SPMV_MEASURE_H
#define VKS_COMMAND_SPMV_MEASURE_H

#include "command/spmv/job.h"

/* Fills in out->row and what AUTO chooses. A format that fails is a row that says why; what
 * is returned is a failure before there are any. The message is the context's. */
vks_status spmv_measure(const struct spmv_job *job, const struct host_csr *a, struct spmv_matrix *out);

#endif
