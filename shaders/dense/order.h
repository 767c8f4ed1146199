/* Order in which a row of a dense matrix is summed, shared by kernels, twins and verbs. It is the order of a
 * sparse row with all entries (docs/formats.md). */
#define GEMV_SHORT 256u  /* columns; longer rows are summed in strips */
#define GEMV_STRIP 1024u /* columns of a strip */
#define GEMV_GROUP 256u  /* strips whose sums are summed together */
