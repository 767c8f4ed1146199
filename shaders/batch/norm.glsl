/* Norms of vectors of systems. Included after batch/frame.glsl. */

/* TOGETHER. The largest e with 2^e at most an element's magnitude; 0 if one is not finite. */
int system_exponent(scalar_t v[TOGETHER_TILES])
{
    uint largest = 1u;
    EACH_ROW(u)
        largest = max(largest, exponent_of(v[u]));
    largest = system_max(largest);
    return largest == EXPONENT_MAX ? 0 : int(largest) - int(BIAS);
}

/* TOGETHER. The Euclidean norm, from squares of elements divided by 2^e; v is 0 without a row. */
real system_norm(scalar_t v[TOGETHER_TILES], int e)
{
    scalar_t square[SUMS][TOGETHER_TILES];
    EACH_ROW(u) {
        scalar_t s = scaled(v[u], -e);
        square[0][u] = mul(conj(s), s);
    }
    return square_root(real_part(system_sums(square, 1u)[0])) * power_of_two(e);
}
