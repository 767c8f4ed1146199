#include "files/npy.h"
#include "files/kinds.h"

#include <string.h>

enum { MAGIC = 6, LONGEST_HEADER = 1 << 16 };

/* Identifies the array in messages. */
struct place {
    struct message *m;
    const char *name, *member;
};

static vks_status refuse(const struct place *p, vks_status status, const char *what)
{
    if (p->member)
        return fail(p->m, status, "%s: %s: %s", p->name, p->member, what);
    return fail(p->m, status, "%s: %s", p->name, what);
}

static const char *skip_spaces(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n'))
        p++;
    return p;
}

/* The value of a key in the header, a Python dict; NULL if absent. */
static const char *find_value(const char *p, const char *end, const char *key)
{
    size_t length = strlen(key);
    for (; (size_t)(end - p) > length + 2; p++) {
        bool quoted = (*p == '\'' || *p == '"') && p[length + 1] == *p && !memcmp(p + 1, key, length);
        const char *colon = quoted ? skip_spaces(p + length + 2, end) : end;
        if (colon < end && *colon == ':')
            return skip_spaces(colon + 1, end);
    }
    return NULL;
}

/* Reads digits; false without digits, or if the number exceeds 62 bits. */
static bool read_number(const char **at, const char *end, uint64_t *value)
{
    const char *first = *at;
    *value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        if (*value > UINT64_MAX / 40)
            return false;
        *value = 10 * *value + (uint64_t)(**at - '0');
    }
    return *at > first;
}

static vks_status read_type(const struct place *p, const char *at, const char *end, struct npy *a)
{
    uint64_t bytes = 0;
    if (!at || end - at < 5 || (*at != '\'' && *at != '"'))
        return refuse(p, VKS_UNSUPPORTED, "an array of records, which are not numbers");
    const char *digits = at + 3;
    a->is_big = at[1] == '>';
    a->type = at[2];
    if (a->type == 'O')
        return refuse(p, VKS_UNSUPPORTED, "an array of pickled objects, which are not supported");
    if (!read_number(&digits, end, &bytes) || bytes > 1 << 20 || !strchr("fiubcSU", a->type) || !a->type)
        return refuse(p, VKS_UNSUPPORTED, "an array of a type that is not numeric");
    a->bytes = (unsigned)bytes;
    if (a->type == 'c')
        return refuse(p, VKS_UNSUPPORTED, "complex numbers are not supported");
    bool is_known = a->type == 'f'   ? bytes == 2 || bytes == 4 || bytes == 8
                    : a->type == 'b' ? bytes == 1
                                     : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!is_known && a->type != 'S' && a->type != 'U')
        return refuse(p, VKS_UNSUPPORTED, "numbers of that many bytes are not supported; take float64");
    a->bytes *= a->type == 'U' ? 4 : 1;
    return VKS_OK;
}

static vks_status read_shape(const struct place *p, const char *at, const char *end, struct npy *a)
{
    for (int i = 0; i < NPY_DIMENSIONS; i++)
        a->shape[i] = 1;
    if (!at || at >= end || *at++ != '(')
        return refuse(p, VKS_FORMAT, "the header of the NumPy array has no shape");
    for (at = skip_spaces(at, end); at < end && *at != ')'; at = skip_spaces(at, end)) {
        uint64_t length;
        if (!read_number(&at, end, &length))
            return refuse(p, VKS_FORMAT, "the header of the NumPy array has an invalid shape");
        if (a->dimensions == NPY_DIMENSIONS)
            return refuse(p, VKS_FORMAT, "an array of more than 3 dimensions; a matrix has 2");
        a->shape[a->dimensions++] = length;
        at = skip_spaces(at + (at < end && *at == 'L'), end); /* as written by Python 2 */
        if (at < end && *at == ',')
            at++;
        else if (at >= end || *at != ')')
            return refuse(p, VKS_FORMAT, "the header of the NumPy array has an invalid shape");
    }
    return at < end ? VKS_OK : refuse(p, VKS_FORMAT, "the header of the NumPy array has no end");
}

/* Compares the shape with the bytes present, before it is used to allocate. */
static vks_status count(const struct place *p, size_t left, struct npy *a)
{
    a->count = 1;
    for (int i = 0; i < NPY_DIMENSIONS; i++)
        if (!a->shape[i])
            a->count = 0;
    for (int i = 0; i < NPY_DIMENSIONS && a->count; i++) {
        if (a->shape[i] > UINT64_MAX / 2 / a->count)
            return refuse(p, VKS_LIMIT, "the shape of the array is beyond 64 bits");
        a->count *= a->shape[i];
    }
    if (a->bytes ? a->count > left / a->bytes : a->count > 1)
        return fail(p->m, VKS_FORMAT, "%s%s%s: the array of %llu elements is cut off", p->name,
                    p->member ? ": " : "", p->member ? p->member : "", (unsigned long long)a->count);
    if (a->count * a->bytes < left)
        return refuse(p, VKS_FORMAT, "something else follows the array");
    return VKS_OK;
}

static vks_status read_order(const struct place *p, const char *at, const char *end, struct npy *a)
{
    size_t left = at ? (size_t)(end - at) : 0;
    a->by_columns = left > 4 && !memcmp(at, "True", 4);
    if (!a->by_columns && (left < 6 || memcmp(at, "False", 5) != 0))
        return refuse(p, VKS_FORMAT,
                      "fortran_order in the header of the NumPy array is neither True nor False");
    return VKS_OK;
}

vks_status npy_open(struct message *m, const char *name, const char *member, const void *bytes, size_t size,
                    struct npy *a)
{
    struct place p = {m, name, member};
    const unsigned char *b = bytes;
    *a = (struct npy){0};
    if (size < MAGIC + 6 || memcmp(b, "\x93NUMPY", MAGIC) != 0)
        return refuse(&p, VKS_FORMAT, "no NumPy array, or cut off in its header");
    unsigned wide = b[MAGIC] == 1 ? 2 : 4;
    if (b[MAGIC] < 1 || b[MAGIC] > 3)
        return refuse(&p, VKS_UNSUPPORTED, "a version of NumPy's format that is not known");
    size_t begin = MAGIC + 2 + wide, length = (size_t)little_endian(b + MAGIC + 2, wide);
    if (length > size - begin || length > LONGEST_HEADER)
        return refuse(&p, VKS_FORMAT, "the NumPy array is cut off in its header");
    const char *header = (const char *)b + begin, *end = header + length;
    TRY(read_order(&p, find_value(header, end, "fortran_order"), end, a));
    TRY(read_type(&p, find_value(header, end, "descr"), end, a));
    TRY(read_shape(&p, find_value(header, end, "shape"), end, a));
    a->data = b + begin + length;
    return count(&p, size - begin - length, a);
}

bool npy_is_whole(const struct npy *a)
{
    return a->type == 'i' || a->type == 'u' || a->type == 'b';
}

static uint64_t bits_of(const struct npy *a, uint64_t k)
{
    const unsigned char *b = a->data + k * a->bytes;
    if (!a->is_big)
        return little_endian(b, a->bytes);
    uint64_t value = 0;
    for (unsigned i = 0; i < a->bytes; i++)
        value = value << 8 | b[i];
    return value;
}

/* Converts 16 bits to 32, exactly. */
static float half(uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 15) << 31, exponent = bits >> 10 & 31, fraction = bits & 1023, single;
    float value;
    if (exponent == 0) {
        value = (float)fraction / (1 << 24);
        return sign ? -value : value;
    }
    single = sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | fraction << 13;
    memcpy(&value, &single, sizeof value);
    return value;
}

double npy_real(const struct npy *a, uint64_t k)
{
    uint64_t bits = bits_of(a, k);
    if (a->type == 'u' || a->type == 'b')
        return (double)bits;
    if (a->type == 'i')
        return (double)npy_whole(a, k);
    if (a->bytes == 2)
        return half(bits);
    if (a->bytes == 4) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int64_t npy_whole(const struct npy *a, uint64_t k)
{
    uint64_t bits = bits_of(a, k);
    if (a->type == 'i') {
        unsigned shift = 64 - 8 * a->bytes;
        return (int64_t)(bits << shift) >> shift;
    }
    return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

vks_status npy_to_array(struct message *m, const char *name, const struct npy *a, struct market *out)
{
    if (a->type == 'S' || a->type == 'U')
        return fail(m, VKS_UNSUPPORTED, "%s: an array of text, which is not numeric", name);
    if (a->dimensions > 2)
        return fail(m, VKS_FORMAT, "%s: the array has %u dimensions; a matrix has 2", name, a->dimensions);
    uint64_t rows = a->shape[0], cols = a->shape[1];
    TRY(entries_allocate_array(m, name, rows, cols, out));
    struct triplets *e = &out->entries;
    for (size_t k = 0; k < e->count; k++) {
        e->val[k] = npy_real(a, a->by_columns ? k : (uint64_t)e->row[k] * cols + e->col[k]);
        TRY(entries_check_value(m, name, e->val[k], e->row[k], e->col[k]));
    }
    out->kind = "NumPy array";
    out->field = npy_is_whole(a) ? MARKET_INTEGER : MARKET_REAL;
    out->stored = e->count;
    return VKS_OK;
}

vks_status read_numpy(struct message *m, const struct text *t, struct market *out)
{
    struct npy a;
    TRY(npy_open(m, t->name, NULL, t->begin, t->size, &a));
    return npy_to_array(m, t->name, &a, out);
}
