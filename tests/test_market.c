/* What the Matrix Market reader accepts, and its results. */
#include "market_files.h"
#include "team/team.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(market, .init = market_enter, .fini = market_leave);

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"

/* Reads the text and compares its entries with "row col value  row col value ...", one-based. */
static void expect(const char *text, uint32_t rows, uint32_t cols, const char *entries)
{
    OWNED_STRUCT(market) a = market_take_text(text);
    cr_assert(a.entries.rows == rows && a.entries.cols == cols, "dimensions of: %s", text);
    size_t k = 0;
    unsigned row, col;
    double value;
    for (int used; sscanf(entries, "%u %u %lf%n", &row, &col, &value, &used) == 3; entries += used, k++) {
        cr_assert_lt(k, a.entries.count, "entries of: %s", text);
        cr_assert(a.entries.row[k] == row - 1 && a.entries.col[k] == col - 1 && a.entries.val[k] == value,
                  "entry %zu of: %s", k, text);
    }
    cr_assert_eq(k, a.entries.count, "entries of: %s", text);
}

Test(market, formats_fields_and_symmetries)
{
    expect(GENERAL "2 3 2\n2 3 1.5\n1 1 -2\n", 2, 3, "2 3 1.5  1 1 -2");
    expect("%%MatrixMarket matrix coordinate double general\n1 1 1\n1 1 .5\n", 1, 1, "1 1 .5");
    expect("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 -12\n", 1, 1, "1 1 -12");
    expect("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", 2, 2, "1 2 1  2 1 1");
    expect("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", 2, 2, "1 1 1  2 1 2  1 2 3  2 2 4");
    expect("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", 2, 2,
           "1 1 1  2 1 2  2 2 3  1 2 2");
    expect("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3,
           "2 1 1  3 1 2  3 2 3  1 2 -1  1 3 -2  2 3 -3");
    expect(SYMMETRIC "2 2 2\n1 1 4\n2 1 -1\n", 2, 2, "1 1 4  2 1 -1  1 2 -1");
    expect("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", 2, 2, "2 1 1  1 2 1");
    expect("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n1 1 0\n2 1 5\n", 2, 2,
           "1 1 0  2 1 5  1 2 -5");
}

Test(market, what_the_file_says_of_itself)
{
    OWNED_STRUCT(market) a = market_take_text("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n3\n");
    cr_assert(a.field == MARKET_INTEGER && a.symmetry == MARKET_SKEW && a.is_array);
    cr_assert(a.stored == 1 && a.entries.count == 2);
}

Test(market, either_triangle_and_duplicates)
{
    expect(SYMMETRIC "3 3 2\n1 2 7\n1 3 8\n", 3, 3, "1 2 7  1 3 8  2 1 7  3 1 8");
    expect(SYMMETRIC "3 3 2\n1 2 7\n3 1 8\n", 3, 3, "1 2 7  3 1 8  2 1 7  1 3 8");
    expect(SYMMETRIC "2 2 2\n2 1 7\n2 1 8\n", 2, 2, "2 1 7  2 1 8  1 2 7  1 2 8");
    expect(GENERAL "1 1 3\n1 1 1\n1 1 0\n1 1 2\n", 1, 1, "1 1 1  1 1 0  1 1 2");
}

Test(market, layout_is_free)
{
    expect("%%matrixmarket MATRIX Coordinate REAL General\n1 1 1\n1 1 1\n", 1, 1, "1 1 1");
    expect("\xEF\xBB\xBF" GENERAL "1 1 1\n1 1 1\n", 1, 1, "1 1 1");
    expect("  %%MatrixMarket\tmatrix  coordinate real general \n\n%c\n \n1 1 1\n1 1 1\n", 1, 1, "1 1 1");
    expect(GENERAL "\n2\t2   2 \n\n\t1  1\t1\n % a comment\n%\n\n   2 2 2  \n\n%\n", 2, 2, "1 1 1  2 2 2");
    expect("%%MatrixMarket matrix coordinate real general\r\n%\r\n1 1 1\r\n1 1 5\r\n", 1, 1, "1 1 5");
    expect("%%MatrixMarket matrix coordinate real general\r%\r1 1 1\r1 1 5\r", 1, 1, "1 1 5");
    expect(GENERAL "2 2 2\n1 1 5\n2 2 6", 2, 2, "1 1 5  2 2 6");
    expect(GENERAL "+1 +1 +1\n+1 +1 +2.5e+1\n", 1, 1, "1 1 25");
    expect(GENERAL "2 1 2\n1 1 1.0D+03\n2 1 2d-1\n", 2, 1, "1 1 1000  2 1 .2");
    expect(GENERAL "3 1 3\n1 1 1.\n2 1 .5\n003 01 007\n", 3, 1, "1 1 1  2 1 .5  3 1 7");
}

Test(market, small_and_empty)
{
    expect(GENERAL "0 0 0\n", 0, 0, "");
    expect(GENERAL "3 4 0", 3, 4, "");
    expect(SYMMETRIC "3 3 0\n", 3, 3, "");
    expect("%%MatrixMarket matrix array real general\n3 0\n", 3, 0, "");
    expect("%%MatrixMarket matrix array real symmetric\n0 0\n", 0, 0, "");
    expect("%%MatrixMarket matrix array real skew-symmetric\n1 1\n", 1, 1, "");
    expect(GENERAL "2000000000 4278190080 1\n1999999999 4278190080 1\n", 2000000000, 4278190080u,
           "1999999999 4278190080 1");
}

Test(market, values_at_the_ends_of_the_range)
{
    OWNED_STRUCT(market) a =
        market_take_text(GENERAL "6 1 6\n1 1 1.7976931348623157e308\n2 1 4.9e-324\n3 1 -0\n"
                                 "4 1 1e-400\n5 1 1e-310\n6 1 9007199254740993\n");
    const double *v = a.entries.val;
    cr_assert(v[0] == 0x1.fffffffffffffp1023 && v[1] == 0x1p-1074 && v[2] == 0 && signbit(v[2]));
    cr_assert(v[3] == 0 && v[4] == 1e-310 && v[5] == 9007199254740992.0);
}

Test(market, long_lines)
{
    enum { LENGTH = 600000 }; /* longer than the chunks of the parallel parser */
    char *text = malloc(3 * LENGTH), *p = text;
    cr_assert(text);
    p += sprintf(p, "%s1 1 1\n%%", GENERAL);
    memset(p, 'x', LENGTH);
    p += LENGTH;
    p += sprintf(p, "\n1 1 1.");
    memset(p, '0', LENGTH);
    p += LENGTH;
    strcpy(p, "1");
    OWNED_STRUCT(market) a = market_take_text(text);
    cr_assert(a.entries.count == 1 && a.entries.val[0] == 1);
    free(text);
}

static void put_gzip(const char *path, const char *mode, const char *text)
{
    gzFile f = gzopen(path, mode);
    cr_assert(f && gzwrite(f, text, (unsigned)strlen(text)) && gzclose(f) == Z_OK);
}

Test(market, gzip_is_recognised_by_its_content)
{
    put_gzip("a.mtx", "wb", GENERAL "2 2 2\n1 1");
    put_gzip("a.mtx", "ab", " 4\n2 2 5\n"); /* a second member */
    OWNED_STRUCT(market) a = market_take();
    cr_assert(a.entries.count == 2 && a.entries.val[0] == 4 && a.entries.val[1] == 5);
}

Test(market, pipes_are_read)
{
    const char text[] = GENERAL "1 1 1\n1 1 9\n";
    int end[2];
    cr_assert(!pipe(end) && write(end[1], text, strlen(text)) == (ssize_t)strlen(text));
    close(end[1]);
    cr_assert(dup2(end[0], STDIN_FILENO) == STDIN_FILENO);
    struct message m = {0};
    OWNED_STRUCT(market) a;
    cr_assert_eq(files_read_matrix(&m, "-", &a), VKS_OK, "%s", m.text);
    cr_assert(a.entries.count == 1 && a.entries.val[0] == 9);
}

Test(market, dense)
{
    static const struct {
        const char *text;
        double value[4];
    } cases[] = {
        {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n-0\n4\n", {1, 2, 0, 4}},
        {"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", {1, 2, 2, 3}},
        {GENERAL "2 2 3\n2 1 5\n1 2 1\n1 2 2\n", {0, 5, 3, 0}},
        {SYMMETRIC "2 2 1\n2 1 5\n", {0, 5, 5, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t rows, cols;
        OWNED(double) *value;
        struct message m = {0};
        market_put("a.mtx", cases[i].text, strlen(cases[i].text));
        cr_assert_eq(files_read_dense(&m, "a.mtx", &rows, &cols, &value), VKS_OK, "%s", m.text);
        cr_assert(rows == 2 && cols == 2);
        for (int k = 0; k < 4; k++)
            cr_assert_eq(value[k], cases[i].value[k], "value %d of: %s", k, cases[i].text);
    }
}

Test(market, parallel_equals_serial)
{
    enum { ROWS = 60000, MOST = 64 };
    char *text = malloc(100 + ROWS * MOST), *p = text;
    cr_assert(text);
    p += sprintf(p, "%s%d %d %d\n", SYMMETRIC, ROWS, ROWS, ROWS);
    for (int i = 1; i <= ROWS; i++)
        p += sprintf(p, "%s%d %d %.17g\n", i % 7 ? "" : "\n% c\n", i,
                     1 + (int)(market_random() % (unsigned)i), (double)market_random() * 0x1p-64);
    market_team = team_create(1);
    OWNED_STRUCT(market) a = market_take_text(text);
    team_destroy(market_team);
    market_team = team_create(8);
    OWNED_STRUCT(market) b = market_take();
    team_destroy(market_team);
    cr_assert_eq(a.entries.count, b.entries.count);
    cr_assert(!memcmp(a.entries.row, b.entries.row, a.entries.count * sizeof *a.entries.row));
    cr_assert(!memcmp(a.entries.col, b.entries.col, a.entries.count * sizeof *a.entries.col));
    cr_assert(market_same_bits(a.entries.val, b.entries.val, a.entries.count));
    free(text);
}

/* Each chunk finds the places of an array's values by itself. */
Test(market, large_triangular_arrays)
{
    enum { N = 500 };
    OWNED(char) *text = malloc(100 + N * N * 8);
    cr_assert(text);
    for (int skew = 0; skew < 2; skew++) {
        char *p = text + sprintf(text, "%%%%MatrixMarket matrix array real %s\n%d %d\n",
                                 skew ? "skew-symmetric" : "symmetric", N, N);
        for (int j = 0; j < N; j++)
            for (int i = j + skew; i < N; i++)
                p += sprintf(p, "%d\n", 1000 * i + j);
        OWNED_STRUCT(market) a = market_take_text(text);
        cr_assert_eq(a.entries.count, (size_t)(N * N - skew * N));
        for (size_t k = 0; k < a.entries.count; k++) {
            int i = (int)a.entries.row[k], j = (int)a.entries.col[k];
            cr_assert_eq(a.entries.val[k], i < j ? (1000 * j + i) * (skew ? -1 : 1) : 1000 * i + j);
        }
    }
}

/* --- Watchers --- */

struct seen {
    char phases[256];
    const char *what;
    double share;
    int looks;
    bool falls;
};

static void look(void *user, const char *what, double share)
{
    struct seen *s = user;
    bool begins = !s->what || strcmp(s->what, what) != 0;
    s->falls |= begins ? share != 0 || (s->what && s->share != 1) : share < s->share || share > 1;
    if (begins)
        strcat(strcat(s->phases, what), " ");
    s->what = what;
    s->share = share;
    s->looks++;
}

/* Matrices of several chunks, so that there is a share between beginning and end. */
static void watch(const char *name, const char *phases, int least)
{
    struct seen s = {0};
    struct message m = {.team = team_create(1),
                        .watch = &(struct watch){look, &s}}; /* a single thread parses all chunks */
    struct market a;
    cr_assert_eq(files_read_matrix(&m, name, &a), VKS_OK, "%s", m.text);
    market_free(&a);
    team_destroy(m.team);
    cr_expect_str_eq(s.phases, phases);
    cr_expect(!s.falls && s.share == 1 && s.looks > least, "%d looks, the last at %g of %s", s.looks, s.share,
              s.what);
}

Test(market, reading_tells_its_shares)
{
    enum { N = 200000 };
    char *text = malloc(32 * (N + 2)), *at = text;
    cr_assert(text);
    at += sprintf(at, "%s%d 1 %d\n", GENERAL, N, N);
    for (int i = 1; i <= N; i++)
        at += sprintf(at, "%d 1 %d.123456789\n", i, i);
    FILE *f = fopen("plain.mtx", "w");
    cr_assert(f && fputs(text, f) > 0 && fclose(f) == 0);
    gzFile z = gzopen("packed.mtx.gz", "w1");
    cr_assert(z && gzputs(z, text) > 0 && gzclose(z) == Z_OK);
    free(text);
    watch("plain.mtx", "reading parsing ", 20);
    watch("packed.mtx.gz", "reading inflating parsing ", 23);
}
