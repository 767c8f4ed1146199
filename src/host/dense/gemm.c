#include "host/dense/gemm.h"

KERNEL(gemm)
{
    multiply(a, me);
}
