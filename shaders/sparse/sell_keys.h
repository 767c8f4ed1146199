/* Keys of rows that are sorted for SELL: the window, above LENGTH_BITS bits with LONG_ROW minus the
 * length. */
#define LENGTH_BITS 9u
