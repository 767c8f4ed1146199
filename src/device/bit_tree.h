/* A set of numbers below a bound, returned in ascending order. Level 0 has a bit for each number, each higher
 * level a bit for each word of the level below, up to one top word. Add and take do not scan other bits. */
#ifndef VKS_DEVICE_BIT_TREE_H
#define VKS_DEVICE_BIT_TREE_H

#include <stdint.h>

enum { BIT_TREE_LEVELS = 6 };

struct bit_tree {
    uint64_t *level[BIT_TREE_LEVELS];
    uint32_t top;
};

/* Lays out a tree for numbers below `bits` in `words`, which must be zero, and returns their end. */
static inline uint64_t *bit_tree_lay_out(struct bit_tree *t, uint64_t bits, uint64_t *words)
{
    uint64_t count = bits;
    for (t->top = 0;; t->top++) {
        count = (count + 63) / 64;
        t->level[t->top] = words;
        words += count;
        if (count <= 1)
            break;
    }
    return words;
}

static inline void bit_tree_add(const struct bit_tree *t, uint32_t bit)
{
    uint64_t before = 0;
    for (uint32_t l = 0; !before && l <= t->top; l++) {
        before = t->level[l][bit / 64];
        t->level[l][bit / 64] = before | (uint64_t)1 << bit % 64;
        bit /= 64;
    }
}

/* Removes and returns the least number; UINT32_MAX if the set is empty. */
static inline uint32_t bit_tree_take_least(const struct bit_tree *t)
{
    uint32_t bit = 0;
    if (!t->level[t->top][0])
        return UINT32_MAX;
    for (uint32_t l = t->top + 1; l-- > 0;)
        bit = 64 * bit + (uint32_t)__builtin_ctzll(t->level[l][bit]);
    uint64_t left = 0;
    for (uint32_t l = 0, at = bit; !left && l <= t->top; l++, at /= 64)
        left = t->level[l][at / 64] &= t->level[l][at / 64] - 1;
    return bit;
}

/* Removes all numbers in the subtree of a word and stores them at `to`, each plus `low`. Returns the end. */
static inline uint32_t *bit_tree_take_below(const struct bit_tree *t, uint32_t l, uint32_t word, uint32_t low,
                                            uint32_t *to)
{
    uint64_t left = t->level[l][word];
    t->level[l][word] = 0;
    for (; left; left &= left - 1) {
        uint32_t bit = 64 * word + (uint32_t)__builtin_ctzll(left);
        if (l)
            to = bit_tree_take_below(t, l - 1, bit, low, to);
        else
            *to++ = low + bit;
    }
    return to;
}

/* Removes all numbers and stores them likewise. */
static inline uint32_t *bit_tree_take(const struct bit_tree *t, uint32_t low, uint32_t *to)
{
    return bit_tree_take_below(t, t->top, 0, low, to);
}

#endif
