/* The Matrix Market writer: round trips, and files that appear whole or not at all. */
#define _GNU_SOURCE /* readlink, strdup */
#include "market_files.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(market_write, .init = market_enter, .fini = market_leave);

/* The file's text, which the caller frees. */
static char *text_of(const char *path)
{
    struct stat info;
    FILE *f = fopen(path, "rb");
    cr_assert(f && !stat(path, &info));
    char *text = calloc(1, (size_t)info.st_size + 1);
    cr_assert(text && fread(text, 1, (size_t)info.st_size, f) == (size_t)info.st_size);
    fclose(f);
    return text;
}

static void expect_text(const char *path, const char *expected)
{
    OWNED(char) *text = text_of(path);
    cr_assert_str_eq(text, expected);
}

/* Rows of 0, 1, 2 ... 6 entries in turn, with values over the whole range, including denormals and -0. */
static struct host_csr random_matrix(uint32_t rows)
{
    struct host_csr a = {.rows = rows, .cols = 7 * rows};
    a.row = malloc((rows + 1) * sizeof *a.row);
    a.col = malloc(6 * (size_t)rows * sizeof *a.col);
    a.val = malloc(6 * (size_t)rows * sizeof *a.val);
    cr_assert(a.row && a.col && a.val);
    a.row[0] = 0;
    for (uint32_t i = 0, k = 0; i < rows; a.row[++i] = k)
        for (uint32_t j = 0; j < i % 7; j++, k++) {
            a.col[k] = j * rows + (uint32_t)(market_random() % rows);
            a.val[k] = k % 10 == 0   ? ldexp(market_random_double(), -1060)
                       : k % 10 == 1 ? -0.0
                                     : market_random_double();
        }
    return a;
}

static void free_matrix(struct host_csr *a)
{
    free(a->row);
    free(a->col);
    free(a->val);
}

static void expect_round_trip(const struct host_csr *a, const char *path)
{
    struct message m = {0};
    OWNED_STRUCT(market) b;
    cr_assert_eq(market_write_csr(&m, path, a, false), VKS_OK, "%s", m.text);
    cr_assert_eq(files_read_matrix(&m, path, &b), VKS_OK, "%s", m.text);
    cr_assert(b.entries.rows == a->rows && b.entries.cols == a->cols);
    cr_assert_eq(b.entries.count, host_csr_entries(a));
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            cr_assert(b.entries.row[k] == i && b.entries.col[k] == a->col[k]);
    cr_assert(market_same_bits(b.entries.val, a->val, b.entries.count));
}

Test(market_write, round_trips_of_matrices)
{
    static const uint32_t sizes[] = {1, 2, 7, 100, 30000}; /* the last fills several pages */
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OWNED_BY(free_matrix) struct host_csr a = random_matrix(sizes[i]);
        expect_round_trip(&a, "b.mtx");
        expect_round_trip(&a, "b.mtx.gz");
    }
    struct host_csr empty = {0};
    expect_round_trip(&empty, "b.mtx");
    cr_assert_eq(market_count_files(), 2);
}

Test(market_write, round_trips_of_vectors)
{
    enum { ROWS = 20000, COLS = 2 };
    OWNED(double) *x = malloc(ROWS * COLS * sizeof *x), *y;
    cr_assert(x);
    for (size_t k = 0; k < ROWS * COLS; k++)
        x[k] = k % 9 ? market_random_double() : -0.0;
    struct message m = {0};
    uint32_t rows, cols;
    cr_assert_eq(market_write_dense(&m, "x.mtx", ROWS, COLS, x), VKS_OK, "%s", m.text);
    cr_assert_eq(files_read_dense(&m, "x.mtx", &rows, &cols, &y), VKS_OK, "%s", m.text);
    cr_assert(rows == ROWS && cols == COLS && market_same_bits(x, y, ROWS * COLS));
}

static uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
static double val[] = {4, -1, -1, 0.1};
static const struct host_csr small = {2, 2, row, col, val};

#define SMALL \
    "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 -1\n2 1 -1\n2 2 0.10000000000000001\n"

Test(market_write, text)
{
    struct message m = {0};
    cr_assert_eq(market_write_csr(&m, "b.mtx", &small, false), VKS_OK, "%s", m.text);
    expect_text("b.mtx", SMALL);
    cr_assert_eq(market_write_csr(&m, "b.mtx", &small, true), VKS_OK, "%s", m.text);
    expect_text("b.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n"
                         "1 1 4\n2 1 -1\n2 2 0.10000000000000001\n");
    cr_assert_eq(market_write_dense(&m, "b.mtx", 2, 1, val), VKS_OK, "%s", m.text);
    expect_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n4\n-1\n");
    cr_assert_eq(market_count_files(), 1);
}

Test(market_write, standard_output)
{
    struct message m = {0};
    FILE *f = fopen("out", "wb");
    cr_assert(f && dup2(fileno(f), STDOUT_FILENO) == STDOUT_FILENO);
    cr_assert_eq(market_write_csr(&m, "-", &small, false), VKS_OK, "%s", m.text);
    expect_text("out", SMALL);
    fclose(f);
}

Test(market_write, links_permissions_and_devices)
{
    struct message m = {0};
    struct stat info;
    market_put("target", "old", 3);
    cr_assert(!chmod("target", 0640) && !symlink("target", "link"));
    cr_assert_eq(market_write_csr(&m, "link", &small, false), VKS_OK, "%s", m.text);
    expect_text("target", SMALL);
    cr_assert(!lstat("link", &info) && S_ISLNK(info.st_mode));
    cr_assert(!stat("target", &info) && (info.st_mode & 0777) == 0640);
    cr_assert_eq(market_write_csr(&m, "/dev/null", &small, false), VKS_OK, "%s", m.text);
    cr_assert(!stat("/dev/null", &info) && S_ISCHR(info.st_mode));
}

Test(market_write, links_to_files_that_are_not_there)
{
    struct message m = {0};
    struct stat info;
    cr_assert(!symlink("second", "first") && !symlink("./target", "second"));
    cr_assert_eq(market_write_csr(&m, "./first", &small, false), VKS_OK, "%s", m.text);
    expect_text("target", SMALL);
    cr_assert(!lstat("first", &info) && S_ISLNK(info.st_mode));
    cr_assert(!lstat("second", &info) && S_ISLNK(info.st_mode));
    cr_assert(!symlink("none/target", "away") && !symlink("a", "b") && !symlink("b", "a"));
    cr_assert_eq(market_write_csr(&m, "away", &small, false), VKS_FILE);
    cr_assert_str_eq(m.text, "away: cannot be written: No such file or directory");
    m.text[0] = 0;
    cr_assert_eq(market_write_csr(&m, "a", &small, false), VKS_FILE);
    cr_assert_str_eq(m.text, "a: cannot be written: Too many levels of symbolic links");
    cr_assert(!lstat("a", &info) && S_ISLNK(info.st_mode));
    cr_assert_eq(market_count_files(), 6);
}

static void expect_failure(vks_status status, const char *path, const char *message)
{
    struct message m = {0};
    cr_assert_eq(market_write_csr(&m, path, &small, false), status);
    cr_assert_str_eq(m.text, message);
}

#ifdef __GLIBC__
static bool without_memory;

/* Replaces the C library's, whose allocations cannot be made to fail separately. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = without_memory ? NULL : malloc(size);
    errno = copy ? errno : ENOMEM;
    return copy ? memcpy(copy, text, size) : NULL;
}

Test(market_write, a_path_that_memory_does_not_suffice_for)
{
    market_put("b.mtx", "old", 3);
    without_memory = true;
    expect_failure(VKS_OUT_OF_MEMORY, "b.mtx", "b.mtx: cannot be written: Cannot allocate memory");
    expect_text("b.mtx", "old");
    cr_assert_eq(market_count_files(), 1);
}
#endif

Test(market_write, places_that_cannot_be_written)
{
    expect_failure(VKS_FILE, "none/b.mtx", "none/b.mtx: cannot be written: No such file or directory");
    expect_failure(VKS_FILE, ".", ".: cannot be written: Is a directory");
    expect_failure(VKS_FILE, "/dev/full", "/dev/full: cannot be written: No space left on device");
    cr_assert_eq(market_count_files(), 0);
}

Test(market_write, a_failed_write_leaves_what_was_there)
{
    struct message m = {0};
    OWNED_BY(free_matrix) struct host_csr a = random_matrix(30000);
    market_put("b.mtx", "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    cr_assert(!setrlimit(RLIMIT_FSIZE, &limit));
    cr_assert_eq(market_write_csr(&m, "b.mtx", &a, false), VKS_FILE);
    cr_assert_str_eq(m.text, "b.mtx: cannot be written: File too large");
    expect_text("b.mtx", "old");
    cr_assert_eq(market_count_files(), 1);
}

Test(market_write, what_the_format_cannot_hold)
{
    struct message m = {0};
    double x[] = {1, 2, 3, NAN};
    cr_assert_eq(market_write_dense(&m, "x.mtx", 2, 2, x), VKS_INVALID_ARGUMENT);
    cr_assert_str_eq(m.text,
                     "x.mtx: cannot be written: the value in row 2, column 2 is not finite, which the format "
                     "cannot hold");
    val[3] = INFINITY;
    expect_failure(
        VKS_INVALID_ARGUMENT, "b.mtx",
        "b.mtx: cannot be written: the value in row 2, column 2 is not finite, which the format cannot hold");
    struct host_csr wide = {.rows = 1, .cols = 2, .row = (uint32_t[]){0, 0}};
    m.text[0] = 0;
    cr_assert_eq(market_write_csr(&m, "b.mtx", &wide, true), VKS_INVALID_ARGUMENT);
    cr_assert_str_eq(m.text, "b.mtx: cannot be written as symmetric: the matrix is 1 x 2");
    cr_assert_eq(market_count_files(), 0);
}
