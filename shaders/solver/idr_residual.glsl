/* The sums over a new residual: r . r, weighted, and the shadow sums. Included after the arguments weight, s, n and
 * stride, and the constant weighted. */
real[SUMS] residual_sums(uint tile, uint part, real e[4], uint key)
{
    bool has_numbers = shadow_has_numbers(w.start, n);
    real v[SUMS][4], half_sums[SUMS];
    for (uint u = 0; u < 4; u++) {
        uint i = half_element(tile, part, u), bits = shadow_bits(i, key);
        real scaled = i < n && weighted != 0 ? weight.at[i] * e[u] : e[u];
        v[IDR_RR][u] = scaled * scaled;
        for (uint k = 0; k < IDR_S; k++)
            v[IDR_SHADOW + k][u] = i < n ? shadowed(bits, k, has_numbers, e[u]) : real(0);
    }
    for (uint row = 0; row < SUMS; row++)
        half_sums[row] = half_sum(v[row]);
    return half_sums;
}

void leave_residual(uint stripe, uint tiles, real half_sums[2][SUMS])
{
    real tile[SUMS];
    for (uint row = 0; row < SUMS; row++)
        tile[row] = tile_sum(half_sums[0][row], half_sums[1][row]);
    leave_stripe(s, tiles, stripe, stride, tile);
}
