/* The rows of an operator on the host, which the twins of its kernels call. */
#ifndef VKS_HOST_OPERATOR_CALL_H
#define VKS_HOST_OPERATOR_CALL_H

#include "vksolve/operator.h"

struct operator_call {
    vks_operator_view view;
    vks_rows_f64 f64;
    vks_rows_f32 f32;
};

#endif
