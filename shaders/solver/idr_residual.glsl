/* The sums over a new residual: r . r, weighted, and the shadow sums. Included after the arguments weight, s, n and
 * stride, and the constant weighted. */
scalar_t[SUMS] residual_sums(uint tile, uint part, scalar_t e[4], uint key)
{
    bool has_numbers = shadow_has_numbers(w.start, n);
    scalar_t v[SUMS][4], half_sums[SUMS];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u), bits = shadow_bits(i, key);
        scalar_t scaled = i < n && weighted != 0 ? weight.at[i] * e[u] : e[u];
        v[IDR_RR][u] = mul(conj(scaled), scaled);
        for (uint k = 0; k < IDR_S; k++)
            v[IDR_SHADOW + k][u] = i < n ? shadowed(bits, k, has_numbers, e[u]) : scalar_t(0);
    }
    for (uint row = 0; row < SUMS; row++)
        half_sums[row] = half_sum(v[row]);
    return half_sums;
}

void leave_residual(uint stripe, uint tiles, scalar_t half_sums[2][SUMS])
{
    scalar_t tile[SUMS];
    for (uint row = 0; row < SUMS; row++)
        tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
    leave_stripe(s, tiles, stripe, stride, tile);
}
