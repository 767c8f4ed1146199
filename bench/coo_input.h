/* The input of bench_assembly and of peers/thrust_coo.cu, in C and CUDA: n triplets of a matrix whose rows
 * have the seven entries of a Laplacian on a cube that is closed to a ring, so that all rows are alike. Four
 * fifths of the triplets are the entries; the others add to every fourth entry again. Values are small whole
 * numbers, so that sums are exact in any order. The triplets are either shuffled, by a fixed bijection, or
 * row by row. */
#ifndef VKS_BENCH_COO_INPUT_H
#define VKS_BENCH_COO_INPUT_H

#include <stdint.h>

#ifdef __CUDACC__
#define COO_INLINE static inline __host__ __device__
#else
#define COO_INLINE static inline
#endif

enum { COO_ENTRIES = 7 /* of a row */, COO_LEAST = 1000 /* triplets */ };

struct coo_input {
    uint32_t n;     /* triplets, at least COO_LEAST */
    uint32_t rows;  /* and columns */
    uint32_t side;  /* of the cube, approximately */
    uint32_t bits;  /* of the indices of triplets */
    uint32_t mixed; /* 0: row by row */
};

COO_INLINE struct coo_input coo_input_of(uint32_t n, uint32_t mixed)
{
    struct coo_input in;
    in.n = n;
    in.rows = (uint32_t)((uint64_t)n * 4 / 5 / COO_ENTRIES);
    in.side = 1;
    in.bits = 1;
    in.mixed = mixed;
    while ((uint64_t)(in.side + 1) * (in.side + 1) * (in.side + 1) <= in.rows)
        in.side++;
    while ((uint64_t)1 << in.bits < n)
        in.bits++;
    return in;
}

/* A bijection of 0 .. n - 1: applies a bijection of 0 .. 2^bits - 1 until the number is below n. */
COO_INLINE uint32_t coo_mixed(const struct coo_input *in, uint32_t i)
{
    uint64_t mask = ((uint64_t)1 << in->bits) - 1, x = i;
    uint32_t half = (in->bits + 1) / 2;
    do {
        x = (x * 0x9E3779B97F4A7C15u) & mask;
        x ^= x >> half;
        x = (x * 0xBF58476D1CE4E5B9u) & mask;
        x ^= x >> half;
        x = (x * 0x94D049BB133111EBu + 1) & mask;
    } while (x >= in->n);
    return (uint32_t)x;
}

/* From -510 to 510. */
COO_INLINE double coo_value(uint32_t number)
{
    return (double)(number % 1021) - 510;
}

/* The distance, around the ring, of the k-th entry of each row to the right of the diagonal. */
COO_INLINE uint32_t coo_distance(const struct coo_input *in, uint32_t k)
{
    uint32_t right = k < 3 ? 1 : k < 5 ? in->side : in->side * in->side;
    return k == 0 ? 0 : k % 2 ? right : in->rows - right;
}

COO_INLINE uint32_t coo_column(const struct coo_input *in, uint32_t row, uint32_t k)
{
    return (uint32_t)(((uint64_t)row + coo_distance(in, k)) % in->rows);
}

/* Triplet i. `number` counts the entries, then those added to every fourth entry. */
COO_INLINE void coo_triplet(const struct coo_input *in, uint32_t i, uint32_t *row, uint32_t *col, double *val)
{
    uint32_t number = in->mixed ? coo_mixed(in, i) : i, entries = COO_ENTRIES * in->rows;
    uint32_t entry = number < entries ? number : (uint32_t)(4 * (uint64_t)(number - entries) % entries);
    *row = entry / COO_ENTRIES;
    *col = coo_column(in, *row, entry % COO_ENTRIES);
    *val = coo_value(number);
}

/* The value of the k-th entry of a row. */
COO_INLINE double coo_sum(const struct coo_input *in, uint32_t row, uint32_t k)
{
    uint32_t entries = COO_ENTRIES * in->rows, entry = COO_ENTRIES * row + k;
    double sum = coo_value(entry);
    for (uint64_t at = entry; at < 4 * (uint64_t)(in->n - entries); at += entries)
        if (at % 4 == 0)
            sum += coo_value(entries + (uint32_t)(at / 4));
    return sum;
}

/* Row `row` of the matrix, or of its transpose: columns, ascending, and values. */
COO_INLINE void coo_row(const struct coo_input *in, uint32_t row, int transposed, uint32_t col[COO_ENTRIES],
                        double val[COO_ENTRIES])
{
    for (uint32_t k = 0; k < COO_ENTRIES; k++) {
        uint32_t from = (uint32_t)(((uint64_t)row + in->rows - coo_distance(in, k)) % in->rows);
        uint32_t c = transposed ? from : coo_column(in, row, k), at = k;
        double v = transposed ? coo_sum(in, from, k) : coo_sum(in, row, k);
        for (; at > 0 && col[at - 1] > c; at--) {
            col[at] = col[at - 1];
            val[at] = val[at - 1];
        }
        col[at] = c;
        val[at] = v;
    }
}

#endif
