/* Packs similar SPIR-V modules into a tenth of their bytes.
 *
 * A word is coded as its difference from one of three predictions, seven bits to a byte: zero, the last
 * defined id, or the word at the same place of the last instruction with the same opcode. The prediction with
 * the shortest differences at this place so far is used, so it is not stored. zlib compresses the bytes. */
#define SPV_ENABLE_UTILITY_CODE
#include "device/spirv.h"

#include <spirv_cross/spirv.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Emits the header's inline definition in this file. */
extern void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

enum { HEADER = 5, PREDICTIONS = 3, PLACES = 7, SLOTS = 4096, MOST_BYTES = 5 /* of a word */ };

/* An operand place of one opcode. */
struct place {
    uint32_t cost[PREDICTIONS]; /* lengths of the differences; older ones count less */
    uint32_t last;
};

struct codec {
    struct place place[SLOTS];
    uint32_t defined; /* the last defined id */
    unsigned char *at, *end;
};

static uint32_t fold(uint32_t word, uint32_t prediction)
{
    uint32_t d = word - prediction;
    return prediction ? d << 1 ^ (d >> 31 ? UINT32_MAX : 0) : d;
}

static uint32_t unfold(uint32_t folded, uint32_t prediction)
{
    return prediction ? prediction + (folded >> 1 ^ (folded & 1 ? UINT32_MAX : 0)) : folded;
}

static uint32_t bits_of(uint32_t folded)
{
    uint32_t bits = 0;
    for (; folded; folded >>= 1)
        bits++;
    return bits;
}

static void put_number(struct codec *c, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *c->at++ = (unsigned char)(number | 128);
    *c->at++ = (unsigned char)number;
}

/* Decodes a number; 0 after the end. */
static uint32_t get_number(struct codec *c)
{
    uint32_t number = 0, shift = 0;
    for (; c->at < c->end && *c->at >= 128 && shift < 28; shift += 7)
        number |= (*c->at++ & 127u) << shift;
    return c->at < c->end ? number | (uint32_t)*c->at++ << shift : 0;
}

/* Encodes or decodes word `k` of an instruction. */
static void code_word(struct codec *c, bool puts, uint32_t op, uint32_t k, uint32_t *word)
{
    struct place *s = &c->place[(op * PLACES + (k < PLACES ? k : PLACES - 1)) % SLOTS];
    uint32_t prediction[PREDICTIONS] = {0, c->defined, s->last}, best = 0;
    for (uint32_t i = 1; i < PREDICTIONS; i++)
        best = s->cost[i] < s->cost[best] ? i : best;
    if (puts)
        put_number(c, fold(*word, prediction[best]));
    else
        *word = unfold(get_number(c), prediction[best]);
    for (uint32_t i = 0; i < PREDICTIONS; i++)
        s->cost[i] += 16 * bits_of(fold(*word, prediction[i])) - s->cost[i] / 8;
    s->last = *word;
}

/* Encodes or decodes the opcode and length of an instruction, which share its first word. */
static void code_first(struct codec *c, bool puts, uint32_t *first)
{
    if (puts) {
        put_number(c, *first & SpvOpCodeMask);
        put_number(c, *first >> SpvWordCountShift);
    } else {
        *first = get_number(c) & SpvOpCodeMask;
        *first |= get_number(c) << SpvWordCountShift;
    }
}

static void note_definition(struct codec *c, const uint32_t *instruction, uint32_t length)
{
    bool has_result, has_type;
    SpvHasResultAndType((SpvOp)(instruction[0] & SpvOpCodeMask), &has_result, &has_type);
    if (has_result && length > 1u + has_type)
        c->defined = instruction[1 + has_type];
}

/* Encodes or decodes a module. False: an instruction runs past the end. */
static bool code_module(struct codec *c, bool puts, const struct spirv *m)
{
    c->defined = 0;
    for (uint32_t i = 0; i < HEADER && i < m->count; i++)
        code_word(c, puts, 0, i, &m->word[i]);
    for (uint32_t i = HEADER, length; i < m->count; i += length) {
        code_first(c, puts, &m->word[i]);
        length = m->word[i] >> SpvWordCountShift;
        if (length == 0 || length > m->count - i)
            return false;
        for (uint32_t k = 1; k < length; k++)
            code_word(c, puts, m->word[i] & SpvOpCodeMask, k, &m->word[i + k]);
        note_definition(c, m->word + i, length);
    }
    return true;
}

/* Stores the number of coded bytes in a word, followed by zlib's output. */
static unsigned char *deflate_coded(const unsigned char *coded, uint32_t length, uint32_t *bytes)
{
    uLongf packed = compressBound(length);
    unsigned char *to = malloc(sizeof length + packed);
    if (!to)
        return NULL;
    memcpy(to, &length, sizeof length);
    if (compress2(to + sizeof length, &packed, coded, length, Z_BEST_COMPRESSION) == Z_OK) {
        *bytes = (uint32_t)(sizeof length + packed);
        return to;
    }
    free(to);
    return NULL;
}

unsigned char *spirv_pack(const struct spirv *modules, uint32_t count, uint32_t *bytes)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most += ((uint64_t)modules[i].count + 1) * MOST_BYTES;
    struct codec *c = calloc(1, sizeof *c);
    unsigned char *coded = malloc(most + 1), *packed = NULL;
    bool good = c && coded;
    if (good)
        c->at = coded;
    for (uint32_t i = 0; i < count && good; i++) {
        put_number(c, modules[i].count);
        good = code_module(c, true, &modules[i]);
    }
    if (good)
        packed = deflate_coded(coded, (uint32_t)(c->at - coded), bytes);
    free(coded);
    free(c);
    return packed;
}

/* The coded bytes of a pack, or NULL. */
static unsigned char *unpack_coded(const struct packed *p, uint32_t *length)
{
    if (p->count < sizeof *length)
        return NULL;
    memcpy(length, p->byte, sizeof *length);
    uLongf bytes = *length;
    unsigned char *coded = malloc(bytes + 1);
    if (coded && uncompress(coded, &bytes, p->byte + sizeof *length, p->count - sizeof *length) == Z_OK &&
        bytes == *length)
        return coded;
    free(coded);
    return NULL;
}

/* Decodes module `index`, whose predictions need the modules before it. */
static bool get_module(struct codec *c, uint32_t index, struct spirv *out)
{
    for (uint32_t i = 0; i <= index; i++) {
        free(out->word);
        *out = (struct spirv){.count = get_number(c)};
        bool is_possible =
            out->count > 0 && out->count <= (uint64_t)(c->end - c->at); /* at least a byte for each word */
        out->word = is_possible ? malloc(((size_t)out->count + 1) * sizeof *out->word) : NULL;
        if (!out->word || !code_module(c, false, out))
            return false;
    }
    return true;
}

bool spirv_unpack(const struct packed *p, uint32_t index, struct spirv *out)
{
    *out = (struct spirv){0};
    uint32_t length = 0;
    struct codec *c = calloc(1, sizeof *c);
    unsigned char *coded = unpack_coded(p, &length);
    bool good = c && coded;
    if (good) {
        c->at = coded;
        c->end = coded + length;
        good = get_module(c, index, out);
    }
    if (!good) {
        free(out->word);
        *out = (struct spirv){0};
    }
    free(coded);
    free(c);
    return good;
}
