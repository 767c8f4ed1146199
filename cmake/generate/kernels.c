#include "kernels.h"

#include "check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The words of a file; none, with a problem added, if it cannot be read. */
static struct spirv read_words(const char *path, struct problems *p)
{
    size_t length;
    char *bytes = read_whole(path, &length);
    if (!bytes) {
        problem(p, "%s: %s", path, strerror(errno));
        return (struct spirv){0};
    }
    if (length % 4 || length > UINT32_MAX) {
        problem(p, "%s: %zu bytes are not a whole number of SPIR-V words", path, length);
        free(bytes);
        return (struct spirv){0};
    }
    struct spirv s = {resize(NULL, length / 4, 4), (uint32_t)(length / 4)};
    memcpy(s.word, bytes, length);
    free(bytes);
    return s;
}

struct text variant_name(const struct variant *v)
{
    struct text t = {0};
    text_add(&t, "%s.s%d", v->scalar, v->subgroup);
    return t;
}

static void read_variant(struct variant *v, const struct kernels *k, const char *path, const char *folder,
                         struct problems *p)
{
    struct text shader = {0}, spv = {0}, name = variant_name(v);
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

static void read_kernel(struct kernels *k, struct kernel *kernel, const char *folder, struct problems *p)
{
    const struct manifest *m = k->manifest;
    kernel->variant = resize(NULL, k->variants, sizeof *kernel->variant);
    for (size_t i = 0; i < k->variants; i++) {
        size_t subgroups = (size_t)m->subgroups.count;
        kernel->variant[i] = (struct variant){.scalar = m->scalars.name[i / subgroups],
                                              .subgroup = m->subgroups.value[i % subgroups]};
        if (is_own(k, kernel, i))
            read_variant(kernel->variant + i, k, kernel->path, folder, p);
    }
    check_variants(k, kernel, p);
    check_values(kernel, p);
}

void kernels_read(struct kernels *k, const struct manifest *m, const char *folder, struct problems *p)
{
    *k = (struct kernels){.count = m->shaders.count,
                          .manifest = m,
                          .variants = (size_t)m->scalars.count * (size_t)m->subgroups.count};
    if (spvc_context_create(&k->context) != SPVC_SUCCESS) {
        problem(p, "SPIRV-Cross cannot start");
        k->count = 0;
        return;
    }
    check_names(&m->shaders, p);
    check_twins(m, p);
    k->at = resize(NULL, k->count, sizeof *k->at);
    for (size_t i = 0; i < k->count; i++) {
        struct kernel *kernel = k->at + i;
        *kernel = (struct kernel){.path = m->shaders.at[i],
                                  .name = stem(m->shaders.at[i]),
                                  .takes_values = paths_have(&m->values, m->shaders.at[i])};
        read_kernel(k, kernel, folder, p);
    }
}

void kernels_free(struct kernels *k)
{
    for (size_t i = 0; i < k->count; i++) {
        for (size_t j = 0; j < k->variants; j++)
            free(k->at[i].variant[j].code.word);
        free(k->at[i].variant);
    }
    free(k->at);
    if (k->context)
        spvc_context_destroy(k->context);
    *k = (struct kernels){0};
}
