/* Words of the statistics of a matrix, shared by kernels, twins and verbs. All are initially 0. */
#define LENGTH_CLASSES 33u /* classes of rows: with 0 entries, 1, 2 to 3, 4 to 7 ... */
/* Sums of one word. */
#define ROWS_OF_CLASS 0u
#define ROWS_LONG 33u
#define ROWS_LONG_ENTRIES 34u
#define ROWS_PIECES 35u  /* of long rows */
#define ROWS_SEVERAL 36u /* rows of 2 to LONG_GROUP pieces */
#define ROWS_MANY 37u    /* rows of more pieces */
#define SLICES_FOURS 38u /* units of four entries of a row, including a slice's padding */
/* Maxima. */
#define ROWS_LONGEST 39u
#define ROWS_NOT_SHORTEST 40u /* of the lengths' complements */
#define SLICES_LONGEST 41u    /* of the rows that are not long */
/* Sums of several words, the lowest first. */
#define ROWS_SQUARES 42u  /* two: (length - middle)^2 */
#define ROWS_CUBES 44u    /* three: (length - middle)^3, as a two's complement */
#define SLICES_PADDED 47u /* two: entries of slices, including padding */
#define LENGTH_WORDS 49u  /* up to here, set by row_lengths */
#define SLICES_APART 49u  /* largest distance of a column from the smallest at the same place of its slice */
/* Three words for each block size, for the sampled rows: blocks, entries, whether some are partial. */
#define BLOCKS_SEEN 50u
#define BLOCK_LEAST 2u
#define BLOCK_SIZES 7u
#define DIAGONALS 71u /* diagonals that have entries */
#define LOWER_BANDWIDTH 72u
#define UPPER_BANDWIDTH 73u
#define ENTRY_KINDS 74u /* sparse/kinds.h; 0: too many, or unknown */
#define STATISTICS_WORDS 75u
