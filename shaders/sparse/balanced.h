/* Numbers that the kernels of balanced CSR, their twins and their verbs share. */
#define BALANCED_CLASSES 3u /* rows of more than 32, 16 and 8 entries have teams of 8, 4 and 2 threads at least, others of 1 */
#define BALANCED_ABOVE(c) (32u >> (c)) /* rows of class c have more entries */
#define BALANCED_TEAM(c) (8u >> (c))
#define BALANCED_LONG_BEGIN 1u /* a range that ends before it begins stands for a long row */
#define BALANCED_LONG_END 0u
