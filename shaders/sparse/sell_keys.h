/* The keys of rows that are sorted for SELL: the window above so many bits, below them LONG_ROW less the
 * length. */
#define LENGTH_BITS 9u
