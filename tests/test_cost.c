/* The estimated cost of products on a GPU, from made-up statistics. */
#include "sparse/cost.h"
#include "sparse/long.h"

#include <criterion/criterion.h>
#include <math.h>

/* n rows of `length` entries, except one with `longest`, in slices without padding; on a discrete GPU. */
struct made {
    struct csr A;
    struct long_rows longs;
    struct statistics known;
    vks_format_options storage;
    struct question q;
};

static void make(struct made *m, uint32_t n, uint32_t length, uint32_t longest, uint32_t lanes)
{
    bool is_long = longest > 256;
    *m = (struct made){.A = {.n = n, .cols = n, .entries = n * length + (longest - length), .lanes = lanes},
                       .storage = {.slice_height = 32, .sigma = 1, .padding = 8}};
    m->longs = (struct long_rows){.rows = 1, .entries = longest};
    m->A.longs = is_long ? &m->longs : NULL;
    m->known.word[SLICES_LONGEST] = is_long ? length : longest;
    m->known.word[SLICES_PADDED] = m->A.entries - (is_long ? longest : 0);
    m->known.word[SLICES_APART] = UINT32_MAX;
    m->known.word[ROWS_LONGEST] = longest;
    m->q = (struct question){&m->A, &m->storage, &m->known, PRECISION_F64, false, 5000000, false};
}

Test(cost, of_many_rows_is_that_of_bytes)
{
    struct made m;
    make(&m, 10000000, 7, 7, 1);
    cr_expect_float_eq(csr_cost(&m.q).total, 1e7 * (7 * 12 + 4 + 16), 1);
    cr_expect_float_eq(sell_cost(&m.q).total, 0.95 * 1e7 * (7 * 12 + 4 / 32.0 + 16), 1e4);
    m.known.word[SLICES_APART] = 100;
    m.known.word[SLICES_FOURS] = 2 * 10000000 / 32;
    cr_expect_float_eq(sell_cost(&m.q).total, 1.13 * 1e7 * (7 * 8 + 2 * 272 / 32.0 + 4 / 32.0 + 16), 1e4);
    m.q.precision = PRECISION_F32;
    cr_expect_float_eq(sell_cost(&m.q).total, 1.2 * 1e7 * (7 * 4 + 2 * 272 / 32.0 + 4 / 32.0 + 8), 1e4);
}

/* A byte for each entry, eight in a row of seven, or two, and 64 for each kind; and their lookup. */
Test(cost, of_codes_is_that_of_their_bytes_and_of_the_kinds)
{
    const double lookups = 8 * (0.3 * 7e7 + 0.5 * 1e7);
    struct made m;
    make(&m, 10000000, 7, 7, 1);
    m.known.word[SLICES_FOURS] = 2 * 10000000 / 32;
    m.known.word[ENTRY_KINDS] = 255;
    cr_expect_float_eq(sell_cost(&m.q).total, 1e7 * (8 + 4 / 32.0 + 16) + 64 * 255 + lookups, 1e4);
    m.known.word[ENTRY_KINDS] = 256;
    cr_expect_float_eq(sell_cost(&m.q).total, 1e7 * (16 + 4 / 32.0 + 16) + 64 * 256 + lookups, 1e4);
    make(&m, 4000000000, 1, 1, 1); /* with codes of two bytes, the number of words exceeds 32 bits */
    m.known.word[SLICES_FOURS] = 4000000000 / 32;
    m.known.word[ENTRY_KINDS] = 255;
    cr_expect_float_eq(sell_cost(&m.q).bytes_each, 4 + 4 / 32.0, 1e-3);
    m.known.word[ENTRY_KINDS] = 256;
    cr_expect_float_eq(sell_cost(&m.q).bytes_each, 12 + 4 / 32.0, 1e-3);
    make(&m, 10000000, 7, 7, 1);
    m.storage.coding = VKS_CODED_NEVER;
    cr_expect_float_eq(sell_cost(&m.q).total, 0.95 * 1e7 * (7 * 12 + 4 / 32.0 + 16), 1e4);
}

/* poisson3d 128 compared with CSR, and elasticity3d 48, whose codes have two bytes, compared with BSR. */
Test(cost, of_codes_is_within_a_third_of_what_an_h200_took)
{
    struct made m;
    make(&m, 2097152, 7, 7, 1);
    m.known.word[SLICES_FOURS] = 2 * 2097152 / 32;
    m.known.word[ENTRY_KINDS] = 7;
    cr_expect_float_eq(sell_cost(&m.q).total / csr_cost(&m.q).total / (21.2 / 58.7), 1, 1 / 3.0);
    make(&m, 331776, 78, 78, 4);
    m.known.word[SLICES_FOURS] = 20 * 331776 / 32;
    m.known.word[ENTRY_KINDS] = 575;
    m.known.word[BLOCKS_SEEN + 3] = 331776 / 9 * 78;
    m.known.word[BLOCKS_SEEN + 4] = 331776 * 78;
    cr_expect_float_eq(sell_cost(&m.q).total / bsr_cost(&m.q, 3).total / (31.2 / 60.5), 1, 1 / 3.0);
    m.q.precision = PRECISION_F32;
    cr_expect_float_eq(sell_cost(&m.q).total / bsr_cost(&m.q, 3).total / (26.5 / 37.8), 1, 1 / 3.0);
}

Test(cost, of_few_rows_is_that_of_turns)
{
    struct made m;
    make(&m, 1000, 81, 81, 4);
    cr_expect_eq(csr_cost(&m.q).total, 6 * 5e6);
    cr_expect_eq(sell_cost(&m.q).total, 12 * 5e6);
    cr_expect_float_eq(balanced_cost(&m.q).total, 1.1 * 8 * 5e6, 1);
    m.known.word[BLOCKS_SEEN + 3] = 9000;
    m.known.word[BLOCKS_SEEN + 4] = 81000;
    cr_expect_eq(bsr_cost(&m.q, 3).total, 5 * 5e6);
    m.known.word[BLOCKS_SEEN + 5] = 1; /* partial */
    cr_expect_eq(bsr_cost(&m.q, 3).total, INFINITY);
    make(&m, 1000, 8, 250, 1);
    cr_expect_eq(csr_cost(&m.q).turns, 63);
    cr_expect_eq(balanced_cost(&m.q).turns, 10);
}

Test(cost, of_balanced_rows_is_bounded_only_where_they_are_few)
{
    struct made m;
    make(&m, 1000000, 8, 250, 1);
    cr_expect_eq(balanced_cost(&m.q).turns, 10);
    make(&m, 1100000, 8, 250, 1);
    cr_expect_eq(balanced_cost(&m.q).turns, 65);
}

Test(cost, of_long_rows_is_the_same_beside_every_format_but_balanced)
{
    struct made m;
    make(&m, 1000000, 7, 300, 1);
    cr_expect_float_eq(csr_cost(&m.q).total, 1e6 * (7 * 12 + 4 + 16) + 4 * 5e6, 1e3);
    cr_expect_float_eq(sell_cost(&m.q).total, 0.95 * 1e6 * (7 * 12 + 16.125) + 4 * 5e6, 1e3);
    cr_expect_float_eq(balanced_cost(&m.q).total, 1.1 * (1.2 * 1e6 * (7 * 12 + 8 + 16) + 3600), 1e4);
    make(&m, 1000, 7, 300, 1);
    cr_expect_eq(csr_cost(&m.q).total, 2 * 5e6 + 4 * 5e6);
    cr_expect_float_eq(balanced_cost(&m.q).total, 1.1 * 5 * 5e6, 1);
    make(&m, 100, 7, 100000000, 1); /* of bytes, for many kinds */
    cr_expect_float_eq(csr_cost(&m.q).total, 1.2e9 + 2 * 5e6, 1e3);
    cr_expect_float_eq(balanced_cost(&m.q).total, 1.1 * 1.2e9, 1e6);
}

/* A short row among long ones, and rows with one entry or none, do not make a matrix uneven. */
Test(cost, of_csr_grows_where_warps_wait_for_their_longest_row)
{
    struct made m;
    make(&m, 10000000, 7, 7, 1);
    m.known.word[SLICES_PADDED] *= 3;
    cr_expect(cost_is_uneven(&m.q));
    cr_expect_float_eq(csr_cost(&m.q).total, 1.5 * 1e7 * (7 * 12 + 4 + 16), 1);
    m.known.word[SLICES_LONGEST] = 4;
    cr_expect_not(cost_is_uneven(&m.q));
}

Test(cost, of_balanced_rows_is_out_of_the_question_for_lean_matrices)
{
    struct made m;
    make(&m, 1000, 8, 250, 1);
    m.storage.lean = true;
    cr_expect_eq(balanced_cost(&m.q).total, INFINITY);
    cr_expect_lt(csr_cost(&m.q).total, INFINITY);
}

Test(cost, of_slices_is_out_of_the_question_beyond_the_padding_that_is_allowed)
{
    struct made m;
    make(&m, 1000, 8, 8, 1);
    m.known.word[SLICES_PADDED] *= 9;
    cr_expect_eq(sell_cost(&m.q).total, INFINITY);
    m.storage.padding = 10;
    cr_expect_lt(sell_cost(&m.q).total, INFINITY);
    m.A.lanes = 16;
    cr_expect_eq(sell_cost(&m.q).total, INFINITY);
}
