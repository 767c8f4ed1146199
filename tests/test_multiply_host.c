/* Sparse times sparse by the threads of the host: the same bits for any number of threads, however they share
 * rows. */
#include "sparse/spgemm.h"
#include "tests/support/device_matrix.h"
#include "tests/support/fork.h"
#include "tests/support/product_oracle.h"
#include "vksolve/multiply.h"

#include <sys/wait.h>
#include <unistd.h>

static vks_context *open_threads(uint32_t threads)
{
    return open_context("host", (struct device_options){.threads = threads});
}

/* A B, then an update of its values; both must be `want`. */
static void expect_bits(vks_context *c, enum precision p, const struct host_csr *a, const struct host_csr *b,
                        const struct spgemm_options *o, const struct host_csr *want, const char *what)
{
    OWNED(vks_matrix) *A = put_on(c, a, p, VKS_FORMAT_CSR), *B = put_on(c, b, p, VKS_FORMAT_CSR), *C = NULL;
    vks_status s = spgemm(A, B, o, &C);
    must_work(c, matrix_end(C, s, VKS_FORMAT_CSR, &C));
    must_be(c, C, want, what);
    OWNED(double) *sevens = room(want->row[want->rows], 8);
    for (uint32_t k = 0; k < want->row[want->rows]; k++)
        sevens[k] = 7;
    must_work(c, vks_matrix_set_values(C, VKS_F64, sevens));
    must_work(c, vks_matrix_multiply_again(A, B, C));
    must_be(c, C, want, what);
}

static void expect_by_threads(const struct host_csr *a, const struct host_csr *b,
                              const struct spgemm_options *o)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED_STRUCT(host_csr) want = product_oracle(p, a, b);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            char what[64];
            snprintf(what, sizeof what, "%u threads, precision %d", threads, (int)p);
            OWNED(vks_context) *c = open_threads(threads);
            expect_bits(c, p, a, b, o, &want, what);
        }
    }
}

/* On both sides of the number of rows that a thread takes at a time: 8 of few rows, more of many. */
Test(multiply_host, gives_the_same_bits_by_one_two_and_three_threads)
{
    static const uint32_t rows[] = {1, 7, 8, 9, 17, 64, 5000};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F32, rows[k], 300, 12, k),
                               b = random_csr(PRECISION_F32, 300, 500, 9, k + 50);
        expect_by_threads(&a, &b, &spgemm_defaults);
    }
}

/* Rows of 47, 48, 49 and up to 9,000 of 300,000 columns, from one entry of A and from several. */
Test(multiply_host, puts_few_and_many_columns_in_order)
{
    static const uint32_t lengths[] = {47, 48, 49, 1, 16, 17, 64, 4097, 9000, 0};
    enum { ROWS = sizeof lengths / sizeof *lengths };
    static const uint32_t entries[] = {1, 2, 3, 1, 2, 4, 2, 10, 0, 5, 1, 6};
    OWNED_STRUCT(host_csr) b = csr_of_lengths(PRECISION_F32, ROWS, 300000, lengths, 1),
                           a = csr_of_lengths(PRECISION_F32, sizeof entries / 4, ROWS, entries, 2);
    expect_by_threads(&a, &b, &spgemm_defaults);
}

/* Rows of B with 2 to 8 entries on average are gathered in batches of 256 products. The rows of C have 256
 * products, 4 more, 4 fewer, several times 256, or none; some rows of B have 3, 600 or no entries. */
Test(multiply_host, gathers_the_products_of_short_rows)
{
    enum { SHORT = 300 };
    static const uint32_t entries[] = {2, 63, 64, 65, 0, 1, 128, 129, SHORT, 5, 3};
    uint32_t lengths[SHORT];
    for (uint32_t last = 0; last <= 8; last += 4) {
        for (uint32_t i = 0; i < SHORT; i++)
            lengths[i] = 4;
        if (last) {
            lengths[7] = 600;
            lengths[9] = 0;
            lengths[11] = 3;
            lengths[SHORT - 1] = last;
        }
        OWNED_STRUCT(host_csr) b = csr_of_lengths(PRECISION_F32, SHORT, 1000, lengths, 5 + last),
                               a = csr_of_lengths(PRECISION_F32, sizeof entries / 4, SHORT, entries,
                                                  6 + last);
        struct spgemm_options o = spgemm_defaults;
        expect_by_threads(&a, &b, &o);
        o.heavy = 0;
        expect_by_threads(&a, &b, &o);
    }
}

/* Rows 3 and 40 of 50 use long rows of B, the others short ones: these two are heavy and shared, in 12 parts
 * of 1,000 columns each for 3 threads. */
static void share_rows(uint32_t heavy)
{
    uint32_t lengths[100], entries[50];
    for (uint32_t i = 0; i < 100; i++)
        lengths[i] = 700;
    for (uint32_t i = 0; i < 50; i++)
        entries[i] = i == 3 || i == 40 ? 100 : i % 5;
    OWNED_STRUCT(host_csr) b = csr_of_lengths(PRECISION_F32, 100, 1000, lengths, 3),
                           a = csr_of_lengths(PRECISION_F32, 50, 100, entries, 4);
    struct spgemm_options o = spgemm_defaults;
    o.heavy = heavy;
    expect_by_threads(&a, &b, &o);
}

Test(multiply_host, heavy_rows_are_shared_by_all_threads)
{
    share_rows(60000);
}

Test(multiply_host, all_rows_of_several_entries_are_shared)
{
    share_rows(0);
}

/* A dense row and a dense column: only the first row of B is long. */
Test(multiply_host, an_arrow_has_rows_that_are_shared_and_one_that_is_not)
{
    enum { SIZE = 400 };
    OWNED_STRUCT(host_csr) a = new_csr(SIZE, SIZE, 3 * SIZE);
    struct spgemm_options o = spgemm_defaults;
    uint64_t seed = 1;
    for (uint32_t i = 0, k = 0; i < SIZE; i++) {
        for (uint32_t j = 0; j < SIZE; j++)
            if (i == 0 || j == 0 || i == j) {
                a.col[k] = j;
                a.val[k++] = random_wide(&seed, PRECISION_F32, 3);
            }
        a.row[i + 1] = k;
    }
    o.heavy = 100;
    expect_by_threads(&a, &a, &o);
}

/* A thread's marks of columns run out after 100 more of them, in the middle of the rows, shared ones too. */
Test(multiply_host, marks_of_columns_begin_again_when_they_run_out)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F32, 200, 90, 10, 1),
                           b = random_csr(PRECISION_F32, 90, 250, 10, 2);
    struct spgemm_options o = spgemm_defaults;
    o.mark = UINT32_MAX - 100;
    expect_by_threads(&a, &b, &o);
    o.heavy = 20;
    expect_by_threads(&a, &b, &o);
}

Test(multiply_host, a_product_adds_to_the_seconds_of_kernels)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){.timestamps = true});
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 4000, 4000, 40, 1);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR), *C;
    double seconds = 0;
    must_work(c, vks_matrix_multiply(A, A, &(vks_multiply_options){.format = VKS_FORMAT_CSR}, &C));
    must_work(c, vks_matrix_multiply_again(A, A, C));
    must_work(c, vks_context_kernel_seconds(c, &seconds));
    cr_expect_gt(seconds, 1e-3, "%g seconds for 1.6 million products", seconds);
}

static void multiply_in_child(vks_context *c, const vks_matrix *A, vks_matrix *C)
{
    vks_matrix *D = NULL;
    alarm(30);
    _exit(vks_matrix_multiply_again(A, A, C) != VKS_UNSUPPORTED ||
          !strstr(vks_context_message(c), "forked") ||
          vks_matrix_multiply(A, A, NULL, &D) != VKS_UNSUPPORTED || D);
}

Test(multiply_host, a_forked_process_is_refused_products)
{
    OWNED(vks_context) *c = open_threads(2);
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 200, 200, 10, 1);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR), *C;
    must_work(c, vks_matrix_multiply(A, A, &(vks_multiply_options){.format = VKS_FORMAT_CSR}, &C));
    int status = -1;
    pid_t child = fork_asleep();
    if (!child)
        multiply_in_child(c, A, C);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%x", (unsigned)status);
}
