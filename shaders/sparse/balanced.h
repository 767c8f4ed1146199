/* Numbers that the kernels of balanced CSR, their twins and their verbs share. */
#define BALANCED_SHARE 63u /* entries and rows, together, that begin in a task; rows of more entries are tasks of their own */
#define BALANCED_MOST 128u /* entries that a squad takes at once: all of a task, whose last row goes on by up to a share */
