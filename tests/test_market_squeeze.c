/* Blank lines and comments that are omitted from a large text, and the memory that a file may take. */
#include "market/text.h"
#include "market_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(market_squeeze, .init = market_enter, .fini = market_leave);

enum { LINES = 4000, ROOM = 200 * LINES };

/* Lines with content contain their number. */
struct sample {
    char bytes[ROOM];
    size_t size, number[LINES], kept; /* of the lines with content, and their number */
};

static void add(struct sample *s, const char *bytes, size_t size)
{
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static void add_line(struct sample *s, size_t number)
{
    static const char *const spare[] = {"",         "%", "  ", "\t% a comment that is a little longer",
                                        "%%Matrix", "\r"};
    char line[64];
    uint64_t kind = market_random() % 40;
    if (kind < 30)
        add(s, spare[kind % 6], strlen(spare[kind % 6]));
    else if (kind == 30)
        add(s, "%\0", 2);
    else
        add(s, line, (size_t)sprintf(line, "%s%zu", kind == 31 ? " %%MatrixMarket " : "", number));
    if (kind >= 30)
        s->number[s->kept++] = number;
    add(s, "\n", 1);
}

static bool is_spare(const char *line)
{
    line += strspn(line, " \t\r");
    return *line == '\n' || (*line == '%' && line[1] && strncmp(line, "%%MatrixMarket", 14) != 0);
}

static void compare(const struct sample *s, const struct text *t)
{
    size_t kept = 0, line = 1;
    for (const char *p = t->begin; p < t->begin + t->size; p = (char *)memchr(p, '\n', ROOM) + 1, line++) {
        if (is_spare(p))
            continue;
        cr_assert(kept < s->kept);
        cr_assert_eq(text_line(t, line), s->number[kept], "line %zu: %zu, not %zu", line, text_line(t, line),
                     s->number[kept]);
        const char *word = *p == ' ' ? p + 16 : p;
        cr_assert(*word == '%' || strtoul(word, NULL, 10) == s->number[kept]);
        kept++;
    }
    cr_assert_eq(kept, s->kept);
    cr_assert_eq(text_line(t, line) - 1, LINES);
}

Test(market_squeeze, keeps_what_says_something_and_its_numbers)
{
    struct sample *s = calloc(1, sizeof *s);
    OWNED_STRUCT(text) t = {.begin = malloc(ROOM), .name = "t"};
    struct message m = {0};
    cr_assert(s && t.begin);
    for (size_t k = 1; k <= LINES; k++)
        add_line(s, k);
    for (size_t given = 0; given < s->size;) { /* in pieces that end anywhere */
        size_t piece = 1 + market_random() % 3000;
        piece = piece < s->size - given ? piece : s->size - given;
        memcpy(t.begin + t.size, s->bytes + given, piece);
        t.size += piece;
        given += piece;
        cr_assert_eq(text_squeeze(&m, &t), VKS_OK);
    }
    compare(s, &t);
    cr_expect(t.size < s->size / 2 && t.gaps > 0, "%zu of %zu bytes", t.size, s->size);
    free(s);
}

/* A gzip file with 150 MiB of empty lines between its entries. */
static void put_blanks(const char *end)
{
    enum { PIECE = 1 << 20, PIECES = 150 };
    static const char head[] = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n";
    OWNED(char) *blank = malloc(PIECE);
    cr_assert(blank);
    memset(blank, '\n', PIECE);
    gzFile f = gzopen("a.mtx", "wb1");
    cr_assert(f && gzwrite(f, head, sizeof head - 1) > 0);
    for (int k = 0; k < PIECES; k++)
        cr_assert_eq(gzwrite(f, blank, PIECE), PIECE);
    cr_assert(gzputs(f, end) > 0 && gzclose(f) == Z_OK);
}

#if !defined(__SANITIZE_ADDRESS__)
/* The part of this process in the memory that RLIMIT_DATA counts. */
static rlim_t data_bytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    cr_assert(f && fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) == 1 && !fclose(f));
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

Test(market_squeeze, empty_lines_take_no_memory)
{
    struct message m = {0};
    struct market a;
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit limit = {data_bytes() + (128 << 20), RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_DATA, &limit), 0);
#endif
    put_blanks("2 2 7");
    a = market_take();
    cr_expect(a.entries.count == 2 && a.entries.row[1] == 1 && a.entries.val[1] == 7);
    market_free(&a);
    put_blanks("2 3 7\n");
    cr_expect_eq(files_read_matrix(&m, "a.mtx", &a), VKS_FORMAT);
    cr_expect_str_eq(m.text, "a.mtx:157286404: column 3 is outside 1..2");
    m.text[0] = 0;
    put_blanks("% no more\n");
    cr_expect_eq(files_read_matrix(&m, "a.mtx", &a), VKS_FORMAT);
    cr_expect_str_eq(m.text, "a.mtx:157286404: the file ends after 1 of 2 entries");
}

#if !defined(__SANITIZE_ADDRESS__)
Test(market_squeeze, needs_beyond_the_memory_name_the_file)
{
    static const char text[] =
        "%%MatrixMarket matrix coordinate real general\n200000000 200000000 1\n1 1 1\n";
    struct message m = {0};
    struct host_csr csr;
    market_put("a.mtx", text, sizeof text - 1);
    OWNED_STRUCT(market) a = market_take();
    struct rlimit limit = {1 << 30, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_expect_eq(host_csr_assemble(&m, &a.entries, &csr), VKS_OUT_OF_MEMORY);
    cr_expect(strstr(m.text, "a.mtx: out of host memory: 1600000020 bytes for its assembly, and ") &&
                  strstr(m.text, " are there"),
              "%s", m.text);
}
#endif
