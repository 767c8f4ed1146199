#include "kernel.glsl"
#include "dense/pivot.h"

#define PANEL_ROWS PIVOT_ROWS
#include "dense/pivot_panel.glsl"
