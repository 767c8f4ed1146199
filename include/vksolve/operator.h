/* vksolve/operator.h -- matrices without entries: the program computes y = A x.
 *
 * On regular grids, or if entries are cheap to compute, a row can be computed from its number instead of
 * read. An operator is a square vks_matrix whose product is given as text. It works in calls that only need
 * products: vks_spmv, solves, vks_solver. Calls that need entries refuse it with VKS_UNSUPPORTED:
 * conversions, statistics, vksolve/algebra.h, vksolve/multiply.h, transposes, writing, block-jacobi,
 * elimination, VKS_WEIGHT_AUTO.
 *
 * For GPUs the text is GLSL: a function `real row(uint i)`, which returns row i of A x, and before it any
 * functions that it needs. It sees
 *
 *     real, reals          float or double, by the compilation; reals p has elements p.at[k]
 *     n                    rows, and elements of x
 *     x.at[j]              x
 *     array0 ... array3    the arrays of the description: array0.at[k] is double, float or uint, as they are,
 *                          so write real(array0.at[k])
 *     word0 ... word7      its words
 *
 * and, if it includes "exact.glsl", divide(a, b) and square_root(a), which round as on the host, apart from
 * denormals. Additions and multiplications are never fused. The text is compiled twice, with `real` as float
 * and as double, so constants are written real(0.1lf), not 0.1. Names of vksolve's kernels (shaders/) are
 * reserved: the compiler refuses to redefine them. Rows are computed in any order, independently: a text has
 * no buffers, buffer references, addresses, images, shared memory or specialization constants of its own, no
 * barriers, no debug output, and no types except floats, doubles and 32-bit integers.
 *
 * Limits keep the compiler and drivers from ending the process; beyond them the call fails with VKS_LIMIT: 1
 * MiB of text; 262,144 tokens after macro expansion, 65,536 in a statement; 256 nested parentheses; 1,000
 * macros including vksolve's, nested 64 deep, without pasting (##); 262,144 instructions, and 64 KiB of
 * variables for a row, with all functions inlined. Nothing is checked on the device: the text must not read
 * beyond the end of x or of an array, and its loops must end. Trust it as you trust code.
 *
 * The 5-point Laplacian on a grid that is word0 wide:
 *
 *     real row(uint i)
 *     {
 *         uint w = word0, column = i % w;
 *         real sum = real(0);
 *         if (i >= w)         sum = sum - x.at[i - w];
 *         if (column > 0)     sum = sum - x.at[i - 1];
 *         sum = sum + real(4) * x.at[i];
 *         if (column + 1 < w) sum = sum - x.at[i + 1];
 *         if (i + w < n)      sum = sum - x.at[i + w];
 *         return sum;
 *     }
 *
 * The host device calls C functions of the program instead. If they do the same operations
 * in the same order, and are compiled with -ffp-contract=off, solves give the same bits as on a GPU. A row
 * that adds the terms of a matrix in ascending column order gives the bits of that matrix, if one lane sums
 * its rows (under 12 entries on average, docs/formats.md).
 *
 * libshaderc compiles the text at run time, in a thread with a stack of 256 MiB of address space, which ends
 * with the call and blocks signals. vksolve loads libshaderc when it is first needed, by the path in the
 * environment variable VKSOLVE_SHADERC, or else as libshaderc_shared.so.1 or libshaderc.so.1
 * (docs/operators.md). vks_operator_compile compiles in advance, for machines without it.
 *
 * The residual that decides CONVERGED is computed with the product in double precision, even for an operator
 * of VKS_F32. Therefore the text is compiled twice, and solves with VKS_F32 need rows_f64, too, on the host
 * and on devices without 64-bit floats.
 *
 * Threads: see vksolve/context.h. Several threads call the functions of the host at once. They,
 * and `record`, must not use the context. */
#ifndef VKSOLVE_OPERATOR_H
#define VKSOLVE_OPERATOR_H

#include "vksolve/array.h"
#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKS_OPERATOR_ARRAYS 4
#define VKS_OPERATOR_WORDS 8

/* Arguments of the functions of the host: elements of the arrays (NULL: not given), and the words. */
typedef struct vks_operator_view {
    uint32_t n;
    const void *array[VKS_OPERATOR_ARRAYS];
    uint32_t word[VKS_OPERATOR_WORDS];
} vks_operator_view;

/* Computes rows first .. first + count - 1 of A x (1 to 256 of them) into y[first] ..., on the host. */
typedef void (*vks_rows_f64)(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                             double *y);
typedef void (*vks_rows_f32)(const vks_operator_view *A, uint32_t first, uint32_t count, const float *x,
                             float *y);

/* Instead of a text: records y = A x into a command buffer (a VkCommandBuffer), with dispatches of its own. x
 * and y are device addresses (VkDeviceAddress) of n elements of the given precision. Both precisions may be
 * requested: VKS_F64 for true residuals, VKS_F32 with iterate_in_f32. vksolve calls it for each product that
 * it records; the recording may run many times, and even after the solve has ended, when y is no longer used.
 *
 * vksolve sets barriers between compute shaders before and after the recording, and between its runs. The
 * function records the barriers between its own dispatches, and for all other commands. It may leave any
 * compute pipeline and push constants bound, must begin no render pass and no query, and must not end the
 * command buffer. Returns 0, or another value on failure: the call that needs the product then fails with
 * VKS_UNSUPPORTED. */
struct VkCommandBuffer_T;
typedef int (*vks_record_product)(void *user, struct VkCommandBuffer_T *commands, vks_precision precision,
                                  uint64_t x, uint64_t y);

/* Zero means none. The data behind the pointers is only read, and must exist as long as the operator and
 * solvers that keep it, except `glsl` and `compiled`. */
typedef struct vks_operator {
    vks_precision precision; /* VKS_F64 (default) or VKS_F32 */

    /* For GPUs exactly one of these: the text; the result of vks_operator_compile; a function. The host
     * ignores them. */
    const char *glsl;
    const void *compiled;
    size_t compiled_bytes;
    vks_record_product record;
    void *user; /* for record */

    /* For the host: the function of this precision; both for solves with VKS_F32 or iterate_in_f32. */
    vks_rows_f64 rows_f64;
    vks_rows_f32 rows_f32;

    const vks_array *array[VKS_OPERATOR_ARRAYS]; /* not VKS_TYPE_U64; of the same context */
    uint32_t word[VKS_OPERATOR_WORDS];
    const vks_vector *diagonal; /* of A, n elements of its precision: for JACOBI, as method or preconditioner.
                                   NULL: the default of CG is no preconditioner */
    uint64_t bytes;             /* moved by a product, apart from x and y; only for vks_solve_report */
} vks_operator;

/* *A becomes an operator with n rows and columns. vks_matrix_format is then VKS_FORMAT_AUTO, and
 * vks_matrix_entries 0. VKS_INVALID_ARGUMENT: the description does not fit; or the text does not compile, and
 * the message says why, with the line of the text ("glsl:3: ..."); or `compiled` is damaged, or of another
 * version of vksolve. VKS_UNSUPPORTED: a text, and no libshaderc; VKS_F64, or doubles in the text, on a
 * device without 64-bit floats. VKS_LIMIT: n or the text is too large. VKS_OUT_OF_MEMORY: also if there is no
 * address space for the stack of the compiler. After a failure *A is NULL. */
static inline vks_status vks_operator_create(vks_context *context, uint32_t n,
                                             const vks_operator *description, vks_matrix **A);
VKS_CALL(vks_operator_create, (context, n, description, A), vks_context *context, uint32_t n,
         const vks_operator *description, vks_matrix **A)

/* Announces that elements of its arrays or its diagonal have changed: each vks_solver then reads the diagonal
 * again, and on a device without 64-bit floats the arrays for its true residuals. Products see new elements
 * without this call. VKS_INVALID_ARGUMENT: A is not an operator. */
vks_status vks_operator_changed(vks_matrix *A) VKS_API;

/* Compiles the text of a description, for all devices. *compiled has *bytes, is for vks_operator.compiled
 * with arrays of the same types in this version of vksolve, may be kept in a file, and must be freed by the
 * caller with free(). The context, of any device, is for the arrays and the message. Errors as
 * vks_operator_create. After a failure *compiled is NULL. */
static inline vks_status vks_operator_compile(vks_context *context, const vks_operator *description,
                                              void **compiled, size_t *bytes);
VKS_CALL(vks_operator_compile, (context, description, compiled, bytes), vks_context *context,
         const vks_operator *description, void **compiled, size_t *bytes)

#ifdef __cplusplus
}
#endif
#endif
