/* The statistics of a matrix: compared with an independent version of their definitions, on every device. */
#include "tests/support/cases/statistics.h"
#include "tests/support/device_matrix.h"
#include "vksolve/statistics.h"
#include "vksolve/vksolve.h"

/* Moments in two passes, in long double. */
static void define_moments(const struct host_csr *A, vks_statistics *s)
{
    long double n = A->rows, mean = A->row[A->rows] / n, second = 0, third = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        long double off = A->row[i + 1] - A->row[i] - mean;
        second += off * off / n;
        third += off * off * off / n;
    }
    s->mean_length = (double)mean;
    s->deviation = (double)sqrtl(second);
    s->skew = second > 0 ? (double)(third / (second * sqrtl(second))) : 0;
}

static void define_lengths(const struct host_csr *A, vks_statistics *s)
{
    s->shortest = A->rows ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t length = A->row[i + 1] - A->row[i], k = 0;
        for (uint32_t l = length; l; l /= 2)
            k++;
        s->lengths[k]++;
        s->shortest = length < s->shortest ? length : s->shortest;
        s->longest = length > s->longest ? length : s->longest;
        s->long_rows += length > 256;
        s->long_entries += length > 256 ? length : 0;
    }
    if (A->rows)
        define_moments(A, s);
}

static void define_diagonals(const struct host_csr *A, vks_statistics *s)
{
    bool *seen = room((size_t)A->rows + A->cols + 1, 1);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            uint32_t c = A->col[k];
            s->diagonals += !seen[A->rows + c - i];
            seen[A->rows + c - i] = true;
            if (c > i && c - i > s->upper_bandwidth)
                s->upper_bandwidth = c - i;
            if (c < i && i - c > s->lower_bandwidth)
                s->lower_bandwidth = i - c;
        }
    free(seen);
}

/* The largest distance between the k-th entries of the slice that begins at `first`, if it exceeds *most. */
static void define_apart(const struct host_csr *A, const uint32_t *order, uint32_t first, uint32_t height,
                         uint32_t *most)
{
    for (uint32_t k = 0; k < slice_width(A, order, first, height); k++) {
        uint32_t least = UINT32_MAX, last = 0;
        for (uint32_t i = first; i < first + height && i < A->rows; i++)
            if (k < short_length(A, order[i])) {
                uint32_t c = A->col[A->row[order[i]] + k];
                least = c < least ? c : least;
                last = c > last ? c : last;
            }
        *most = last - least > *most ? last - least : *most;
    }
}

static void define_slices(const struct host_csr *A, vks_statistics *s)
{
    uint32_t *order = rows_in_order(A, s->sigma > s->slice_height ? s->sigma : 0), entries = 0;
    for (uint32_t i = 0; i < A->rows; i++)
        entries += short_length(A, i);
    for (uint32_t first = 0; first < A->rows; first += s->slice_height) {
        s->slice_entries += (uint64_t)s->slice_height * slice_width(A, order, first, s->slice_height);
        define_apart(A, order, first, s->slice_height, &s->slice_apart);
    }
    s->slice_growth = entries ? (double)s->slice_entries / entries : 0;
    free(order);
}

/* At most 1,024 block rows of each size. */
static void define_blocks(const struct host_csr *A, vks_statistics *s)
{
    for (uint32_t size = 2; size <= 8; size++) {
        double seen[3] = {0};
        vks_block_statistics *b = &s->block[size];
        uint32_t rows = (A->rows + size - 1) / size, step = rows / 1024 + 1;
        expect_blocks_seen(A, size, step, 0, seen);
        *b = (vks_block_statistics){.block_rows = rows, .looked = (rows + step - 1) / step};
        b->blocks = (uint32_t)seen[0];
        b->entries = (uint32_t)seen[1];
        b->full = seen[2] == 0;
        b->fill = seen[1] > 0 ? seen[0] * size * size / seen[1] : 0;
    }
}

struct kind {
    uint32_t apart;
    double value;
};

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct kind));
}

/* For stored values: matrices with an odd number of rows are in f32. Up to one kind for eight entries, or
 * 1,024. */
static void define_kinds(const struct host_csr *A, vks_statistics *s)
{
    uint32_t entries = A->row[A->rows], count = 0, most = entries / 8 > 1024 ? entries / 8 : 1024;
    struct kind *k = room(entries, sizeof *k);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t at = A->row[i]; at < A->row[i] + short_length(A, i); at++, count++) {
            k[count].apart = A->col[at] - i;
            k[count].value = A->rows % 2 ? (double)(float)A->val[at] : A->val[at];
        }
    qsort(k, count, sizeof *k, by_bytes);
    for (uint32_t at = 0; at < count; at++)
        s->entry_kinds += at == 0 || by_bytes(&k[at], &k[at - 1]);
    bool many_lanes = entries / (A->rows ? A->rows : 1) >= 96;
    if (many_lanes || s->slice_height != 32 || s->sigma > 32 ||
        s->entry_kinds > (most < 65535 ? most : 65535))
        s->entry_kinds = 0;
    free(k);
}

static vks_statistics defined(const struct host_csr *A, uint32_t height, uint32_t sigma)
{
    vks_statistics s = {
        .rows = A->rows, .cols = A->cols, .entries = A->row[A->rows], .slice_height = height, .sigma = sigma};
    define_lengths(A, &s);
    define_diagonals(A, &s);
    define_slices(A, &s);
    define_blocks(A, &s);
    define_kinds(A, &s);
    return s;
}

static bool near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * (1 + fabs(b));
}

#define SAME(member) cr_expect_eq(a->member, b->member, "%s: %s", what, #member)

/* All but the moments, which are rounded differently. */
static void must_agree(const vks_statistics *a, const vks_statistics *b, const char *what)
{
    SAME(rows);
    SAME(cols);
    SAME(entries);
    SAME(shortest);
    SAME(longest);
    SAME(mean_length);
    SAME(long_rows);
    SAME(long_entries);
    SAME(lower_bandwidth);
    SAME(upper_bandwidth);
    SAME(diagonals);
    SAME(slice_height);
    SAME(sigma);
    SAME(slice_entries);
    SAME(slice_growth);
    SAME(slice_apart);
    SAME(entry_kinds);
    for (uint32_t k = 0; k < VKS_LENGTH_CLASSES; k++)
        cr_expect_eq(a->lengths[k], b->lengths[k], "%s: class %u: %u and %u", what, k, a->lengths[k],
                     b->lengths[k]);
    for (uint32_t k = 0; k <= VKS_LARGEST_BLOCK; k++) {
        SAME(block[k].block_rows);
        SAME(block[k].looked);
        SAME(block[k].blocks);
        SAME(block[k].entries);
        SAME(block[k].fill);
        SAME(block[k].full);
    }
}

static vks_statistics statistics_on(vks_context *c, const struct host_csr *A, vks_format_options o)
{
    vks_statistics s;
    vks_matrix_options options = {.precision = A->rows % 2 ? VKS_F32 : VKS_F64, .storage = o};
    OWNED(vks_matrix) *m = matrix_from(c, A, &options);
    must_work(c, vks_matrix_statistics(m, &s));
    guards_check(c->device);
    return s;
}

static void expect_as(struct host_csr A, vks_format_options o, const char *what)
{
    vks_context *c[] = {open_host(), open_gpu(),
                        open_context(gpu_name(), (struct device_options){.max_groups = 3})};
    vks_statistics want = defined(&A, o.slice_height ? o.slice_height : 32, o.sigma ? o.sigma : 1),
                   first = want;
    for (int k = 0; k < 3; k++) {
        vks_statistics got = statistics_on(c[k], &A, o);
        must_agree(&got, &want, what);
        cr_expect(near(got.deviation, want.deviation, 1e-12), "%s: %.17g instead of %.17g", what,
                  got.deviation, want.deviation);
        cr_expect(near(got.skew, want.skew, 1e-9), "%s: %.17g instead of %.17g", what, got.skew, want.skew);
        if (!k)
            first = got;
        cr_expect(same_bits(got.deviation, first.deviation) && same_bits(got.skew, first.skew), "%s", what);
        close_context(c[k]);
    }
    host_csr_free(&A);
}

static void expect(struct host_csr A, const char *what)
{
    expect_as(A, (vks_format_options){.format = VKS_FORMAT_CSR}, what);
}

Test(statistics, of_next_to_nothing)
{
    expect(random_csr(PRECISION_F64, 0, 0, 0, 1), "0 x 0");
    expect(random_csr(PRECISION_F64, 0, 9, 0, 1), "0 x 9");
    expect(random_csr(PRECISION_F64, 9, 0, 0, 1), "9 x 0");
    expect(random_csr(PRECISION_F64, 1, 1, 0, 1), "1 x 1, empty");
    expect(csr_of_lengths(PRECISION_F64, 1, 1, (uint32_t[]){1}, 1), "1 x 1");
    expect(random_csr(PRECISION_F64, 600, 600, 0, 4), "no entries");
}

static struct host_csr with_dense_row(void)
{
    uint32_t lengths[500];
    for (uint32_t i = 0; i < 500; i++)
        lengths[i] = i == 123 ? 20000 : i % 3;
    return csr_of_lengths(PRECISION_F64, 500, 20000, lengths, 6);
}

static struct host_csr with_dense_column(void)
{
    struct host_csr a = new_csr(700, 700, 1400);
    for (uint32_t i = 0; i < 700; i++) {
        a.col[a.row[i]] = 5;
        if (i > 5)
            a.col[a.row[i] + 1] = i;
        a.row[i + 1] = a.row[i] + 1 + (i > 5);
    }
    return a;
}

/* Row lengths as 4,000 / i. */
static struct host_csr power_law(void)
{
    uint32_t lengths[3000];
    for (uint32_t i = 0; i < 3000; i++)
        lengths[i] = 4000 / ((7919 * i) % 3000 + 1);
    return csr_of_lengths(PRECISION_F64, 3000, 5000, lengths, 6);
}

static struct host_csr banded(uint32_t n, uint32_t below, uint32_t above)
{
    struct host_csr a = new_csr(n, n, (size_t)n * (below + above + 1));
    for (uint32_t i = 0, k = 0; i < n; i++) {
        for (uint32_t c = i < below ? 0 : i - below; c <= i + above && c < n; c++)
            a.col[k++] = c;
        a.row[i + 1] = k;
    }
    return a;
}

Test(statistics, of_matrices_of_every_kind)
{
    expect(with_dense_row(), "a dense row");
    expect(with_dense_column(), "a dense column");
    expect(power_law(), "power law");
    expect(banded(1000, 3, 17), "banded");
    expect(banded(33, 40, 0), "the lower triangle");
    expect(random_csr(PRECISION_F64, 777, 33, 33, 2), "tall");
    expect(random_csr(PRECISION_F64, 35, 3001, 90, 3), "wide");
    expect(random_csr(PRECISION_F64, 411, 411, 200, 1), "random");
    expect(csr_of_long_rows(PRECISION_F64, 61, 10), "long rows");
}

Test(statistics, of_blocks_of_each_size)
{
    for (uint32_t size = 2; size <= 8; size++)
        expect(blocked_csr(PRECISION_F64, 40 * size + 1, 300, size, 9, size), "blocked");
    expect(blocked_csr(PRECISION_F64, 10000, 400, 3, 2, 9), "more block rows than are looked at");
}

Test(statistics, of_slices_of_the_height_and_order_that_the_matrix_has)
{
    expect_as(random_csr(PRECISION_F64, 411, 411, 100, 1),
              (vks_format_options){.format = VKS_FORMAT_SELL, .slice_height = 8, .sigma = 100}, "sorted");
    expect_as(random_csr(PRECISION_F64, 411, 411, 100, 1),
              (vks_format_options){.format = VKS_FORMAT_SELL, .slice_height = 64, .sigma = 64},
              "not sorted within slices");
    expect_as(random_csr(PRECISION_F64, 300, 500, 100, 1),
              (vks_format_options){.format = VKS_FORMAT_ELL, .slice_height = 4}, "ELL");
    expect_as(power_law(), (vks_format_options){.format = VKS_FORMAT_CSC, .lean = true}, "lean");
}

/* Lengths that only row offsets can represent: all words of all sums carry. */
static void sum_up(vks_context *c, const char *where)
{
    static const uint32_t lengths[][5] = {{4278190080u},
                                          {4278190079u, 1},
                                          {1, 4278190079u},
                                          {2000000000u, 2000000000u, 278190000u},
                                          {0, 4000000000u, 65536, 65535, 3}};
    struct kernel_case k = {
        .name = "row_lengths", .record = record_row_lengths, .expect = expect_row_lengths, .once = true};
    for (int i = 0; i < 5; i++) {
        OWNED_STRUCT(host_csr) A = new_csr(2000, 1, 0);
        for (uint32_t r = 0; r < 2000; r++)
            A.row[r + 1] = A.row[r] + (r % 400 == 7 && r / 400 < 5 ? lengths[i][r / 400] : 0);
        struct job j = {.p = PRECISION_F32, .n = 2000, .lanes = 1, .A = &A};
        job_run(&j, c->device, &k, where);
    }
    close_context(c);
}

Test(statistics, sums_of_several_words_are_exact)
{
    sum_up(open_host(), "host");
    sum_up(open_gpu(), gpu_name());
}

/* Two pairs of lengths: 1, 1, 1, 5: mean 2, deviation sqrt(3), skew 2 / sqrt(3). */
TestOnHost(statistics, moments_are_those_of_the_textbook)
{
    OWNED_STRUCT(host_csr) A = csr_of_lengths(PRECISION_F64, 4, 9, (uint32_t[]){1, 5, 1, 1}, 1);
    vks_statistics s = statistics_on(c, &A, (vks_format_options){0});
    cr_expect_eq(s.mean_length, 2);
    cr_expect(near(s.deviation, sqrt(3), 1e-15));
    cr_expect(near(s.skew, 2 / sqrt(3), 1e-15));
    cr_expect_eq(s.lengths[1], 3);
    cr_expect_eq(s.lengths[3], 1);
}
