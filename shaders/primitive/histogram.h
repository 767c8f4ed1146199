/* Kinds of counts of histogram.comp, shared by the kernel (GLSL), its twin and its verb (C). */
#ifndef VKS_PRIMITIVE_HISTOGRAM_H
#define VKS_PRIMITIVE_HISTOGRAM_H

#define ONES 0u    /* the values */
#define WEIGHTS 1u /* their weights */
#define LENGTHS 2u /* the differences of neighbouring offsets */

#endif
