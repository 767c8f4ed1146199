/* The table of the twins of one precision and instruction set: compiled once for each. */
#include "host/twins.h"
#include "host/kernel.h"

#define X(name) void TWIN(name)(const void *args);
KERNELS(X)
#undef X

#define X(name) [KERNEL_##name] = TWIN(name),
const host_twin TWIN(twins)[KERNEL_COUNT] = {KERNELS(X)};
#undef X
