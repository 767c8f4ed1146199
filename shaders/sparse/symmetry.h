/* Result of csr_symmetry: words, each the first row of a kind, or 0xFFFFFFFF. */
#ifndef VKS_SPARSE_SYMMETRY_H
#define VKS_SPARSE_SYMMETRY_H

#define SYMMETRY_UNEQUAL 0u  /* with an entry that differs from its mirror image */
#define SYMMETRY_ZERO 1u     /* with a diagonal entry that is zero or missing */
#define SYMMETRY_NEGATIVE 2u /* with a diagonal entry below zero */
#define SYMMETRY_POSITIVE 3u /* with a diagonal entry above zero, or a NaN */
#define SYMMETRY_WORDS 4u

/* Differences up to this share are rounding: 2^-40, in f32 2^-20. The share is relative to the larger of the
 * two entries, or to the root of |a_ii a_jj|, which bounds them if A is definite; neither depends on the
 * scaling of A. */
#define SYMMETRY_ROUNDING_64 9.094947017729282379150390625e-13
#define SYMMETRY_ROUNDING_32 9.5367431640625e-07
/* Differences below the range of normal numbers are ignored: some devices flush them to zero. */
#define SYMMETRY_LEAST_64 2.2250738585072014e-308
#define SYMMETRY_LEAST_32 1.1754943508222875e-38

#endif
