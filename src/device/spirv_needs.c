#include "device/spirv_words.h"

#include <stdlib.h>
#include <string.h>

/* Of an id: a type's bytes, a constant's value, or a function's needs with all calls inlined. */
struct fact {
    uint32_t at; /* its instruction */
    bool is_address, under_way, known;
    uint64_t bytes, instructions;
};

struct walk {
    const struct spirv *s;
    struct fact *fact;
    uint32_t bound;
};

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t bytes_of(const struct walk *w, uint32_t id)
{
    return id < w->bound ? w->fact[id].bytes : 0;
}

/* Types and constants precede their uses, except for pointers, whose bytes do not depend on the order. */
static void take_type(struct walk *w, const uint32_t *i)
{
    uint32_t length = length_of(i);
    if (length < 2 || i[1] >= w->bound)
        return;
    struct fact *f = &w->fact[i[1]];
    switch (op_of(i)) {
    case SpvOpTypeBool:
        f->bytes = 4;
        break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        f->bytes = length > 2 ? i[2] / 8 : 0;
        break;
    case SpvOpTypePointer:
        f->bytes = 8;
        f->is_address = length > 2 && i[2] == SpvStorageClassPhysicalStorageBuffer;
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        f->bytes = length > 3 ? multiply(bytes_of(w, i[2]), i[3]) : 0;
        break;
    case SpvOpTypeArray: /* the count is `bytes` of its constant */
        f->bytes = length > 3 ? multiply(bytes_of(w, i[2]), bytes_of(w, i[3])) : 0;
        break;
    case SpvOpTypeStruct:
        for (uint32_t k = 2; k < length; k++)
            f->bytes = add(f->bytes, bytes_of(w, i[k]));
        break;
    case SpvOpConstant:
        if (length > 3 && i[2] < w->bound)
            w->fact[i[2]].bytes = i[3];
        break;
    default:
        break;
    }
}

/* A variable's bytes; its type is a pointer to its contents. */
static uint64_t variable_bytes(const struct walk *w, const uint32_t *i)
{
    if (length_of(i) < 4 || i[1] >= w->bound || !w->fact[i[1]].at)
        return 0;
    const uint32_t *pointer = w->s->word + w->fact[i[1]].at;
    return length_of(pointer) > 3 ? bytes_of(w, pointer[3]) : 0;
}

/* The needs of the function at f->at. A recursive function has unlimited needs. */
static void take_function(struct walk *w, struct fact *f)
{
    f->under_way = true;
    FOR_INSTRUCTIONS (i, w->s, f->at) {
        f->instructions = add(f->instructions, 1);
        if (op_of(i) == SpvOpVariable)
            f->bytes = add(f->bytes, variable_bytes(w, i));
        if (op_of(i) == SpvOpFunctionEnd)
            break;
        if (op_of(i) != SpvOpFunctionCall || length_of(i) < 4 || i[3] >= w->bound || !w->fact[i[3]].at)
            continue;
        struct fact *called = &w->fact[i[3]];
        if (called->under_way)
            called->bytes = called->instructions = UINT64_MAX;
        else if (!called->known)
            take_function(w, called);
        f->bytes = add(f->bytes, called->bytes);
        f->instructions = add(f->instructions, called->instructions);
    }
    f->under_way = false;
    f->known = true;
}

static bool makes_address(const struct walk *w, const uint32_t *i)
{
    bool converts = op_of(i) == SpvOpBitcast || op_of(i) == SpvOpConvertUToPtr;
    return converts && length_of(i) > 2 && i[1] < w->bound && w->fact[i[1]].is_address;
}

static void keep_larger(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

bool spirv_needs(const struct spirv *s, struct spirv_needs *out)
{
    struct walk w = {s, calloc(s->word[BOUND], sizeof *w.fact), s->word[BOUND]};
    *out = (struct spirv_needs){0};
    if (!w.fact)
        return false;
    uint64_t global = 0;
    bool in_function = false;
    FOR_INSTRUCTIONS (i, s, HEADER) {
        SpvOp op = op_of(i);
        uint32_t at = (uint32_t)(i - s->word);
        take_type(&w, i);
        if (op == SpvOpTypePointer && length_of(i) > 3 && i[1] < w.bound)
            w.fact[i[1]].at = at;
        if (op == SpvOpFunction && length_of(i) > 2 && i[2] < w.bound)
            w.fact[i[2]].at = at;
        in_function |= op == SpvOpFunction;
        if (op == SpvOpVariable && !in_function && length_of(i) > 3 && i[3] == SpvStorageClassPrivate)
            global = add(global, variable_bytes(&w, i));
        out->makes_addresses |= makes_address(&w, i);
    }
    FOR_INSTRUCTIONS (i, s, HEADER) {
        if (op_of(i) != SpvOpFunction || length_of(i) < 3 || i[2] >= w.bound)
            continue;
        struct fact *f = &w.fact[i[2]];
        if (!f->known)
            take_function(&w, f);
        keep_larger(&out->instructions, f->instructions);
        keep_larger(&out->bytes, add(global, f->bytes));
    }
    free(w.fact);
    return true;
}
