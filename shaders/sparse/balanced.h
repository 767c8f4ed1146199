/* Numbers that the kernels of balanced CSR, their twins and their verbs share. */
#define BALANCED_SHARE 1280u /* entries and rows, together, that begin in a block */
#define BALANCED_MOST \
    1536u /* entries of a block: the last row may go on beyond its share, by up to LONG_ROW */
