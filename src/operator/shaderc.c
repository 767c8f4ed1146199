/* Declares the few functions needed from libshaderc's C interface (shaderc/shaderc.h, version 1), so that
 * neither a build nor a user's machine requires it. */
#include "operator/shaderc.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct shaderc_compiler *shaderc_compiler_t;
typedef struct shaderc_compile_options *shaderc_compile_options_t;
typedef struct shaderc_compilation_result *shaderc_compilation_result_t;

typedef struct shaderc_include_result {
    const char *source_name;
    size_t source_name_length;
    const char *content;
    size_t content_length;
    void *user_data;
} shaderc_include_result;

typedef shaderc_include_result *(*shaderc_include_resolve_fn)(void *user_data, const char *requested_source,
                                                              int type, const char *requesting_source,
                                                              size_t include_depth);
typedef void (*shaderc_include_result_release_fn)(void *user_data, shaderc_include_result *include_result);

enum {
    SHADERC_COMPUTE_SHADER = 2,
    SHADERC_TARGET_ENV_VULKAN = 0,
    SHADERC_PROFILE_NONE = 0,
    SHADERC_STATUS_SUCCESS = 0
};
static const uint32_t vulkan_1_2 = 1u << 22 | 2u << 12;

/* X(result, name, parameters) */
#define FUNCTIONS(X)                                                                                      \
    X(shaderc_compiler_t, compiler_initialize, (void))                                                    \
    X(void, compiler_release, (shaderc_compiler_t))                                                       \
    X(shaderc_compile_options_t, compile_options_initialize, (void))                                      \
    X(void, compile_options_release, (shaderc_compile_options_t))                                         \
    X(void, compile_options_add_macro_definition,                                                         \
      (shaderc_compile_options_t, const char *, size_t, const char *, size_t))                            \
    X(void, compile_options_set_forced_version_profile, (shaderc_compile_options_t, int, int))            \
    X(void, compile_options_set_target_env, (shaderc_compile_options_t, int, uint32_t))                   \
    X(void, compile_options_set_include_callbacks,                                                        \
      (shaderc_compile_options_t, shaderc_include_resolve_fn, shaderc_include_result_release_fn, void *)) \
    X(shaderc_compilation_result_t, compile_into_spv,                                                     \
      (shaderc_compiler_t, const char *, size_t, int, const char *, const char *,                         \
       shaderc_compile_options_t))                                                                        \
    X(void, result_release, (shaderc_compilation_result_t))                                               \
    X(size_t, result_get_length, (shaderc_compilation_result_t))                                          \
    X(int, result_get_compilation_status, (shaderc_compilation_result_t))                                 \
    X(const char *, result_get_bytes, (shaderc_compilation_result_t))                                     \
    X(const char *, result_get_error_message, (shaderc_compilation_result_t))

struct shaderc {
    void *library;
    shaderc_compiler_t compiler;
#define X(result, name, parameters) result(*name) parameters;
    FUNCTIONS(X)
#undef X
};

/* Opens the library. NULL: none can be loaded; dlerror has the reason for the last attempt. */
static void *open_library(void)
{
    const char *chosen = getenv("VKSOLVE_SHADERC");
    if (chosen && *chosen)
        return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    void *library = dlopen("libshaderc_shared.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? library : dlopen("libshaderc.so.1", RTLD_NOW | RTLD_LOCAL);
}

static vks_status load(struct message *m, struct shaderc *s)
{
    s->library = open_library();
    if (!s->library)
        return fail(m, VKS_UNSUPPORTED,
                    "libshaderc, which compiles GLSL, cannot be loaded (%s): docs/operators.md says where to "
                    "get it, and how programs can do without it",
                    dlerror());
        /* C has no cast from an object pointer to a function pointer; POSIX guarantees the same
         * representation. */
#define X(result, name, parameters)                                                                \
    {                                                                                              \
        void *symbol = dlsym(s->library, "shaderc_" #name);                                        \
        memcpy(&s->name, &symbol, sizeof symbol);                                                  \
        if (!symbol)                                                                               \
            return fail(m, VKS_UNSUPPORTED, "libshaderc is too old: it has no shaderc_%s", #name); \
    }
    FUNCTIONS(X)
#undef X
    s->compiler = s->compiler_initialize();
    return s->compiler ? VKS_OK : fail(m, VKS_UNSUPPORTED, "libshaderc does not start");
}

vks_status shaderc_open(struct message *m, struct shaderc **out)
{
    struct shaderc *s = *out = calloc(1, sizeof *s);
    if (!s)
        return fail_memory(m, "a compiler", sizeof *s);
    vks_status status = load(m, s);
    if (status) {
        shaderc_close(s);
        *out = NULL;
    }
    return status;
}

void shaderc_close(struct shaderc *s)
{
    if (!s)
        return;
    if (s->compiler)
        s->compiler_release(s->compiler);
    if (s->library)
        dlclose(s->library);
    free(s);
}

/* The files that can be included, in libshaderc's form. */
struct includes {
    const struct shader_text *texts;
    size_t count;
    shaderc_include_result *results;          /* one for each text */
    shaderc_include_result missing, circular; /* without a name: the content is the reason */
};

static shaderc_include_result *resolve(void *user_data, const char *requested, int type,
                                       const char *requesting, size_t depth)
{
    struct includes *in = user_data;
    (void)type, (void)requesting;
    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->texts[i].name, requested))
            return in->texts[i].alias && depth > 1 ? &in->circular : &in->results[i];
    return &in->missing;
}

static void release(void *user_data, shaderc_include_result *result)
{
    (void)user_data, (void)result;
}

static shaderc_include_result reason(const char *text)
{
    return (shaderc_include_result){"", 0, text, strlen(text), NULL};
}

/* Copies the words of a successful result. */
static vks_status take_words(struct message *m, struct shaderc *s, shaderc_compilation_result_t result,
                             struct spirv *out)
{
    size_t bytes = s->result_get_length(result);
    out->word = malloc(bytes);
    if (!out->word)
        return fail_memory(m, "compiled code", bytes);
    memcpy(out->word, s->result_get_bytes(result), bytes);
    out->count = (uint32_t)(bytes / sizeof *out->word);
    return VKS_OK;
}

/* Reports the compiler's messages, without the last newline. */
static vks_status complain(struct message *m, const char *error)
{
    size_t length = strlen(error);
    while (length && error[length - 1] == '\n')
        length--;
    return length ? fail(m, VKS_INVALID_ARGUMENT, "%.*s", (int)length, error)
                  : fail(m, VKS_OUT_OF_MEMORY, "libshaderc has failed");
}

static vks_status compile(struct message *m, struct shaderc *s, shaderc_compile_options_t options,
                          const struct shader_text *text, struct spirv *out)
{
    shaderc_compilation_result_t result = s->compile_into_spv(
        s->compiler, text->text, text->length, SHADERC_COMPUTE_SHADER, text->name, "main", options);
    if (!result)
        return fail(m, VKS_OUT_OF_MEMORY, "libshaderc has failed");
    vks_status status;
    if (s->result_get_compilation_status(result) == SHADERC_STATUS_SUCCESS)
        status = take_words(m, s, result, out);
    else
        status = complain(m, s->result_get_error_message(result));
    s->result_release(result);
    return status;
}

vks_status shaderc_compile(struct message *m, struct shaderc *s, const struct shader_text *texts,
                           size_t count, const struct shader_macro *macros, size_t macro_count,
                           struct spirv *out)
{
    *out = (struct spirv){0};
    struct includes in = {.texts = texts,
                          .count = count,
                          .results = calloc(count, sizeof *in.results),
                          .missing = reason("no such file"),
                          .circular = reason("it would include itself")};
    if (!in.results)
        return fail_memory(m, "texts", count * sizeof *in.results);
    for (size_t i = 0; i < count; i++) {
        const char *name = texts[i].alias ? texts[i].alias : texts[i].name;
        in.results[i] = (shaderc_include_result){name, strlen(name), texts[i].text, texts[i].length, NULL};
    }
    shaderc_compile_options_t options = s->compile_options_initialize();
    vks_status status = options ? VKS_OK : fail(m, VKS_OUT_OF_MEMORY, "libshaderc has failed");
    if (!status) {
        for (size_t i = 0; i < macro_count; i++)
            s->compile_options_add_macro_definition(options, macros[i].name, strlen(macros[i].name),
                                                    macros[i].value, strlen(macros[i].value));
        s->compile_options_set_forced_version_profile(options, 460, SHADERC_PROFILE_NONE);
        s->compile_options_set_target_env(options, SHADERC_TARGET_ENV_VULKAN, vulkan_1_2);
        s->compile_options_set_include_callbacks(options, resolve, release, &in);
        status = compile(m, s, options, texts, out);
        s->compile_options_release(options);
    }
    free(in.results);
    return status;
}
