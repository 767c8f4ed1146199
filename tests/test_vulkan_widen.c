/* The code of kernels for arrays beyond 2 GiB: valid, complete, and used if there are such arrays. */
#include "device/vulkan/widen.h"
#include "tests/support/large.h"
#include "vulkan_device.h"

#include <spirv_cross/spirv.h>
#include <stdlib.h>

enum { HEADER = 5 };

/* The number of instructions with this word after the operation; 0 matches any word. */
static uint32_t count_of(const uint32_t *word, uint32_t count, SpvOp op, uint32_t first)
{
    uint32_t found = 0;
    for (uint32_t i = HEADER; i < count; i += word[i] >> SpvWordCountShift)
        found += (word[i] & SpvOpCodeMask) == (uint32_t)op && (!first || word[i + 1] == first);
    return found;
}

static struct spirv widened(const struct spirv *code)
{
    struct spirv s;
    cr_assert(vulkan_widen(code->word, code->count, &s));
    return s;
}

/* False if there is no such variant. */
static bool take_code(int kernel, int precision, int subgroups, struct spirv *code)
{
    const struct kernel *k = &kernels[kernel];
    if (!k->code[precision][subgroups].count)
        return false;
    cr_assert(kernel_code(k, (enum precision)precision, subgroups, code));
    return true;
}

/* For each id: the place of its definition, and the type of its value; 0 for none. */
struct ids {
    uint32_t *at, *type;
};

static bool is_type(uint32_t op)
{
    return op >= SpvOpTypeVoid && op <= SpvOpTypeFunction;
}

static struct ids find_ids(const uint32_t *word, uint32_t count)
{
    enum { BOUND = 3 };
    struct ids of = {calloc(word[BOUND], 4), calloc(word[BOUND], 4)};
    cr_assert(of.at && of.type);
    for (uint32_t i = HEADER; i < count; i += word[i] >> SpvWordCountShift) {
        uint32_t op = word[i] & SpvOpCodeMask, length = word[i] >> SpvWordCountShift;
        uint32_t first = length > 2 && word[i + 1] < word[BOUND] ? of.at[word[i + 1]] : 0;
        if (is_type(op))
            of.at[word[i + 1]] = i;
        else if (first && is_type(word[first] & SpvOpCodeMask) && word[i + 2] < word[BOUND]) {
            of.type[word[i + 2]] = word[i + 1];
            of.at[word[i + 2]] = i;
        }
    }
    return of;
}

/* The definition of an id, if it is of this kind; else NULL. */
static const uint32_t *defined(const uint32_t *word, const struct ids *of, uint32_t id, uint32_t op)
{
    const uint32_t *w = word + of->at[id];
    return of->at[id] && (*w & SpvOpCodeMask) == op ? w : NULL;
}

/* Whether the chain leads to an element of a runtime array with a non-constant index. Arrays of known length
 * are short. */
static bool is_narrow(const uint32_t *word, const struct ids *of, const uint32_t *chain)
{
    const uint32_t *pointer = defined(word, of, of->type[chain[3]], SpvOpTypePointer);
    const uint32_t *member = defined(word, of, chain[4], SpvOpConstant);
    const uint32_t *structure = pointer ? defined(word, of, pointer[3], SpvOpTypeStruct) : NULL;
    return structure && pointer[2] == SpvStorageClassPhysicalStorageBuffer && member &&
           defined(word, of, structure[2 + member[3]], SpvOpTypeRuntimeArray) &&
           !defined(word, of, chain[5], SpvOpConstant);
}

static uint32_t narrow_accesses(const uint32_t *word, uint32_t count)
{
    struct ids of = find_ids(word, count);
    uint32_t found = 0;
    for (uint32_t i = HEADER; i < count; i += word[i] >> SpvWordCountShift) {
        uint32_t op = word[i] & SpvOpCodeMask, length = word[i] >> SpvWordCountShift;
        if ((op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) && length > 5)
            found += is_narrow(word, &of, word + i);
    }
    free(of.at);
    free(of.type);
    return found;
}

/* SwiftShader crashes at such a cast. */
Test(vulkan_widen, no_kernel_casts_an_address_to_the_type_of_another)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int p = 0; p < PRECISIONS; p++)
            for (int subgroups = 0; subgroups < 2; subgroups++) {
                struct spirv code;
                uint32_t casts = 0;
                if (!take_code(k, p, subgroups, &code))
                    continue;
                struct spirv wide = widened(&code);
                cr_assert(spirv_count_casts(&wide, &casts));
                cr_expect_eq(casts, 0, "%s", kernels[k].name);
                free(wide.word);
                free(code.word);
            }
}

Test(vulkan_widen, every_access_of_every_kernel_is_widened)
{
    uint32_t most = 0;
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int p = 0; p < PRECISIONS; p++)
            for (int subgroups = 0; subgroups < 2; subgroups++) {
                struct spirv code;
                if (!take_code(k, p, subgroups, &code))
                    continue;
                uint32_t narrow = narrow_accesses(code.word, code.count);
                struct spirv wide = widened(&code);
                cr_assert_null(spirv_fault(&wide), "%s", kernels[k].name);
                cr_expect_eq(narrow_accesses(wide.word, wide.count), 0, "%s", kernels[k].name);
                cr_expect_eq(count_of(wide.word, wide.count, SpvOpConvertUToPtr, 0), narrow, "%s",
                             kernels[k].name);
                cr_expect_eq(count_of(wide.word, wide.count, SpvOpCapability, SpvCapabilityInt64), 1);
                most = narrow > most ? narrow : most;
                free(wide.word);
                free(code.word);
            }
    cr_expect_gt(most, 20, "at most %u accesses in a kernel", most);
}

/* Kernels that need more than lavapipe supports, and so have no pipeline there. */
static bool is_foreign(const struct spirv *code)
{
    static const SpvCapability foreign[] = {SpvCapabilityAtomicFloat32AddEXT,
                                            SpvCapabilityAtomicFloat64AddEXT};
    for (int i = 0; i < 2; i++)
        if (count_of(code->word, code->count, SpvOpCapability, foreign[i]))
            return true;
    return false;
}

static void expect_module(struct vulkan *v, const struct spirv *code)
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = 4 * (size_t)code->count,
                                     .pCode = code->word};
    VkShaderModule module;
    cr_assert_eq(v->instance.vk.CreateShaderModule(v->logical, &info, NULL, &module), VK_SUCCESS);
    v->instance.vk.DestroyShaderModule(v->logical, module, NULL);
}

Test(vulkan_widen, the_code_is_valid, SHADER_RUN)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int p = 0; p < PRECISIONS; p++)
            for (int subgroups = 0; subgroups < 2; subgroups++) {
                struct spirv code;
                if (!take_code(k, p, subgroups, &code))
                    continue;
                struct spirv wide = widened(&code);
                if (!is_foreign(&code))
                    expect_module(vulkan_of(d), &wide);
                cr_assert_eq(device_vulkan_messages(d), 0, "%s", kernels[k].name);
                free(wide.word);
                free(code.word);
            }
}

Test(vulkan_widen, kernels_are_widened_as_long_as_there_is_an_array_that_needs_it)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.piece_bytes = 3072});
    struct vulkan *v = vulkan_of(d);
    struct memory small = new_floats(d, 768, 1), own;
    cr_expect_not(vulkan_wide(v));
    struct memory one = new_array(d, MEMORY_DEVICE, 3073),
                  other = new_array(d, MEMORY_DEVICE, (uint64_t)2 << 20);
    cr_expect(vulkan_wide(v));
    device_release(d, &one);
    cr_expect(vulkan_wide(v));
    device_release(d, &other);
    cr_expect_not(vulkan_wide(v));
    must(vulkan_wrap(v, small.address, 3072, &own));
    cr_expect_not(vulkan_wide(v));
    device_release(d, &own);
    must(vulkan_wrap(v, small.address, 10000, &own));
    cr_expect(vulkan_wide(v), "in memory of the program's, too");
    v->profile.features.core.features.shaderInt64 = VK_FALSE;
    cr_expect_not(vulkan_wide(v), "without 64-bit integers no kernel is");
    device_release(d, &own);
    device_release(d, &small);
}

/* y = x, and y = value, before and while there is a large array: each kernel then has two pipelines. */
Test(vulkan_widen, a_kernel_has_the_same_results_either_way)
{
    enum { N = 1024 };
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.piece_bytes = 4 * N});
    struct vulkan *v = vulkan_of(d);
    struct memory x = new_floats(d, N, 3), y = new_floats(d, N, 0), one = new_floats(d, 1, 7), large = {0};
    float got[N];
    for (int wide = 0; wide < 2; wide++) {
        OWNED_BY(rec_destroy) struct rec r;
        if (wide)
            large = new_array(d, MEMORY_DEVICE, 4 * N + 4);
        rec_create(&r, d, PRECISION_F32);
        run(&r, copy, 4, .x = reals_at(x), .y = reals_at(y), .n = N);
        run(&r, axpy, 4, .alpha = number_of(one), .x = reals_at(x), .y = reals_at(y), .n = N);
        must(rec_run(&r));
        must(device_read(d, &y, 0, got, sizeof got));
        for (int i = 0; i < N; i++)
            cr_assert_eq(got[i], 24);
        cr_expect_not_null(v->pipelines[wide][KERNEL_axpy][PRECISION_F32]);
        cr_expect_eq(v->pipelines[1][KERNEL_axpy][PRECISION_F32] != NULL, wide);
    }
    device_release(d, &large);
    device_release(d, &one);
    device_release(d, &y);
    device_release(d, &x);
}
