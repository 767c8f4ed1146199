/* SIMD registers of reals with a fused multiply-add: AVX-512 or AVX2 in their twins, single reals elsewhere.
 * Compilers do not reliably keep a block of an array in registers, and do not fuse unless requested. */
#ifndef VKS_HOST_DENSE_SIMD_H
#define VKS_HOST_DENSE_SIMD_H

#include "host/kernel.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && REAL == 64
typedef __m512d simd;
#define simd_load _mm512_loadu_pd
#define simd_store _mm512_storeu_pd
#define simd_all _mm512_set1_pd
#define simd_fma _mm512_fmadd_pd
#elif defined(__AVX512F__)
typedef __m512 simd;
#define simd_load _mm512_loadu_ps
#define simd_store _mm512_storeu_ps
#define simd_all _mm512_set1_ps
#define simd_fma _mm512_fmadd_ps
#elif defined(__AVX2__) && defined(__FMA__) && REAL == 64
typedef __m256d simd;
#define simd_load _mm256_loadu_pd
#define simd_store _mm256_storeu_pd
#define simd_all _mm256_set1_pd
#define simd_fma _mm256_fmadd_pd
#elif defined(__AVX2__) && defined(__FMA__)
typedef __m256 simd;
#define simd_load _mm256_loadu_ps
#define simd_store _mm256_storeu_ps
#define simd_all _mm256_set1_ps
#define simd_fma _mm256_fmadd_ps
#else
typedef scalar_t simd;
#define simd_load(at) (*(at))
#define simd_store(at, v) (*(at) = (v))
#define simd_all(v) (v)
#define simd_fma fused
#endif

enum { SIMD = sizeof(simd) / sizeof(scalar_t) };

#endif
