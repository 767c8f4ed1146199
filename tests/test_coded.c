/* SELL whose entries are codes: the limit of kinds, what is reported, new values, two kinds with one mark,
 * and the bits. test_kernels_slices.c tests the kernels. */
#include "host/sparse/kinds.h"
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

static vks_matrix *stored(vks_context *c, const struct host_csr *A, vks_matrix_options o)
{
    o.storage.format = VKS_FORMAT_SELL;
    return matrix_from(c, A, &o);
}

/* x with an element that padding must not read, and the effect on products. */
static double *product_of(vks_context *c, const vks_matrix *A, enum precision p)
{
    uint32_t n = vks_matrix_rows(A), cols = vks_matrix_cols(A);
    double *v = random_vector(p, cols, 10, 3), *y = room(n, 8);
    v[0] = INFINITY;
    v[cols - 1] = NAN;
    OWNED(vks_vector) *vx = put_vector(c, v, cols, p), *vy = put_vector(c, y, n, p);
    must_work(c, vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, n, VKS_F64, y));
    free(v);
    return y;
}

static void must_multiply_as(vks_context *c, const vks_matrix *m, const struct host_csr *A, enum precision p)
{
    vks_matrix_options o = {.precision = public_precision(p), .storage.format = VKS_FORMAT_CSR};
    OWNED(vks_matrix) *csr = matrix_from(c, A, &o);
    OWNED(double) *want = product_of(c, csr, p), *got = product_of(c, m, p);
    must_equal(got, want, A->rows, "codes");
}

/* The stored matrix must read back with the same bits. */
static void must_give_back(vks_context *c, const vks_matrix *m, const struct host_csr *A)
{
    uint32_t entries = A->row[A->rows], *col = room(entries, 4);
    OWNED(double) *val = room(entries, 8);
    must_work(c, vks_matrix_to_csr(m, NULL, col, VKS_F64, val));
    cr_expect_arr_eq(col, A->col, 4 * (size_t)entries);
    cr_expect_arr_eq(val, A->val, 8 * (size_t)entries);
    free(col);
}

/* Tridiagonal; the values on the diagonal are `special`, and then `each` values in turn, 1, 2 ... */
static struct host_csr tridiagonal(uint32_t n, uint32_t each, double special)
{
    struct host_csr A = new_csr(n, n, 3 * (size_t)n);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i ? i - 1 : 0; j < n && j <= i + 1; j++, k++) {
            A.col[k] = j;
            A.val[k] = j != i ? -1 : i % each ? i % each : special;
        }
        A.row[i + 1] = k;
    }
    return A;
}

/* 1,500 rows have 4,498 entries: 1,024 kinds are allowed. */
TestOnBoth(coded, there_are_as_many_kinds_as_there_may_be_and_no_more)
{
    static const struct {
        uint32_t each, kinds;
    } t[] = {{1, 3}, {252, 254}, {253, 255}, {254, 256}, {255, 257}, {1022, 1024}, {1023, 0}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++)
        for (int lean = 0; lean < 2; lean++) {
            OWNED_STRUCT(host_csr) A = tridiagonal(1500, t[k].each, -0.0);
            OWNED(vks_matrix) *m = NULL;
            vks_matrix_options o = {
                .storage = {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS, .lean = lean}};
            vks_status s = vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &m);
            if (!t[k].kinds)
                must_refuse(c, s, VKS_LIMIT, "1024 kinds of them at most");
            else {
                must_work(c, s);
                cr_expect_eq(vks_matrix_entry_kinds(m), t[k].kinds, "%u kinds of %u",
                             vks_matrix_entry_kinds(m), t[k].kinds);
                must_multiply_as(c, m, &A, PRECISION_F64);
                must_give_back(c, m, &A);
            }
        }
}

/* Zeros of both signs, several NaNs, and the smallest and the largest number are distinct kinds. */
TestOnBoth(coded, values_that_differ_in_a_bit_are_of_different_kinds)
{
    static const uint64_t bits[] = {0,
                                    (uint64_t)1 << 63,
                                    1,
                                    0x7FF0000000000000,
                                    0xFFF0000000000000,
                                    0x7FF8000000000000,
                                    0x7FF8000000000001,
                                    0xFFF8000000000000,
                                    0x7FEFFFFFFFFFFFFF,
                                    0x000FFFFFFFFFFFFF};
    enum { COUNT = sizeof bits / sizeof *bits };
    OWNED_STRUCT(host_csr) A = tridiagonal(640, 1, 1);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (A.col[k] == i)
                memcpy(&A.val[k], &bits[i % COUNT], 8);
    OWNED(vks_matrix) *m = stored(c, &A, (vks_matrix_options){0});
    cr_expect_eq(vks_matrix_entry_kinds(m), COUNT + 2);
    must_give_back(c, m, &A);
}

/* Like a grid: rows at the boundary have fewer entries than their neighbours. */
static struct host_csr grid(enum precision p, uint32_t size)
{
    struct host_csr A = new_csr(size * size, size * size, 5 * (size_t)size * size);
    uint32_t k = 0;
    for (uint32_t i = 0; i < size * size; i++) {
        const struct {
            bool is;
            int32_t apart;
        } steps[] = {{i >= size, -(int32_t)size},
                     {i % size > 0, -1},
                     {true, 0},
                     {i % size + 1 < size, 1},
                     {i + size < size * size, (int32_t)size}};
        for (int s = 0; s < 5; s++)
            if (steps[s].is) {
                A.col[k] = i + (uint32_t)steps[s].apart;
                A.val[k++] = s == 2 ? rounded(p, 4.1) : -1;
            }
        A.row[i + 1] = k;
    }
    return A;
}

TestEverywhere(coded, grids_of_every_size_are_multiplied_with_the_bits_of_csr)
{
    static const uint32_t sizes[] = {2, 7, 31, 32, 33, 65};
    for (int k = 0; k < 6; k++) {
        OWNED_STRUCT(host_csr) A = grid(p, sizes[k]);
        OWNED(vks_matrix) *m = stored(
            c, &A,
            (vks_matrix_options){.precision = public_precision(p), .storage.coding = VKS_CODED_ALWAYS});
        cr_expect_eq(vks_matrix_entry_kinds(m), 5);
        must_multiply_as(c, m, &A, p);
    }
}

/* A byte for each entry, padded to units of four, plus a few hundred at most. */
TestOnHost(coded, entries_of_a_grid_take_a_byte_each)
{
    OWNED_STRUCT(host_csr) A = grid(PRECISION_F64, 128);
    OWNED(vks_matrix) *m = stored(c, &A, (vks_matrix_options){0}),
                      *plain = stored(c, &A, (vks_matrix_options){.storage.coding = VKS_CODED_NEVER});
    uint64_t rows = A.rows, offsets = 4 * (rows / 32 + 1);
    cr_expect_leq(vks_matrix_format_bytes(m), 8 * rows + offsets + 300);
    cr_expect_geq(vks_matrix_format_bytes(m), 7.9 * rows + offsets);
    cr_expect_geq(vks_matrix_format_bytes(plain), 10 * 5 * rows);
    cr_expect_eq(vks_matrix_entry_kinds(plain), 0);
}

/* Slices of another shape, and rows of many lanes. */
static void store_one_by_one(vks_context *c)
{
    static const vks_format_options shapes[] = {
        {.slice_height = 16}, {.slice_height = 64}, {.sigma = 64}, {.coding = VKS_CODED_NEVER}};
    OWNED_STRUCT(host_csr) A = grid(PRECISION_F64, 33);
    for (int k = 0; k < 4; k++) {
        vks_matrix *m = stored(c, &A, (vks_matrix_options){.storage = shapes[k]});
        vks_format_options asked = shapes[k];
        asked.format = VKS_FORMAT_SELL;
        cr_expect_eq(vks_matrix_entry_kinds(m), 0);
        vks_matrix_destroy(m);
        if (asked.coding)
            continue;
        asked.coding = VKS_CODED_ALWAYS;
        vks_matrix_options o = {.storage = asked};
        must_refuse(c, vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &m), VKS_LIMIT,
                    "slices of 32 rows in their order");
    }
}

/* 128 entries a row are summed by 16 lanes. */
static void store_long_rows(vks_context *c)
{
    OWNED_STRUCT(host_csr) A = new_csr(128, 128, 128 * 128);
    vks_matrix *none = NULL;
    for (uint32_t k = 0; k < 128 * 128; k++) {
        A.row[k / 128 + 1] = k + 1;
        A.col[k] = k % 128;
        A.val[k] = 3;
    }
    OWNED(vks_matrix) *m = stored(c, &A, (vks_matrix_options){0});
    cr_expect_eq(vks_matrix_entry_kinds(m), 0);
    must_multiply_as(c, m, &A, PRECISION_F64);
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS}};
    must_refuse(c, vks_matrix_from_csr(c, 128, 128, A.row, A.col, A.val, &o, &none), VKS_LIMIT,
                "fewer than 96 entries a row");
}

Test(coded, slices_of_another_shape_and_rows_of_many_lanes_hold_entries_one_by_one)
{
    on_both(store_one_by_one);
    on_both(store_long_rows);
}

TestOnHost(coded, a_coding_that_is_none_is_refused)
{
    OWNED_STRUCT(host_csr) A = grid(PRECISION_F64, 2);
    vks_matrix *m = NULL;
    vks_matrix_options o = {.storage.coding = (vks_coding)3};
    must_refuse(c, vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &m), VKS_INVALID_ARGUMENT,
                "3 is not a vks_coding");
}

static void set_values(vks_context *c, vks_matrix *m, struct host_csr *A, uint32_t each)
{
    OWNED_STRUCT(host_csr) B = tridiagonal(A->rows, each, 0.1);
    memcpy(A->val, B.val, 8 * (size_t)A->row[A->rows]);
    must_work(c, vks_matrix_set_values(m, VKS_F64, A->val));
}

/* To more kinds, for two bytes, to fewer, to too many, and back, where entries stay uncoded; if values are in
 * f32, 0.1 widens them to f64. */
TestOnBoth(coded, new_values_are_coded_again_until_they_are_of_too_many_kinds)
{
    static const struct {
        uint32_t each, kinds;
    } t[] = {{2, 4}, {300, 302}, {1, 3}, {2000, 0}, {1, 0}};
    for (int mixed = 0; mixed < 2; mixed++)
        for (int lean = 0; lean < 2; lean++) {
            OWNED_STRUCT(host_csr) A = tridiagonal(2500, 1, 0.5);
            OWNED(vks_matrix) *m = stored(
                c, &A, (vks_matrix_options){.precision = mixed ? VKS_MIXED : VKS_F64, .storage.lean = lean});
            cr_expect_eq(vks_matrix_entry_kinds(m), 3);
            cr_expect_eq(vks_matrix_value_bytes(m), mixed ? 4 : 8);
            must_multiply_as(c, m, &A, PRECISION_F64);
            for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
                set_values(c, m, &A, t[k].each);
                cr_expect_eq(vks_matrix_entry_kinds(m), t[k].kinds, "%u kinds of %u",
                             vks_matrix_entry_kinds(m), t[k].kinds);
                cr_expect_eq(vks_matrix_value_bytes(m), 8);
                must_multiply_as(c, m, &A, PRECISION_F64);
                must_give_back(c, m, &A);
            }
        }
}

/* Values that were in f32 no longer survive it: whichever operation fails, A can be multiplied before the
 * next attempt. */
TestOnHost(coded, a_matrix_whose_new_values_could_not_be_coded_can_be_used)
{
    struct interposed *i = interposed_of(c->device);
    OWNED_STRUCT(host_csr) A = tridiagonal(300, 2, 0.5), B = tridiagonal(300, 60, 0.1);
    uint32_t k = 1;
    for (bool failed = true; failed; k++) {
        OWNED(vks_matrix) *m = stored(c, &A, (vks_matrix_options){.precision = VKS_MIXED});
        i->calls = i->injected = 0;
        i->fail_call = k;
        vks_status s = vks_matrix_set_values(m, VKS_F64, B.val);
        i->fail_call = 0;
        failed = i->injected > 0;
        cr_expect_eq(s != VKS_OK, failed);
        free(product_of(c, m, PRECISION_F64));
        must_work(c, vks_matrix_set_values(m, VKS_F64, B.val));
        must_multiply_as(c, m, &B, PRECISION_F64);
    }
    cr_expect_gt(k, 15);
}

/* Two values whose kinds on the diagonal have one mark, and hash slots so close that the second is mistaken
 * for the first: found by a birthday search among doubles k / 10. */
static double pair[2];

struct birthday {
    uint32_t mark, number;
};

static struct kind kind_of_value(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return (struct kind){0, (uint32_t)bits, (uint32_t)(bits >> 32)};
}

static int by_mark(const void *a, const void *b)
{
    uint32_t x = ((const struct birthday *)a)->mark, y = ((const struct birthday *)b)->mark;
    return (x > y) - (x < y);
}

static bool one_slot(double x, double y, uint32_t mask)
{
    return (home_of(kind_of_value(x)) & mask) == (home_of(kind_of_value(y)) & mask);
}

static void two_of_a_mark(uint32_t mask)
{
    enum { MANY = 1 << 21 };
    struct birthday *b = room(MANY, sizeof *b);
    for (uint32_t k = 0; k < MANY; k++)
        b[k] = (struct birthday){mark_of(kind_of_value(k / 10.0)), k};
    qsort(b, MANY, sizeof *b, by_mark);
    pair[0] = pair[1] = 0;
    for (uint32_t k = 1; k < MANY; k++)
        if (b[k].mark == b[k - 1].mark && one_slot(b[k].number / 10.0, b[k - 1].number / 10.0, mask)) {
            pair[0] = b[k].number / 10.0;
            pair[1] = b[k - 1].number / 10.0;
        }
    free(b);
    cr_assert_neq(pair[0], 0, "no two of so many values have one mark");
}

/* A diagonal matrix of 32 rows has 64 slots. */
static void meet(vks_context *c)
{
    OWNED_STRUCT(host_csr) A = new_csr(32, 32, 32);
    for (uint32_t i = 0; i < 32; i++) {
        A.row[i + 1] = i + 1;
        A.col[i] = i;
        A.val[i] = pair[0];
    }
    vks_matrix *m = stored(c, &A, (vks_matrix_options){.storage.coding = VKS_CODED_ALWAYS}), *none = NULL;
    cr_expect_eq(vks_matrix_entry_kinds(m), 1);
    for (uint32_t i = 0; i < 32; i += 3)
        A.val[i] = pair[1];
    must_work(c, vks_matrix_set_values(m, VKS_F64, A.val));
    cr_expect_eq(vks_matrix_entry_kinds(m), 0);
    must_multiply_as(c, m, &A, PRECISION_F64);
    must_give_back(c, m, &A);
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS}};
    must_refuse(c, vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &none), VKS_LIMIT,
                "cannot be codes");
    vks_matrix_destroy(m);
}

Test(coded, two_kinds_of_one_mark_are_found_out)
{
    two_of_a_mark(63);
    on_both(meet);
}
