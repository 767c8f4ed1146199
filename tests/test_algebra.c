/* Sums of matrices, on the host and on lavapipe, compared bit by bit with the definition. */
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"
#include "vksolve/algebra.h"

/* alpha A + beta B: expands each row over all its columns. */
static struct host_csr naive_sum(enum precision p, double alpha, const struct host_csr *A, double beta,
                                 const struct host_csr *B)
{
    struct host_csr C = new_csr(A->rows, A->cols, host_csr_entries(A) + host_csr_entries(B));
    OWNED(double) *va = room(A->cols, 8), *vb = room(A->cols, 8);
    uint32_t *in = room(A->cols, 4), at = 0; /* 1: in A, 2: in B */
    for (uint32_t i = 0; i < A->rows; i++) {
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            in[A->col[k]] = 1;
            va[A->col[k]] = rounded(p, rounded(p, alpha) * A->val[k]);
        }
        for (uint32_t k = B->row[i]; k < B->row[i + 1]; k++) {
            in[B->col[k]] |= 2;
            vb[B->col[k]] = rounded(p, rounded(p, beta) * B->val[k]);
        }
        for (uint32_t j = 0; j < A->cols; j++) {
            if (!in[j])
                continue;
            C.col[at] = j;
            C.val[at++] = in[j] == 3 ? rounded(p, va[j] + vb[j]) : in[j] == 1 ? va[j] : vb[j];
            in[j] = 0;
        }
        C.row[i + 1] = at;
    }
    free(in);
    return C;
}

struct operands {
    struct host_csr A, B;
};

static void operands_free(struct operands *o)
{
    host_csr_free(&o->A);
    host_csr_free(&o->B);
}

/* The entries of A whose index in their row is `of` modulo 2 if `half`, else all; with new values. */
static struct host_csr part_of(const struct host_csr *A, enum precision p, bool half, uint32_t of)
{
    uint64_t seed = 17;
    struct host_csr B = new_csr(A->rows, A->cols, host_csr_entries(A));
    for (uint32_t i = 0, at = 0; i < A->rows; i++) {
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (!half || (k - A->row[i]) % 2 == of) {
                B.col[at] = A->col[k];
                B.val[at++] = random_wide(&seed, p, 3);
            }
        B.row[i + 1] = at;
    }
    return B;
}

static struct operands of_equal_structure(enum precision p)
{
    struct host_csr A = random_csr(p, 300, 310, 20, 3);
    return (struct operands){A, part_of(&A, p, false, 0)};
}

static struct operands the_second_within_the_first(enum precision p)
{
    struct host_csr A = random_csr(p, 300, 310, 20, 4);
    return (struct operands){A, part_of(&A, p, true, 1)};
}

static struct operands the_first_within_the_second(enum precision p)
{
    struct operands o = the_second_within_the_first(p);
    return (struct operands){o.B, o.A};
}

static struct operands disjoint(enum precision p)
{
    OWNED_STRUCT(host_csr) both = random_csr(p, 300, 310, 20, 5);
    return (struct operands){part_of(&both, p, true, 0), part_of(&both, p, true, 1)};
}

static struct operands a_dense_row_among_short_ones(enum precision p)
{
    uint32_t lengths[40];
    for (uint32_t i = 0; i < 40; i++)
        lengths[i] = i == 20 ? 100000 : i % 3;
    struct host_csr A = csr_of_lengths(p, 40, 100000, lengths, 6);
    return (struct operands){A, random_csr(p, 40, 100000, 2000, 7)};
}

static struct operands two_dense_rows(enum precision p)
{
    uint32_t length = 100000;
    struct host_csr A = csr_of_lengths(p, 1, 150000, &length, 8),
                    B = csr_of_lengths(p, 1, 150000, &length, 9);
    return (struct operands){A, B};
}

/* Rows, columns, and the most entries of a row of A and of B. */
static const uint32_t sizes[][4] = {{0, 0, 0, 0},     {0, 7, 3, 3},    {300, 0, 0, 0},
                                    {257, 300, 0, 0}, {256, 99, 6, 0}, {255, 99, 0, 6},
                                    {700, 700, 9, 9}, {3000, 5, 4, 4}, {11, 20000, 3000, 3000}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct operands (*const structures[])(enum precision) = {
    of_equal_structure, the_second_within_the_first,  the_first_within_the_second,
    disjoint,           a_dense_row_among_short_ones, two_dense_rows,
};
enum { SHAPES = SIZES + sizeof structures / sizeof *structures };

static struct operands of_shape(int i, enum precision p)
{
    if (i >= SIZES)
        return structures[i - SIZES](p);
    const uint32_t *n = sizes[i];
    return (struct operands){random_csr(p, n[0], n[1], n[2], 1), random_csr(p, n[0], n[1], n[3], 2)};
}

/* 0.1 and 1/3 are rounded in f32; factors of 0 keep the structure. */
static const double factors[][2] = {{1, 1}, {-0.1, 1.0 / 3}, {0, 1}, {2, 0}, {0, -0.0}};
enum { FACTORS = sizeof factors / sizeof *factors };

/* Checks the sums for two of the pairs of factors. */
static void expect_sums(vks_context *c, const struct operands *o, enum precision p, int pair,
                        const char *what)
{
    OWNED(vks_matrix) *A = put_on(c, &o->A, p, VKS_FORMAT_CSR), *B = put_on(c, &o->B, p, VKS_FORMAT_CSR);
    for (int f = pair; f < pair + 2; f++) {
        OWNED(vks_matrix) *C = A;
        const double *by = factors[f % FACTORS];
        OWNED_STRUCT(host_csr) want = naive_sum(p, by[0], &o->A, by[1], &o->B);
        must_work(c, vks_matrix_add(by[0], A, by[1], B, VKS_FORMAT_AUTO, &C));
        must_be(c, C, &want, what);
    }
    must_be(c, A, &o->A, "the operand A");
    must_be(c, B, &o->B, "the operand B");
}

static void expect_all_sums(vks_context *c, const char *where)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int i = 0; i < SHAPES; i++) {
            char what[80];
            OWNED_STRUCT(operands) o = of_shape(i, p);
            snprintf(what, sizeof what, "shape %d, %s, on %s", i, precision_name(p), where);
            expect_sums(c, &o, p, i + 2 * (int)p, what);
        }
    close_context(c);
}

Test(algebra, sums_have_the_defined_bits_on_the_host)
{
    expect_all_sums(open_host(), "the host");
}

Test(algebra, sums_have_the_defined_bits_on_lavapipe)
{
    expect_all_sums(open_gpu(), "lavapipe");
}

TestOnBoth(algebra, a_matrix_is_added_to_itself)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 500, 400, 12, 3);
    OWNED_STRUCT(host_csr) want = naive_sum(PRECISION_F64, 3, &a, -0.7, &a);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_SELL), *C;
    must_work(c, vks_matrix_add(3, A, -0.7, A, VKS_FORMAT_AUTO, &C));
    must_be(c, C, &want, "3 A - 0.7 A");
}

/* Infinities of opposite signs, a factor of zero times one, zeros of both signs, cancellation: all entries
 * are stored, and zeros disappear only after a drop. */
TestOnBoth(algebra, sums_of_values_that_are_not_finite_and_of_zeros_are_stored)
{
    struct host_csr a = small_csr(2, 4, (uint32_t[]){3, 2}, (uint32_t[]){0, 1, 3, 0, 2},
                                  (double[]){INFINITY, NAN, 2, -0.0, 5}),
                    b = small_csr(2, 4, (uint32_t[]){3, 2}, (uint32_t[]){0, 2, 3, 1, 2},
                                  (double[]){INFINITY, INFINITY, 2, 7, 5}),
                    difference = small_csr(2, 4, (uint32_t[]){4, 3}, (uint32_t[]){0, 1, 2, 3, 0, 1, 2},
                                           (double[]){NAN, NAN, -INFINITY, 0, -0.0, -7, 0}),
                    first = small_csr(2, 4, (uint32_t[]){4, 3}, (uint32_t[]){0, 1, 2, 3, 0, 1, 2},
                                      (double[]){NAN, NAN, NAN, 2, -0.0, 0, 5}),
                    without = small_csr(2, 4, (uint32_t[]){3, 1}, (uint32_t[]){0, 1, 2, 1},
                                        (double[]){NAN, NAN, -INFINITY, -7});
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B = put_on(c, &b, p, VKS_FORMAT_CSR), *C, *D, *E;
        must_work(c, vks_matrix_add(1, A, -1, B, VKS_FORMAT_AUTO, &C));
        must_be(c, C, &difference, "A - B");
        must_work(c, vks_matrix_add(1, A, 0, B, VKS_FORMAT_AUTO, &D));
        must_be(c, D, &first, "A + 0 B");
        must_work(c, vks_matrix_drop(C, 0, VKS_FORMAT_AUTO, &E));
        must_be(c, E, &without, "A - B without zeros");
        vks_matrix *all[] = {A, B, C, D, E};
        for (int i = 0; i < 5; i++)
            vks_matrix_destroy(all[i]);
    }
    struct host_csr *all[] = {&a, &b, &difference, &first, &without};
    for (int i = 0; i < 5; i++)
        host_csr_free(all[i]);
}

TestOnBoth(algebra, shipped_matrices_are_added_into_slices)
{
    static const char *const names[] = {"sherman1", "west0067", "orsirr_1", "ash219"};
    for (int i = 0; i < 4; i++) {
        OWNED(vks_matrix) *A = read_shipped(c, names[i]), *C;
        OWNED_STRUCT(host_csr) a = read_back(c, A), b = random_csr(PRECISION_F64, a.rows, a.cols, 8, 9),
                               want = naive_sum(PRECISION_F64, 1.7, &a, -0.3, &b);
        OWNED(vks_matrix) *B = put_on(c, &b, PRECISION_F64, VKS_FORMAT_AUTO);
        must_work(c, vks_matrix_add(1.7, A, -0.3, B, VKS_FORMAT_SELL, &C));
        cr_expect_eq(vks_matrix_format(C), VKS_FORMAT_SELL);
        must_be(c, C, &want, names[i]);
        must_multiply_as_csr(c, C, PRECISION_F64);
    }
}

static void refuse_sum(vks_context *c, const vks_matrix *A, const vks_matrix *B, vks_format format,
                       vks_status status, const char *part)
{
    vks_matrix *C = (vks_matrix *)(uintptr_t)A;
    must_refuse(c, vks_matrix_add(1, A, 1, B, format, &C), status, part);
    cr_expect_null(C);
}

Test(algebra, sums_are_refused_where_operands_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F32, 200, 300, 3, 1),
                           b = random_csr(PRECISION_F32, 300, 200, 3, 2),
                           taller = random_csr(PRECISION_F32, 201, 300, 3, 3);
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR),
               *B = put_on(c, &b, PRECISION_F64, VKS_FORMAT_CSR),
               *narrow = put_on(c, &a, PRECISION_F32, VKS_FORMAT_CSR),
               *far = put_on(other, &a, PRECISION_F64, VKS_FORMAT_CSR),
               *T = put_on(c, &taller, PRECISION_F64, VKS_FORMAT_CSR);
    refuse_sum(c, A, B, VKS_FORMAT_AUTO, VKS_INVALID_ARGUMENT, "A is 200 x 300 and B is 300 x 200");
    refuse_sum(c, A, T, VKS_FORMAT_AUTO, VKS_INVALID_ARGUMENT, "B is 201 x 300");
    refuse_sum(c, A, narrow, VKS_FORMAT_AUTO, VKS_INVALID_ARGUMENT, "differ in precision");
    refuse_sum(c, A, far, VKS_FORMAT_AUTO, VKS_INVALID_ARGUMENT, "different contexts");
    refuse_sum(c, A, A, VKS_FORMAT_COUNT_, VKS_INVALID_ARGUMENT, "not a vks_format");
    vks_matrix *all[] = {A, B, narrow, far, T};
    for (int i = 0; i < 5; i++)
        vks_matrix_destroy(all[i]);
}

TestOnBoth(algebra, sums_are_refused_beyond_the_largest_number_of_entries_and_as_slices_of_padding)
{
    uint32_t lengths[320] = {0};
    lengths[0] = 250;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 320, 250, lengths, 4),
                           b = random_csr(PRECISION_F64, 320, 250, 1, 5);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR),
                      *B = put_on(c, &b, PRECISION_F64, VKS_FORMAT_CSR);
    uint32_t entries = A->csr.entries, missing = 0;
    refuse_sum(c, A, A, VKS_FORMAT_SELL, VKS_LIMIT, "SELL would store 8000 entries");
    for (uint32_t i = 1; i < b.rows; i++) /* row 0 of A is full */
        missing += b.row[i + 1] - b.row[i];
    cr_assert_gt(missing, 100);
    char part[80];
    snprintf(part, sizeof part, "would have %llu entries; the most is 4278190080",
             (unsigned long long)VKS_LARGEST_INDEX - 99 + missing);
    A->csr.entries =
        VKS_LARGEST_INDEX - 99; /* its offsets do not show this: B is read before it is refused */
    refuse_sum(c, A, B, VKS_FORMAT_AUTO, VKS_LIMIT, part);
    A->csr.entries = entries;
}
