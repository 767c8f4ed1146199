/* Sorts keys: few by insertion, more by merging. */
#include "entries/keys.h"

#include <string.h>

enum { SHORT_ROW = 32 };

bool keys_need_scratch(const uint32_t *start, uint32_t rows)
{
    for (uint32_t r = 0; r < rows; r++)
        if (start[r + 1] - start[r] > SHORT_ROW)
            return true;
    return false;
}

static void insertion_sort(uint64_t *key, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t moved = key[i];
        size_t j = i;
        for (; j > 0 && key[j - 1] > moved; j--)
            key[j] = key[j - 1];
        key[j] = moved;
    }
}

void keys_sort(uint64_t *key, size_t n, uint64_t *scratch)
{
    if (n <= SHORT_ROW) {
        insertion_sort(key, n);
        return;
    }
    size_t half = n / 2, left = 0, right = half, out = 0;
    keys_sort(key, half, scratch);
    keys_sort(key + half, n - half, scratch);
    if (key[half - 1] < key[half])
        return;
    memcpy(scratch, key, half * sizeof *key);
    while (left < half && right < n) { /* branch-free: the next side is unpredictable */
        uint64_t a = scratch[left], b = key[right];
        key[out++] = a < b ? a : b;
        left += a < b;
        right += a > b;
    }
    memcpy(key + out, scratch + left, (half - left) * sizeof *key);
}
