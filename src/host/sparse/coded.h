/* Slices of 32 rows with coded entries times x, as in shaders/sparse/coded.glsl. If rows are alike, as in the
 * interior of a grid, lookups are shared: a code, its value and its offset in x apply to all rows, and their
 * sums stay in registers. */
#ifndef VKS_HOST_SPARSE_CODED_H
#define VKS_HOST_SPARSE_CODED_H

#include "host/sparse/sell.h"

/* The most rows of a slice that may differ from the others, such as rows at the boundary of a grid. */
enum { MOST_UNLIKE = 8, TYPICAL = SLICE / 2 };

/* A SIMD register of reals. */
#if defined(__AVX512F__)
enum { FEW_ROWS = 64 / sizeof(scalar_t) };
#elif defined(__AVX2__)
enum { FEW_ROWS = 32 / sizeof(scalar_t) };
#else
enum { FEW_ROWS = 16 / sizeof(scalar_t) };
#endif
typedef scalar_t few_rows __attribute__((vector_size(FEW_ROWS * sizeof(scalar_t))));

struct coded {
    const uint32_t *slice, *code, *apart;
    const stored *value;
    uint32_t units; /* of four entries, in each slice; 0: read from `slice` */
    bool wide;      /* codes have 16 bits, else 8 */
};

/* The position of slice s; `units` as in struct coded. */
static inline struct sell_slice coded_slice_at(const uint32_t *slice, uint32_t units, uint32_t s)
{
    return units ? (struct sell_slice){0, 4 * units, units * s} : slice_at(slice, s, SLICE);
}

/* Code q of the four in one word or two. */
static inline uint32_t code_in(const uint32_t *w, uint32_t q, bool wide)
{
    return wide ? w[q / 2] >> q % 2 * 16 & 0xFFFF : w[0] >> q * 8 & 0xFF;
}

/* A bit for each row whose codes differ from the typical row's. The codes are `units` units at w, with
 * `words` words a row. */
static inline __attribute__((always_inline)) uint32_t rows_unlike(const uint32_t *w, uint32_t units,
                                                                  uint32_t words)
{
    uint32_t differ[SLICE], any = 0, unlike = 0;
    for (uint32_t r = 0; r < SLICE; r++)
        differ[r] = 0;
    for (uint32_t u = 0; u < units; u++, w += words * SLICE)
        for (uint32_t r = 0; r < SLICE; r++) {
            differ[r] |= w[words * r] ^ w[words * TYPICAL];
            if (words == 2)
                differ[r] |= w[2 * r + 1] ^ w[2 * TYPICAL + 1];
        }
    for (uint32_t r = 0; r < SLICE; r++)
        any |= differ[r];
    for (uint32_t r = 0; any && r < SLICE; r++)
        unlike |= (uint32_t)(differ[r] != 0) << r;
    return unlike;
}

/* Adds the term of the entry with this code in row `row` to the sum, if there is an entry. */
static inline scalar_t plus_entry(const struct coded *A, uint32_t code, const scalar_t *x, uint32_t row,
                                  scalar_t sum)
{
    return code ? sum + mul(A->value[code], x[(uint32_t)(row + A->apart[code])]) : sum;
}

/* Adds entry q of each row separately; `row` is the first row. */
static inline __attribute__((always_inline)) void add_each(const struct coded *A, const uint32_t *w,
                                                           uint32_t q, bool wide, const scalar_t *restrict x,
                                                           uint32_t row, scalar_t *restrict sum)
{
    for (uint32_t r = 0; r < SLICE; r++)
        sum[r] = plus_entry(A, code_in(w + (wide ? 2 : 1) * r, q, wide), x, row + r, sum[r]);
}

/* The products of all rows, each computed separately. */
static inline __attribute__((always_inline)) void product_of_each(const struct coded *A, const uint32_t *w,
                                                                  uint32_t units, bool wide,
                                                                  const scalar_t *x, uint32_t row,
                                                                  scalar_t *restrict y, uint32_t lanes)
{
    scalar_t sum[8][SLICE];
    for (uint32_t l = 0; l < lanes; l++)
        for (uint32_t r = 0; r < SLICE; r++)
            sum[l][r] = 0;
    for (uint32_t u = 0; u < units; u++, w += (wide ? 2 : 1) * SLICE)
        for (uint32_t q = 0; q < 4; q++)
            add_each(A, w, q, wide, x, row, sum[(4 * u + q) % lanes]);
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            for (uint32_t r = 0; r < SLICE; r++)
                sum[l][r] += sum[l + stride][r];
    memcpy(y, sum[0], sizeof sum[0]);
}

/* The product of row `row`, whose first codes are at w. */
static inline __attribute__((always_inline)) scalar_t product_of_one(const struct coded *A, const uint32_t *w,
                                                                     uint32_t units, bool wide,
                                                                     const scalar_t *x, uint32_t row,
                                                                     uint32_t lanes)
{
    scalar_t sum[8] = {0};
    for (uint32_t u = 0; u < units; u++, w += (wide ? 2 : 1) * SLICE)
        for (uint32_t q = 0; q < 4; q++) {
            scalar_t *s = &sum[(4 * u + q) % lanes];
            *s = plus_entry(A, code_in(w, q, wide), x, row, *s);
        }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            sum[l] += sum[l + stride];
    return sum[0];
}

/* The sums of some rows, in four registers, or two if these hold a slice. Compilers do not reliably keep
 * arrays in registers. */
struct sums {
    few_rows a, b, c, d;
};
enum { SUMS_ROWS = 4 * FEW_ROWS < SLICE ? 4 * FEW_ROWS : SLICE };

static inline few_rows load_rows(const scalar_t *at)
{
    few_rows v;
    memcpy(&v, at, sizeof v);
    return v;
}

static inline __attribute__((always_inline)) void add_rows(struct sums *s, scalar_t v, const scalar_t *at)
{
    s->a += v * load_rows(at);
    s->b += v * load_rows(at + FEW_ROWS);
    if (SUMS_ROWS > 2 * FEW_ROWS) {
        s->c += v * load_rows(at + 2 * FEW_ROWS);
        s->d += v * load_rows(at + 3 * FEW_ROWS);
    }
}

/* The first and last row of a slice with the codes of the typical row. `columns` is a lower bound on the
 * length of x, from the last column of row `last`. */
struct alike {
    uint32_t first, last, columns;
};

static inline __attribute__((always_inline)) struct alike
alike_rows(const struct coded *A, const uint32_t *w, uint32_t units, bool wide, uint32_t row, uint32_t unlike)
{
    struct alike r = {0, SLICE - 1, UINT32_MAX};
    if (!unlike)
        return r;
    r.first = (uint32_t)__builtin_ctz(~unlike);
    r.last = SLICE - 1 - (uint32_t)__builtin_clz(~unlike);
    w += (wide ? 2 : 1) * TYPICAL;
    for (uint32_t k = 4 * units, code = 0; k-- && !code; r.columns = row + r.last + A->apart[code] + 1)
        code = code_in(w + (wide ? 2 : 1) * SLICE * (k / 4), k % 4, wide);
    return r;
}

/* The elements of x for the rows of a slice. The first row reads x[column]. Returns a pointer into x, or to a
 * copy if the slice might exceed the ends of x. */
static inline __attribute__((always_inline)) const scalar_t *x_of_rows(const scalar_t *x, int64_t column,
                                                                       const struct alike *r, scalar_t *copy)
{
    if (column >= 0 && column + SLICE <= r->columns)
        return x + column;
    for (uint32_t j = 0; j < SLICE; j++)
        copy[j] = j >= r->first && j <= r->last ? x[column + j] : 0;
    return copy;
}

/* The products of SUMS_ROWS rows from row j of the slice on. Valid only for rows with the codes of the
 * typical row. */
static inline __attribute__((always_inline)) void
product_of_alike(const struct coded *A, const uint32_t *w, uint32_t units, bool wide, const scalar_t *x,
                 uint32_t row, const struct alike *r, uint32_t j, scalar_t *y, uint32_t lanes)
{
    struct sums sum[8];
    for (uint32_t l = 0; l < lanes; l++)
        sum[l] = (struct sums){{0}, {0}, {0}, {0}};
    w += (wide ? 2 : 1) * TYPICAL;
    for (uint32_t u = 0; u < units; u++, w += (wide ? 2 : 1) * SLICE)
        for (uint32_t q = 0; q < 4; q++) {
            uint32_t code = code_in(w, q, wide), column = row + TYPICAL + A->apart[code];
            scalar_t copy[SLICE];
            if (code)
                add_rows(&sum[(4 * u + q) % lanes], (scalar_t)A->value[code],
                         x_of_rows(x, (int64_t)column - TYPICAL, r, copy) + j);
        }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++) {
            sum[l].a += sum[l + stride].a;
            sum[l].b += sum[l + stride].b;
            sum[l].c += sum[l + stride].c;
            sum[l].d += sum[l + stride].d;
        }
    memcpy(y + j, sum, SUMS_ROWS * sizeof *y); /* a, b, c, d are contiguous */
}

/* The products of slice s. Inlined, so that the last arguments are constants. */
static inline __attribute__((always_inline)) void coded_lanes(const struct coded *A,
                                                              const scalar_t *restrict x, uint32_t s,
                                                              scalar_t *restrict y, bool wide, uint32_t lanes)
{
    struct sell_slice place = coded_slice_at(A->slice, A->units, s);
    uint32_t words = wide ? 2 : 1, units = (place.width + 3) / 4, row = SLICE * s;
    const uint32_t *w = A->code + (size_t)words * SLICE * place.four;
    uint32_t unlike = rows_unlike(w, units, words);
    if (__builtin_popcount(unlike) > MOST_UNLIKE) {
        product_of_each(A, w, units, wide, x, row, y, lanes);
        return;
    }
    struct alike alike = alike_rows(A, w, units, wide, row, unlike);
    for (uint32_t j = 0; j < SLICE; j += SUMS_ROWS)
        product_of_alike(A, w, units, wide, x, row, &alike, j, y, lanes);
    for (; unlike; unlike &= unlike - 1) {
        uint32_t r = (uint32_t)__builtin_ctz(unlike);
        y[r] = product_of_one(A, w + words * r, units, wide, x, row + r, lanes);
    }
}

static inline __attribute__((always_inline)) void
coded_slice(const struct coded *A, const scalar_t *x, uint32_t s, scalar_t *y, bool wide, uint32_t lanes)
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

/* The products of the `length` rows of tile t, into y, except rows whose bits are set. */
static inline void coded_tile(const struct coded *A, const scalar_t *x, const uint32_t *bits, uint32_t t,
                              uint32_t length, scalar_t *y, uint32_t lanes)
{
    for (uint32_t k = 0; SLICE * k < length; k++, y += SLICE) {
        scalar_t some[SLICE];
        uint32_t s = TILE_ROWS / SLICE * t + k,
                 rows = length - SLICE * k < SLICE ? length - SLICE * k : SLICE;
        bool whole = rows == SLICE && !(bits && bits[s]);
        if (A->wide)
            coded_slice(A, x, s, whole ? y : some, true, lanes);
        else
            coded_slice(A, x, s, whole ? y : some, false, lanes);
        for (uint32_t j = 0; !whole && j < rows; j++)
            if (!is_long(bits, SLICE * s + j))
                y[j] = some[j];
    }
}

#endif
