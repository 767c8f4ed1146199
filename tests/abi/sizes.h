#ifndef TESTS_ABI_SIZES_H
#define TESTS_ABI_SIZES_H

#include <stddef.h>

/* sizeof the structs of STRUCTS_OF_0_1, by the headers of 0.1.0. */
extern const size_t sizes_0_1[];

#endif
