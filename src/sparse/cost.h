/* What a product in a format costs on a GPU, from statistics of the matrix: bytes, and turns. A *turn* is a
 * read of columns and then of what x has there, which have to wait for each other; where rows are few, the
 * turns of the longest one are what the product takes. Counts and weights were measured on an H200
 * (docs/measurements/products.md). */
#ifndef VKS_SPARSE_COST_H
#define VKS_SPARSE_COST_H

#include "sparse/sell.h"
#include "sparse/statistics.h"

struct question {
    const struct csr *A;
    const vks_format_options *storage; /* with the defaults filled in */
    const struct statistics *known;    /* what choice_wants says, at least */
    enum precision precision;          /* of products */
    bool host;                         /* else a GPU */
    uint32_t turn_bytes;               /* device_info */
    bool co_resident;                  /* workgroups may synchronise (solvers/method/cg_fused.c) */
};

struct cost {
    double bytes_each; /* of an entry of the matrix, vectors and long rows aside; an infinity: out of the
                          question */
    double turns;      /* of the longest row that is not long */
    double total;      /* bytes, weighed, or what comes to as much */
};

struct cost csr_cost(const struct question *q);
struct cost balanced_cost(const struct question *q);
struct cost sell_cost(const struct question *q);
struct cost bsr_cost(const struct question *q, uint32_t size);

/* Whether columns of such slices are to be compact: they reach, and are smaller, which they are not where
 * slices have few entries in a row. */
bool sell_is_compact(const struct sell *A, const struct statistics *known);
/* Whether the entries of A in the slices of B are to be codes of so many kinds: if the options have it so, or
 * they are fewer bytes than values of the precision p, and columns, which would be compact or not. */
bool coded_pays(const vks_format_options *o, const struct csr *A, const struct sell *B, bool compact,
                enum precision p, uint32_t kinds);

/* Entries that slices store for one that is there. */
double cost_growth(const struct question *q);
/* Whether a warp of CSR waits for its longest row while others have ended. */
bool cost_is_uneven(const struct question *q);

#endif
