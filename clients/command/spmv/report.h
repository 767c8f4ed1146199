/* The report on standard output. */
#ifndef VKS_COMMAND_SPMV_REPORT_H
#define VKS_COMMAND_SPMV_REPORT_H

#include "command/spmv/job.h"

void spmv_print_head(const struct spmv_job *job, FILE *to);
void spmv_print(const struct spmv_matrix *a, FILE *to);

#endif
