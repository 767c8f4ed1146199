/* What the Matrix Market reader refuses, and its messages. */
#include "market_files.h"
#include "team/team.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

TestSuite(market_refuse, .init = market_enter, .fini = market_leave);

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"

struct refused {
    const char *text, *message;
    vks_status status; /* VKS_OK means VKS_FORMAT */
};

static void refuse_file(vks_status status, const char *message)
{
    struct message m = {.team = market_team};
    struct market a;
    cr_assert_eq(files_read_matrix(&m, "a.mtx", &a), status, "%s", message);
    cr_assert_str_eq(m.text, message);
    cr_assert(!a.entries.row && !a.entries.count);
}

static void refuse_all(const struct refused *r, size_t count)
{
    for (; count; count--, r++) {
        market_put("a.mtx", r->text, strlen(r->text));
        refuse_file(r->status ? r->status : VKS_FORMAT, r->message);
    }
}

#define UNKNOWN                                                                                              \
    "a.mtx:1: cannot be read: it begins neither with %%MatrixMarket nor with numbers; a heading of columns " \
    "must begin with #"

#define REFUSE_ALL(cases) refuse_all(cases, sizeof cases / sizeof *cases)

Test(market_refuse, banners)
{
    static const struct refused cases[] = {
        {"", "a.mtx: the file is empty", VKS_OK},
        {"x,y\n1,2\n", UNKNOWN, VKS_OK},
        {"%%MatrixMarkets matrix coordinate real general\n",
         "a.mtx:1: not a Matrix Market file: the first word is '%%MatrixMarkets', not '%%MatrixMarket'",
         VKS_OK},
        {"%%MatrixMarket matrix coordinate real\n",
         "a.mtx:1: the banner must name object, format, field and symmetry", VKS_OK},
        {"%%MatrixMarket vector coordinate real general\n", "a.mtx:1: unknown object 'vector' in the banner",
         VKS_OK},
        {"%%MatrixMarket matrix sparse real general\n", "a.mtx:1: unknown format 'sparse' in the banner",
         VKS_OK},
        {"%%MatrixMarket matrix array reals general\n", "a.mtx:1: unknown field 'reals' in the banner",
         VKS_OK},
        {"%%MatrixMarket matrix array real skew\n", "a.mtx:1: unknown symmetry 'skew' in the banner", VKS_OK},
        {"%%MatrixMarket matrix array real general x\n", "a.mtx:1: unexpected 'x' after the banner", VKS_OK},
        {"%%MatrixMarket matrix array complex general\n", "a.mtx:1: complex matrices are not supported",
         VKS_UNSUPPORTED},
        {"%%MatrixMarket matrix array real hermitian\n", "a.mtx:1: hermitian matrices are not supported",
         VKS_UNSUPPORTED},
        {"%%MatrixMarket matrix array pattern general\n", "a.mtx:1: a pattern matrix cannot be an array",
         VKS_OK},
        {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
         "a.mtx:1: a pattern matrix cannot be skew-symmetric", VKS_OK},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
         "a.mtx: cannot be read: it is a Git LFS pointer; 'git lfs pull' fetches the file itself", VKS_OK},
        {"<!DOCTYPE html>\n", "a.mtx: cannot be read: it is an HTML or XML page", VKS_OK},
    };
    REFUSE_ALL(cases);
}

Test(market_refuse, size_lines)
{
    static const struct refused cases[] = {
        {GENERAL, "a.mtx:1: the file ends before the size line", VKS_OK},
        {GENERAL "% a\n\n", "a.mtx:3: the file ends before the size line", VKS_OK},
        {GENERAL GENERAL "1 1 1\n1 1 1\n", "a.mtx:2: a second banner", VKS_OK},
        {GENERAL "2 2\n", "a.mtx:2: the size line must be 'rows columns entries'", VKS_OK},
        {"%%MatrixMarket matrix array real general\n2 2 4\n", "a.mtx:2: the size line must be 'rows columns'",
         VKS_OK},
        {GENERAL "-2 2 1\n", "a.mtx:2: the number of rows, -2, is negative", VKS_OK},
        {GENERAL "2 2.0 1\n", "a.mtx:2: the number of columns, '2.0', is not an integer", VKS_OK},
        {SYMMETRIC "2 3 1\n", "a.mtx:2: a symmetric matrix must be square, not 2 x 3", VKS_OK},
        {GENERAL "4278190081 1 1\n", "a.mtx:2: 4278190081 rows are more than the limit of 4278190080",
         VKS_LIMIT},
        {GENERAL "1 99999999999999999999999 1\n",
         "a.mtx:2: 99999999999999999999999 columns are more than the limit of 4278190080", VKS_LIMIT},
        {GENERAL "9 9 9223372036854775807\n",
         "a.mtx:2: 9223372036854775807 entries are more than the limit of 4278190080", VKS_LIMIT},
        {"%%MatrixMarket matrix array real general\n100000 100000\n1\n",
         "a.mtx:2: 100000 x 100000 values are more than the limit of 4278190080 entries", VKS_LIMIT},
    };
    REFUSE_ALL(cases);
}

Test(market_refuse, entries)
{
    static const struct refused cases[] = {
        {GENERAL "2 2 1\n0 1 1\n", "a.mtx:3: row 0 is outside 1..2", VKS_OK},
        {GENERAL "2 2 1\n1 -1 1\n", "a.mtx:3: column -1 is outside 1..2", VKS_OK},
        {GENERAL "2 2 2\n1 1 1\n\n%\n2 4294967297 1\n", "a.mtx:6: column 4294967297 is outside 1..2", VKS_OK},
        {GENERAL "2 2 1\n99999999999999999999999 1 1\n",
         "a.mtx:3: row 99999999999999999999999 is outside 1..2", VKS_OK},
        {GENERAL "0 0 1\n1 1 1\n", "a.mtx:3: an entry in a matrix without rows", VKS_OK},
        {GENERAL "2 2 1\n1.0 1 1\n", "a.mtx:3: the row '1.0' is not an integer", VKS_OK},
        {GENERAL "2 2 1\n1 one 1\n", "a.mtx:3: the column 'one' is not an integer", VKS_OK},
        {GENERAL "2 2 1\n1\n", "a.mtx:3: the column is missing", VKS_OK},
        {GENERAL "2 2 1\n1 1 \n", "a.mtx:3: the value is missing", VKS_OK},
        {GENERAL "2 2 1\n1 1 1 0\n", "a.mtx:3: unexpected '0' after the entry", VKS_OK},
        {GENERAL "2 2 1\n1 1 1 % no\n", "a.mtx:3: unexpected '%' after the entry", VKS_OK},
        {GENERAL "2 2 1\n1 1 1\n" GENERAL, "a.mtx:4: a second banner", VKS_OK},
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 5\n",
         "a.mtx:3: unexpected '5' after the entry", VKS_OK},
        {"%%MatrixMarket matrix array real general\n2 1\n1 2\n", "a.mtx:3: unexpected '2' after the entry",
         VKS_OK},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
         "a.mtx:3: the diagonal of a skew-symmetric matrix must be zero, not 1", VKS_OK},
        {SYMMETRIC "3 3 4\n3 1 1\n1 2 5\n2 1 5\n1 3 5\n",
         "a.mtx:5: both (2,1) and (1,2) are stored: a symmetric file may hold only one of them", VKS_OK},
        {GENERAL "2 2 1\n1 1 1\n2 2 2\n", "a.mtx:4: more than the declared 1 entries", VKS_OK},
        {GENERAL "2 2 3\n1 1 1\n2 2 2\n", "a.mtx:4: the file ends after 2 of 3 entries", VKS_OK},
        {GENERAL "2 2 3\n1 1 1\n2 2", "a.mtx:4: the file ends after 2 of 3 entries", VKS_OK},
        {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n",
         "a.mtx:5: the file ends after 3 of 4 entries", VKS_OK},
    };
    REFUSE_ALL(cases);
}

Test(market_refuse, values)
{
    static const char *const words[][2] = {
        {"nan", "the value 'nan' is not finite"},
        {"-Infinity", "the value '-Infinity' is not finite"},
        {"0x1p3", "the value '0x1p3' is not a decimal number"},
        {"1e400", "the value 1e400 is too large for double precision"},
        {"1.7976931348623159e308", "the value 1.7976931348623159e308 is too large for double precision"},
        {"1,5", "the value '1,5' is not a decimal number"},
        {"1e", "the value '1e' is not a decimal number"},
        {".", "the value '.' is not a decimal number"},
        {"1.2.3", "the value '1.2.3' is not a decimal number"},
        {"--1", "the value '--1' is not a decimal number"},
        {"\xC3\xA4", "the value '?\?' is not a decimal number"},
        {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
         "the value 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...' is not a decimal number"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[200], message[200];
        snprintf(text, sizeof text, "%s1 1 1\n1 1 %s\n", GENERAL, words[i][0]);
        snprintf(message, sizeof message, "a.mtx:3: %s", words[i][1]);
        market_put("a.mtx", text, strlen(text));
        refuse_file(VKS_FORMAT, message);
    }
    static const struct refused fraction[] = {
        {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
         "a.mtx:3: the value '1.5' is not an integer", VKS_OK},
    };
    REFUSE_ALL(fraction);
}

Test(market_refuse, nul_bytes)
{
    static const char *const texts[] = {GENERAL "#%\n1 1 1\n1 1 1\n", GENERAL "%#\n1 1 1\n1 1 1\n",
                                        GENERAL "1 1 1\n1 1 #1\n", GENERAL "1 1 1\n1#1 1\n"};
    static const int lines[] = {2, 2, 3, 3};
    for (int i = 0; i < 4; i++) {
        char text[100], message[100];
        strcpy(text, texts[i]);
        *strchr(text, '#') = 0;
        market_put("a.mtx", text, strlen(texts[i]));
        snprintf(message, sizeof message, "a.mtx:%d: a NUL byte", lines[i]);
        refuse_file(VKS_FORMAT, message);
    }
}

Test(market_refuse, missing_files_and_directories)
{
    refuse_file(VKS_FILE, "a.mtx: cannot be opened: No such file or directory");
    cr_assert(!mkdir("a.mtx", 0700));
    refuse_file(VKS_FILE, "a.mtx: cannot be read: Is a directory");
}

/* Compresses a matrix into `packed`; returns its size. */
static size_t pack(unsigned char *packed, size_t room)
{
    static const char text[] = GENERAL "2 2 2\n1 1 1.2345\n2 2 9.8765\n";
    gzFile f = gzopen("a.mtx", "wb");
    cr_assert(f && gzwrite(f, text, sizeof text - 1) && gzclose(f) == Z_OK);
    FILE *g = fopen("a.mtx", "rb");
    cr_assert(g);
    size_t size = fread(packed, 1, room, g);
    fclose(g);
    return size;
}

Test(market_refuse, damaged_gzip)
{
    unsigned char packed[300];
    size_t size = pack(packed, sizeof packed - 10);
    market_put("a.mtx", (char *)packed, size - 5);
    refuse_file(VKS_FORMAT, "a.mtx: the gzip data are cut off");
    strcpy((char *)packed + size, "rubbish");
    market_put("a.mtx", (char *)packed, size + 7);
    refuse_file(VKS_FORMAT, "a.mtx: something else follows the gzip data");
    packed[size - 6] ^= 1; /* in the checksum */
    market_put("a.mtx", (char *)packed, size);
    refuse_file(VKS_FORMAT, "a.mtx: the gzip data are damaged (incorrect data check)");
}

/* The peak rises by the size of the text, which is negligible here, not by what the file declares or inflates
 * to. */
Test(market_refuse, declared_sizes_and_bombs_take_no_memory)
{
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    static const struct refused cases[] = {
        {GENERAL "9 9 4000000000\n1 1 1\n", "a.mtx:3: the file ends after 1 of 4000000000 entries", VKS_OK},
        {"%%MatrixMarket matrix array real symmetric\n65000 65000\n1\n",
         "a.mtx:3: the file ends after 1 of 2112532500 entries", VKS_OK},
    };
    REFUSE_ALL(cases);
    static char blanks[1 << 20];
    memset(blanks, ' ', sizeof blanks);
    gzFile f = gzopen("a.mtx", "wb1");
    for (int i = 0; i < 200; i++)
        cr_assert(gzwrite(f, blanks, sizeof blanks) == (int)sizeof blanks);
    cr_assert(gzclose(f) == Z_OK);
    refuse_file(VKS_FORMAT, UNKNOWN);
    getrusage(RUSAGE_SELF, &after);
    cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 64 << 10);
}

/* The reported line is that of the earliest fault, whatever the order of threads. */
Test(market_refuse, the_first_of_many_faults)
{
    enum { LINES = 100000, FIRST = 61234 };
    OWNED(char) *text = malloc(100 + LINES * 24);
    cr_assert(text);
    for (int declared = LINES - 1000; declared <= LINES + 1000; declared += 1000) {
        char *p = text + sprintf(text, "%s%d 1 %d\n", GENERAL, LINES, declared);
        for (int i = 1; i <= LINES; i++)
            p += sprintf(p, i >= FIRST && i % 3 == FIRST % 3 ? "%d 2 0.25\n" : "%d 1 0.25\n", i);
        market_put("a.mtx", text, (size_t)(p - text));
        for (int threads = 1; threads <= 8; threads++) {
            char message[100];
            market_team = team_create((uint32_t)threads);
            snprintf(message, sizeof message, "a.mtx:%d: column 2 is outside 1..1", FIRST + 2);
            refuse_file(VKS_FORMAT, message);
            team_destroy(market_team);
            market_team = NULL;
        }
    }
}

Test(market_refuse, the_first_surplus_entry)
{
    enum { LINES = 100000, DECLARED = 81234 };
    OWNED(char) *text = malloc(100 + LINES * 24);
    cr_assert(text);
    char *p = text + sprintf(text, "%s1 1 %d\n", GENERAL, DECLARED);
    for (int i = 1; i <= LINES; i++)
        p += sprintf(p, i > DECLARED + 1 ? "%% a comment\nrubbish\n" : "%% a comment\n1 1 0.25\n");
    market_put("a.mtx", text, (size_t)(p - text));
    char message[100];
    snprintf(message, sizeof message, "a.mtx:%d: more than the declared %d entries", 2 + 2 * (DECLARED + 1),
             DECLARED);
    refuse_file(VKS_FORMAT, message);
}
