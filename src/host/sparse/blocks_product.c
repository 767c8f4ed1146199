#include "host/sparse/spgemm_sums.h"

/* c += a b, blocks of high x inner and inner x wide. */
static void add_product(scalar_t *c, const scalar_t *a, const scalar_t *b,
                        const struct blocks_product_args *sizes)
{
    uint32_t high = sizes->high, inner = sizes->inner, wide = sizes->wide;
    for (uint32_t r = 0; r < high; r++)
        for (uint32_t k = 0; k < inner; k++)
            for (uint32_t j = 0; j < wide; j++)
                c[r * wide + j] += mul(a[r * inner + k], b[k * wide + j]);
}

/* Computes the whole row i of C. */
static void sum_row_of_blocks(const struct blocks_product_args *a, uint32_t i)
{
    uint32_t first = a->c_row[i], n = a->c_row[i + (size_t)1] - first, of_c = a->high * a->wide,
             of_a = a->high * a->inner, of_b = a->inner * a->wide;
    scalar_t *val = a->c_val + (size_t)first * of_c;
    for (size_t t = 0; t < (size_t)n * of_c; t++)
        val[t] = 0;
    for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++) {
        uint32_t k = a->a_col[e];
        for (uint32_t f = a->b_row[k], s = 0; f < a->b_row[k + (size_t)1]; f++) {
            s = gallop(a->c_col + first, s, n, a->b_col[f]);
            add_product(val + (size_t)s * of_c, a->a_val + (size_t)e * of_a, a->b_val + (size_t)f * of_b, a);
        }
    }
}

/* A thread takes a whole row; the sums are the same as in pieces. */
KERNEL(blocks_product)
{
    TEAM_FOR(me, q, a->entries, 65, 16)
    {
        uint32_t i = a->c_rows[q];
        if (a->c_row[i] == q)
            sum_row_of_blocks(a, i);
    }
}
