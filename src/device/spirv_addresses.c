#include "device/spirv_words.h"

#include <stdlib.h>
#include <string.h>

/* The known kinds of an id. */
enum {
    POINTER = 1, /* the type of an address */
    ADDRESS = 2, /* a value of such a type */
    WORDS = 4,   /* an address cast to another type */
    CONSTANT = 8 /* a known number */
};

/* A module, the kinds of its ids, and the ids of the types uint and uvec2. */
struct module {
    const struct spirv *s;
    unsigned char *is; /* of each id */
    uint32_t bound, word, two_words;
    uint32_t body; /* where the first function begins */
};

static bool is(const struct module *m, uint32_t id, int what)
{
    return id < m->bound && m->is[id] & what;
}

static void mark(const struct module *m, uint32_t id, int what)
{
    if (id < m->bound)
        m->is[id] |= (unsigned char)what;
}

/* Learns types and constants, which precede the first function. */
static void learn_global(struct module *m, const uint32_t *w)
{
    uint32_t length = length_of(w);
    switch (op_of(w)) {
    case SpvOpTypePointer:
        if (length == 4 && w[2] == SpvStorageClassPhysicalStorageBuffer)
            mark(m, w[1], POINTER);
        break;
    case SpvOpTypeInt:
        if (length == 4 && w[2] == 32 && w[3] == 0)
            m->word = w[1];
        break;
    case SpvOpTypeVector:
        if (length == 4 && m->word && w[2] == m->word && w[3] == 2)
            m->two_words = w[1];
        break;
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
        if (length > 2)
            mark(m, w[2], CONSTANT);
        break;
    default:
        break;
    }
}

static bool casts(const uint32_t *w)
{
    return op_of(w) == SpvOpBitcast && length_of(w) == 4;
}

/* In a function, an instruction whose first operand is an address type results in an address: the first
 * operand can only be a type if it is the result type. */
static void learn_local(const struct module *m, const uint32_t *w)
{
    if (length_of(w) > 2 && is(m, w[1], POINTER))
        mark(m, w[2], ADDRESS);
    else if (casts(w) && is(m, w[3], ADDRESS))
        mark(m, w[2], WORDS);
}

static bool learn(struct module *m, const struct spirv *s)
{
    *m = (struct module){.s = s, .bound = s->word[BOUND], .body = s->count, .is = calloc(s->word[BOUND], 1)};
    if (!m->is)
        return false;
    FOR_INSTRUCTIONS (w, s, HEADER) {
        if (op_of(w) == SpvOpFunction && m->body == s->count)
            m->body = (uint32_t)(w - s->word);
        if (m->body == s->count)
            learn_global(m, w);
        else
            learn_local(m, w);
    }
    return true;
}

/* A cast from one address type to another. */
static bool is_direct_cast(const struct module *m, const uint32_t *w)
{
    return casts(w) && is(m, w[1], POINTER) && is(m, w[3], ADDRESS);
}

static uint32_t count_direct_casts(const struct module *m)
{
    uint32_t count = 0;
    FOR_INSTRUCTIONS (w, m->s, m->body)
        count += is_direct_cast(m, w);
    return count;
}

bool spirv_count_casts(const struct spirv *s, uint32_t *count)
{
    struct module m;
    *count = 0;
    if (!learn(&m, s))
        return false;
    *count = count_direct_casts(&m);
    free(m.is);
    return true;
}

static void put(struct spirv *out, const uint32_t *w, uint32_t count)
{
    memcpy(out->word + out->count, w, count * sizeof *w);
    out->count += count;
}

static void copy_split(struct module *m, struct spirv *out)
{
    uint32_t next = m->bound;
    out->count = 0;
    put(out, m->s->word, m->body);
    if (!m->word) {
        m->word = next++;
        put(out, (uint32_t[]){4u << SpvWordCountShift | SpvOpTypeInt, m->word, 32, 0}, 4);
    }
    if (!m->two_words) {
        m->two_words = next++;
        put(out, (uint32_t[]){4u << SpvWordCountShift | SpvOpTypeVector, m->two_words, m->word, 2}, 4);
    }
    FOR_INSTRUCTIONS (w, m->s, m->body) {
        if (!is_direct_cast(m, w)) {
            put(out, w, length_of(w));
            continue;
        }
        put(out, (uint32_t[]){w[0], m->two_words, next, w[3]}, 4);
        put(out, (uint32_t[]){w[0], w[1], w[2], next++}, 4);
    }
    out->word[BOUND] = next;
}

bool spirv_split_casts(struct spirv *s)
{
    struct module m;
    if (!learn(&m, s))
        return false;
    uint32_t count = count_direct_casts(&m);
    struct spirv out = {0};
    if (count)
        out.word = malloc(((size_t)s->count + 4 * (size_t)count + 8) * sizeof *out.word);
    if (out.word)
        copy_split(&m, &out);
    free(m.is);
    if (count && out.word) {
        free(s->word);
        *s = out;
    }
    return !count || out.word;
}

bool spirv_compares_address(const struct spirv *s, bool *compares)
{
    struct module m;
    *compares = false;
    if (!learn(&m, s))
        return false;
    FOR_INSTRUCTIONS (w, s, m.body)
        if ((op_of(w) == SpvOpIEqual || op_of(w) == SpvOpINotEqual) && length_of(w) == 5)
            *compares |= (is(&m, w[3], WORDS) && is(&m, w[4], CONSTANT)) ||
                         (is(&m, w[4], WORDS) && is(&m, w[3], CONSTANT));
    free(m.is);
    return true;
}
