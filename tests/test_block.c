/* Batches of small blocks by public calls: correctness of inverses, and refusals. */
#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vksolve/block.h"

static vks_array *array_of(vks_context *c, vks_type type, uint32_t n, const void *values)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    if (n)
        must_work(c, vks_array_write(a, 0, n, values));
    return a;
}

/* |A X - I|, the largest entry. */
static double distance(const double *a, const double *x, uint32_t n)
{
    double largest = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = i == j ? -1 : 0;
            for (uint32_t k = 0; k < n; k++)
                sum += a[i * n + k] * x[k * n + j];
            if (!(fabs(sum) <= largest))
                largest = fabs(sum);
        }
    return largest;
}

/* The inverse of the tridiagonal matrix -1, 2, -1 of order 3 is (3 2 1; 2 4 2; 1 2 3) / 4. */
TestOnBoth(block, the_inverse_of_the_textbook_is_found)
{
    static const double a[] = {2, -1, 0, -1, 2, -1, 0, -1, 2}, want[] = {3, 2, 1, 2, 4, 2, 1, 2, 3};
    double x[9];
    vks_block_report r;
    OWNED(vks_array) *in = array_of(c, VKS_TYPE_F64, 9, a), *out = array_of(c, VKS_TYPE_F64, 9, a);
    must_work(c, vks_invert_blocks(1, 3, in, out, &r));
    cr_expect_eq(r.singular_block, UINT32_MAX);
    must_work(c, vks_array_read(out, 0, 9, x));
    for (int i = 0; i < 9; i++)
        cr_expect_float_eq(x[i], want[i] / 4, 1e-15);
}

/* Random blocks and, up to 5 rows, Hilbert matrices. */
TestOnBoth(block, times_its_inverse_is_the_identity)
{
    enum { COUNT = 40 };
    for (uint32_t n = 1; n <= 32; n += n < 5 ? 1 : 9) {
        OWNED(double) *a = random_vector(PRECISION_F64, COUNT * n * n, 1, n), *x = room(COUNT * n * n, 8);
        for (uint32_t k = 0; k < n * n && n < 6; k++)
            a[k] = 1.0 / (k / n + k % n + 1);
        OWNED(vks_array) *in = array_of(c, VKS_TYPE_F64, COUNT * n * n, a);
        must_work(c, vks_invert_blocks(COUNT, n, in, in, NULL));
        must_work(c, vks_array_read(in, 0, COUNT * n * n, x));
        for (uint32_t b = 0; b < COUNT; b++)
            cr_expect_leq(distance(a + b * n * n, x + b * n * n, n), 1e-9, "block %u of %u rows", b, n);
    }
}

/* A zero first pivot, a permutation, and singular blocks after regular ones. */
TestOnBoth(block, the_first_singular_block_and_its_row_are_reported)
{
    static const uint32_t rows[] = {0, 2, 5, 6, 9, 11};
    static const float a[] = {0, 1, 1, 0, /**/ 0, 0, 4, 2, 0, 0,      0, 1, 0, /**/ 8, /**/
                              1, 2, 3, 2, 4,      6, 1, 1, 1, /**/ 0, 0, 1, 1};
    static const float want[] = {0, 1, 1, 0, /**/ 0, 0.5, 0, 0, 0, 1,      0.25, 0, 0, /**/ 0.125, /**/
                                 0, 0, 0, 0, 0,      0,   0, 0, 0, /**/ 0, 0,    0, 0};
    float x[27];
    vks_block_report r;
    OWNED(vks_array) *of = array_of(c, VKS_TYPE_U32, 6, rows), *in = array_of(c, VKS_TYPE_F32, 27, a),
                     *out = array_of(c, VKS_TYPE_F32, 27, a);
    must_work(c, vks_invert_blocks_of_sizes(of, in, out, &r));
    must_work(c, vks_array_read(out, 0, 27, x));
    for (int i = 0; i < 27; i++)
        cr_expect_eq(x[i], want[i], "element %d is %g", i, x[i]);
    cr_expect_eq(r.singular_block, 3);
    cr_expect_eq(r.singular_row, 1, "row %u", r.singular_row);
}

Test(block, what_does_not_fit_is_refused)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    static const uint32_t wrong[][3] = {{0, 2, 2}, {0, 33, 34}, {0, 2, 1}};
    double zeros[32] = {0};
    OWNED(vks_array) *in = array_of(c, VKS_TYPE_F64, 8, zeros), *narrow = array_of(c, VKS_TYPE_F32, 8, zeros),
                     *words = array_of(c, VKS_TYPE_U32, 8, zeros),
                     *far = array_of(other, VKS_TYPE_F64, 8, zeros),
                     *none = array_of(c, VKS_TYPE_U32, 0, NULL);
    must_refuse(c, vks_invert_blocks(2, 0, in, in, NULL), VKS_INVALID_ARGUMENT, "blocks of 0 rows");
    must_refuse(c, vks_invert_blocks(2, 33, in, in, NULL), VKS_INVALID_ARGUMENT, "blocks of 33 rows");
    must_refuse(c, vks_invert_blocks(3, 2, in, in, NULL), VKS_INVALID_ARGUMENT,
                "12 elements; the array of blocks has 8");
    must_refuse(c, vks_invert_blocks(1u << 28, 1, in, in, NULL), VKS_LIMIT, "268435456 blocks");
    must_refuse(c, vks_invert_blocks(2, 2, in, narrow, NULL), VKS_INVALID_ARGUMENT, "the inverses");
    must_refuse(c, vks_invert_blocks(2, 2, words, in, NULL), VKS_INVALID_ARGUMENT, "the blocks");
    must_refuse(c, vks_invert_blocks(2, 2, in, far, NULL), VKS_INVALID_ARGUMENT, "context");
    must_refuse(c, vks_invert_blocks_of_sizes(none, in, in, NULL), VKS_INVALID_ARGUMENT, "empty");
    for (int i = 0; i < 3; i++) {
        OWNED(vks_array) *rows = array_of(c, VKS_TYPE_U32, 3, wrong[i]);
        must_refuse(c, vks_invert_blocks_of_sizes(rows, in, in, NULL), VKS_INVALID_ARGUMENT,
                    i == 1 ? "block 0, from 0, goes from row 0 to 33"
                           : "block 1, from 0, goes from row 2 to ");
    }
    must_work(c, vks_invert_blocks(2, 2, in, in, NULL));
}
