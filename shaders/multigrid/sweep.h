/* The inversion of a symmetric matrix by sweeps (M. Goodnight, "A tutorial on the SWEEP operator", 1979), several pivots
 * at a time: sweep_panel sweeps their columns alone, and sweep_apply the whole matrix. */
#define SWEEP_PIVOTS 8u
#define SWEEP_MOST 512u /* rows: two for each invocation of sweep_panel */
#define SWEEP_FACTORS 2u /* of a pivot: itself, and its reciprocal or 0 */
