#include "kernel.glsl"
#include "dense/pivot.h"

/* Half as many rows per workgroup, for devices with few registers. */
#define PANEL_ROWS PIVOT_SMALL_ROWS
#include "dense/pivot_panel.glsl"
