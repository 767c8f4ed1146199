/* Scales as integers, shared by the shaders, their twins and the library.
 *
 * The logarithm to base 2 of a magnitude 2^e (1 + f), 0 <= f < 1, is approximated by e + f, in units of
 * 2^-16, with the last bits of f cut off. It ascends with the magnitude, differs from the true one by less
 * than 0.09, and needs only integer arithmetic. Maxima of logarithms are stored as words above LOG_BIAS; 0
 * means no entry. */
#define LOG_BITS 16
#define LOG_BIAS (1 << 30)
/* A logarithm with the bias, rounded: up from 1 + f = sqrt 2 on, where true logarithms are half way. */
#define LOG_ROUNDED(word) (((word) + 38390u) >> LOG_BITS)
/* The logarithm of 1e-6. */
#define LOG_WEAK (-1307537)
