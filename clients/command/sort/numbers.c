#include "command/sort/numbers.h"
#include "command/shared/files.h"
#include "market/output.h"
#include "report/memory.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Limits for an endless stream: no number has WORD_ROOM characters, and no file has more than MOST_BLANKS
 * consecutive blanks. */
enum { WORD_ROOM = 512, MOST_BLANKS = 1 << 24, LINE_ROOM = 32, PAGE = 1 << 16, FIRST_ROOM = 1 << 12 };

struct reader {
    FILE *file;
    const char *name; /* for messages */
    unsigned long long line;
    char word[WORD_ROOM];
    size_t length; /* of the word; 0 at the end of the file */
};

static vks_status next_word(struct message *m, struct reader *r)
{
    int c, blanks = 0;
    r->length = 0;
    for (; (c = getc(r->file)) != EOF && isspace(c); blanks++) {
        r->line += c == '\n';
        if (blanks == MOST_BLANKS)
            return fail(m, VKS_FORMAT, "%s:%llu: no number in more than %d blanks", r->name, r->line,
                        MOST_BLANKS);
    }
    for (; c != EOF && !isspace(c) && r->length < WORD_ROOM; c = getc(r->file))
        r->word[r->length++] = (char)c;
    if (r->length == WORD_ROOM)
        return fail(m, VKS_FORMAT, "%s:%llu: '%.40s...', of more than %d characters, is not a number",
                    r->name, r->line, r->word, WORD_ROOM - 1);
    r->word[r->length] = 0;
    if (ferror(r->file))
        return fail(m, VKS_FILE, "%s: cannot be read: %s", r->name, strerror(errno));
    if (c == '\n')
        ungetc(c, r->file); /* it counts to the word's line until the next word is read */
    return VKS_OK;
}

static bool parse_whole(const struct reader *r, uint64_t most, uint64_t *value)
{
    errno = 0;
    *value = strtoull(r->word, NULL, 10);
    return strspn(r->word, "0123456789") == r->length && !errno && *value <= most;
}

/* strtod also accepts hexadecimal numbers and NaNs with a text. */
static bool is_real(const struct reader *r)
{
    static const char *const names[] = {"inf", "infinity", "nan"};
    if (strlen(r->word) != r->length) /* a NUL among them */
        return false;
    const char *digits = r->word + (r->word[0] == '-' || r->word[0] == '+');
    for (int i = 0; i < 3; i++)
        if (!strcasecmp(digits, names[i]))
            return true;
    return strspn(r->word, "0123456789.+-eE") == r->length;
}

static bool parse_real(const struct reader *r, vks_type type, void *to)
{
    char *end;
    bool beyond;
    errno = 0;
    if (type == VKS_TYPE_F32) {
        float v = strtof(r->word, &end);
        beyond = errno && isinf(v);
        memcpy(to, &v, sizeof v);
    } else {
        double v = strtod(r->word, &end);
        beyond = errno && isinf(v);
        memcpy(to, &v, sizeof v);
    }
    return is_real(r) && !*end && !beyond;
}

static vks_status parse(struct message *m, const struct reader *r, vks_type type, void *to)
{
    static const char *const wanted[] = {
        [VKS_TYPE_F32] = "not a number that a 32-bit float can hold",
        [VKS_TYPE_F64] = "not a number that a 64-bit float can hold",
        [VKS_TYPE_U32] = "not a whole number from 0 to 4294967295",
        [VKS_TYPE_U64] = "not a whole number from 0 to 18446744073709551615",
    };
    uint64_t whole = 0;
    uint32_t word;
    bool good = type == VKS_TYPE_U32   ? parse_whole(r, UINT32_MAX, &whole)
                : type == VKS_TYPE_U64 ? parse_whole(r, UINT64_MAX, &whole)
                                       : parse_real(r, type, to);
    if (!good)
        return fail(m, VKS_FORMAT, "%s:%llu: '%.40s' is %s", r->name, r->line, r->word, wanted[type]);
    word = (uint32_t)whole;
    if (type == VKS_TYPE_U32)
        memcpy(to, &word, sizeof word);
    if (type == VKS_TYPE_U64)
        memcpy(to, &whole, sizeof whole);
    return VKS_OK;
}

static vks_status read_count(struct message *m, struct reader *r, uint32_t *count)
{
    uint64_t value;
    vks_status s = next_word(m, r);
    if (s)
        return s;
    if (!r->length)
        return fail(m, VKS_FORMAT, "%s:%llu: the file is empty; it begins with the count of its numbers",
                    r->name, r->line);
    if (!parse_whole(r, UINT64_MAX, &value))
        return fail(m, VKS_FORMAT, "%s:%llu: '%.40s' is not a count of numbers", r->name, r->line, r->word);
    if (value > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "%s:%llu: %.40s numbers; the most is %u", r->name, r->line, r->word,
                    VKS_LARGEST_INDEX);
    *count = (uint32_t)value;
    return VKS_OK;
}

/* Memory grows with what has been read, since the count in the file may be false. */
static vks_status make_room(struct message *m, const char *name, uint32_t have, uint32_t count, size_t *room,
                            struct numbers *out)
{
    size_t size = vks_type_bytes(out->type), more = *room ? 2 * *room : FIRST_ROOM;
    if (have < *room)
        return VKS_OK;
    more = more < count ? more : count;
    TRY(memory_check(m, name, "its numbers", (more - *room) * size));
    void *values = realloc(out->values, more * size);
    if (!values)
        return memory_lacks(m, name, "its numbers", more * size);
    out->values = values;
    *room = more;
    return VKS_OK;
}

static vks_status read_all(struct message *m, struct reader *r, struct numbers *out)
{
    uint32_t count = 0, size = vks_type_bytes(out->type);
    size_t room = 0;
    TRY(read_count(m, r, &count));
    for (uint32_t i = 0; i < count; i++) {
        TRY(next_word(m, r));
        if (!r->length)
            return fail(m, VKS_FORMAT, "%s:%llu: the file ends after %u of %u numbers", r->name, r->line, i,
                        count);
        TRY(make_room(m, r->name, i, count, &room, out));
        TRY(parse(m, r, out->type, (char *)out->values + (size_t)i * size));
    }
    TRY(next_word(m, r));
    if (r->length)
        return fail(m, VKS_FORMAT, "%s:%llu: '%.40s' follows the %u numbers", r->name, r->line, r->word,
                    count);
    out->count = count;
    return VKS_OK;
}

vks_status numbers_read(struct message *m, const char *path, vks_type type, struct numbers *out)
{
    bool stream = file_is_stream(path);
    struct reader r = {.file = stream ? stdin : fopen(path, "r"), .name = stream ? "stdin" : path, .line = 1};
    *out = (struct numbers){.type = type};
    if (!r.file)
        return fail(m, VKS_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    vks_status s = read_all(m, &r, out);
    if (!stream)
        fclose(r.file);
    return s;
}

static size_t print_whole(uint64_t value, char *to)
{
    char digits[LINE_ROOM], *end = digits + sizeof digits, *p = end;
    do
        *--p = (char)('0' + value % 10);
    while (value /= 10);
    memcpy(to, p, (size_t)(end - p));
    return (size_t)(end - p);
}

static size_t print_number(const struct numbers *n, size_t i, char *to)
{
    switch (n->type) {
    case VKS_TYPE_U32:
        return print_whole(((const uint32_t *)n->values)[i], to);
    case VKS_TYPE_U64:
        return print_whole(((const uint64_t *)n->values)[i], to);
    default:
        break;
    }
    bool narrow = n->type == VKS_TYPE_F32;
    float f = narrow ? ((const float *)n->values)[i] : 0;
    double v = narrow ? f : ((const double *)n->values)[i];
    for (int digits = narrow ? 6 : 15;; digits++) {
        size_t length = (size_t)snprintf(to, LINE_ROOM, "%.*g", digits, v);
        bool same = narrow ? strtof(to, NULL) == f : strtod(to, NULL) == v;
        if (same || isnan(v) || digits == 17)
            return length;
    }
}

vks_status numbers_write(struct message *m, const char *path, const struct numbers *numbers)
{
    char page[PAGE];
    size_t used = 0;
    struct output o;
    vks_status s = output_open(m, path, &o);
    if (s)
        return s;
    for (size_t i = 0; i < numbers->count && !s; i++) {
        used += print_number(numbers, i, page + used);
        page[used++] = '\n';
        if (used > PAGE - LINE_ROOM - 1) {
            s = output_write(m, &o, page, used);
            used = 0;
        }
    }
    IF_OK(s, output_write(m, &o, page, used));
    return output_close(m, &o, s);
}

void numbers_free(struct numbers *numbers)
{
    free(numbers->values);
    *numbers = (struct numbers){0};
}
