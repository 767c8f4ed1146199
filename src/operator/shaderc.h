/* libshaderc, opened at run time. */
#ifndef VKS_OPERATOR_SHADERC_H
#define VKS_OPERATOR_SHADERC_H

#include "device/spirv.h"
#include "report/message.h"
#include <stddef.h>

struct shaderc;

/* A file that others include by name. */
struct shader_text {
    const char *name;
    const char *text; /* not terminated */
    size_t length;
    const char *alias; /* the name in messages of a program's own text, which only the shader itself may
                          include; else NULL */
};

struct shader_macro {
    const char *name, *value;
};

/* Loads the library. VKS_UNSUPPORTED if it is not installed; the message has instructions to install it. */
vks_status shaderc_open(struct message *m, struct shaderc **out);
void shaderc_close(struct shaderc *s); /* NULL is fine */

/* Compiles the compute shader texts[0], which may include any of the `count` texts, for Vulkan 1.2.
 * VKS_INVALID_ARGUMENT: it does not compile; the message is the compiler's. The caller frees out->word. */
vks_status shaderc_compile(struct message *m, struct shaderc *s, const struct shader_text *texts,
                           size_t count, const struct shader_macro *macros, size_t macro_count,
                           struct spirv *out);

#endif
