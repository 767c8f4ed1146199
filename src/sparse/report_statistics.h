/* Statistics in public form. */
#ifndef VKS_SPARSE_REPORT_STATISTICS_H
#define VKS_SPARSE_REPORT_STATISTICS_H

#include "sparse/statistics.h"
#include "vksolve/statistics.h"

/* vks_matrix_statistics, and the statistics for choose_format: the words of *known remain valid. */
vks_status statistics_of(const vks_matrix *A, struct statistics *known, vks_statistics *out);

#endif
