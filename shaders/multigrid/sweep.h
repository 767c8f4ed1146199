/* Inversion of a symmetric matrix by sweeps (M. Goodnight, "A tutorial on the SWEEP operator", 1979), several
 * pivots at a time: sweep_panel sweeps only their columns, and sweep_apply the whole matrix. */
#define SWEEP_PIVOTS 8u
#define SWEEP_MOST 512u  /* rows: two per invocation of sweep_panel */
#define SWEEP_FACTORS 2u /* per pivot: itself, and its reciprocal or 0 */
