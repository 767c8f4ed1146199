/* Keys of one or two words, the low one first, compared as unsigned integers, or where `floats` is set as
 * IEEE 754's totalOrder has it: -NaN, -infinity ... -0, +0 ... infinity, NaN. */
ADDRESS(8) buffer wide_keys { uvec2 at[]; };

/* The bits whose unsigned order is that of the key: all of a negative number are flipped, only the sign of
 * others. */
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
