/* The texts of shaders compiled at run time: cmake/texts.cmake writes them into the library. */
#ifndef VKS_OPERATOR_TEXTS_H
#define VKS_OPERATOR_TEXTS_H

#include "operator/shaderc.h"

extern const struct shader_text shader_texts[]; /* named as in includes */
extern const size_t shader_text_count;

#endif
