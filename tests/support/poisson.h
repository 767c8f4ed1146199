/* The Laplacians of the model problems as operators: row by row the same sums as their matrices. */
#ifndef VKS_TESTS_POISSON_H
#define VKS_TESTS_POISSON_H

#include "vksolve/operator.h"

#include <stddef.h>

/* On a grid of width word0 whose layers have word1 unknowns: 5 points if there is one layer, otherwise 7.
 * word2 is the diagonal. */
static const char poisson_glsl[] = "real row(uint i)\n"
                                   "{\n"
                                   "    uint w = word0, layer = word1;\n"
                                   "    uint column = i % w, line = i % layer;\n"
                                   "    real sum = real(0);\n"
                                   "    if (i >= layer)        sum = sum - x.at[i - layer];\n"
                                   "    if (line >= w)         sum = sum - x.at[i - w];\n"
                                   "    if (column > 0)        sum = sum - x.at[i - 1];\n"
                                   "    sum = sum + real(word2) * x.at[i];\n"
                                   "    if (column + 1 < w)    sum = sum - x.at[i + 1];\n"
                                   "    if (line + w < layer)  sum = sum - x.at[i + w];\n"
                                   "    if (i + layer < n)     sum = sum - x.at[i + layer];\n"
                                   "    return sum;\n"
                                   "}\n";

#define POISSON_ROWS(name, real)                                                                       \
    static inline void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, \
                            real *y)                                                                   \
    {                                                                                                  \
        uint32_t w = A->word[0], layer = A->word[1];                                                   \
        for (uint32_t i = first; i < first + count; i++) {                                             \
            uint32_t column = i % w, line = i % layer;                                                 \
            real sum = 0;                                                                              \
            if (i >= layer)                                                                            \
                sum = sum - x[i - layer];                                                              \
            if (line >= w)                                                                             \
                sum = sum - x[i - w];                                                                  \
            if (column > 0)                                                                            \
                sum = sum - x[i - 1];                                                                  \
            sum = sum + (real)A->word[2] * x[i];                                                       \
            if (column + 1 < w)                                                                        \
                sum = sum - x[i + 1];                                                                  \
            if (line + w < layer)                                                                      \
                sum = sum - x[i + w];                                                                  \
            if (i + layer < A->n)                                                                      \
                sum = sum - x[i + layer];                                                              \
            y[i] = sum;                                                                                \
        }                                                                                              \
    }
POISSON_ROWS(poisson_rows_f64, double)
POISSON_ROWS(poisson_rows_f32, float)

static inline vks_operator poisson_operator(uint32_t width, bool is_3d, vks_precision precision)
{
    return (vks_operator){.precision = precision,
                          .glsl = poisson_glsl,
                          .rows_f64 = poisson_rows_f64,
                          .rows_f32 = poisson_rows_f32,
                          .word = {width, width * width, is_3d ? 6 : 4}};
}

#endif
