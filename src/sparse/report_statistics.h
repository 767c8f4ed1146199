/* Statistics in public form. */
#ifndef VKS_SPARSE_REPORT_STATISTICS_H
#define VKS_SPARSE_REPORT_STATISTICS_H

#include "sparse/statistics.h"
#include "vksolve/statistics.h"

/* Implements vks_matrix_statistics. The words of *known remain valid for choose_format. */
vks_status statistics_of(const vks_matrix *A, struct statistics *known, vks_statistics *out);

#endif
