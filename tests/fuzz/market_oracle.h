/* A second reader of Matrix Market text: slow, sequential, with strtod. It uses no code of src/market. */
#ifndef VKS_TESTS_FUZZ_MARKET_ORACLE_H
#define VKS_TESTS_FUZZ_MARKET_ORACLE_H

#include "tests/support/own.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The entries that a file stores, zero-based and without the mirrored ones. */
struct oracle_matrix {
    uint64_t rows, cols, stored;
    char symmetry; /* 'g'eneral, 's'ymmetric, s'k'ew-symmetric */
    uint64_t *row, *col;
    double *val;
};

/* Whether the text (no gzip) is a matrix by the rules of src/market/market.h. Call oracle_free on *a in
 * either case. */
bool oracle_read(const uint8_t *data, size_t size, struct oracle_matrix *a);

void oracle_free(struct oracle_matrix *a);

/* The length of the number at the beginning of the text, 0 if there is none; *whole: it has neither point nor
 * exponent. */
size_t oracle_number(const char *text, bool *whole);

/* The value of a number; rewrites it in the form that strtod accepts. */
double oracle_value(char *number);

#endif
