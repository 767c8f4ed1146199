/* Files of other kinds than Matrix Market: the small ones that the fuzzer begins with, and what is wrong with
 * some. tests/python/test_files.py compares with SciPy. */
#include "market_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct market take(const char *name)
{
    char path[400];
    struct message m = {0};
    struct market a;
    snprintf(path, sizeof path, SOURCE_DIR "/tests/fuzz/seeds/%s", name);
    cr_assert_eq(files_read(&m, path, &a), VKS_OK, "%s", m.text);
    return a;
}

/* The sum of value * (row + 10 col), and the shape. */
static void expect(const char *name, const char *kind, bool is_array, uint32_t rows, uint32_t cols,
                   double sum)
{
    struct market a = take(name);
    double got = 0;
    for (size_t k = 0; k < a.entries.count; k++)
        got += a.entries.val[k] * (a.entries.row[k] + 10.0 * a.entries.col[k] + 1);
    cr_expect_str_eq(a.kind, kind);
    cr_expect(a.is_array == is_array && a.entries.rows == rows && a.entries.cols == cols, "%s", name);
    cr_expect_float_eq(got, sum, 1e-12, "%s: %g", name, got);
    market_free(&a);
}

Test(files, kinds_are_found_by_content)
{
    expect("vector.npy", "NumPy array", true, 3, 1, -2.5);
    expect("matrix.npy", "NumPy array", true, 2, 3, 217);
    expect("single.npy", "NumPy array", true, 2, 2, 77);
    expect("usual.npy", "NumPy array", true, 2, 1, 5);
    expect("one.npz", "NumPy array", true, 3, 1, 8);
    static const char *const archives[] = {"csr.npz", "csc.npz", "coo.npz", "bsr.npz", "dia.npz"};
    for (int i = 0; i < 5; i++)
        expect(archives[i], "SciPy archive", false, 4, 4, 210);
    expect("columns.txt", "columns of numbers", true, 2, 2, 502.5);
    expect("column.txt", "columns of numbers", true, 3, 1, 14);
    expect("boeing.rsa", "Harwell-Boeing", false, 3, 3, 85);
    expect("boeing.pua", "Rutherford-Boeing", false, 3, 3, 38);
    expect("boeing.rza", "Harwell-Boeing", false, 3, 3, -4.5);
}

static void refuse(const char *text, vks_status status, const char *message)
{
    struct message m = {0};
    struct market a;
    market_put("a.mtx", text, strlen(text));
    cr_expect_eq(files_read_matrix(&m, "a.mtx", &a), status, "%s", m.text);
    cr_expect_str_eq(m.text, message);
    cr_expect(!a.entries.val && !a.entries.count);
}

#define BOEING(type, size, formats, body)                                                  \
    "Title\n             5             1             1             1             0\n" type \
    "           " size "\n" formats "\n" body
#define USUAL "(16I5)          (16I5)          (3F8.2)             "
#define THREE "             3             3             4             0"

Test(files, what_is_wrong_is_named_with_its_line, .init = market_enter, .fini = market_leave)
{
    refuse(BOEING("CUA", THREE, USUAL, "    1\n"), VKS_UNSUPPORTED,
           "a.mtx:3: complex matrices are not supported");
    refuse(BOEING("RHA", THREE, USUAL, "    1\n"), VKS_UNSUPPORTED,
           "a.mtx:3: hermitian matrices are not supported");
    refuse(BOEING("RSE", THREE, USUAL, "    1\n"), VKS_UNSUPPORTED,
           "a.mtx:3: a matrix by elements, which are not assembled, is not supported");
    refuse(BOEING("RUA", "             3             3  999999999999             0", USUAL, "    1\n"),
           VKS_FORMAT, "a.mtx:3: the file ends before as many columns and entries as it declares");
    refuse(BOEING("RUA", THREE, "(A8)            (16I5)          (3F8.2)", "    1\n"), VKS_FORMAT,
           "a.mtx:4: not Fortran's formats of numbers, such as (16I5) (10F7.1)");
    refuse(BOEING("RUA", THREE, USUAL, "    1    3    2    5\n"), VKS_FORMAT,
           "a.mtx:5: column 3 begins with entry 2, and columns ascend from 1 to 5");
    refuse(BOEING("RUA", THREE, USUAL, "    1    3    4    5\n    1    2    9    3\n"), VKS_FORMAT,
           "a.mtx:6: row 9 is outside 1..3");
    refuse(
        BOEING("RUA", THREE, USUAL, "    1    3    4    5\n    1    2    1    3\n    1.00    x.00    1.00\n"),
        VKS_FORMAT, "a.mtx:7: 'x.00' is not a decimal number");
    refuse(
        BOEING("RUA", THREE, USUAL, "    1    3    4    5\n    1    2    1    3\n    1.00    1.00    1.00\n"),
        VKS_FORMAT, "a.mtx:7: the file ends before its last number");
    refuse("1 2 3\n4 5\n", VKS_FORMAT,
           "a.mtx:2: in columns of numbers the line has 2 of them, and lines before have 3");
    refuse("% a comment\n1.5\n2.5 x\n", VKS_FORMAT,
           "a.mtx:3: in columns of numbers 'x' is not a decimal number");
    refuse("1 1 0.5\n2 1 0.5\n", VKS_FORMAT,
           "a.mtx:1: not a Matrix Market file: line 1 does not begin with %%MatrixMarket");
    refuse("\x93NUMPY\1", VKS_FORMAT, "a.mtx: no NumPy array, or cut off in its header");
    refuse("PK\3\4", VKS_FORMAT, "a.mtx: the zip archive is damaged or cut off: its end is missing");
    refuse(
        "MATLAB 5.0 MAT-file, Platform: GLNXA64", VKS_FORMAT,
        "a.mtx: not a Matrix Market file but a MATLAB file; convert it in Python: scipy.io.mmwrite('A.mtx', "
        "scipy.io.loadmat('A.mat')['A']), or in MATLAB with mmwrite");
}

/* Lists of entries whose banner is missing are no matrix; of right-hand sides nothing is assumed. */
Test(files, a_list_of_entries_is_an_array_where_one_is_wanted, .init = market_enter, .fini = market_leave)
{
    struct message m = {0};
    uint32_t rows, cols;
    double *value;
    market_put("a.mtx", "1 1 0.5\n2 1 0.25\n", 17);
    cr_assert_eq(files_read_dense(&m, "a.mtx", &rows, &cols, &value), VKS_OK, "%s", m.text);
    cr_expect(rows == 2 && cols == 3 && value[1] == 2 && value[5] == 0.25);
    free(value);
}
