#include "device/spirv_words.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BOUND = 4194304, /* the specification's universal limit */
    ARITHMETIC = 1,
    DECORATED = 2,
    DEFINED = 4,
    CALLED = 8
};

static int is_arithmetic(SpvOp op)
{
    switch (op) {
    case SpvOpFNegate:
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpFRem:
    case SpvOpFMod:
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
    case SpvOpOuterProduct:
    case SpvOpDot:
        return 1;
    default:
        return 0;
    }
}

static int is_debug_text(SpvOp op)
{
    switch (op) {
    case SpvOpSourceContinued:
    case SpvOpSource:
    case SpvOpSourceExtension:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpString:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpModuleProcessed:
        return 1;
    default:
        return 0;
    }
}

/* Instructions before the annotations in a module's prescribed order, apart from debug text. */
static int is_preamble(SpvOp op)
{
    switch (op) {
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpExtInstImport:
    case SpvOpMemoryModel:
    case SpvOpEntryPoint:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return 1;
    default:
        return 0;
    }
}

static int decorates_no_contraction(const uint32_t *instruction)
{
    return op_of(instruction) == SpvOpDecorate && length_of(instruction) == 3 &&
           instruction[2] == SpvDecorationNoContraction;
}

/* Whether every called function is defined: a file cut between two functions is otherwise well-formed. `mark`
 * has a zero for each id. */
static int has_its_functions(const struct spirv *s, unsigned char *mark)
{
    uint32_t bound = s->word[BOUND];
    int good = 1;
    FOR_INSTRUCTIONS (instruction, s, HEADER) {
        if (op_of(instruction) == SpvOpFunction && length_of(instruction) == 5 && instruction[2] < bound)
            mark[instruction[2]] |= DEFINED;
        if (op_of(instruction) != SpvOpFunctionCall)
            continue;
        if (length_of(instruction) >= 4 && instruction[3] < bound)
            mark[instruction[3]] |= CALLED;
        else
            good = 0;
    }
    for (uint32_t id = 0; id < bound; id++)
        good &= mark[id] != CALLED;
    return good;
}

const char *spirv_broken(const struct spirv *s)
{
    if (s->count < HEADER)
        return "too short for a SPIR-V header";
    if (s->word[0] != SpvMagicNumber)
        return "not SPIR-V of this machine's byte order";
    uint32_t bound = s->word[BOUND];
    if (bound == 0 || bound >= MAX_BOUND)
        return "its bound on ids is out of range";

    for (uint32_t i = HEADER, length; i < s->count; i += length) {
        const uint32_t *instruction = s->word + i;
        length = length_of(instruction);
        if (length == 0 || length > s->count - i)
            return "truncated or damaged: an instruction runs past the end";
        if (is_arithmetic(op_of(instruction)) && (length < 3 || instruction[2] >= bound))
            return "damaged: an arithmetic instruction without a valid result";
        if (op_of(instruction) == SpvOpCapability && length != 2)
            return "damaged: a capability without a name";
        if (decorates_no_contraction(instruction) && instruction[1] >= bound)
            return "damaged: a decoration of an id out of range";
    }
    return NULL;
}

const char *spirv_fault(const struct spirv *s)
{
    const char *broken = spirv_broken(s);
    if (broken)
        return broken;
    SpvOp last = SpvOpNop;
    FOR_INSTRUCTIONS (instruction, s, HEADER)
        last = op_of(instruction);
    unsigned char *mark = calloc(s->word[BOUND], 1);
    if (!mark)
        return "more than memory has room to check";
    int whole = last == SpvOpFunctionEnd && has_its_functions(s, mark);
    free(mark);
    return whole ? NULL : "truncated: it ends within a function, or before one that it calls";
}

uint32_t spirv_next_shared(const struct spirv *s, uint32_t *at)
{
    FOR_INSTRUCTIONS (instruction, s, *at ? *at : HEADER) {
        if (op_of(instruction) != SpvOpVariable || length_of(instruction) < 4 ||
            instruction[3] != SpvStorageClassWorkgroup)
            continue;
        *at = (uint32_t)(instruction - s->word) + length_of(instruction);
        return instruction[1];
    }
    return 0;
}

bool spirv_has_barrier(const struct spirv *s)
{
    FOR_INSTRUCTIONS (instruction, s, HEADER)
        if (op_of(instruction) == SpvOpControlBarrier)
            return true;
    return false;
}

static int is_foreign_capability(uint32_t capability)
{
    switch ((SpvCapability)capability) {
    case SpvCapabilityShader:
    case SpvCapabilityFloat64:
    case SpvCapabilityPhysicalStorageBufferAddresses:
    case SpvCapabilityGroupNonUniform:
    case SpvCapabilityGroupNonUniformShuffle:
        return 0;
    default:
        return 1;
    }
}

/* The set's name follows the id, as words. */
static bool is_glsl_set(const uint32_t *import)
{
    static const char set[16] = "GLSL.std.450"; /* four words with the NUL */
    return length_of(import) == 2 + sizeof set / 4 && !memcmp(import + 2, set, sizeof set);
}

const char *spirv_foreign(const struct spirv *s, bool subgroups)
{
    FOR_INSTRUCTIONS (instruction, s, HEADER) {
        SpvOp op = op_of(instruction);
        bool decorates = op == SpvOpDecorate && length_of(instruction) > 2;
        if (decorates && instruction[2] == SpvDecorationDescriptorSet)
            return "a buffer, uniform or image of its own";
        if (decorates && instruction[2] == SpvDecorationSpecId && !(subgroups && instruction[3] == 0))
            return "a specialization constant";
        if (op == SpvOpExtInstImport && !is_glsl_set(instruction))
            return "debug output, or functions of another set than GLSL's";
        if (op == SpvOpCapability && is_foreign_capability(instruction[1]))
            return "types or functions that need more of a device than floats, doubles and 32-bit integers";
    }
    return NULL;
}

bool spirv_has_f64(const uint32_t *word, uint32_t count)
{
    for (uint32_t i = HEADER; i < count; i += length_of(word + i))
        if (op_of(word + i) == SpvOpCapability && word[i + 1] == SpvCapabilityFloat64)
            return true;
    return false;
}

/* Marks each id ARITHMETIC and DECORATED. Returns the number of ids that still need the decoration. */
static uint32_t mark_ids(const struct spirv *s, unsigned char *mark)
{
    FOR_INSTRUCTIONS (instruction, s, HEADER) {
        if (is_arithmetic(op_of(instruction)))
            mark[instruction[2]] |= ARITHMETIC;
        if (decorates_no_contraction(instruction))
            mark[instruction[1]] |= DECORATED;
    }
    uint32_t missing = 0;
    for (uint32_t id = 0; id < s->word[BOUND]; id++)
        missing += mark[id] == ARITHMETIC;
    return missing;
}

static void add_decorations(struct spirv *out, const unsigned char *mark, uint32_t bound)
{
    for (uint32_t id = 0; id < bound; id++) {
        if (mark[id] != ARITHMETIC)
            continue;
        out->word[out->count++] = 3u << SpvWordCountShift | SpvOpDecorate;
        out->word[out->count++] = id;
        out->word[out->count++] = SpvDecorationNoContraction;
    }
}

static void copy_decorated(const struct spirv *s, const unsigned char *mark, struct spirv *out)
{
    memcpy(out->word, s->word, HEADER * sizeof *out->word);
    out->count = HEADER;
    int decorated = 0;
    FOR_INSTRUCTIONS (instruction, s, HEADER) {
        if (is_debug_text(op_of(instruction)))
            continue;
        if (!decorated && !is_preamble(op_of(instruction))) {
            add_decorations(out, mark, s->word[BOUND]);
            decorated = 1;
        }
        memcpy(out->word + out->count, instruction, length_of(instruction) * sizeof *out->word);
        out->count += length_of(instruction);
    }
}

bool spirv_finish(const struct spirv *s, struct spirv *out)
{
    *out = (struct spirv){0};
    unsigned char *mark = calloc(s->word[BOUND], 1);
    if (!mark)
        return false;
    uint32_t missing = mark_ids(s, mark);
    out->word = malloc(((size_t)s->count + 3 * (size_t)missing) * sizeof *out->word);
    if (out->word)
        copy_decorated(s, mark, out);
    free(mark);
    bool good = out->word && spirv_split_casts(out);
    if (!good) {
        free(out->word);
        *out = (struct spirv){0};
    }
    return good;
}
