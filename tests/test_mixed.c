/* Values stored in f32 and used in f64: which survive, that every format preserves them, and that a matrix is
 * widened if its values need it. */
#include "sparse/narrow.h"
#include "tests/support/mixed.h"

static const double surviving[] = {0.0,         -0.0,    1,        -1,      0.5,      3,        0x1.fffffep0,
                                   1 + 0x1p-23, FLT_MAX, -FLT_MAX, FLT_MIN, -FLT_MIN, INFINITY, -INFINITY};
enum { SURVIVING = sizeof surviving / sizeof *surviving };

/* Numbers beyond the range of f32 on every side; its denormals, which devices may flush; numbers that f32
 * would round; and NaNs, quiet and signalling, whose bits f32 could hold, too. */
static int lost_values(double lost[32])
{
    const double list[] = {0.1,
                           -0.1,
                           1 + 0x1p-24,
                           1 + 0x1p-52,
                           0x1.ffffffp0,
                           nextafter(FLT_MAX, INFINITY),
                           -nextafter(FLT_MAX, INFINITY),
                           0x1p128,
                           1e300,
                           nextafter(FLT_MIN, 0),
                           FLT_MIN / 2,
                           -0x1p-149,
                           0x1p-149,
                           0x1p-150,
                           0x1p-1022,
                           0x1p-1074,
                           -0x1p-1074,
                           of_bits(0x7FF8000000000000),
                           of_bits(0xFFF8000020000000),
                           of_bits(0x7FF0000020000000),
                           of_bits(0x7FF0000000000001),
                           of_bits(0x0000000020000000)};
    memcpy(lost, list, sizeof list);
    return sizeof list / sizeof *list;
}

/* Row i has entry (i, 2 i). */
static struct host_csr column_of(const double *val, uint32_t n)
{
    struct host_csr a = new_csr(n, 2 * n, n);
    for (uint32_t i = 0; i < n; i++) {
        a.row[i + 1] = i + 1;
        a.col[i] = 2 * i;
        a.val[i] = val[i];
    }
    return a;
}

/* Compares bit by bit, including NaNs. */
static void must_come_back(vks_context *c, const vks_matrix *A, const struct host_csr *a)
{
    OWNED_STRUCT(host_csr) back = read_back(c, A);
    for (size_t k = 0; k < host_csr_entries(a); k++)
        cr_assert_eq(bits_of(back.val[k]), bits_of(a->val[k]), "value %zu is %016llx instead of %016llx", k,
                     bits_of(back.val[k]), bits_of(a->val[k]));
}

TestOnBoth(mixed, stores_values_in_f32_if_all_survive_and_loses_no_bit_if_not)
{
    double val[SURVIVING + 32], lost[32];
    int count = lost_values(lost);
    memcpy(val, surviving, sizeof surviving);
    struct host_csr a = column_of(val, SURVIVING);
    vks_matrix *A = put_stored(c, &a, VKS_MIXED, (vks_format_options){0});
    must_be_stored_for(A, &a, "values that survive");
    must_come_back(c, A, &a);
    vks_matrix_destroy(A);
    host_csr_free(&a);
    for (int i = 0; i < count; i++) {
        val[SURVIVING / 2] = lost[i]; /* between surviving values, with an equal one at the end */
        val[SURVIVING - 1] = lost[(i + 1) % count];
        a = column_of(val, SURVIVING);
        A = put_stored(c, &a, VKS_MIXED, (vks_format_options){0});
        must_be_stored_for(A, &a, "a value that does not survive");
        must_come_back(c, A, &a);
        vks_matrix_destroy(A);
        host_csr_free(&a);
    }
}

Test(mixed, the_host_decides_as_devices_do)
{
    double lost[32];
    for (int i = 0; i < SURVIVING; i++)
        cr_expect(value_survives(surviving[i]), "%.17g", surviving[i]);
    for (int i = 0, count = lost_values(lost); i < count; i++)
        cr_expect_not(value_survives(lost[i]), "%.17g (%016llx)", lost[i], bits_of(lost[i]));
    uint64_t seed = 1;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = random_bits(&seed) & (i % 2 ? ~(uint64_t)0 : ~(uint64_t)0x1FFFFFFF);
        double v = of_bits(i % 4 < 2 ? bits : (bits & 0x80FFFFFFFFFFFFFF) | 0x3000000000000000);
        cr_assert_eq(value_survives(v), survives_naively(v), "%.17g (%016llx)", v, bits_of(v));
    }
}

TestOnBoth(mixed, takes_values_of_f32_and_gives_them_back)
{
    static const uint32_t row[] = {0, 3}, col[] = {0, 1, 2};
    const float val[] = {1.5f, 0.1f, FLT_MIN / 2};
    vks_matrix_options o = {.precision = VKS_MIXED, .of_values = VKS_F32};
    for (uint32_t entries = 2; entries <= 3; entries++) {
        OWNED(vks_matrix) *A = NULL;
        float back[3];
        must_work(c, vks_matrix_from_csr(c, 1, 3, (uint32_t[]){row[0], entries}, col, val, &o, &A));
        cr_expect_eq(vks_matrix_value_bytes(A), entries == 2 ? 4 : 8, "a denormal does not survive");
        must_work(c, vks_matrix_to_csr(A, NULL, NULL, VKS_F32, back));
        cr_expect_arr_eq(back, val, 4 * entries);
        must_work(c, vks_matrix_set_values(A, VKS_F32, val));
        must_work(c, vks_matrix_to_csr(A, NULL, NULL, VKS_F32, back));
        cr_expect_arr_eq(back, val, 4 * entries);
    }
}

TestOnBoth(mixed, matrices_without_entries_are_narrow)
{
    OWNED_STRUCT(host_csr) none = random_csr(PRECISION_F32, 0, 0, 0, 1),
                           empty = random_csr(PRECISION_F32, 70, 9, 0, 1);
    for (int f = VKS_FORMAT_AUTO; f < VKS_FORMAT_COUNT_; f++) {
        vks_format_options o = {.format = (vks_format)f};
        OWNED(vks_matrix) *A = put_stored(c, &none, VKS_MIXED, o), *B = put_stored(c, &empty, VKS_MIXED, o);
        must_be_stored_for(A, &none, "no rows");
        must_be_stored_for(B, &empty, "no entries");
    }
}

/* As with f64: what is stored and read back, the products, and memory: at least 4 bytes less for each
 * value. */
static void compare_storage(vks_context *c, const struct host_csr *a, vks_format_options o)
{
    char what[64];
    snprintf(what, sizeof what, "%s%s", vks_format_name(o.format), o.lean ? ", lean" : "");
    OWNED(vks_matrix) *A = put_stored(c, a, VKS_MIXED, o), *F = put_stored(c, a, VKS_F64, o);
    must_be_stored_for(A, a, what);
    must_be(c, A, a, what);
    must_multiply_as(c, A, F, a, what);
    uint64_t bytes = vks_matrix_format_bytes(A), of_f64 = vks_matrix_format_bytes(F);
    uint64_t less = vks_matrix_value_bytes(A) == 4 ? 4 * (uint64_t)host_csr_entries(a) : 0;
    cr_assert_leq(bytes + less, of_f64, "%s: %llu bytes, %llu in f64", what, (unsigned long long)bytes,
                  (unsigned long long)of_f64);
    cr_assert(less || bytes == of_f64, "%s: %llu bytes, %llu in f64", what, (unsigned long long)bytes,
              (unsigned long long)of_f64);
    cr_assert_eq(vks_matrix_value_bytes(F), 8);
}

/* Formats that are CSR, or cannot restore it, are never lean. */
static int most_lean(int format)
{
    return format != VKS_FORMAT_CSR && format != VKS_FORMAT_BALANCED && format != VKS_FORMAT_CSR_CACHED &&
           format != VKS_FORMAT_CSR_TWO_PASS;
}

static void compare_all_formats(vks_context *c, struct host_csr a)
{
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        for (int lean = 0; lean <= most_lean(f); lean++)
            compare_storage(c, &a,
                            (vks_format_options){.format = (vks_format)f, .lean = lean, .padding = 1000});
    host_csr_free(&a);
}

/* Some rows are long, of one piece and of two. */
static struct host_csr some_long_rows(void)
{
    uint32_t lengths[] = {3, 300, 0, 1100, 256, 257, 1, 7, 255, 1025};
    return csr_of_lengths(PRECISION_F32, 10, 1200, lengths, 5);
}

static void compare_shape(vks_context *c, uint32_t mean)
{
    compare_all_formats(c, mixed_csr(300, 257, 2 * mean < 257 ? 2 * mean : 257, mean % 4 != 0, mean));
}

static void compare_long_rows(vks_context *c)
{
    compare_all_formats(c, some_long_rows());
    struct host_csr a = some_long_rows();
    a.val[host_csr_entries(&a) / 2] = 0.1;
    compare_all_formats(c, a);
}

TestOnHost(mixed, every_format_holds_and_multiplies_as_with_f64_on_the_host)
{
    static const uint32_t mean[] = {4, 5, 15, 30, 60, 121, 230};
    for (int i = 0; i < 7; i++)
        compare_shape(c, mean[i]);
    compare_long_rows(c);
}

TestOnGpu(mixed, every_format_holds_and_multiplies_as_with_f64_on_lavapipe)
{
    compare_shape(c, 5);
    compare_shape(c, 63);
    compare_long_rows(c);
}

Test(mixed, slices_of_every_shape_multiply_as_with_f64)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        OWNED_STRUCT(host_csr) a = mixed_csr(200, 300, 30, true, 9);
        static const vks_format_options shapes[] = {
            {.format = VKS_FORMAT_SELL, .slice_height = 4, .sigma = 100},
            {.format = VKS_FORMAT_SELL, .slice_height = 128},
            {.format = VKS_FORMAT_BSR, .block_size = 2, .padding = 1000},
            {.format = VKS_FORMAT_BSR, .block_size = 7, .padding = 1000}};
        for (int i = 0; i < 4; i++)
            compare_storage(c, &a, shapes[i]);
    }
}

/* Sets new values; the matrix must equal one in f64 that has them. */
static void set_values(vks_context *c, vks_matrix *A, vks_matrix *F, const struct host_csr *a,
                       const char *what)
{
    must_work(c, vks_matrix_set_values(A, VKS_F64, a->val));
    must_work(c, vks_matrix_set_values(F, VKS_F64, a->val));
    must_be(c, A, a, what);
    must_multiply_as(c, A, F, a, what);
}

static void change_values(vks_context *c, struct host_csr *a, vks_format_options o, bool transposed)
{
    OWNED(vks_matrix) *A = put_stored(c, a, VKS_MIXED, o), *F = put_stored(c, a, VKS_F64, o), *B = NULL;
    size_t entries = host_csr_entries(a);
    uint64_t of_f64 = vks_matrix_format_bytes(F);
    if (transposed)
        must_multiply_as(c, A, F, a, "before"); /* makes the transpose */
    for (size_t k = 0; k < entries; k++)
        a->val[k] *= -3;
    double first = a->val[0] = 5;
    set_values(c, A, F, a, "values that survive");
    must_be_stored_for(A, a, "values that survive");
    a->val[entries / 3] = 0.1;
    a->val[entries / 2] = 1e300;
    set_values(c, A, F, a, "values that do not survive");
    must_be_stored_for(A, a, "values that do not survive");
    cr_expect_eq(vks_matrix_format_bytes(A), of_f64, "%s", vks_format_name(o.format));
    a->val[entries / 3] = a->val[entries / 2] = first;
    set_values(c, A, F, a, "values that would survive, of a matrix that is wide");
    cr_expect_eq(vks_matrix_value_bytes(A), 8);
    must_work(c, vks_matrix_convert(A, &o, &B));
    must_be_stored_for(B, a, "made again");
    must_be(c, B, a, "made again");
    must_multiply_as(c, B, F, a, "made again");
}

TestOnBoth(mixed, new_values_widen_a_matrix_for_good_where_some_do_not_survive)
{
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        for (int lean = 0; lean <= most_lean(f); lean++) {
            OWNED_STRUCT(host_csr) a = lean ? some_long_rows() : mixed_csr(100, 90, 20, true, (uint64_t)f);
            change_values(c, &a, (vks_format_options){.format = (vks_format)f, .lean = lean, .padding = 1000},
                          f % 2 == 0);
        }
}

/* Every operation of the widening fails in turn: the matrix must remain usable, and finally accept the
 * values. */
static void widen_failing(vks_context *c, vks_format_options o)
{
    struct interposed *t = interposed_of(c->device);
    OWNED_STRUCT(host_csr) a = some_long_rows();
    OWNED(double) *before = room(host_csr_entries(&a), 8), *x = random_vector(PRECISION_F64, a.cols, 3, 1);
    memcpy(before, a.val, 8 * host_csr_entries(&a));
    bool failed = true;
    uint32_t k;
    for (k = 1; failed; k++) {
        memcpy(a.val, before, 8 * host_csr_entries(&a));
        OWNED(vks_matrix) *A = put_stored(c, &a, VKS_MIXED, o), *F = put_stored(c, &a, VKS_F64, o);
        a.val[host_csr_entries(&a) / 2] = 0.1;
        t->calls = t->injected = 0;
        t->fail_call = k;
        failed = vks_matrix_set_values(A, VKS_F64, a.val) != VKS_OK;
        t->fail_call = 0;
        cr_assert_eq(A->lost.is, vks_matrix_value_bytes(A) == 8, "an entry is blamed for nothing");
        free(product_with(c, A, x, false)); /* the result is meaningless, but the call is harmless */
        set_values(c, A, F, &a, "after a failure");
        cr_expect_eq(vks_matrix_value_bytes(A), 8);
        cr_expect_eq(vks_matrix_format_bytes(A), vks_matrix_format_bytes(F), "%s", vks_format_name(o.format));
    }
    cr_expect_gt(k, 10, "%s: only %u operations can fail", vks_format_name(o.format), k);
}

Test(mixed, a_matrix_that_cannot_be_widened_may_be_used_and_widened_later)
{
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_BALANCED, VKS_FORMAT_SELL,
                                         VKS_FORMAT_BSR, VKS_FORMAT_COO,      VKS_FORMAT_CSC};
    for (int i = 0; i < 5; i++)
        for (int lean = 0; lean <= most_lean(formats[i]); lean++) {
            OWNED(vks_context) *c = open_host();
            widen_failing(c, (vks_format_options){.format = formats[i], .lean = lean, .padding = 1000});
        }
}

TestOnHost(mixed, goes_with_vectors_of_f64_alone)
{
    OWNED_STRUCT(host_csr) a = mixed_csr(3, 3, 3, true, 1);
    double zeros[3] = {0};
    OWNED(vks_matrix) *A = put_stored(c, &a, VKS_MIXED, (vks_format_options){0});
    OWNED(vks_vector) *x = put_vector(c, zeros, 3, PRECISION_F64),
                      *y = put_vector(c, zeros, 3, PRECISION_F32);
    must_refuse(c, vks_spmv(A, x, y), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_spmv(A, y, x), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_spmv_transpose(A, x, y), VKS_INVALID_ARGUMENT, "differ in precision");
}
