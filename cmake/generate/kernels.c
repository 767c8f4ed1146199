#include "kernels.h"

#include "judge.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The words of a file; none, with the problem added, where it cannot be read. */
static struct spirv read_words(const char *path, struct problems *p)
{
    size_t length;
    char *bytes = read_whole(path, &length);
    if (!bytes) {
        problem(p, "%s: %s", path, strerror(errno));
        return (struct spirv){0};
    }
    if (length % 4 || length > UINT32_MAX) {
        problem(p, "%s: %zu bytes are no whole number of SPIR-V words", path, length);
        free(bytes);
        return (struct spirv){0};
    }
    struct spirv s = {resize(NULL, length / 4, 4), (uint32_t)(length / 4)};
    memcpy(s.word, bytes, length);
    free(bytes);
    return s;
}

struct text variant_name(const struct variant *v, const char *separator)
{
    struct text t = {0};
    text_add(&t, "r%d", v->real);
    if (v->stored != v->real)
        text_add(&t, "v%d", v->stored);
    text_add(&t, "%ss%d", separator, v->subgroup);
    return t;
}

static void read_variant(struct variant *v, const struct kernels *k, const char *path, const char *folder,
                         struct problems *p)
{
    struct text shader = {0}, spv = {0}, name = variant_name(v, ".");
    text_add(&shader, "shaders/%s.comp", path);
    text_add(&spv, "%s/%s/%s.comp.spv", folder, name.at, stem(path));
    text_free(&name);
    struct spirv raw = read_words(spv.at, p);
    bool good = raw.word && reflect(k->context, &raw, shader.at, spv.at, &v->interface, p);
    if (good && !spirv_finish(&raw, &v->code))
        out_of_memory();
    free(raw.word);
    text_free(&shader);
    text_free(&spv);
}

/* Variant j of all that a kernel can have. */
static struct variant variant_of(const struct manifest *m, size_t j)
{
    size_t reals = (size_t)m->reals.count, subgroups = (size_t)m->subgroups.count, real = j / subgroups;
    bool mixed = real == reals;
    int wide = m->reals.value[mixed ? reals - 1 : real];
    return (struct variant){.real = wide,
                            .stored = mixed ? m->reals.value[0] : wide,
                            .subgroup = m->subgroups.value[j % subgroups]};
}

void kernels_read(struct kernels *k, const struct manifest *m, const char *folder, struct problems *p)
{
    size_t reals = (size_t)m->reals.count, subgroups = (size_t)m->subgroups.count;
    *k = (struct kernels){
        .count = m->shaders.count, .variants = (reals + 1) * subgroups, .subgroups = subgroups};
    if (spvc_context_create(&k->context) != SPVC_SUCCESS) {
        problem(p, "SPIRV-Cross cannot start");
        k->count = 0;
        return;
    }
    judge_names(&m->shaders, p);
    judge_twins(m, p);
    k->at = resize(NULL, k->count, sizeof *k->at);
    for (size_t i = 0; i < k->count; i++) {
        struct kernel *kernel = k->at + i;
        *kernel = (struct kernel){.path = m->shaders.at[i], .name = stem(m->shaders.at[i])};
        kernel->own = paths_have(&m->mixed, kernel->path) ? k->variants : reals * subgroups;
        kernel->variant = resize(NULL, kernel->own, sizeof *kernel->variant);
        for (size_t j = 0; j < kernel->own; j++) {
            kernel->variant[j] = variant_of(m, j);
            read_variant(kernel->variant + j, k, kernel->path, folder, p);
        }
        judge_variants(kernel, p);
        judge_values(kernel, kernel->own == k->variants, p);
    }
}

void kernels_free(struct kernels *k)
{
    for (size_t i = 0; i < k->count; i++) {
        for (size_t j = 0; j < k->at[i].own; j++)
            free(k->at[i].variant[j].code.word);
        free(k->at[i].variant);
    }
    free(k->at);
    if (k->context)
        spvc_context_destroy(k->context);
    *k = (struct kernels){0};
}
