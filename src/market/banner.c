#include "market/scan.h"
#include "market/text.h"

#include <string.h>

/* Other files that are often given, by bytes near their beginning. */
static const struct {
    size_t at;
    const char *bytes, *what;
} foreign[] = {
    {0, "version https://git-lfs", "a Git LFS pointer; 'git lfs pull' fetches the file itself"},
    {257, "ustar", "a tar archive; the matrix must be extracted from it"},
    {0, "PK\3\4", "a zip archive"},
    {0, "BZh", "compressed with bzip2; of the compressed files only gzip is read"},
    {0, "\xFD\x37zXZ", "compressed with xz; of the compressed files only gzip is read"},
    {0, "\x28\xB5\x2F\xFD", "compressed with zstd; of the compressed files only gzip is read"},
    {0, "\xFF\xFE", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "\xFE\xFF", "UTF-16 text; it must be ASCII or UTF-8"},
    {0, "<", "an HTML or XML page"},
};

int text_is_gzip(const struct text *t)
{
    return t->size >= 2 && !memcmp(t->begin, "\x1F\x8B", 2);
}

vks_status text_check_banner(struct message *m, const struct text *t)
{
    size_t size = t->size < TEXT_BEGINNING ? t->size : TEXT_BEGINNING;
    if (!size)
        return fail(m, VKS_FORMAT, "%s: the file is empty", t->name);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t length = strlen(foreign[i].bytes);
        if (foreign[i].at + length <= size && !memcmp(t->begin + foreign[i].at, foreign[i].bytes, length))
            return fail(m, VKS_FORMAT, "%s: not a Matrix Market file but %s", t->name, foreign[i].what);
    }
    size_t at = size >= 3 && !memcmp(t->begin, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < size && is_blank(t->begin[at]))
        at++;
    if (size - at < strlen(BANNER) || !begins_with(t->begin + at, BANNER))
        return fail(m, VKS_FORMAT, "%s:1: not a Matrix Market file: line 1 does not begin with %s", t->name,
                    BANNER);
    return VKS_OK;
}
