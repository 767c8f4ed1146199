/* Files of kinds other than Matrix Market: the small seeds of the fuzzer, and faults of some.
 * tests/python/test_files.py compares with SciPy. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "market_files.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
    OWNED_STRUCT(market) a = take(name);
    double got = 0;
    for (size_t k = 0; k < a.entries.count; k++)
        got += a.entries.val[k] * (a.entries.row[k] + 10.0 * a.entries.col[k] + 1);
    cr_expect_str_eq(a.kind, kind);
    cr_expect(a.is_array == is_array && a.entries.rows == rows && a.entries.cols == cols, "%s", name);
    cr_expect_float_eq(got, sum, 1e-12, "%s: %g", name, got);
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
    refuse("\x93NUMPY\1", VKS_FORMAT, "a.mtx: no NumPy array, or cut off in its header");
    refuse("PK\3\4", VKS_FORMAT, "a.mtx: the zip archive is damaged or cut off: its end is missing");
    refuse("MATLAB 5.0 MAT-file, Platform: GLNXA64", VKS_FORMAT,
           "a.mtx: cannot be read: it is a MATLAB file; convert it in Python: scipy.io.mmwrite('A.mtx', "
           "scipy.io.loadmat('A.mat')['A']), or in MATLAB with mmwrite");
    refuse("\x80\5\x95", VKS_FORMAT,
           "a.mtx: cannot be read: it is a pickled object of Python; scipy.sparse.save_npz writes what is "
           "read here");
}

/* A little-endian header of MATLAB version 4, and what only looks like one. */
Test(files, matlab_4_is_recognised, .init = market_enter, .fini = market_leave)
{
    static const struct {
        unsigned char bytes[24];
        size_t size;
        const char *part;
    } files[] = {{"\0\0\0\0\3\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0A", 22, "a MATLAB file"},
                 {"\64\0\0\0\3\0\0\0\3\0\0\0\1\0\0\0\3\0\0\0A_", 23, "a MATLAB file"},
                 {"\0\0\0\0\3\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0A", 21, "begins neither"},
                 {"\0\0\0\0\3\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0AB", 22, "begins neither"},
                 {"\2\0\0\0\2\0\0\0\7\0\0\0\0\0\0\0\2\0\0\0\5", 24, "begins neither"},
                 {"\202\0\0\0\3\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0A", 22, "begins neither"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct message m = {0};
        struct market a;
        market_put("a.mtx", (const char *)files[k].bytes, files[k].size);
        cr_expect_eq(files_read(&m, "a.mtx", &a), VKS_FORMAT);
        cr_expect(strstr(m.text, files[k].part), "%zu: %s", k, m.text);
    }
}

Test(files, a_numpy_header_has_an_order, .init = market_enter, .fini = market_leave)
{
    static const struct {
        const char *order;
        vks_status status;
    } of[] = {{"'fortran_order': True,", VKS_OK},
              {"'fortran_order': False,", VKS_OK},
              {"'fortran_order': Trux,", VKS_FORMAT},
              {"'fortran_order': Falsy,", VKS_FORMAT},
              {"'fortran_ordre': True,", VKS_FORMAT}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct message m = {0};
        struct market a;
        char file[96] = "\x93NUMPY\1";
        int header =
            snprintf(file + 10, sizeof file - 10, "{'descr': '|i1', %s 'shape': (2, 2)}\n", of[i].order);
        file[8] = (char)header;
        memcpy(file + 10 + header, "\1\2\3\4", 4);
        market_put("a.npy", file, 10 + (size_t)header + 4);
        cr_expect_eq(files_read(&m, "a.npy", &a), of[i].status, "%s: %s", of[i].order, m.text);
        cr_expect(of[i].status == VKS_OK || strstr(m.text, "neither True nor False"), "%s", m.text);
        if (of[i].status == VKS_OK)
            market_free(&a);
    }
}

/* The message contains no numbers that are not in the file. */
Test(files, numbers_beyond_32_bits, .init = market_enter, .fini = market_leave)
{
    refuse(BOEING("RUA", "210000000000000             2             1             0", USUAL,
                  "    1    2    2\n    1\n    1.00\n"),
           VKS_LIMIT, "a.mtx: more than the limit of 4278190080 rows or columns");
    refuse(BOEING("RUA", THREE, "(16I15)         (16I15)         (3F8.2)             ",
                  "              1210000000000000              4              5\n"),
           VKS_FORMAT, "a.mtx:5: '210000000000000' is not a whole number from 0 to 4294967295");
}

/* The time that a format takes is limited. */
Test(files, formats_that_repeat_nothing, .init = market_enter, .fini = market_leave, .timeout = 10)
{
    enum { BLANKS = 4000 };
    static const char *const begins[] = {"(16000(40000(", "(16000(40000(,", "(16000(40000(1X,", "(I5,"};
    char text[5000], message[] = "a.mtx:4: not Fortran's formats of numbers, such as (16I5) (10F7.1)";
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, BOEING("RUA", THREE, "%s%*s)))(2I5)(2F10.1)", "    1\n"), begins[i],
                 i < 3 ? BLANKS : BLANKS + 200, "");
        refuse(text, VKS_FORMAT, message);
    }
}

static double take_value(const char *format, const char *values, size_t k)
{
    char text[500];
    snprintf(text, sizeof text, BOEING("RUA", THREE, "(16I5)          (16I5)          %s", "%s"), format,
             "    1    3    4    5\n    1    2    1    3\n");
    strcat(text, values);
    OWNED_STRUCT(market) a = market_take_text(text);
    return a.entries.val[k];
}

/* If words do not match the fields of the format, the rest of the format is ignored, too, up to the end of
 * the part. */
Test(files, words_beside_their_fields_stand_for_themselves, .init = market_enter, .fini = market_leave)
{
    cr_expect_eq(take_value("(3E20.12)", "4 5 6\n7\n", 0), 4);
    cr_expect_eq(take_value("(3E20.12)", "4 5 6\n7\n", 3), 7);
    cr_expect_eq(take_value("(1P,3F8.2)", "4.5 5 6\n7\n", 0), 4.5);
    cr_expect_eq(take_value("(3F8.2)", "     400     500     600\n     700\n", 0), 4);
    cr_expect_eq(take_value("(1P,3F8.2)", "    45.0     500     600\n     700\n", 0), 4.5);
    cr_expect_eq(take_value("(3E8.2)", "   4E+00     500     600\n     700\n", 0), 4);
}

Test(files, titles_do_not_say_what_a_file_is, .init = market_enter, .fini = market_leave)
{
    static const char *const titles[] = {"<A>", "BZhang matrix", "LZIP", "7 points"};
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(text, sizeof text, "%s\n%s", titles[i],
                 strchr(BOEING("PUA", THREE, USUAL, "    1    3    4    5\n    1    2    1    3\n"), '\n') +
                     1);
        OWNED_STRUCT(market) a = market_take_text(text);
        cr_expect_eq(a.entries.count, 4, "%s", titles[i]);
    }
}

/* 0,5 is not a pair of numbers if semicolons are the separators. */
Test(files, a_file_has_one_separator, .init = market_enter, .fini = market_leave)
{
    refuse("0,5;1,25\n2,5;3,5\n", VKS_FORMAT,
           "a.mtx:1: in columns of numbers ',' and ';' separate them; decimals have a point, and a file one "
           "separator");
    refuse("1 2\n3 4,5\n", VKS_FORMAT,
           "a.mtx:2: in columns of numbers ' ' and ',' separate them; decimals have a point, and a file one "
           "separator");
    OWNED_STRUCT(market) a = market_take_text("1 ; 2.5;\t3.5\n4;5 ;6 # a comment, of words\n");
    cr_expect(a.entries.rows == 2 && a.entries.cols == 3 && a.entries.val[4] == 3.5);
}

/* Columns that may be a list of entries are rejected as a matrix; right-hand sides are not. */
Test(files, a_list_of_entries_needs_a_banner, .init = market_enter, .fini = market_leave)
{
    static const char *const lists[] = {"1 1 0.5\n2 1 0.5\n", "0 0 4\n1 1 4\n2 2 4\n", "0 1\n1 0\n"};
    static const char *const matrices[] = {"2 1\n1 2\n", "3 1\n1 3\n", "4 1 1\n1 4 1\n1 1 4\n",
                                           "0.5 1\n1 0\n"};
    struct message m = {0};
    uint32_t rows, cols;
    OWNED(double) *value;
    for (int i = 0; i < 3; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "a.mtx: its %d columns may be a list of entries or a dense matrix: a Matrix Market banner, "
                 "coordinate or array, says which",
                 i < 2 ? 3 : 2);
        refuse(lists[i], VKS_FORMAT, message);
    }
    for (int i = 0; i < 4; i++) {
        OWNED_STRUCT(market) a = market_take_text(matrices[i]);
        cr_expect_eq(a.entries.rows, a.entries.cols);
    }
    market_put("a.mtx", lists[0], strlen(lists[0]));
    cr_assert_eq(files_read_dense(&m, "a.mtx", &rows, &cols, &value), VKS_OK, "%s", m.text);
    cr_expect(rows == 2 && cols == 3 && value[1] == 2 && value[5] == 0.5);
}

static bool zlib_lacks_memory;

int inflateInit2_(z_stream *s, int bits, const char *version, int size)
{
    int (*real)(z_stream *, int, const char *, int);
    void *found = dlsym(RTLD_NEXT, "inflateInit2_");
    memcpy(&real, &found, sizeof real);
    return zlib_lacks_memory ? Z_MEM_ERROR : real(s, bits, version, size);
}

int inflate(z_stream *s, int flush)
{
    int (*real)(z_stream *, int);
    void *found = dlsym(RTLD_NEXT, "inflate");
    memcpy(&real, &found, sizeof real);
    return zlib_lacks_memory ? Z_MEM_ERROR : real(s, flush);
}

Test(files, zlib_without_memory_is_no_damage)
{
    static const char *const names[] = {"csr.npz", "general.mtx.gz"};
    for (int i = 0; i < 2; i++) {
        char path[400];
        struct message m = {0};
        OWNED_STRUCT(market) a;
        snprintf(path, sizeof path, SOURCE_DIR "/tests/fuzz/seeds/%s", names[i]);
        zlib_lacks_memory = true;
        cr_expect_eq(files_read(&m, path, &a), VKS_OUT_OF_MEMORY, "%s", m.text);
        zlib_lacks_memory = false;
    }
}
