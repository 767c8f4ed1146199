/* Beyond the limits of one dispatch, of one level of sums, and of a workgroup's share: few sizes, but
 * actually beyond. */
#include "tests/support/cases/scan.h"
#include "tests/support/cases/sparse.h"
#include "tests/support/cases/vector.h"
#include "tests/support/cg_case.h"
#include "tests/support/large.h"

/* More than 65,535 workgroups of 256. */
Test(kernels_large, fill_reaches_beyond_65535_workgroups_on_lavapipe)
{
    static const struct kernel_case filling = {.name = "fill", .record = record_fill, .expect = expect_fill};
    vks_context *c = open_gpu();
    struct job j = {.p = PRECISION_F32, .n = 65535 * 256 + 300};
    cr_assert_leq(c->device->info.max_groups, 65535);
    job_run(&j, c->device, &filling, gpu_name());
    close_context(c);
}

static const struct kernel_case dots = {.name = "dot", .record = record_dot, .expect = expect_dot};
static const struct kernel_case squares = {
    .name = "wide_square", .record = record_wide_square, .expect = expect_wide_square};

static void reduce(const struct kernel_case *k, enum precision p, uint32_t n)
{
    static const char *const names[] = {"host", NULL};
    double *x = random_vector(p, n, 10, n), *y = random_vector(p, n, 10, n + 1);
    for (int i = 0; i < 2; i++) {
        const char *name = names[i] ? names[i] : gpu_name();
        struct job j = {.p = p, .n = n, .x = x, .y = y};
        vks_context *c = open_context(name, (struct device_options){0});
        job_run(&j, c->device, k, name);
        close_context(c);
    }
    free(x);
    free(y);
}

/* 2,048 tile sums: another level of sums begins here. */
Test(kernels_large, sums_have_the_defined_bits_around_524288_elements)
{
    reduce(&dots, PRECISION_F64, 524288);
    reduce(&dots, PRECISION_F32, 524289);
    reduce(&squares, PRECISION_F32, 524289);
}

/* Above 65,536 tiles a workgroup takes longer spans of them. */
Test(kernels_large, sums_have_the_defined_bits_above_16777216_elements)
{
    reduce(&dots, PRECISION_F32, 16777216 + 256 * 9 + 77);
}

Test(kernels_large, sums_have_the_defined_bits_around_4194304_elements)
{
    reduce(&dots, PRECISION_F32, 4194304 + 256 + 77);
    reduce(&squares, PRECISION_F32, 4194304 + 77);
}

static void steps_in(enum precision p, uint32_t n, uint32_t lanes, vks_format format, bool on_gpu)
{
    struct host_csr A = random_spd(p, n, 1);
    double *r0 = random_vector(p, n, 2, 2);
    struct cg_job j = {p, &A, r0, true, lanes, 2, 100, 2, format, 0, false};
    struct cg_result want = cg_result(n);
    cg_expect(&j, &want);
    for (int i = 0; i <= on_gpu; i++) {
        const char *name = i ? gpu_name() : "host";
        vks_context *c = open_context(name, (struct device_options){0});
        cg_run(c, &j, &want, name);
        close_context(c);
    }
    cg_result_free(&want);
    free(r0);
    host_csr_free(&A);
}

/* 257 to 2,048 tile sums: each squad of a workgroup adds its group of them. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_65536_unknowns)
{
    steps_in(PRECISION_F32, 65536 + 300, 1, VKS_FORMAT_CSR, true);
    steps_in(PRECISION_F64, 65536 + 256 * 300, 2, VKS_FORMAT_CSR, true);
    steps_in(PRECISION_F32, 65536 + 300, 2, VKS_FORMAT_SELL, true);
}

Test(kernels_large, conjugate_gradients_have_the_defined_bits_at_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288, 1, VKS_FORMAT_CSR, true);
}

/* Rows of one lane leave tile sums, which are then too many for one kernel; the others leave stripe sums. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 300, 1, VKS_FORMAT_CSR, true);
}

Test(kernels_large, conjugate_gradients_with_several_lanes_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 300, 2, VKS_FORMAT_CSR, true);
}

Test(kernels_large, conjugate_gradients_in_slices_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 256 * 70 + 33, 1, VKS_FORMAT_SELL, true);
    steps_in(PRECISION_F64, 524288 + 300, 4, VKS_FORMAT_SELL, true);
}

/* As many stripe sums as one kernel adds, and more. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_at_4194304_unknowns, LARGE_RUN)
{
    steps_in(PRECISION_F32, 4194304, 2, VKS_FORMAT_CSR, false);
}

Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_4194304_unknowns, LARGE_RUN)
{
    steps_in(PRECISION_F32, 4194304 + 300, 1, VKS_FORMAT_SELL, false);
}

/* 256 groups of tiles and more in one level would need 16 million elements; 65,536 and more tile sums make
 * three levels. The host represents all devices here, whose shaders the other tests compare. */
Test(kernels_large, sums_of_three_levels_have_the_defined_bits_on_the_host, LARGE_RUN)
{
    uint32_t n = 65536 * 256 + 257;
    double *x = random_vector(PRECISION_F32, n, 10, 1);
    struct job j = {.p = PRECISION_F32, .n = n, .x = x, .y = x};
    vks_context *c = open_host();
    job_run(&j, c->device, &dots, "host");
    close_context(c);
    free(x);
}

static void record_looking_back(struct job *j)
{
    const struct memory *x = put_words(j, j->words, j->n, "x");
    const struct memory *space = new_bytes(j, 4 * (uint64_t)scan_once_words(j->n), "sums of tiles");
    const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
    scan_once_u32(&j->r, words_at(space), words_at(x), words_at(y), j->n, true, SCAN_POLLS);
}

static void expect_exclusive(const struct job *j, double *want)
{
    serial_sums(j->words, NULL, j->n, true, want);
}

static void scan_on_lavapipe(void (*record)(struct job *), uint32_t n, uint32_t max_groups)
{
    struct kernel_case k = {.name = "a scan", .once = true, .record = record, .expect = expect_exclusive};
    uint32_t *x = room(n, 4);
    uint64_t seed = n;
    for (uint32_t i = 0; i < n; i++)
        x[i] = (uint32_t)random_bits(&seed);
    vks_context *c = open_context(gpu_name(), (struct device_options){.max_groups = max_groups});
    struct job j = {.n = n, .words = x};
    job_run(&j, c->device, &k, gpu_name());
    close_context(c);
    free(x);
}

/* Many concurrent workgroups, each of which reads the sums of those before it. */
Test(kernels_large, one_pass_scans_have_the_right_sums_of_3_million_words_on_lavapipe)
{
    scan_on_lavapipe(record_looking_back, 3000001, 0);
    scan_on_lavapipe(record_looking_back, 1000001, 20);
}

/* The sums of tiles without segments, then with one that begins in every ninth. */
static const struct memory *put_tile_heads(struct job *j)
{
    uint32_t *heads = room(j->n, 4);
    for (uint32_t t = 0; t < j->n; t++)
        heads[t] = t % 9 == 4;
    const struct memory *at = put_words(j, heads, j->n, "heads");
    free(heads);
    return at;
}

static void record_tops_u32(struct job *j)
{
    const struct memory *heads = put_tile_heads(j);
    for (uint32_t segmented = 0; segmented < 2; segmented++) {
        const struct memory *sums = compared_words(j, put_words(j, j->words, j->n, "sums"), j->n);
        run(&j->r, scan_tops_u32, 1, .sums = (parts)(uintptr_t)sums->address, .heads = words_at(heads),
            .n = j->n, .segmented = segmented);
    }
}

static void expect_tops_u32(const struct job *j, double *want)
{
    for (uint32_t segmented = 0, sum = 0; segmented < 2; segmented++, sum = 0)
        for (uint32_t t = 0; t < j->n; t++) {
            *want++ = sum;
            sum = (segmented && t % 9 == 4 ? 0 : sum) + j->words[t];
        }
}

static void record_tops_real(struct job *j)
{
    const struct memory *heads = put_tile_heads(j);
    for (uint32_t segmented = 0; segmented < 2; segmented++) {
        const struct memory *sums = compared(j, put(j, j->x, j->n, "sums"), j->p, j->n);
        run(&j->r, scan_tops_real, 1, .sums = (parts)(uintptr_t)sums->address, .heads = words_at(heads),
            .n = j->n, .segmented = segmented);
    }
}

static void expect_tops_real(const struct job *j, double *want)
{
    struct sum_part *totals = room(j->n, sizeof *totals);
    for (uint32_t segmented = 0; segmented < 2; segmented++) {
        for (uint32_t t = 0; t < j->n; t++)
            totals[t] = (struct sum_part){j->x[t], segmented && t % 9 == 4};
        offsets_from_totals(j->p, totals, j->n, want + (size_t)segmented * j->n);
    }
    free(totals);
}

static const struct kernel_case tops_of_words = {
    .name = "scan_tops_u32", .once = true, .record = record_tops_u32, .expect = expect_tops_u32};
static const struct kernel_case tops_of_reals = {
    .name = "scan_tops_real", .once = true, .record = record_tops_real, .expect = expect_tops_real};

static void add_up_tiles(uint32_t n)
{
    uint64_t seed = n;
    uint32_t *words = room(n, 4);
    double *x[REAL_PRECISIONS] = {random_vector(PRECISION_F32, n, 20, n),
                                  random_vector(PRECISION_F64, n, 20, n)};
    for (uint32_t t = 0; t < n; t++)
        words[t] = (uint32_t)random_bits(&seed);
    for (int device = 0; device < 2; device++) {
        const char *where = device ? gpu_name() : "host";
        vks_context *c = open_context(where, (struct device_options){0});
        struct job j = {.n = n, .words = words};
        job_run(&j, c->device, &tops_of_words, where);
        for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
            struct job real = {.p = p, .n = n, .x = x[p]};
            job_run(&real, c->device, &tops_of_reals, where);
        }
        close_context(c);
    }
    free(words);
    free(x[0]);
    free(x[1]);
}

Test(kernels_large, sums_of_tiles_are_added_up_by_groups)
{
    static const uint32_t tiles[] = {1, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        add_up_tiles(tiles[i]);
}

/* More than two rounds of 256 groups of 32, as for 67 million elements. */
Test(kernels_large, sums_of_tiles_are_carried_from_turn_to_turn)
{
    add_up_tiles(2 * 256 * 32 + 300);
}

/* The counts of 256 digits in 1,100 blocks: more than a workgroup scans at once. */
static void record_radix_scan(struct job *j)
{
    const struct memory *counts = compared_words(j, put_words(j, j->words, j->n, "counts"), j->n);
    const struct memory *totals = compared_words(j, new_bytes(j, 4 * (uint64_t)256, "totals"), 256);
    run(&j->r, radix_scan, 256, .counts = words_at(counts), .totals = words_at(totals), .blocks = j->n / 256);
}

static void expect_radix_scan(const struct job *j, double *want)
{
    uint32_t blocks = j->n / 256;
    for (uint32_t d = 0; d < 256; d++) {
        serial_sums(j->words + (size_t)d * blocks, NULL, blocks, true, want + (size_t)d * blocks);
        uint32_t last = (d + 1) * blocks - 1;
        want[j->n + d] = (uint32_t)want[last] + j->words[last];
    }
}

Test(kernels_large, counts_of_digits_in_more_than_1024_blocks_are_scanned)
{
    static const struct kernel_case scan = {
        .name = "radix_scan", .once = true, .record = record_radix_scan, .expect = expect_radix_scan};
    uint32_t n = 256 * 1100, *x = room(n, 4);
    uint64_t seed = n;
    for (uint32_t i = 0; i < n; i++)
        x[i] = random_below(&seed, 1 << 20);
    for (int device = 0; device < 2; device++) {
        vks_context *c = device ? open_gpu() : open_host();
        struct job j = {.n = n, .words = x};
        job_run(&j, c->device, &scan, device ? gpu_name() : "host");
        close_context(c);
    }
    free(x);
}
