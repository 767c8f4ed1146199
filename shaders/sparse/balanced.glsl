/* Balanced CSR: rows by length, the longest first, in slices of 32 threads. A row has as many threads as lanes sum it
 * (csr.glsl): so a slice has 32 / lanes rows, and is as wide as its first row makes it. Step k of thread j of a slice
 * is at first + 32 k + j, and so is the column, NOTHING where the row has no more entries. */
#define NOTHING 0xFFFFFFFFu

/* The position in the order of the row of thread j of slice s. */
uint position(uint s, uint j, uint lanes)
{
    return s * (32u / lanes) + j / lanes;
}
