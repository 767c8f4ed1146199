/* Detects the kind of a file from its first bytes. */
#include "market/scan.h"
#include "market/text.h"

#include <ctype.h>
#include <string.h>

#define MATLAB_FILE                                                                                          \
    "a MATLAB file; convert it in Python: scipy.io.mmwrite('A.mtx', scipy.io.loadmat('A.mat')['A']), or in " \
    "MATLAB with mmwrite"

/* Other common kinds of files, recognised by bytes near their beginning. */
static const struct {
    size_t at;
    const char *bytes, *what;
} foreign[] = {
    {0, "version https://git-lfs", "a Git LFS pointer; 'git lfs pull' fetches the file itself"},
    {257, "ustar", "a tar archive; the matrix must be extracted from it"},
    {0, "BZh", "compressed with bzip2; gzip is the only compression that is read"},
    {0, "\xFD\x37zXZ", "compressed with xz; gzip is the only compression that is read"},
    {0, "\x28\xB5\x2F\xFD", "compressed with zstd; gzip is the only compression that is read"},
    {0, "\x04\x22\x4D\x18", "compressed with lz4; gzip is the only compression that is read"},
    {0, "\x1F\x9D", "compressed with compress; gzip is the only compression that is read"},
    {0, "LZIP", "compressed with lzip; gzip is the only compression that is read"},
    {0, "7z\xBC\xAF\x27\x1C", "a 7z archive; the matrix must be extracted from it"},
    {0, "MATLAB 7.3 MAT-file",
     "a MATLAB file of version 7.3, which is HDF5; in MATLAB write it with mmwrite, or save it with -v7 and "
     "convert that in Python: scipy.io.mmwrite('A.mtx', scipy.io.loadmat('A.mat')['A'])"},
    {0, "MATLAB 5.0 MAT-file", MATLAB_FILE},
    {0, "\x89HDF\r\n\x1A\n",
     "an HDF5 file; convert it in Python with h5py and scipy.io.mmwrite, a MATLAB file of version 7.3 in "
     "MATLAB with mmwrite"},
    {0, "\x80\x04\x95", "a pickled object of Python; scipy.sparse.save_npz writes what is read here"},
    {0, "\x80\x05\x95", "a pickled object of Python; scipy.sparse.save_npz writes what is read here"},
    {0, "\xFF\xFE", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "\xFE\xFF", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "<", "an HTML or XML page"},
};

/* The inspected beginning of the file. */
struct start {
    const char *at, *end;
};

static bool has(const struct start *s, size_t at, const char *bytes)
{
    size_t length = strlen(bytes);
    return at + length <= (size_t)(s->end - s->at) && !memcmp(s->at + at, bytes, length);
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static const char *find_line_end(const char *p, const char *end)
{
    while (p < end && !ends_line(*p))
        p++;
    return p;
}

/* The beginning of the next line; NULL if it is not in s. */
static const char *next_line(const struct start *s, const char *p)
{
    p = find_line_end(p, s->end);
    if (p < s->end)
        p += *p == '\r' && p + 1 < s->end && p[1] == '\n' ? 2 : 1;
    return p < s->end ? p : NULL;
}

/* Whether the line has at least `least` whole numbers and nothing else. */
static bool has_wholes(const char *p, const char *end, int least)
{
    int count = 0;
    for (; p < end && !ends_line(*p); p++) {
        if (!is_blank(*p) && !is_digit(*p))
            return false;
        count += is_digit(*p) && (p + 1 == end || !is_digit(p[1]));
    }
    return count >= least;
}

/* Harwell-Boeing and Rutherford-Boeing: a title, the line counts, and a type such as "RSA". */
static bool is_boeing(const struct start *s)
{
    const char *line[2], *p = s->at;
    for (int i = 0; i < 2; i++) {
        p = next_line(s, p);
        if (!p)
            return false;
        line[i] = p;
    }
    if (!has_wholes(line[0], s->end, 4) || s->end - p < 4)
        return false;
    static const char *const letters[] = {"rcpiq", "suhzr", "ae"};
    for (int i = 0; i < 3; i++)
        if (!strchr(letters[i], lower_case(p[i])) || !p[i])
            return false;
    return p[3] == ' ' || is_digit(p[3]);
}

/* A MATLAB file of version 4 has no magic number. It begins with five little-endian 32-bit numbers (type,
 * rows, columns, 0 or 1, length of the name), then the name with its zero byte. */
static bool is_matlab_4(const struct start *s)
{
    const unsigned char *p = (const unsigned char *)s->at;
    size_t size = (size_t)(s->end - s->at);
    if (size < 22 || p[0] > 52 || p[0] % 10 > 2 || p[12] > 1 || p[16] < 2 || !isalpha(p[20]))
        return false;
    static const int zero[] = {1, 2, 3, 13, 14, 15, 17, 18, 19};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (p[zero[i]])
            return false;
    size_t last = 20 + (size_t)p[16] - 1, i = 20;
    while (i < last && i < size && (isalnum(p[i]) || p[i] == '_'))
        i++;
    return i == last && last < size && !p[last];
}

/* Whether a comment contains the word of the banner, which shows that a banner was intended. */
static bool means_banner(const char *p, const char *end)
{
    const char *word = &BANNER[2];
    for (; end - p >= (ptrdiff_t)strlen(word); p++)
        if (begins_with(p, word))
            return true;
    return false;
}

/* Columns of numbers: the first line that is neither blank nor a comment begins with a number, or is beyond
 * the inspected bytes. */
static bool is_columns(const struct start *s)
{
    const char *p = s->at;
    bool has_comment = false;
    if (has(s, 0, "\xEF\xBB\xBF"))
        p += 3;
    while (p < s->end && (is_blank(*p) || ends_line(*p) || *p == '#' || *p == '%')) {
        if (*p != '#' && *p != '%') {
            p++;
            continue;
        }
        const char *end = find_line_end(p, s->end);
        if (means_banner(p, end))
            return false;
        p = end;
        has_comment = true;
    }
    if (p == s->end)
        return has_comment && s->end - s->at == TEXT_BEGINNING;
    p += *p == '-' || *p == '+';
    p += p < s->end && *p == '.';
    if (p < s->end && is_digit(*p))
        return true;
    return s->end - p > 3 && (begins_with(p, "nan") || begins_with(p, "inf")) &&
           (ends_word(p[3]) || p[3] == ',');
}

static vks_status refuse(struct message *m, const struct text *t, const char *what)
{
    return fail(m, VKS_FORMAT, "%s: cannot be read: it is %s", t->name, what);
}

vks_status text_find_kind(struct message *m, struct text *t)
{
    struct start s = {t->begin, t->begin + (t->size < TEXT_BEGINNING ? t->size : TEXT_BEGINNING)};
    if (s.at == s.end)
        return fail(m, VKS_FORMAT, "%s: the file is empty", t->name);
    if (is_matlab_4(&s))
        return refuse(m, t, MATLAB_FILE);
    bool has_title = is_boeing(&s); /* the title may be any words, even words of the table */
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign && !has_title; i++)
        if (has(&s, foreign[i].at, foreign[i].bytes))
            return refuse(m, t, foreign[i].what);
    const char *p = s.at + (has(&s, 0, "\xEF\xBB\xBF") ? 3 : 0);
    while (p < s.end && is_blank(*p))
        p++;
    if (has_title)
        t->kind = TEXT_BOEING;
    else if (has(&s, 0, "\x1F\x8B"))
        t->kind = TEXT_GZIP;
    else if (s.end - p >= (ptrdiff_t)strlen(BANNER) && begins_with(p, BANNER))
        t->kind = TEXT_MARKET;
    else if (has(&s, 0, "\x93NUMPY"))
        t->kind = TEXT_NUMPY;
    else if (has(&s, 0, "PK\3\4") || has(&s, 0, "PK\5\6"))
        t->kind = TEXT_ZIP;
    else if (is_columns(&s))
        t->kind = TEXT_COLUMNS;
    else
        return text_refuse_unknown(m, t);
    return VKS_OK;
}

vks_status text_refuse_unknown(struct message *m, const struct text *t)
{
    return fail(m, VKS_FORMAT,
                "%s:1: cannot be read: it begins neither with %s nor with numbers; a heading of columns must "
                "begin with #",
                t->name, BANNER);
}
