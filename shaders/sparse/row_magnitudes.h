/* The words of row_magnitudes.comp about all rows: the entries of the longest, the largest logarithm, and the
 * complement of the smallest that is not 0. */
#define EXTENT_LONGEST 0
#define EXTENT_MOST 1
#define EXTENT_NOT_LEAST 2
#define EXTENT_WORDS 3
