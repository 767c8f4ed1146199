/* The types of kernel arguments: one for each buffer type of shaders/kernel.glsl. Each is a device address.
 *
 * Outside the host twins they are distinct incomplete pointers: swapped arguments do not compile, and nobody
 * can follow an address that belongs to a device. In a twin (which is compiled with REAL) they are real
 * pointers. */
#ifndef VKS_DEVICE_KERNEL_TYPES_H
#define VKS_DEVICE_KERNEL_TYPES_H

#include <stdint.h>

#ifdef REAL

#if REAL == 64
typedef double real;
#else
typedef float real;
#endif
#ifndef STORED
#define STORED REAL
#endif
#if STORED == 64
typedef double stored;
#else
typedef float stored;
#endif
typedef uint32_t *u32s;
typedef real *reals;
typedef stored *values;
typedef double *doubles;
typedef struct pair *pairs;
typedef struct pair *pair_sums;
typedef real *number;
typedef real *sums;
typedef double *sums64;
typedef uint32_t *tickets;
typedef void *partials; /* items of the kind that the kernel reduces */
typedef void *parts;    /* numbers of the kind that the kernel scans */
typedef uint32_t *published;
typedef struct control *control;
typedef struct cg_numbers *cg_numbers;
typedef struct jacobi_numbers *jacobi_numbers;

#else

typedef struct opaque_u32s *u32s;
typedef struct opaque_reals *reals;
typedef struct opaque_values *values;
typedef struct opaque_doubles *doubles;
typedef struct opaque_pairs *pairs;
typedef struct opaque_pair_sums *pair_sums;
typedef struct opaque_number *number;
typedef struct opaque_sums *sums;
typedef struct opaque_sums64 *sums64;
typedef struct opaque_tickets *tickets;
typedef struct opaque_partials *partials;
typedef struct opaque_parts *parts;
typedef struct opaque_published *published;
typedef struct opaque_control *control;
typedef struct opaque_cg_numbers *cg_numbers;
typedef struct opaque_jacobi_numbers *jacobi_numbers;

#endif

_Static_assert(sizeof(u32s) == 8, "device addresses are 64-bit, and so must pointers be");

#endif
