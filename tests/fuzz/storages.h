/* The ways to store a matrix. */
#ifndef VKS_TESTS_FUZZ_STORAGES_H
#define VKS_TESTS_FUZZ_STORAGES_H

#include "vksolve/vksolve.h"

/* The order of the sums of a row: that of CSR, another fixed one, or none. */
enum order { ORDER_CSR, ORDER_OWN, ORDER_ANY };

static const struct storage {
    const char *name;
    enum order order;
    vks_format_options options;
} storages[] = {
    {"csr", ORDER_CSR, {.format = VKS_FORMAT_CSR}},
    {"auto", ORDER_CSR, {.format = VKS_FORMAT_AUTO}},
    {"balanced", ORDER_CSR, {.format = VKS_FORMAT_BALANCED}},
    {"sell", ORDER_CSR, {.format = VKS_FORMAT_SELL}},
    {"sell, slices of 4, sorted",
     ORDER_CSR,
     {.format = VKS_FORMAT_SELL, .slice_height = 4, .sigma = 64, .padding = 1000}},
    {"sell, slices of 128, sorted",
     ORDER_CSR,
     {.format = VKS_FORMAT_SELL, .slice_height = 128, .sigma = 100000, .padding = 1000}},
    {"sell, coded", ORDER_CSR, {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS, .padding = 1000}},
    {"sell, plain and lean",
     ORDER_CSR,
     {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_NEVER, .lean = true, .padding = 1000}},
    {"ell", ORDER_CSR, {.format = VKS_FORMAT_ELL, .padding = 1000}},
    {"bsr", ORDER_CSR, {.format = VKS_FORMAT_BSR, .padding = 1000}},
    {"bsr, blocks of 3", ORDER_CSR, {.format = VKS_FORMAT_BSR, .block_size = 3, .padding = 1000}},
    {"bsr, blocks of 8, lean",
     ORDER_CSR,
     {.format = VKS_FORMAT_BSR, .block_size = 8, .lean = true, .padding = 1000}},
    {"coo", ORDER_CSR, {.format = VKS_FORMAT_COO}},
    {"coo, lean", ORDER_CSR, {.format = VKS_FORMAT_COO, .lean = true}},
    {"csc", ORDER_CSR, {.format = VKS_FORMAT_CSC}},
    {"csr-cached", ORDER_CSR, {.format = VKS_FORMAT_CSR_CACHED}},
    {"csr-two-pass", ORDER_OWN, {.format = VKS_FORMAT_CSR_TWO_PASS}},
    {"coo-atomic", ORDER_ANY, {.format = VKS_FORMAT_COO_ATOMIC}},
    {"csc-atomic", ORDER_ANY, {.format = VKS_FORMAT_CSC_ATOMIC}},
};

enum { STORAGES = sizeof storages / sizeof *storages };

#endif
