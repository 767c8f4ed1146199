/* Charts of GFLOP/s, efficiency and share of the bandwidth, one file each. Their names derive from the
 * option's: "a.png" gives "a-gflops.png". */
#ifndef VKS_COMMAND_SPMV_CHART_H
#define VKS_COMMAND_SPMV_CHART_H

#include "command/spmv/job.h"

enum { SPMV_CHARTS = 3 };
struct spmv_chart_path {
    char text[4096];
};
/* VKS_INVALID_ARGUMENT: the name is too long. */
vks_status spmv_chart_path(struct message *m, const char *given, int chart, struct spmv_chart_path *path);
/* Checks, before the work, whether the charts can be drawn. */
vks_status spmv_charts_check(struct message *m, const struct spmv_job *job);
vks_status spmv_charts(struct message *m, const struct spmv_job *job);

#endif
