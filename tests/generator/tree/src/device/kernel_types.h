#pragma once
#include <stdint.h>
typedef struct opaque_u32s *u32s;
typedef struct opaque_reals *reals;
typedef struct opaque_values *values;
typedef struct opaque_sums *sums;
typedef struct opaque_number *number;
