/* Dense products. Blocks of A and B are copied so that the innermost loop reads them contiguously: K. Goto,
 * R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008). An element of C
 * is stored and reloaded between blocks, which leaves its bits unchanged. */
#ifndef VKS_HOST_DENSE_GEMM_H
#define VKS_HOST_DENSE_GEMM_H

#include "host/dense/simd.h"
#include "shaders/dense/gemm.h"

#include <string.h>

/* Rows, and SIMD vectors of columns, held in registers at a time: 16 of 32 registers, or 12 of 16. */
#if defined(__AVX512F__)
enum { TM = 8, VECTORS = 2 };
#else
enum { TM = 6, VECTORS = 2 };
#endif
/* A block of C, and the depth of a block of A and B. Both copies and the sums of a block take 320 KiB of
 * stack and fit into the second-level cache. */
enum { TN = VECTORS * SIMD, ROWS = 96, COLS = 128, DEPTH = 128 };

_Static_assert(ROWS % TM == 0 && COLS % TN == 0, "blocks are whole numbers of what is in registers");

static inline uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Copies panels of TM rows, column by column, padded with zeros to TM rows. */
static void copy_A(const struct gemm_args *a, uint32_t i0, uint32_t rows, uint32_t d0, uint32_t depth,
                   scalar_t *to)
{
    bool minus = a->mode == GEMM_SUBTRACT;
    for (uint32_t i = 0; i < rows; i += TM, to += TM * depth)
        for (uint32_t t = 0; t < TM; t++) {
            bool there = i + t < rows;
            const scalar_t *row = a->A + (size_t)(i0 + (there ? i + t : 0)) * a->lda + d0;
            for (uint32_t d = 0; d < depth; d++)
                to[d * TM + t] = !there ? 0 : minus ? -row[d] : row[d];
        }
}

/* Copies panels of TN columns, row by row. */
static void copy_B(const struct gemm_args *a, uint32_t d0, uint32_t depth, uint32_t j0, uint32_t cols,
                   scalar_t *to)
{
    for (uint32_t j = 0; j < cols; j += TN) {
        uint32_t some = least(TN, cols - j);
        for (uint32_t d = 0; d < depth; d++, to += TN) {
            memcpy(to, a->B + (size_t)(d0 + d) * a->ldb + j0 + j, some * sizeof *to);
            memset(to + some, 0, (TN - some) * sizeof *to);
        }
    }
}

/* c += A B, for TM x TN elements */
static inline void add_products(const scalar_t *A, const scalar_t *B, uint32_t depth, scalar_t *c, size_t ldc)
{
    simd acc[TM][VECTORS];
#pragma GCC unroll 8
    for (int i = 0; i < TM; i++)
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++)
            acc[i][v] = simd_load(c + i * ldc + v * SIMD);
    for (uint32_t d = 0; d < depth; d++, A += TM, B += TN) {
        simd b[VECTORS];
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++)
            b[v] = simd_load(B + v * SIMD);
#pragma GCC unroll 8
        for (int i = 0; i < TM; i++) {
            simd x = simd_all(A[i]);
#pragma GCC unroll 2
            for (int v = 0; v < VECTORS; v++)
                acc[i][v] = simd_fma(x, b[v], acc[i][v]);
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < TM; i++)
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++)
            simd_store(c + i * ldc + v * SIMD, acc[i][v]);
}

/* add_products at the edges of C, with fewer rows or columns. */
static void add_at_edge(const scalar_t *A, const scalar_t *B, uint32_t depth, scalar_t *c, size_t ldc,
                        uint32_t rows, uint32_t cols)
{
    scalar_t all[TM * TN] = {0};
    for (uint32_t i = 0; i < rows; i++)
        memcpy(all + i * TN, c + i * ldc, cols * sizeof *c);
    add_products(A, B, depth, all, TN);
    for (uint32_t i = 0; i < rows; i++)
        memcpy(c + i * ldc, all + i * TN, cols * sizeof *c);
}

static void add_block(const scalar_t *A, const scalar_t *B, uint32_t depth, scalar_t *c, size_t ldc,
                      uint32_t rows, uint32_t cols)
{
    for (uint32_t j = 0; j < cols; j += TN)
        for (uint32_t i = 0; i < rows; i += TM) {
            const scalar_t *a = A + (size_t)i * depth, *b = B + (size_t)j * depth;
            scalar_t *at = c + i * ldc + j;
            if (rows - i >= TM && cols - j >= TN)
                add_products(a, b, depth, at, ldc);
            else
                add_at_edge(a, b, depth, at, ldc, least(TM, rows - i), least(TN, cols - j));
        }
}

static void begin(const struct gemm_args *a, uint32_t i0, uint32_t rows, uint32_t j0, uint32_t cols)
{
    for (uint32_t i = i0; i < i0 + rows && a->mode == GEMM_SET; i++)
        memset(a->C + (size_t)i * a->ldc + j0, 0, cols * sizeof *a->C);
}

/* Applies the elimination to a block of C, given the sums of its products. */
static void add_sums(const struct gemm_args *a, const scalar_t *sums, uint32_t i0, uint32_t rows, uint32_t j0,
                     uint32_t cols)
{
    for (uint32_t i = 0; i < rows; i++) {
        scalar_t *c = a->C + (size_t)(i0 + i) * a->ldc + j0;
        bool is_pivot = a->step[i0 + i] - a->first < a->k;
        for (uint32_t j = 0; j < cols; j++)
            c[j] = is_pivot ? sums[i * COLS + j] : c[j] + sums[i * COLS + j];
    }
}

static void block_of_C(const struct gemm_args *a, uint32_t i0, uint32_t j0)
{
    uint32_t rows = least(ROWS, a->m - i0), cols = least(COLS, a->n - j0);
    scalar_t A[ROWS * DEPTH], B[COLS * DEPTH], sums[ROWS * COLS];
    scalar_t *to = a->step ? sums : a->C + (size_t)i0 * a->ldc + j0;
    if (a->step)
        memset(sums, 0, sizeof sums);
    else
        begin(a, i0, rows, j0, cols);
    for (uint32_t d = 0; d < a->k; d += DEPTH) {
        uint32_t depth = least(DEPTH, a->k - d);
        copy_A(a, i0, rows, d, depth, A);
        copy_B(a, d, depth, j0, cols, B);
        add_block(A, B, depth, to, a->step ? COLS : a->ldc, rows, cols);
    }
    if (a->step)
        add_sums(a, sums, i0, rows, j0, cols);
}

static inline void multiply(const struct gemm_args *a, struct member *me)
{
    uint32_t high = a->m / ROWS + (a->m % ROWS != 0), wide = a->n / COLS + (a->n % COLS != 0);
    TEAM_FOR(me, block, high * wide, (double)a->m * a->n * a->k >= 65536 ? 2 : UINT32_MAX, 1)
    block_of_C(a, block / wide * ROWS, block % wide * COLS);
}

#endif
