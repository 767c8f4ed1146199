/* Compiled with the headers of 0.1.0. */
#include "abi/sizes.h"
#include "abi/structs.h"

#ifdef VKS_HEADER
#error "these are not the headers of 0.1.0"
#endif

const size_t sizes_0_1[] = {
#define X(name, ...) sizeof(name),
    STRUCTS_OF_0_1(X)
#undef X
};
