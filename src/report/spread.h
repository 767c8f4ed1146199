/* Repeated measurements in three numbers. */
#ifndef VKS_REPORT_SPREAD_H
#define VKS_REPORT_SPREAD_H

struct spread {
    double median, least, most;
};

/* Sorts the values; count is at least 1. */
struct spread spread_of(double *values, int count);

#endif
