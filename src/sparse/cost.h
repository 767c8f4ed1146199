/* The cost of a product in a format on a GPU, from statistics of the matrix: bytes and turns. A *turn* reads
 * columns, then the elements of x at those columns. If rows are few, the turns of the longest row determine
 * the time. Counts and weights were measured on an H200 (docs/measurements/products.md). */
#ifndef VKS_SPARSE_COST_H
#define VKS_SPARSE_COST_H

#include "sparse/sell.h"
#include "sparse/statistics.h"

struct question {
    const struct csr *A;
    const vks_format_options *storage; /* with defaults filled in */
    const struct statistics *known;    /* at least the statistics of choice_wants */
    enum precision precision;          /* of products */
    bool host;                         /* else a GPU */
    uint32_t turn_bytes;               /* device_info */
    bool co_resident; /* workgroups are co-resident and may synchronise (solvers/method/cg_fused.c) */
};

struct cost {
    double bytes_each; /* per entry of the matrix, without vectors and long rows; infinite: impossible */
    double turns;      /* of the longest row that is not long */
    double total;      /* weighted bytes, or the time of the turns in the same unit */
};

struct cost csr_cost(const struct question *q);
struct cost balanced_cost(const struct question *q);
struct cost sell_cost(const struct question *q);
struct cost bsr_cost(const struct question *q, uint32_t size);

/* Whether columns of such slices are stored compactly: their offsets must fit and take fewer bytes. They take
 * more if slices have few entries in a row. */
bool sell_is_compact(const struct sell *A, const struct statistics *known);
/* Whether the entries of A in the slices of B are stored as codes of `kinds` kinds: if the options say so, or
 * if codes take fewer bytes than columns and values of precision p. */
bool coded_pays(const vks_format_options *o, const struct csr *A, const struct sell *B, bool compact,
                enum precision p, uint32_t kinds);

/* Stored entries of slices, padding included, per entry. */
double cost_growth(const struct question *q);
/* Whether subgroups of CSR wait for their longest rows. */
bool cost_is_uneven(const struct question *q);

#endif
