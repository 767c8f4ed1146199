#include "emit.h"

#include "device/kernel_types.h"

#include <stdlib.h>
#include <string.h>

static const char notice[] = "/* Written by kernels_generator from the shaders; not to be edited. */\n";

static void emit_args(struct text *t, const struct kernel *k)
{
    const struct interface *face = &k->variant->interface;
    text_add(t, "\n/* shaders/%s.comp */\nstruct %s_args {\n", k->path, k->name);
    for (uint32_t i = 0; i < face->args; i++)
        text_add(t, "    %s %s;\n", face->arg[i].type, face->arg[i].name);
    text_add(t, "};\n");
}

/* Emitted once, beside the table: in each of some thousand objects they took an eighth of the compilation. */
static void emit_layout(struct text *t, const struct kernel *k)
{
    const struct interface *face = &k->variant->interface;
    text_add(t, "\n_Static_assert(sizeof(struct %s_args) == %u, \"as in the shader\");\n", k->name,
             face->bytes);
    for (uint32_t i = 0; i < face->args; i++)
        text_add(t, "_Static_assert(offsetof(struct %s_args, %s) == %u, \"as in the shader\");\n", k->name,
                 face->arg[i].name, face->arg[i].offset);
}

/* Types that kernels.h need not declare. */
static const char *const known_types[] = {"uint32_t",
#define TYPE_NAME(name, ...) #name,
                                          KERNEL_ARRAYS(TYPE_NAME) KERNEL_VALUES(TYPE_NAME)
#undef TYPE_NAME
};

/* The types that only some kernels declare, each once. */
struct types {
    const char **at;
    size_t count;
};

static int has_type(const char *const *list, size_t count, const char *type)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], type) == 0)
            return 1;
    return 0;
}

static void collect_types(struct types *t, const struct interface *face)
{
    for (uint32_t i = 0; i < face->args; i++) {
        const char *type = face->arg[i].type;
        if (has_type(known_types, sizeof known_types / sizeof *known_types, type) ||
            has_type(t->at, t->count, type))
            continue;
        t->at = resize(t->at, t->count + 1, sizeof *t->at);
        t->at[t->count++] = type;
    }
}

static void emit_types(struct text *t, const struct kernels *k)
{
    struct types own = {0};
    for (size_t i = 0; i < k->count; i++)
        collect_types(&own, &k->at[i].variant->interface);
    if (!own.count)
        return;
    text_add(t, "\n/* Types of kernels' own, whose structs the twins define. */\n#ifdef REAL\n");
    for (size_t i = 0; i < own.count; i++)
        text_add(t, "typedef struct %s *%s;\n", own.at[i], own.at[i]);
    text_add(t, "#else\n");
    for (size_t i = 0; i < own.count; i++)
        text_add(t, "typedef struct opaque_%s *%s;\n", own.at[i], own.at[i]);
    text_add(t, "#endif\n");
    free(own.at);
}

/* Emits the list of the kernels that take values, or of the others. */
static void emit_list(struct text *t, const struct kernels *k, const char *name, bool values)
{
    text_add(t, "\n#define %s(X)", name);
    for (size_t i = 0; i < k->count; i++)
        if (k->at[i].takes_values == values)
            text_add(t, " \\\n    X(%s)", k->at[i].name);
    text_add(t, "\n");
}

void emit_header(struct text *t, const struct kernels *k)
{
    text_add(t, "%s#ifndef VKS_KERNELS_H\n#define VKS_KERNELS_H\n\n", notice);
    text_add(t, "#include \"device/kernel_types.h\"\n\n#include <stddef.h>\n#include <stdint.h>\n\n");
    text_add(t, "enum kernel_id {\n");
    for (size_t i = 0; i < k->count; i++)
        text_add(t, "    KERNEL_%s,\n", k->at[i].name);
    text_add(t, "    KERNEL_COUNT\n};\n");
    emit_list(t, k, "KERNELS_OF_REALS", false);
    emit_list(t, k, "KERNELS_OF_VALUES", true);
    text_add(t, "\n#define KERNELS(X) KERNELS_OF_REALS(X) KERNELS_OF_VALUES(X)\n");
    emit_types(t, k);
    for (size_t i = 0; i < k->count; i++)
        emit_args(t, k->at + i);
    text_add(t, "\n#endif\n");
}

void emit_arguments(struct text *t, const struct kernels *k)
{
    text_add(t, notice);
    for (size_t i = 0; i < k->count; i++) {
        const struct interface *face = &k->at[i].variant->interface;
        text_add(t, "#define ARGUMENTS_%s(ADDRESS, VALUE)", k->at[i].name);
        for (const struct arg *arg = face->arg; arg < face->arg + face->args; arg++)
            if (strcmp(arg->type, "guard") != 0 && strcmp(arg->type, "zeros") != 0)
                text_add(t, " %s(%s, %s)", arg->is_value ? "VALUE" : "ADDRESS", arg->type, arg->name);
        text_add(t, "\n");
    }
}

/* The modules of a kernel, each once. */
struct modules {
    struct spirv *at;
    uint32_t count;
    uint32_t *of; /* of each variant in the table */
};

static uint32_t find_module(const struct modules *m, const struct spirv *code)
{
    uint32_t i = 0;
    while (i < m->count && (m->at[i].count != code->count ||
                            memcmp(m->at[i].word, code->word, code->count * sizeof *code->word) != 0))
        i++;
    return i;
}

static struct modules collect_modules(const struct kernels *k, const struct kernel *kernel)
{
    struct modules m = {resize(NULL, k->variants, sizeof *m.at), 0, resize(NULL, k->variants, sizeof *m.of)};
    for (size_t i = 0; i < k->variants; i++) {
        const struct spirv *code = &variant_at(k, kernel, i)->code;
        m.of[i] = find_module(&m, code);
        if (m.of[i] == m.count)
            m.at[m.count++] = *code;
    }
    return m;
}

/* Emits the modules; returns the number of bytes. */
static uint32_t emit_pack(struct text *t, const char *name, const struct modules *m)
{
    uint32_t bytes;
    unsigned char *pack = spirv_pack(m->at, m->count, &bytes);
    if (!pack)
        out_of_memory();
    text_add(t, "\nstatic const unsigned char %s_pack[] = {", name);
    for (uint32_t i = 0; i < bytes; i++)
        text_add(t, "%s%u,", i % 24 ? "" : "\n    ", pack[i]);
    text_add(t, "\n};\n");
    free(pack);
    return bytes;
}

static void emit_constants(struct text *t, const struct interface *face)
{
    if (!face->constants)
        return;
    text_add(t, ", .constants = %u, .constant = {", face->constants);
    for (uint32_t i = face->args - face->constants; i < face->args; i++)
        text_add(t, "\"%s\", ", face->arg[i].name);
    text_add(t, "}");
}

static void emit_entry(struct text *t, const struct kernels *k, const struct kernel *kernel,
                       const struct modules *m, uint32_t pack_bytes)
{
    const struct interface *face = &kernel->variant->interface;
    text_add(t,
             "    [KERNEL_%s] = {.name = \"%s\", .args_bytes = sizeof(struct %s_args), .push_bytes = %u, "
             ".group_size = %u, .guard_at = %u, .addresses = 0x%x, .values = %d",
             kernel->name, kernel->name, kernel->name, face->push_bytes, face->group_size, guard_of(face),
             addresses_of(face), kernel->takes_values);
    emit_constants(t, face);
    text_add(t, ", .pack = {%s_pack, %u}, .code = {", kernel->name, pack_bytes);
    for (size_t i = 0, subgroups = (size_t)k->manifest->subgroups.count; i < k->variants; i++) {
        if (i % subgroups == 0)
            text_add(t, "\n        [PRECISION_%s] = {", kernel->variant[i].scalar);
        text_add(t, "{NULL, %u, %u}%s", variant_at(k, kernel, i)->code.count, m->of[i],
                 i % subgroups == subgroups - 1 ? "}," : ", ");
    }
    text_add(t, "\n    }},\n");
}

void emit_table(struct text *t, const struct kernels *k)
{
    struct text entries = {0};
    text_add(t, "%s#include \"kernels.h\"\n\n#include \"device/kernel.h\"\n", notice);
    for (size_t i = 0; i < k->count; i++) {
        struct modules m = collect_modules(k, k->at + i);
        uint32_t bytes = emit_pack(t, k->at[i].name, &m);
        emit_entry(&entries, k, k->at + i, &m, bytes);
        free(m.at);
        free(m.of);
    }
    for (size_t i = 0; i < k->count; i++)
        emit_layout(t, k->at + i);
    text_add(t, "\nconst struct kernel kernels[] = {\n%s};\n", entries.at ? entries.at : "");
    text_free(&entries);
}
