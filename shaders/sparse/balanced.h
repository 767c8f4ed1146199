/* Constants of balanced CSR, shared by kernels, twins and verbs. */
#define BALANCED_CLASSES \
    4u /* rows of more than 128, 64 and 32 entries have teams of 8, 4 and 2 threads at least, others of 1 */
#define BALANCED_ABOVE(c) (128u >> (c))
#define BALANCED_TEAM(c) (8u >> (c))
#define BALANCED_NOTHING 0xFFFFFFFFu /* column of padding */
