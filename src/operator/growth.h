/* What a text of a program may cost the compiler, bounded before the compiler sees it: glslang expands macros
 * without a bound, and its stack grows with the length of an expression. */
#ifndef VKS_OPERATOR_GROWTH_H
#define VKS_OPERATOR_GROWTH_H

#include "operator/shaderc.h"

/* Words and signs count with all macros expanded; a statement ends with a semicolon, a brace or the line of a
 * directive. */
enum {
    TEXT_MOST_BYTES = 1 << 20,
    TEXT_MOST_TOKENS = 1 << 18,
    TEXT_MOST_IN_STATEMENT = 1 << 16,
    TEXT_MOST_NESTED = 256, /* parentheses */
    TEXT_MOST_MACROS = 1000,
    TEXT_MOST_PARAMETERS = 32,
    TEXT_MOST_MACROS_NESTED = 64
};

/* VKS_LIMIT: the text, whose macros may use those of the library's texts, is beyond one of these.
 * VKS_INVALID_ARGUMENT: it has what no text of an operator may have. VKS_OUT_OF_MEMORY. */
vks_status text_check(struct message *m, const char *glsl, const struct shader_text *library, size_t count);

#endif
