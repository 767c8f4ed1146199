/* Bounds the cost of compiling a program's text beforehand: glslang expands macros without a limit, and its
 * stack grows with the length of an expression. */
#ifndef VKS_OPERATOR_GROWTH_H
#define VKS_OPERATOR_GROWTH_H

#include "operator/shaderc.h"

/* Words and signs are counted with all macros expanded; a statement ends with a semicolon, a brace or the
 * line of a directive. */
enum {
    TEXT_MOST_BYTES = 1 << 20,
    TEXT_MOST_TOKENS = 1 << 18,
    TEXT_MOST_IN_STATEMENT = 1 << 16,
    TEXT_MOST_NESTED = 256, /* parentheses */
    TEXT_MOST_MACROS = 1000,
    TEXT_MOST_PARAMETERS = 32,
    TEXT_MOST_MACROS_NESTED = 64
};

/* Checks a text, whose macros may use macros of the library's texts. VKS_LIMIT: it exceeds a limit above.
 * VKS_INVALID_ARGUMENT: it has something forbidden in an operator's text. VKS_OUT_OF_MEMORY. */
vks_status text_check(struct message *m, const char *glsl, const struct shader_text *library, size_t count);

#endif
