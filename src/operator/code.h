/* The text of an operator, compiled: the code of its kernels in all variants, in one piece that can be kept
 * in a file. */
#ifndef VKS_OPERATOR_CODE_H
#define VKS_OPERATOR_CODE_H

#include "device/kernel.h"
#include "report/message.h"
#include "vksolve/operator.h"

/* X(kernel): those of shaders/operator/. */
#define OPERATOR_KERNELS(X) X(operator_product) X(operator_product_dot)

#define X(kernel) CODE_##kernel,
enum operator_kernel { OPERATOR_KERNELS(X) OPERATOR_KERNEL_COUNT };
#undef X

struct operator_code {
    uint32_t *word; /* for free() */
    size_t bytes;
};

/* The arrays of d are there, and are of types that are allowed. */
vks_status operator_code_compile(struct message *m, const vks_operator *d, struct operator_code *out);

/* The kernels whose code `code` holds, as kernels[] has those of the library; for arrays as those of d.
 * VKS_INVALID_ARGUMENT: it is not such code. */
vks_status operator_code_kernels(struct message *m, const struct operator_code *code, const vks_operator *d,
                                 struct kernel out[OPERATOR_KERNEL_COUNT]);

#endif
