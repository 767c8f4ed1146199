/* The instructions of a SPIR-V module. */
#ifndef VKS_DEVICE_SPIRV_WORDS_H
#define VKS_DEVICE_SPIRV_WORDS_H

#include "device/spirv.h"

#include <spirv_cross/spirv.h>

/* HEADER: words before the first instruction. BOUND: the index of the word that bounds all ids. */
enum { HEADER = 5, BOUND = 3 };

static inline uint32_t length_of(const uint32_t *instruction)
{
    return instruction[0] >> SpvWordCountShift;
}

static inline SpvOp op_of(const uint32_t *instruction)
{
    return (SpvOp)(instruction[0] & SpvOpCodeMask);
}

/* For each instruction at w of a struct spirv, from the word `first` on. */
#define FOR_INSTRUCTIONS(w, s, first) \
    for (const uint32_t *w = (s)->word + (first); w < (s)->word + (s)->count; w += length_of(w))

#endif
