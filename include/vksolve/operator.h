/* vksolve/operator.h -- matrices without entries: y = A x as the program computes it.
 *
 * On regular grids, or where the entries of elements are cheap to compute, a row need not be read: it can be
 * computed from where it lies. An operator is a vks_matrix, square, whose product is given as text. It serves
 * where only products are wanted: vks_spmv, vks_solve and its kin, vks_solver. All that needs entries refuses
 * it with VKS_UNSUPPORTED: conversions, statistics, vksolve/algebra.h, vksolve/multiply.h, transposes,
 * writing, block-jacobi, elimination, VKS_WEIGHT_AUTO.
 *
 * The text is GLSL, for GPUs: a function `real row(uint i)`, row i of A x, with whatever functions it needs
 * before. It sees
 *
 *     real, reals          float or double, in which it is compiled; reals p has elements p.at[k]
 *     n                    rows, and elements of x
 *     x.at[j]              x
 *     array0 ... array3    the arrays of the description: array0.at[k] is double, float or uint, as they are,
 *                          so write real(array0.at[k])
 *     word0 ... word7      its words
 *
 * and, where it includes "exact.glsl", divide(a, b) and square_root(a), which round as on the host, denormals
 * aside. Additions and multiplications are never fused. The text is compiled twice, with `real` as float and
 * as double, so that constants are written real(0.1lf), not 0.1. Names of vksolve's kernels (shaders/) are
 * taken: the compiler refuses a second one. Rows are computed in any order, each for itself: a text has no
 * buffers, buffer references, addresses, images, shared memory or specialization constants of its own, no
 * barriers, no debug output, and no types but floats, doubles and 32-bit integers. It is bounded, so that
 * neither the compiler nor a driver ends the process: VKS_LIMIT beyond 1 MiB; 262,144 words and signs with
 * all macros expanded, 65,536 of them in a statement; 256 parentheses within each other; 1,000 macros with
 * those of vksolve, which use each other 64 deep at most and paste no names (##); 262,144 instructions, and
 * 64 KiB of variables for a row, with all functions inlined. An element of x or of an array that lies beyond
 * its end must not be looked at, and a loop must end: nothing is checked on the device, so a text is to be
 * trusted as code is. The 5-point Laplacian on a grid that is word0 wide:
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
 * The host device calls functions of C instead, which a program gives beside the text; where these do the
 * same operations in the same order (and are compiled with -ffp-contract=off), solves give the same bits as
 * on a GPU. A row that adds up the terms of a matrix in ascending column order gives the bits of that matrix,
 * as long as its rows are short enough to be summed by one lane (under 12 entries on average,
 * docs/formats.md).
 *
 * The text is compiled at run time by libshaderc, in a thread with a stack of 256 MiB of address space that
 * ends with the call and takes no signals. vksolve opens libshaderc only then, by the path in the
 * environment variable VKSOLVE_SHADERC, or else as libshaderc_shared.so.1 or libshaderc.so.1
 * (docs/operators.md). Programs for machines without it compile beforehand: vks_operator_compile.
 *
 * CONVERGED means of an operator, too, that the residual in double precision meets the tolerance: it is
 * computed with the product in double, also of an operator of VKS_F32. That is why the text is compiled
 * twice, and why solves with VKS_F32 need rows_f64 as well on the host, and on devices without 64-bit floats.
 *
 * Threads: as vksolve/context.h says; the functions of the host are called by several at once. They, and
 * `record`, must not use the context. */
#ifndef VKSOLVE_OPERATOR_H
#define VKSOLVE_OPERATOR_H

#include "vksolve/array.h"
#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKS_OPERATOR_ARRAYS 4
#define VKS_OPERATOR_WORDS 8

/* What the functions of the host see: the elements of the arrays, NULL where there are none, and the words.
 */
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

/* Instead of a text: records y = A x into a command buffer (a VkCommandBuffer), with dispatches of its own.
 * x and y are device addresses (VkDeviceAddress) of n elements of the given precision, which is also asked
 * for in the other one: in VKS_F64 for true residuals, in VKS_F32 with iterate_in_f32. Called whenever
 * vksolve records a product; what is recorded may run many times, also after the solve has ended, when its y
 * is of no concern. What compute shaders before it wrote is there for its compute shaders, and what these
 * write for those that follow, its own in a later run included; between its own dispatches, and for all other
 * commands, it has to see to that itself. It may leave any compute pipeline and push constants bound, must
 * begin no render pass and no query, and must not end the command buffer. Returns 0, or anything else where
 * it cannot: the call that wanted the product then fails with VKS_UNSUPPORTED. */
struct VkCommandBuffer_T;
typedef int (*vks_record_product)(void *user, struct VkCommandBuffer_T *commands, vks_precision precision,
                                  uint64_t x, uint64_t y);

/* Zero means none. Everything that pointers lead to is only looked at, and must stay while the operator is
 * there, or a solver that keeps it; but not the text, nor what is compiled. */
typedef struct vks_operator {
    vks_precision precision; /* VKS_F64 (default) or VKS_F32 */

    /* For GPUs exactly one of these: the text; what vks_operator_compile has made of it; a function. The host
     * ignores them. */
    const char *glsl;
    const void *compiled;
    size_t compiled_bytes;
    vks_record_product record;
    void *user; /* for record */

    /* For the host: that of the precision; both for solves with VKS_F32 or iterate_in_f32. */
    vks_rows_f64 rows_f64;
    vks_rows_f32 rows_f32;

    const vks_array *array[VKS_OPERATOR_ARRAYS]; /* of any type but VKS_TYPE_U64, and of the same context */
    uint32_t word[VKS_OPERATOR_WORDS];
    const vks_vector *diagonal; /* of A, n elements of its precision: for JACOBI, as method or preconditioner.
                                   NULL: solves by CG have no preconditioner by default */
    uint64_t bytes;             /* that a product moves beside x and y; for vks_solve_report alone */
} vks_operator;

/* *A becomes an operator with n rows and columns. vks_matrix_format is then VKS_FORMAT_AUTO, and
 * vks_matrix_entries 0. VKS_INVALID_ARGUMENT: the description does not fit; or the text does not compile, and
 * the message says why, with the line of the text ("glsl:3: ..."); or what is compiled is damaged, or by
 * another version of vksolve. VKS_UNSUPPORTED: a text, and no libshaderc; VKS_F64, or doubles in the text, on
 * a device without 64-bit floats. VKS_LIMIT: n, or the text. VKS_OUT_OF_MEMORY: also where there is no
 * address space for the stack of the compiler. After a failure *A is NULL. */
VKS_CALL_0_1(vks_operator_create, (context, n, description, A), vks_context *context, uint32_t n,
             const vks_operator *description, vks_matrix **A)

/* The elements of its arrays, or of its diagonal, have changed since: a vks_solver then takes the diagonal
 * anew, and on a device without 64-bit floats the arrays for its true residuals. Products see new elements
 * without it. VKS_INVALID_ARGUMENT: A is no operator. */
VKS_API vks_status vks_operator_changed(vks_matrix *A);

/* Compiles the text of a description, for all devices: *compiled, of *bytes, is for vks_operator.compiled of
 * this version of vksolve, with arrays of the same types, and for free(). It may be kept in a file. The
 * context, of any device, is for the arrays and the message. Errors as vks_operator_create. After a failure
 * *compiled is NULL. */
VKS_CALL_0_1(vks_operator_compile, (context, description, compiled, bytes), vks_context *context,
             const vks_operator *description, void **compiled, size_t *bytes)

#ifdef __cplusplus
}
#endif
#endif
