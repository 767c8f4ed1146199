/* Words of row_magnitudes.comp about all rows: the most entries of a row, the largest logarithm, and the
 * complement of the smallest that is not 0. */
#define EXTENT_LONGEST 0
#define EXTENT_MOST 1
#define EXTENT_NOT_LEAST 2
#define EXTENT_WORDS 3
