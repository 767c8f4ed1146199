/* Keys of one or two words, the low one first, compared as unsigned integers or, with `floats`, in the order of IEEE
 * 754's totalOrder: -NaN, -infinity ... -0, +0 ... infinity, NaN. */
ADDRESS(8) buffer wide_keys { uvec2 at[]; };

/* Bits whose unsigned order is that of the key: all bits of a negative number are flipped, otherwise only the sign. */
uint ordered(uint key, uint floats)
{
    uint sign = uint(int(key) >> 31);
    return floats != 0 ? key ^ (sign | 0x80000000u) : key;
}

uvec2 ordered(uvec2 key, uint floats)
{
    uint sign = uint(int(key.y) >> 31);
    return floats != 0 ? key ^ uvec2(sign, sign | 0x80000000u) : key;
}
