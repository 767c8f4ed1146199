/* Constants of the order in which long rows are summed (docs/internals/sums.md), shared by kernels, twins and
 * verbs. */
#define LONG_ROW 256u    /* entries; a row with more is long */
#define LONG_PIECE 1024u /* entries of a piece of a long row */
#define LONG_GROUP 256u  /* pieces whose sums are summed together */
