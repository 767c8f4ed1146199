/* What csr_symmetry finds: words, the first a magnitude, the others the first row of a kind, or 0xFFFFFFFF. */
#ifndef VKS_SPARSE_SYMMETRY_H
#define VKS_SPARSE_SYMMETRY_H

#define SYMMETRY_LARGEST 0u  /* the upper 32 bits of the largest magnitude; 0 before */
#define SYMMETRY_UNEQUAL 1u  /* with an entry that differs from its mirror image */
#define SYMMETRY_ZERO 2u     /* with a diagonal entry that is zero or missing */
#define SYMMETRY_NEGATIVE 3u /* with a diagonal entry below zero */
#define SYMMETRY_POSITIVE 4u /* with a diagonal entry above zero, or a NaN */
#define SYMMETRY_WORDS 5u

/* Differences up to this share of the largest magnitude are rounding: 2^-40, in f32 2^-20. */
#define SYMMETRY_ROUNDING_64 9.094947017729282379150390625e-13
#define SYMMETRY_ROUNDING_32 9.5367431640625e-07

#endif
