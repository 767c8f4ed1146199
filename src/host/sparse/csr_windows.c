#include "host/kernel.h"
#include "shaders/sparse/csr_cached.h"
#include "shaders/sparse/long.h"

KERNEL(csr_windows)
{
    uint32_t tiles = a->n / CACHED_ROWS + (a->n % CACHED_ROWS != 0);
    FOR_TILES (t, tiles) {
        uint32_t least = UINT32_MAX, last = 0, rest = a->n - CACHED_ROWS * t;
        for (uint32_t j = 0; j < (rest < CACHED_ROWS ? rest : CACHED_ROWS); j++) {
            uint32_t begin = a->row[CACHED_ROWS * t + j], end = a->row[CACHED_ROWS * t + j + 1];
            if (begin == end || end - begin > LONG_ROW)
                continue;
            least = a->col[begin] < least ? a->col[begin] : least;
            last = a->col[end - 1] > last ? a->col[end - 1] : last;
        }
        bool fits = least <= last && last - least < CACHED_MOST;
        a->window[2 * (size_t)t] = fits ? least : 0;
        a->window[2 * (size_t)t + 1] = fits ? last - least + 1 : 0;
    }
}
