/* The table of twins of one scalar type and instruction set; compiled once for each. */
#include "host/twins.h"
#include "host/kernel.h"

/* The stored type matters only to kernels that take `values`; others are the twins of the element type. */
#define OF_REALS(name) JOIN(name, ELEMENT, ISA)

#define X(name) void OF_REALS(name)(const void *args, struct member *me);
KERNELS_OF_REALS(X)
#undef X
#define X(name) void TWIN(name)(const void *args, struct member *me);
KERNELS_OF_VALUES(X)
#undef X

#define REALS(name) [KERNEL_##name] = OF_REALS(name),
#define VALUES(name) [KERNEL_##name] = TWIN(name),
const host_twin TWIN(twins)[KERNEL_COUNT] = {KERNELS_OF_REALS(REALS) KERNELS_OF_VALUES(VALUES)};
