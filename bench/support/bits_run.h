/* One call of bench_solve_bits, and its results. */
#ifndef VKS_BENCH_BITS_RUN_H
#define VKS_BENCH_BITS_RUN_H

#include "support/bits_cases.h"
#include "support/bits_systems.h"

#define BITS_HASH_START 0xcbf29ce484222325u

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), of 64 bits. */
uint64_t bits_hash(uint64_t hash, const void *bytes, uint64_t count);

struct bits_outcome {
    vks_status status;
    vks_solve_report report; /* of the last solve; only if status is VKS_OK */
    char message[512];       /* of a failed call, else "" */
    uint64_t x;              /* hash of every x that was computed */
    uint64_t history;
    uint64_t numbers; /* of the report's residuals, contraction, weight and part in the null space */
    uint64_t facts;   /* of the report's row, blocks, precisions, scaling, history step, cycles, strategies */
};

/* Makes the matrix and the vectors in the context, runs the call, and destroys them. All NaNs have the same
 * hash. */
struct bits_outcome bits_run(vks_context *context, const struct bits_csr *a, const struct bits_case *c,
                             vks_precision precision);

#endif
