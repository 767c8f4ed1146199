/* The report as files. */
#ifndef VKS_COMMAND_SPMV_FILES_H
#define VKS_COMMAND_SPMV_FILES_H

#include "command/spmv/job.h"

vks_status spmv_write_csv(struct message *m, const struct spmv_job *job);
vks_status spmv_write_json(struct message *m, const struct spmv_job *job);

#endif
