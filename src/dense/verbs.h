/* Verbs on dense matrices: each records one kernel, or those of one product, and counts its bytes. */
#ifndef VKS_DENSE_VERBS_H
#define VKS_DENSE_VERBS_H

#include "dense/dense.h"
#include "shaders/dense/gemm.h"
#include "shaders/dense/order.h"
#include "sparse/csr.h"
#include "vector/verbs.h"

/* Strips of a row, and the lanes that sum a strip: as for a sparse row with all entries stored. */
static inline uint32_t gemv_strips_of(uint32_t cols)
{
    return cols ? cols / GEMV_STRIP + (cols % GEMV_STRIP != 0) : 1;
}

static inline uint32_t gemv_lanes(uint32_t cols)
{
    return cols > GEMV_SHORT ? 32 : csr_lanes(1, cols);
}

/* Reals needed for the sums of the strips; 0 if the sums are not kept. */
static inline uint64_t gemv_room(struct block A)
{
    uint32_t strips = gemv_strips_of(A.cols);
    return strips > 1 ? (uint64_t)A.rows * strips : 0;
}

static inline uint64_t block_bytes(const struct rec *r, struct block b)
{
    return (uint64_t)b.rows * b.cols * real_bytes(r->precision);
}

/* y = A x + b, or A x if b has no elements; s has gemv_room reals */
static inline void gemv(struct rec *r, vks_gemv_form form, struct block A, struct vec x, struct vec b,
                        struct vec y, reals s)
{
    uint32_t strips = gemv_strips_of(A.cols), lanes = gemv_lanes(A.cols);
    bool joins = strips > 1 && (form != VKS_GEMV_GROUPS || strips > GEMV_GROUP);
    if (form == VKS_GEMV_ROWS)
        run(r, gemv_rows, groups_each(A.rows), .A = block_reals(A), .x = vec_reals(x), .b = vec_reals(b),
            .y = vec_reals(y), .s = s, .rows = A.rows, .cols = A.cols, .ld = A.ld, .lanes = lanes);
    else if (form == VKS_GEMV_GROUPS)
        run(r, gemv_groups, A.rows, .A = block_reals(A), .x = vec_reals(x), .b = vec_reals(b),
            .y = vec_reals(y), .s = s, .rows = A.rows, .cols = A.cols, .ld = A.ld, .lanes = lanes);
    else
        run(r, gemv_strips, groups_rows(A.rows, lanes) * strips, .A = block_reals(A), .x = vec_reals(x),
            .b = vec_reals(b), .y = vec_reals(y), .s = s, .rows = A.rows, .cols = A.cols, .ld = A.ld,
            .lanes = lanes);
    if (joins) {
        run(r, gemv_join, strips > GEMV_GROUP ? A.rows : ((uint64_t)A.rows + 7) / 8, .s = (sums)(uintptr_t)s,
            .b = vec_reals(b), .y = vec_reals(y), .rows = A.rows, .strips = strips);
        bill(r, 2 * gemv_room(A) * real_bytes(r->precision));
    }
    bill(r, block_bytes(r, A) + vec_bytes(x) + vec_bytes(b) + vec_bytes(y));
}

/* A = the sparse matrix in these arrays; A must initially be zero */
static inline void dense_from_csr(struct rec *r, u32s row, u32s col, values val, uint32_t entries,
                                  struct block A)
{
    run(r, dense_from_csr, ((uint64_t)A.rows + 7) / 8, .row = row, .col = col, .val = val,
        .A = block_reals(A), .n = A.rows, .ld = A.ld);
    bill(r, (uint64_t)entries * (4 + value_bytes(r->precision) + real_bytes(r->precision)));
}

/* A selection of rows and columns to copy between matrices. */
struct rows {
    u32s row_of, column; /* NULL: in order */
    uint32_t first;
    bool scatter; /* selects rows of `to`, not of A */
};

/* Copies rows of A to rows of `to` */
static inline void dense_rows(struct rec *r, struct block A, struct rows rows, struct block to)
{
    uint32_t count = rows.scatter ? A.rows : to.rows;
    run(r, dense_rows, ((uint64_t)count * to.cols + 255) / 256, .row_of = rows.row_of, .column = rows.column,
        .A = block_reals(A), .to = block_reals(to), .first = rows.first, .rows = count, .cols = to.cols,
        .ld_A = A.ld, .ld_to = to.ld, .scatter = rows.scatter);
    bill(r, 2 * (uint64_t)count * to.cols * real_bytes(r->precision));
}

/* to = A */
static inline void dense_copy(struct rec *r, struct block A, struct block to)
{
    dense_rows(r, A, (struct rows){0}, to);
}

/* sums[j] = the sum of the magnitudes in column j of A */
static inline void dense_column_sums(struct rec *r, struct block A, reals sums)
{
    run(r, dense_column_sums, ((uint64_t)A.cols + 31) / 32, .A = block_reals(A), .sums = sums, .rows = A.rows,
        .cols = A.cols, .ld = A.ld);
    bill(r, block_bytes(r, A) + vector_bytes(r, A.cols));
}

static inline uint64_t gemm_tiles(struct block C, uint32_t tile)
{
    return ((C.rows + (uint64_t)tile - 1) / tile) * ((C.cols + (uint64_t)tile - 1) / tile);
}

/* Whether to use smaller tiles: if there are few, or larger ones spill registers. The bits are the same. */
static inline bool gemm_is_small(const struct rec *r, struct block C)
{
    return r->device->info.few_registers || gemm_tiles(C, GEMM_TILE) < GEMM_FEW;
}

static inline void gemm_in_tiles(struct rec *r, bool small, struct block C, struct gemm_args args)
{
    _Static_assert(sizeof(struct gemm_args) == sizeof(struct gemm_small_args), "one list of arguments");
    rec_dispatch(r, small ? KERNEL_gemm_small : KERNEL_gemm,
                 gemm_tiles(C, small ? GEMM_SMALL_TILE : GEMM_TILE), &args, sizeof args);
}

static inline struct gemm_args gemm_arguments(uint32_t mode, struct block A, struct block B, struct block C)
{
    return (struct gemm_args){.A = block_reals(A),
                              .B = block_reals(B),
                              .C = block_reals(C),
                              .m = C.rows,
                              .n = C.cols,
                              .k = A.cols,
                              .lda = A.ld,
                              .ldb = B.ld,
                              .ldc = C.ld,
                              .mode = mode};
}

/* Columns of A in one dispatch of a product. A software device silently ends the loops of an invocation after
 * a number of turns (docs/gpu.md): there each dispatch continues from the previous result, with the same
 * bits. */
static inline uint32_t gemm_depth(const struct rec *r)
{
    return r->device->info.kind == DEVICE_SOFTWARE ? 256 : UINT32_MAX;
}

/* C = A B, C + A B or C - A B by `mode` (GEMM_...) */
static inline void gemm(struct rec *r, uint32_t mode, struct block A, struct block B, struct block C)
{
    uint32_t first = 0, depth;
    do {
        depth = A.cols - first < gemm_depth(r) ? A.cols - first : gemm_depth(r);
        struct block a = block_part(r, A, 0, A.rows, first, depth);
        struct block b = block_part(r, B, first, depth, 0, B.cols);
        gemm_in_tiles(r, gemm_is_small(r, C), C, gemm_arguments(mode, a, b, C));
        bill(r, block_bytes(r, a) + block_bytes(r, b) + (mode == GEMM_SET ? 1 : 2) * block_bytes(r, C));
        mode = mode == GEMM_SET ? GEMM_ADD : mode;
        first += depth;
    } while (first < A.cols);
}

#endif
