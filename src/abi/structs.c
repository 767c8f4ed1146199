#include "abi/structs.h"

STRUCTS(STRUCT_LAYOUT)
