/* Sparse times sparse: structure and bits compared with the definition, rows of every class, and updates of
 * values. */
#include "primitive/pack_verbs.h"
#include "sparse/spgemm.h"
#include "tests/support/device_matrix.h"
#include "tests/support/gpu.h"
#include "tests/support/product_oracle.h"
#include "vksolve/multiply.h"

/* A B, then an update of its values. */
static void expect_product(vks_context *c, enum precision p, const struct host_csr *a,
                           const struct host_csr *b, const struct spgemm_options *o, const char *what)
{
    OWNED(vks_matrix) *A = put_on(c, a, p, VKS_FORMAT_CSR), *B = put_on(c, b, p, VKS_FORMAT_CSR), *C = NULL;
    OWNED_STRUCT(host_csr) want = product_oracle(p, a, b);
    vks_status s = spgemm(A, B, o, &C);
    must_work(c, matrix_end(C, s, VKS_FORMAT_CSR, &C));
    must_be(c, C, &want, what);
    OWNED(double) *zeros = room(want.row[want.rows], 8);
    must_work(c, vks_matrix_set_values(C, VKS_F64, zeros));
    must_work(c, vks_matrix_multiply_again(A, B, C));
    must_be(c, C, &want, what);
}

enum { ALL = 1 << 30 };

/* With B of 5,000 columns: how rows with more than 1,536 products are processed. */
static const struct {
    const char *what;
    struct spgemm_options o;
} ways[] = {
    {"marked in one window", {.batch = ALL, .most = ALL, .window = 16, .table = ALL, .host_classes = true}},
    {"marked in three windows",
     {.batch = ALL, .most = ALL, .window = 11, .table = ALL, .host_classes = true}},
    {"tried, then marked in 20 windows",
     {.batch = ALL, .most = ALL, .window = 8, .table = ALL, .host_classes = true}},
    {"tried, then sorted", {.batch = ALL, .most = ALL, .window = 4, .table = ALL, .host_classes = true}},
    {"sorted in several batches",
     {.batch = 5000, .most = ALL, .window = 16, .table = 5, .host_classes = true}},
    {"the longest sorted, each in a batch",
     {.batch = 1, .most = 2000, .window = 13, .table = ALL, .host_classes = true}},
    {"as the device likes", {.batch = ALL, .most = ALL, .window = 16, .table = ALL}},
};

/* 200 rows of 20 entries: each ten have the same columns, and the second hundred has none in common. */
static struct host_csr in_tens(void)
{
    struct host_csr b = new_csr(200, 5000, 4000);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t first = i < 100 ? i / 10 * 40 : 1000 + (i - 100) * 20;
        b.row[i + 1] = b.row[i] + 20;
        for (uint32_t k = 0; k < 20; k++) {
            b.col[b.row[i] + k] = first + k;
            b.val[b.row[i] + k] = 1 + i + k;
        }
    }
    return b;
}

/* Rows of 300 products, which squads try: every fifth has 300 entries and overflows their table, the others
 * have 40, which are kept. When the former leave the list, the others move. */
TestEverywhere(multiply, finds_its_columns_after_other_rows_ran_over_their_tables)
{
    enum { ROWS = 45, EACH = 15 };
    OWNED_STRUCT(host_csr) a = new_csr(ROWS, 200, ROWS * EACH), b = in_tens();
    struct spgemm_options o = spgemm_defaults;
    o.host_classes = true;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t first = i % 5 ? i % 9 * 10 : 100 + i;
        a.row[i + 1] = a.row[i] + EACH;
        for (uint32_t k = 0; k < EACH; k++) {
            a.col[a.row[i] + k] = first + k;
            a.val[a.row[i] + k] = 1 + k;
        }
    }
    expect_product(c, p, &a, &b, &o, "rows that run over");
}

TestEverywhere(multiply, gives_the_defined_structure_and_bits_for_every_shape)
{
    static const uint32_t shapes[][3] = {{0, 0, 0},     {0, 5, 3},        {5, 0, 3},    {5, 3, 0},
                                         {1, 1, 1},     {31, 33, 32},     {33, 1, 200}, {1, 257, 31},
                                         {257, 255, 9}, {1000, 999, 1001}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const uint32_t *n = shapes[k];
        OWNED_STRUCT(host_csr) a = random_csr(p, n[0], n[1], 9, k), b = random_csr(p, n[1], n[2], 12, k + 50);
        expect_product(c, p, &a, &b, &spgemm_defaults, "a random product");
    }
}

/* Lengths of rows of B so that the rows of C = I B have them, for each class and on both sides of its limits;
 * and A with two entries in some rows, whose products share columns. */
TestEverywhere(multiply, takes_rows_of_every_class)
{
    static const uint32_t lengths[] = {0,    1,    95,   96,   97, 98,   64,   65,
                                       1535, 1536, 1537, 3000, 0,  2500, 1600, 128};
    enum { ROWS = sizeof lengths / sizeof *lengths };
    static const uint32_t pairs[ROWS] = {1, 2, 1, 2, 1, 1, 3, 1, 1, 1, 1, 1, 1, 16, 5, 2};
    OWNED_STRUCT(host_csr) b = csr_of_lengths(p, ROWS, 5000, lengths, 4),
                           a = csr_of_lengths(p, ROWS, ROWS, pairs, 5);
    OWNED_STRUCT(host_csr) one = new_csr(ROWS, ROWS, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        one.row[i + 1] = i + 1;
        one.col[i] = i;
        one.val[i] = 1;
    }
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        expect_product(c, p, &one, &b, &ways[k].o, ways[k].what);
        expect_product(c, p, &a, &b, &ways[k].o, ways[k].what);
    }
}

/* Three rows of 2,000 columns in 200,000: at both ends of windows of 2^16, and with an empty window. */
TestEverywhere(multiply, takes_the_ends_of_windows_and_windows_of_nothing)
{
    static const uint32_t ends[] = {0, 65535, 65536, 131071, 131072, 196607, 196608, 199999};
    enum { ENDS = sizeof ends / sizeof *ends, LENGTH = 2000, COLS = 200000 };
    OWNED_STRUCT(host_csr) b = new_csr(3, COLS, 3 * LENGTH),
                           a = csr_of_lengths(p, 4, 3, (uint32_t[]){3, 1, 2, 1}, 7);
    struct spgemm_options o = spgemm_defaults;
    uint64_t seed = 5;
    for (uint32_t i = 0, k = 0; i < 3; i++) {
        for (uint32_t e = 0; e < LENGTH; e++, k++) {
            b.col[k] = e < ENDS ? ends[e] : 65536 * (i + e % 2) + e + i; /* windows i and i + 1 */
            b.val[k] = random_wide(&seed, p, 3);
        }
        qsort(b.col + LENGTH * (size_t)i, LENGTH, 4, compare_columns);
        b.row[i + 1] = k;
    }
    expect_product(c, p, &a, &b, &o, "ends of windows");
    o.host_classes = true;
    expect_product(c, p, &a, &b, &o, "ends of windows, by classes");
    for (uint32_t i = 0; i < 3; i++) /* without the ends, a row has columns in two windows of the four */
        for (uint32_t e = 0; e < LENGTH; e++)
            b.col[LENGTH * i + e] = 65536 * (i + (e >= LENGTH / 2)) + e + i;
    expect_product(c, p, &a, &b, &o, "windows of nothing");
}

/* 8 rows of 32,000 products in one window each: memory suffices for their marks, but not to sort them. */
static void limit_windows(const char *device)
{
    OWNED(vks_context) *c = open_context(device, (struct device_options){.largest_array = 600000});
    uint32_t lengths[16], full[8];
    for (int i = 0; i < 16; i++)
        lengths[i] = 2000;
    for (int i = 0; i < 8; i++)
        full[i] = 16;
    OWNED_STRUCT(host_csr) b = csr_of_lengths(PRECISION_F64, 16, 5000, lengths, 1),
                           a = csr_of_lengths(PRECISION_F64, 8, 16, full, 2);
    struct spgemm_options o = {.batch = ALL, .most = ALL, .window = 16, .table = 8, .host_classes = true};
    expect_product(c, PRECISION_F64, &a, &b, &o, "as many windows as there may be");
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR),
               *B = put_on(c, &b, PRECISION_F64, VKS_FORMAT_CSR), *C = NULL;
    o.table = 7;
    context_begin(c);
    vks_status s = spgemm(A, B, &o, &C);
    must_refuse(c, matrix_end(C, s, VKS_FORMAT_CSR, &C), VKS_DEVICE_MEMORY,
                "1024000 bytes for keys of products are too many");
    vks_matrix_destroy(A);
    vks_matrix_destroy(B);
}

Test(multiply, rows_of_more_windows_than_there_may_be_are_sorted)
{
    limit_windows("host");
    limit_windows(gpu_name());
}

/* All products of a row go to 101 entries, which reveals the order of the sums. */
static void expect_long_sums(vks_context *c, enum precision p, uint32_t n, const struct spgemm_options *o)
{
    OWNED(uint32_t) *lengths = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        lengths[i] = 100;
    OWNED_STRUCT(host_csr) b = csr_of_lengths(p, n, 101, lengths, 1);
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, 4, n, (uint32_t[]){n, 1, n - n / 7, 40}, 2);
    expect_product(c, p, &a, &b, o, "sums of many products");
}

TestEverywhere(multiply, adds_up_hundreds_of_products_of_an_entry_in_order)
{
    expect_long_sums(c, p, 300, &spgemm_defaults);
}

/* 300,000 products of a row exceed a workgroup. On the host or on a hardware GPU: llvmpipe ends loops
 * early. */
Test(multiply, adds_up_thousands_of_products_of_an_entry_in_order)
{
    OWNED(vks_context) *c = on_hardware() ? open_gpu() : open_host();
    struct spgemm_options o = spgemm_defaults;
    expect_long_sums(c, PRECISION_F64, 3000, &o);
    o.host_classes = true;
    expect_long_sums(c, PRECISION_F64, 3000, &o);
}

/* Rows of C of 32 and 33 entries, each of as many products from 63, 64, 65 and 1 rows of B. */
TestEverywhere(multiply, sums_rows_on_both_sides_of_what_eight_lanes_take)
{
    uint32_t lengths[65];
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, 4, 65, (uint32_t[]){63, 64, 65, 1}, 1);
    for (uint32_t cols = 32; cols <= 33; cols++) {
        for (int i = 0; i < 65; i++)
            lengths[i] = cols;
        OWNED_STRUCT(host_csr) b = csr_of_lengths(p, 65, cols, lengths, 2);
        expect_product(c, p, &a, &b, &spgemm_defaults, "sums by eight lanes");
    }
}

/* A full row and a full column, so that one row of C explodes, and all others have an entry of it. */
TestEverywhere(multiply, takes_an_arrow)
{
    enum { SIZE = 300 };
    OWNED_STRUCT(host_csr) a = new_csr(SIZE, SIZE, 3 * SIZE);
    uint64_t seed = 1;
    for (uint32_t i = 0, k = 0; i < SIZE; i++) {
        for (uint32_t j = 0; j < SIZE; j++)
            if (i == 0 || j == 0 || i == j) {
                a.col[k] = j;
                a.val[k++] = random_wide(&seed, p, 3);
            }
        a.row[i + 1] = k;
    }
    expect_product(c, p, &a, &a, &spgemm_defaults, "an arrow");
}

/* Columns use all bits of a key, so that every sorted row is a batch. */
TestEverywhere(multiply, takes_columns_up_to_the_largest_index)
{
    OWNED_STRUCT(host_csr) b = csr_of_lengths(p, 3, VKS_LARGEST_INDEX, (uint32_t[]){2000, 1, 1700}, 3), want;
    struct host_csr a = csr_of_lengths(p, 3, 3, (uint32_t[]){3, 1, 3}, 2), narrow = b;
    b.col[1999] = VKS_LARGEST_INDEX - 1;
    OWNED(vks_matrix) *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B = put_on(c, &b, p, VKS_FORMAT_CSR), *C;
    must_work(c, vks_matrix_multiply(A, B, NULL, &C));
    /* The same with renumbered columns, since the definition needs a dense row. */
    uint32_t entries = b.row[3], n = 0, *columns = room(entries, 4);
    memcpy(columns, b.col, entries * sizeof *columns);
    qsort(columns, entries, sizeof *columns, compare_columns);
    for (uint32_t e = 0; e < entries; e++)
        if (!e || columns[e] != columns[e - 1])
            columns[n++] = columns[e];
    for (uint32_t e = 0; e < entries; e++)
        b.col[e] = (uint32_t)((uint32_t *)bsearch(&b.col[e], columns, n, 4, compare_columns) - columns);
    narrow.cols = n;
    want = product_oracle(p, &a, &narrow);
    for (uint32_t e = 0; e < want.row[3]; e++)
        want.col[e] = columns[want.col[e]];
    want.cols = VKS_LARGEST_INDEX;
    must_be(c, C, &want, "columns up to the largest index");
    host_csr_free(&a);
    free(columns);
}

TestEverywhere(multiply, gives_infinities_and_nans_where_the_sums_do)
{
    OWNED_STRUCT(host_csr) a = random_csr(p, 60, 60, 8, 1);
    for (uint32_t e = 0; e < a.row[60]; e++)
        a.val[e] = e % 17 == 0   ? INFINITY
                   : e % 23 == 0 ? -INFINITY
                   : e % 29 == 0 ? NAN
                   : e % 5       ? a.val[e]
                                 : -0.0;
    expect_product(c, p, &a, &a, &spgemm_defaults, "infinities");
}

/* The aggregation of 4 unknowns each. */
static struct host_csr aggregation(uint32_t n)
{
    struct host_csr P = new_csr(n, (n + 3) / 4, n);
    for (uint32_t i = 0; i < n; i++) {
        P.row[i + 1] = i + 1;
        P.col[i] = i / 4;
        P.val[i] = 1;
    }
    return P;
}

static void expect_triple(vks_context *c, enum precision p, const struct host_csr *a, const char *what)
{
    OWNED_STRUCT(host_csr) P = aggregation(a->rows), R = transpose_oracle(&P), AP = product_oracle(p, a, &P),
                           want = product_oracle(p, &R, &AP);
    OWNED(vks_matrix) *mA = put_on(c, a, p, VKS_FORMAT_CSR), *mP = put_on(c, &P, p, VKS_FORMAT_CSR),
                      *mR = put_on(c, &R, p, VKS_FORMAT_CSR), *C;
    must_work(c, vks_matrix_triple_product(mR, mA, mP, NULL, &C));
    must_be(c, C, &want, what);
}

/* A A, A A^T and R A P of real matrices. */
TestEverywhere(multiply, squares_and_projects_real_matrices)
{
    static const char *const names[] = {"bcsstk01", "orsirr_1", "jagmesh7", "west0067"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        vks_matrix *m = read_shipped(c, names[k]);
        OWNED_STRUCT(host_csr) a = read_back(c, m);
        vks_matrix_destroy(m);
        for (uint32_t e = 0; e < a.row[a.rows]; e++)
            a.val[e] = rounded(p, a.val[e]);
        OWNED_STRUCT(host_csr) t = transpose_oracle(&a);
        expect_product(c, p, &a, &a, &spgemm_defaults, names[k]);
        expect_product(c, p, &a, &t, &spgemm_defaults, names[k]);
        expect_triple(c, p, &a, names[k]);
    }
}
