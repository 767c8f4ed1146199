/* Slices of 32 rows whose entries are codes times x, as in shaders/sparse/coded.glsl: four entries of all
 * rows at a time. Where rows are alike, as they are inside of a grid, nothing is looked up for each of them.
 */
#ifndef VKS_HOST_SPARSE_CODED_H
#define VKS_HOST_SPARSE_CODED_H

#include "host/sparse/sell.h"

/* Rows of a slice that may differ from the others, as those at the boundary of a grid do. */
enum { MOST_UNLIKE = 8 };

struct coded {
    const uint32_t *slice, *code, *apart;
    const stored *value;
    bool wide; /* codes have 16 bits, else 8 */
};

/* Code q of the four in one word or two. */
static inline uint32_t code_in(const uint32_t *w, uint32_t q, bool wide)
{
    return wide ? w[q / 2] >> q % 2 * 16 & 0xFFFF : w[0] >> q * 8 & 0xFF;
}

/* A bit for each row of a slice whose four codes are not those of row `typical`; `words` for each row. */
static inline uint32_t rows_unlike(const uint32_t *w, uint32_t typical, uint32_t words)
{
    uint32_t unlike = 0;
    for (uint32_t r = 0; r < SLICE; r++) {
        uint32_t differ = w[words * r] ^ w[words * typical];
        if (words == 2)
            differ |= w[2 * r + 1] ^ w[2 * typical + 1];
        unlike |= (uint32_t)(differ != 0) << r;
    }
    return unlike;
}

/* A sum, and a term of row `row`, if there is one. */
static inline real plus_entry(const struct coded *A, uint32_t code, const real *x, uint32_t row, real sum)
{
    return code ? sum + A->value[code] * x[(uint32_t)(row + A->apart[code])] : sum;
}

/* Adds entry q of all rows, of which the first is `row`, one by one. */
static inline __attribute__((always_inline)) void add_each(const struct coded *A, const uint32_t *w,
                                                           uint32_t q, bool wide, const real *restrict x,
                                                           uint32_t row, real *restrict sum)
{
    for (uint32_t r = 0; r < SLICE; r++)
        sum[r] = plus_entry(A, code_in(w + (wide ? 2 : 1) * r, q, wide), x, row + r, sum[r]);
}

/* Adds entry q of the rows first .. last - 1, which have the same code but for those that are `unlike`. The
 * first and the last are not, so that what the others read of x in vain is there. */
static inline __attribute__((always_inline)) void add_alike(const struct coded *A, const uint32_t *w,
                                                            uint32_t q, bool wide, const real *restrict x,
                                                            uint32_t row, uint32_t first, uint32_t last,
                                                            uint32_t unlike, real *restrict sum)
{
    uint32_t words = wide ? 2 : 1, code = code_in(w + words * first, q, wide), count = 0;
    real kept[MOST_UNLIKE];
    for (uint32_t bits = unlike; bits; bits &= bits - 1) {
        uint32_t r = (uint32_t)__builtin_ctz(bits);
        kept[count++] = plus_entry(A, code_in(w + words * r, q, wide), x, row + r, sum[r]);
    }
    if (code) {
        const real *at = x + (uint32_t)(row + first + A->apart[code]);
        real v = A->value[code];
        for (uint32_t r = first; r < last; r++)
            sum[r] += v * at[r - first];
    }
    count = 0;
    for (uint32_t bits = unlike; bits; bits &= bits - 1)
        sum[__builtin_ctz(bits)] = kept[count++];
}

/* Adds a unit of four entries of all rows, the first of which goes to lane `lane`. */
static inline __attribute__((always_inline)) void add_unit(const struct coded *A, const uint32_t *w,
                                                           bool wide, const real *restrict x, uint32_t row,
                                                           uint32_t lane, uint32_t lanes,
                                                           real (*restrict sum)[SLICE])
{
    uint32_t unlike = rows_unlike(w, SLICE / 2, wide ? 2 : 1);
    if (unlike == 0) {
        for (uint32_t q = 0; q < 4; q++)
            add_alike(A, w, q, wide, x, row, 0, SLICE, 0, sum[(lane + q) % lanes]);
    } else if (__builtin_popcount(unlike) <= MOST_UNLIKE) {
        uint32_t first = (uint32_t)__builtin_ctz(~unlike), last = SLICE - (uint32_t)__builtin_clz(~unlike);
        for (uint32_t q = 0; q < 4; q++)
            add_alike(A, w, q, wide, x, row, first, last, unlike, sum[(lane + q) % lanes]);
    } else {
        for (uint32_t q = 0; q < 4; q++)
            add_each(A, w, q, wide, x, row, sum[(lane + q) % lanes]);
    }
}

/* The products of slice s. To be inlined, with what is known of the last arguments. */
static inline __attribute__((always_inline)) void coded_lanes(const struct coded *A, const real *restrict x,
                                                              uint32_t s, real *restrict y, bool wide,
                                                              uint32_t lanes)
{
    real sum[8][SLICE];
    struct sell_slice place = slice_at(A->slice, s, SLICE);
    uint32_t words = wide ? 2 : 1, units = (place.width + 3) / 4;
    for (uint32_t l = 0; l < lanes; l++)
        for (uint32_t r = 0; r < SLICE; r++)
            sum[l][r] = 0;
    for (uint32_t u = 0; u < units; u++) {
        const uint32_t *w = A->code + (size_t)words * SLICE * (place.four + u);
        add_unit(A, w, wide, x, SLICE * s, 4 * u, lanes, sum);
    }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            for (uint32_t r = 0; r < SLICE; r++)
                sum[l][r] += sum[l + stride][r];
    memcpy(y, sum[0], sizeof sum[0]);
}

static inline __attribute__((always_inline)) void coded_slice(const struct coded *A, const real *x,
                                                              uint32_t s, real *y, bool wide, uint32_t lanes)
{
    switch (lanes) {
    case 1:
        coded_lanes(A, x, s, y, wide, 1);
        break;
    case 2:
        coded_lanes(A, x, s, y, wide, 2);
        break;
    case 4:
        coded_lanes(A, x, s, y, wide, 4);
        break;
    default:
        coded_lanes(A, x, s, y, wide, 8);
    }
}

/* The products of the `length` rows of tile t, into y, but for those whose bits are set. */
static inline void coded_tile(const struct coded *A, const real *x, const uint32_t *bits, uint32_t t,
                              uint32_t length, real *y, uint32_t lanes)
{
    for (uint32_t k = 0; SLICE * k < length; k++) {
        real v[SLICE];
        uint32_t s = TILE_ROWS / SLICE * t + k,
                 rows = length - SLICE * k < SLICE ? length - SLICE * k : SLICE;
        if (A->wide)
            coded_slice(A, x, s, v, true, lanes);
        else
            coded_slice(A, x, s, v, false, lanes);
        for (uint32_t j = 0; bits && bits[s] && j < rows; j++)
            if (is_long(bits, SLICE * s + j))
                v[j] = y[SLICE * k + j];
        memcpy(y + SLICE * k, v, rows * sizeof *y);
    }
}

#endif
