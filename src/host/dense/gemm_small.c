#include "host/dense/gemm.h"

/* Identical to gemm on the host. */
KERNEL(gemm_small)
{
    struct gemm_args same;
    _Static_assert(sizeof same == sizeof *a, "both kernels have one list of arguments");
    memcpy(&same, a, sizeof same);
    multiply(&same, me);
}
