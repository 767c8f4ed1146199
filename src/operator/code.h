/* The compiled text of an operator: the code of its kernels in all variants, in one block that can be stored
 * in a file. */
#ifndef VKS_OPERATOR_CODE_H
#define VKS_OPERATOR_CODE_H

#include "device/kernel.h"
#include "report/message.h"
#include "vksolve/operator.h"

/* X(kernel): the kernels of shaders/operator/. */
#define OPERATOR_KERNELS(X) X(operator_product) X(operator_product_dot)

#define X(kernel) CODE_##kernel,
enum operator_kernel { OPERATOR_KERNELS(X) OPERATOR_KERNEL_COUNT };
#undef X

struct operator_code {
    uint32_t *word; /* the caller frees it */
    size_t bytes;
};

/* Compiles d's text; the arrays of d must exist and have allowed types. */
vks_status operator_code_compile(struct message *m, const vks_operator *d, struct operator_code *out);

/* The kernels with code from `code`, as kernels[] for the library's kernels; for arrays like d's.
 * VKS_INVALID_ARGUMENT: it is not such code. */
vks_status operator_code_kernels(struct message *m, const struct operator_code *code, const vks_operator *d,
                                 struct kernel out[OPERATOR_KERNEL_COUNT]);

#endif
