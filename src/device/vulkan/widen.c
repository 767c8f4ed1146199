/* Widens kernels for arrays beyond 4 GiB. Kernels index with 32 bits. Drivers may also multiply such an index
 * by the element size in 32 bits (NVIDIA's does), and may treat it as signed. So this file computes element
 * addresses in 64 bits: at[i] of the array at address a becomes at[0] of the array at a + i * size. */
#include "device/vulkan/widen.h"
#include "device/spirv_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN = 6 /* words of base.member[index] */, ADDED = 22 /* for its address */ };

/* Facts about an id; 0: unknown. */
struct id {
    uint32_t place;  /* offset of the defining instruction: a type or a constant */
    uint32_t type;   /* of a value that is an integer or a pointer */
    uint32_t stride; /* bytes from one element to the next, of an array type */
    uint32_t size;   /* the id of the constant with the stride of an array type */
};

struct module {
    const uint32_t *word;
    uint32_t count, bound;
    uint32_t ids; /* the original bound: `id` covers only these */
    struct id *id;
    uint32_t wide, index, zero; /* types of 64-bit integers and constant indices; a 0 of the latter */
    bool has_int64;
    uint32_t *out, used;
};

/* The defining instruction of an id if its opcode is `op`, else NULL. */
static const uint32_t *defined_as(const struct module *m, uint32_t id, SpvOp op)
{
    const uint32_t *w = id < m->ids && m->id[id].place ? m->word + m->id[id].place : NULL;
    return w && op_of(w) == op ? w : NULL;
}

static bool is_typed(const struct module *m, const uint32_t *w)
{
    return length_of(w) >= 3 && w[2] < m->ids &&
           (defined_as(m, w[1], SpvOpTypeInt) || defined_as(m, w[1], SpvOpTypePointer));
}

static void learn(struct module *m, uint32_t place)
{
    const uint32_t *w = m->word + place;
    SpvOp op = op_of(w);
    if (length_of(w) < 2 || (op != SpvOpCapability && w[1] >= m->ids))
        return;
    if (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction) {
        m->id[w[1]].place = place;
        if (op == SpvOpTypeInt && w[2] == 64 && w[3] == 0)
            m->wide = w[1];
    } else if (op == SpvOpDecorate && w[2] == SpvDecorationArrayStride) {
        m->id[w[1]].stride = w[3];
    } else if (op == SpvOpCapability) {
        m->has_int64 |= w[1] == SpvCapabilityInt64;
    } else if (is_typed(m, w)) {
        m->id[w[2]].type = w[1];
        if (op == SpvOpConstant)
            m->id[w[2]].place = place;
    }
}

/* The type of the runtime array in the chain base.member[index], if it must be widened; else 0. */
static uint32_t array_of(const struct module *m, const uint32_t *w)
{
    if ((op_of(w) != SpvOpAccessChain && op_of(w) != SpvOpInBoundsAccessChain) || length_of(w) < CHAIN ||
        w[3] >= m->ids)
        return 0;
    const uint32_t *pointer = defined_as(m, m->id[w[3]].type, SpvOpTypePointer);
    const uint32_t *member = defined_as(m, w[4], SpvOpConstant);
    if (!pointer || pointer[2] != SpvStorageClassPhysicalStorageBuffer || !member ||
        defined_as(m, w[5], SpvOpConstant))
        return 0;
    const uint32_t *structure = defined_as(m, pointer[3], SpvOpTypeStruct);
    uint32_t array = structure && member[3] < length_of(structure) - 2 ? structure[2 + member[3]] : 0;
    return defined_as(m, array, SpvOpTypeRuntimeArray) && m->id[array].stride ? array : 0;
}

static void put(struct module *m, SpvOp op, uint32_t operands, const uint32_t *operand)
{
    m->out[m->used++] = (operands + 1) << SpvWordCountShift | (uint32_t)op;
    memcpy(m->out + m->used, operand, operands * sizeof *operand);
    m->used += operands;
}

#define PUT(m, op, ...) \
    put(m, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* Adds the types and constants for element addresses, after all others and before the first function. */
static void put_constants(struct module *m)
{
    if (!m->wide) {
        m->wide = m->bound++;
        PUT(m, SpvOpTypeInt, m->wide, 64, 0);
    }
    if (m->index) {
        m->zero = m->bound++;
        PUT(m, SpvOpConstant, m->index, m->zero, 0);
    }
    for (uint32_t id = 0; id < m->ids; id++)
        if (m->id[id].stride) {
            m->id[id].size = m->bound++;
            PUT(m, SpvOpConstant, m->wide, m->id[id].size, m->id[id].stride, 0);
        }
}

static void put_chain(struct module *m, const uint32_t *w, uint32_t array)
{
    uint32_t address = m->bound++, index = w[5], bytes = m->bound++, sum = m->bound++, moved = m->bound++;
    const uint32_t *type = index < m->ids ? defined_as(m, m->id[index].type, SpvOpTypeInt) : NULL;
    PUT(m, SpvOpConvertPtrToU, m->wide, address, w[3]);
    if (!type || type[2] != 64) {
        index = m->bound++;
        PUT(m, type && type[3] ? SpvOpSConvert : SpvOpUConvert, m->wide, index, w[5]);
    }
    PUT(m, SpvOpIMul, m->wide, bytes, index, m->id[array].size);
    PUT(m, SpvOpIAdd, m->wide, sum, address, bytes);
    PUT(m, SpvOpConvertUToPtr, m->id[w[3]].type, moved, sum);
    uint32_t at = m->used;
    put(m, op_of(w), length_of(w) - 1, w + 1);
    m->out[at + 3] = moved;
    m->out[at + 5] = m->zero;
}

static void rewrite(struct module *m)
{
    bool in_functions = false;
    memcpy(m->out, m->word, HEADER * sizeof *m->out);
    m->used = HEADER;
    if (!m->has_int64)
        PUT(m, SpvOpCapability, SpvCapabilityInt64);
    for (uint32_t i = HEADER; i < m->count; i += length_of(m->word + i)) {
        const uint32_t *w = m->word + i;
        uint32_t array = array_of(m, w);
        if (op_of(w) == SpvOpFunction && !in_functions) {
            in_functions = true;
            put_constants(m);
        }
        if (array)
            put_chain(m, w, array);
        else
            put(m, op_of(w), length_of(w) - 1, w + 1);
    }
    m->out[BOUND] = m->bound;
}

bool vulkan_widen(const uint32_t *word, uint32_t count, struct spirv *out)
{
    struct module m = {.word = word, .count = count, .bound = word[BOUND], .ids = word[BOUND]};
    uint32_t room = count + 16;
    *out = (struct spirv){0};
    m.id = calloc(m.ids, sizeof *m.id);
    if (!m.id)
        return false;
    for (uint32_t i = HEADER; i < count; i += length_of(word + i)) {
        learn(&m, i);
        if (array_of(&m, word + i)) {
            m.index = m.id[word[i + 4]].type;
            room += ADDED;
        }
    }
    for (uint32_t id = 0; id < m.ids; id++)
        room += m.id[id].stride ? 5 : 0;
    m.out = malloc(room * sizeof *m.out);
    if (m.out)
        rewrite(&m);
    free(m.id);
    *out = (struct spirv){m.out, m.used};
    return m.out != NULL;
}
