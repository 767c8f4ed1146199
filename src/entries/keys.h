/* Sorts entries of a row as 64-bit keys: the column in the upper half, a number in the lower. */
#ifndef VKS_ENTRIES_KEYS_H
#define VKS_ENTRIES_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Linear if the keys already ascend. scratch holds n / 2 keys, or is NULL if the row needs none. */
void keys_sort(uint64_t *key, size_t n, uint64_t *scratch);
/* Whether some row is so long that its sort needs scratch; row r begins at start[r]. */
bool keys_need_scratch(const uint32_t *start, uint32_t rows);

#endif
