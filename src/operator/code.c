#include "operator/code.h"
#include "device/spirv.h"
#include "kernels.h"
#include "operator/growth.h"
#include "operator/large_stack.h"
#include "operator/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each kernel in f32 and f64, with and without subgroup operations. */
enum { SUBGROUPS = 2, VARIANTS = OPERATOR_KERNEL_COUNT * REAL_PRECISIONS * SUBGROUPS };

/* Limits for the rows of a program: bytes of an invocation's own variables, and instructions. Drivers that
 * lack resources for more end the process. */
enum { MOST_BYTES = 1 << 16, MOST_INSTRUCTIONS = 1 << 18 };

/* The head of the code, followed by the variants' words one after the other. */
struct head {
    uint32_t magic;
    uint32_t version; /* hash of the library's texts at its compilation */
    uint32_t sum;     /* of the words that follow */
    uint32_t types[VKS_OPERATOR_ARRAYS];
    uint32_t count[VARIANTS];
};
enum { MAGIC = 0x6f736b76 /* "vkso" */, HEAD_WORDS = sizeof(struct head) / 4, SUMMED_FROM = 3 };

static const struct {
    const char *name, *file;
    enum kernel_id id;
} operator_kernels[] = {
#define X(kernel) {#kernel, "operator/" #kernel ".comp", KERNEL_##kernel},
    OPERATOR_KERNELS(X)
#undef X
};

static int kernel_of(int v)
{
    return v / SUBGROUPS / REAL_PRECISIONS;
}

/* FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm". */
static uint32_t hash(uint32_t h, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}
static const uint32_t hash_of_nothing = 2166136261u;

static uint32_t version(void)
{
    uint32_t h = hash_of_nothing;
    for (size_t i = 0; i < shader_text_count; i++)
        h = hash(h, shader_texts[i].text, shader_texts[i].length);
    return h;
}

/* The type of array k; slots without an array are words. */
static vks_type type_of(const vks_operator *d, uint32_t k)
{
    return d->array[k] ? vks_array_type(d->array[k]) : VKS_TYPE_U32;
}

/* The kernel, then the library's texts, in which the program's text replaces the identity. */
static struct shader_text *texts_with(const char *glsl, const char *kernel)
{
    struct shader_text *texts = calloc(shader_text_count + 1, sizeof *texts);
    if (!texts)
        return NULL;
    for (size_t i = 0; i < shader_text_count; i++) {
        texts[i + 1] = shader_texts[i];
        if (!strcmp(shader_texts[i].name, kernel))
            texts[0] = shader_texts[i];
        if (!strcmp(shader_texts[i].name, "operator/row.glsl"))
            texts[i + 1] = (struct shader_text){"operator/row.glsl", glsl, strlen(glsl), "glsl"};
    }
    return texts;
}

/* Checks variant v of the program's text in a kernel. The first kernel itself has no shared memory and no
 * barrier, so any belongs to the program. */
static vks_status check_text(struct message *m, const struct spirv *s, int v)
{
    uint32_t at = 0;
    bool first = kernel_of(v) == CODE_operator_product;
    struct spirv_needs needs;
    bool compares;
    if (!spirv_needs(s, &needs) || !spirv_compares_address(s, &compares))
        return fail_memory(m, "compiled code", 4 * (size_t)s->count);
    const char *foreign = first && spirv_next_shared(s, &at) ? "shared memory"
                          : first && spirv_has_barrier(s)    ? "a barrier"
                          : needs.makes_addresses            ? "addresses of its own"
                          : compares                         ? "a comparison of an address with a number"
                                                             : spirv_foreign(s, v % SUBGROUPS);
    if (foreign)
        return fail(m, VKS_INVALID_ARGUMENT, "the glsl has %s, which rows of an operator must not have",
                    foreign);
    if (needs.bytes > MOST_BYTES)
        return fail(m, VKS_LIMIT, "variables of the glsl take %llu bytes for each row; the most is %d",
                    (unsigned long long)needs.bytes, MOST_BYTES);
    if (needs.instructions > MOST_INSTRUCTIONS)
        return fail(m, VKS_LIMIT,
                    "the glsl becomes %llu instructions with its functions inlined; the most is %d",
                    (unsigned long long)needs.instructions, MOST_INSTRUCTIONS);
    return VKS_OK;
}

/* Compiles variant v, as numbered by VARIANTS, with decorations. */
static vks_status compile_variant(struct message *m, struct shaderc *s, const vks_operator *d, int v,
                                  struct spirv *out)
{
    static const char *const types[] = {
        [VKS_TYPE_F64] = "doubles", [VKS_TYPE_F32] = "floats", [VKS_TYPE_U32] = "u32s"};
    char bits[8];
    snprintf(bits, sizeof bits, "%u", 8 * real_bytes((enum precision)(v / SUBGROUPS % REAL_PRECISIONS)));
    const struct shader_macro macros[] = {
        {"REAL", bits},
        {"SUBGROUP", v % SUBGROUPS ? "1" : "0"},
        {"ARRAY0", types[type_of(d, 0)]},
        {"ARRAY1", types[type_of(d, 1)]},
        {"ARRAY2", types[type_of(d, 2)]},
        {"ARRAY3", types[type_of(d, 3)]},
    };
    *out = (struct spirv){0};
    struct shader_text *texts = texts_with(d->glsl, operator_kernels[kernel_of(v)].file);
    if (!texts)
        return fail_memory(m, "texts", (shader_text_count + 1) * sizeof *texts);
    struct spirv raw;
    vks_status status =
        shaderc_compile(m, s, texts, shader_text_count + 1, macros, sizeof macros / sizeof *macros, &raw);
    free(texts);
    IF_OK(status, check_text(m, &raw, v));
    if (!status && !spirv_finish(&raw, out))
        status = fail_memory(m, "compiled code", 4 * (size_t)raw.count);
    free(raw.word);
    return status;
}

/* Joins the variants into one block. */
static vks_status join(struct message *m, const vks_operator *d, const struct spirv *variants,
                       struct operator_code *out)
{
    struct head head = {.magic = MAGIC, .version = version()};
    size_t words = HEAD_WORDS;
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS; k++)
        head.types[k] = type_of(d, k);
    for (int v = 0; v < VARIANTS; v++)
        words += head.count[v] = variants[v].count;
    uint32_t *word = malloc(words * sizeof *word);
    if (!word)
        return fail_memory(m, "compiled code", words * sizeof *word);
    *out = (struct operator_code){word, words * sizeof *word};
    memcpy(word, &head, sizeof head);
    uint32_t *to = word + HEAD_WORDS;
    for (int v = 0; v < VARIANTS; to += variants[v++].count)
        memcpy(to, variants[v].word, variants[v].count * sizeof *to);
    head.sum = hash(hash_of_nothing, word + SUMMED_FROM, (words - SUMMED_FROM) * sizeof *word);
    memcpy(word, &head, sizeof head);
    return VKS_OK;
}

struct compilation {
    struct message *m;
    const vks_operator *d;
    struct operator_code *out;
};

static vks_status compile(void *of)
{
    const struct compilation *c = of;
    struct message *m = c->m;
    struct shaderc *s;
    struct spirv variants[VARIANTS] = {{0}};
    vks_status status = shaderc_open(m, &s);
    for (int v = 0; v < VARIANTS && !status; v++)
        status = compile_variant(m, s, c->d, v, &variants[v]);
    IF_OK(status, join(m, c->d, variants, c->out));
    for (int v = 0; v < VARIANTS; v++)
        free(variants[v].word);
    shaderc_close(s);
    return status;
}

vks_status operator_code_compile(struct message *m, const vks_operator *d, struct operator_code *out)
{
    *out = (struct operator_code){0};
    TRY(text_check(m, d->glsl, shader_texts, shader_text_count));
    return on_large_stack(m, compile, &(struct compilation){m, d, out});
}

/* The reason why it is not code for arrays like d's, or NULL. */
static const char *fault_of(const struct operator_code *code, const struct head *head, const vks_operator *d)
{
    size_t words = HEAD_WORDS, there = code->bytes / 4;
    if (head->version != version())
        return "is from another version of vksolve";
    for (int v = 0; v < VARIANTS; v++)
        words += head->count[v];
    if (words != there || code->bytes % 4 ||
        head->sum != hash(hash_of_nothing, code->word + SUMMED_FROM, (there - SUMMED_FROM) * 4))
        return "is damaged";
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS; k++)
        if (head->types[k] != (uint32_t)type_of(d, k))
            return "was compiled for arrays of other types";
    return NULL;
}

vks_status operator_code_kernels(struct message *m, const struct operator_code *code, const vks_operator *d,
                                 struct kernel out[OPERATOR_KERNEL_COUNT])
{
    const struct head *head = (const void *)code->word;
    if (code->bytes < sizeof *head || head->magic != MAGIC)
        return fail(m, VKS_INVALID_ARGUMENT, "the compiled operator is not what vks_operator_compile made");
    const char *fault = fault_of(code, head, d);
    if (fault)
        return fail(m, VKS_INVALID_ARGUMENT, "the compiled operator %s", fault);
    uint32_t *word = code->word + HEAD_WORDS;
    for (int k = 0, v = 0; k < OPERATOR_KERNEL_COUNT; k++) {
        out[k] = kernels[operator_kernels[k].id];
        memset(out[k].code, 0, sizeof out[k].code);
        for (int p = 0; p < REAL_PRECISIONS; p++)
            for (int subgroups = 0; subgroups < SUBGROUPS; word += head->count[v++], subgroups++) {
                fault = spirv_broken(&(struct spirv){word, head->count[v]});
                if (fault)
                    return fail(m, VKS_INVALID_ARGUMENT, "the compiled operator is damaged: %s", fault);
                out[k].code[p][subgroups] = (struct kernel_code){.words = word, .count = head->count[v]};
            }
    }
    return VKS_OK;
}
