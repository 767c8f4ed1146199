/* The strength of the connection of rows i and j: s_ij = |a_ij| / sqrt(a_ii a_jj), rounded to f32 and stored as bits.
 * Depending on `signs`, positive entries count as zero. Equal for (i, j) and (j, i) if A is symmetric. */
#include "multigrid/strength.h"

/* Whether positive entries count as zero: signs has the sums of all positive entries and of all off-diagonal
 * magnitudes. Null: their magnitude counts. */
bool only_negative(reals signs)
{
    return is_there(uvec2(signs)) && signs.at[0] <= real(POSITIVE_SHARE) * signs.at[1];
}

/* root: 1 / sqrt(diagonal) */
uint strength_bits(real a, real root_i, real root_j, bool negative)
{
    return negative && a > real(0) ? 0u : floatBitsToUint(float(abs(a) * (root_i * root_j)));
}

/* Whether an off-diagonal entry is strong; most: the largest strength in row i and in row j. */
bool is_strong(uint s, uint most_i, uint most_j, float threshold)
{
    float least = threshold * uintBitsToFloat(min(most_i, most_j));
    return uintBitsToFloat(s) >= LEAST_STRENGTH && uintBitsToFloat(s) >= least;
}
