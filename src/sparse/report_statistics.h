/* Statistics as they are told. */
#ifndef VKS_SPARSE_REPORT_STATISTICS_H
#define VKS_SPARSE_REPORT_STATISTICS_H

#include "sparse/statistics.h"
#include "vksolve/statistics.h"

/* vks_matrix_statistics, and what choose_format goes by: of *known the words stay. */
vks_status statistics_of(const vks_matrix *A, struct statistics *known, vks_statistics *out);

#endif
