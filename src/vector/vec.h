/* Vectors as passed by solvers: by value, with the information that verbs need. */
#ifndef VKS_VECTOR_VEC_H
#define VKS_VECTOR_VEC_H

#include "device/reduction.h"
#include "device/room.h"
#include "vector/vector.h"

#include <assert.h>

/* Columns of n elements in one type, column after column. Interleaved columns, with which products with
 * scattered columns are faster, are left to a format's own copies. */
struct vec {
    uint64_t at; /* address on the device */
    uint32_t n;  /* elements of a column */
    uint32_t cols;
    uint32_t ld;              /* elements from a column to the next: n or more */
    enum precision precision; /* PRECISION_F32 or PRECISION_F64 */
};

/* Columns without gaps. */
static inline struct vec vecs_at(uint64_t at, uint32_t n, uint32_t cols, enum precision p)
{
    return (struct vec){.at = at, .n = n, .cols = cols, .ld = n, .precision = real_precision(p)};
}

/* A vector of one column. */
static inline struct vec vec_at(reals at, uint32_t n, enum precision p)
{
    return vecs_at((uint64_t)(uintptr_t)at, n, 1, p);
}

/* The address for a kernel that computes all columns, which must have no gaps. */
static inline reals vec_all(struct vec v)
{
    assert(v.ld == v.n || v.cols <= 1);
    return (reals)(uintptr_t)v.at;
}

/* The address for a kernel of one column; more columns are refused. NULL: no elements. */
static inline reals vec_reals(struct vec v)
{
    assert(v.cols <= 1);
    return vec_all(v);
}

static inline doubles vec_doubles(struct vec v)
{
    assert(v.precision == PRECISION_F64);
    return (doubles)vec_reals(v);
}

static inline u32s vec_words(struct vec v)
{
    return (u32s)vec_reals(v);
}

static inline uint64_t vec_bytes(struct vec v)
{
    return (uint64_t)v.n * v.cols * real_bytes(v.precision);
}

static inline bool vecs_fit(struct vec x, struct vec y)
{
    return x.n == y.n && x.cols == y.cols && x.precision == y.precision;
}

static inline struct vec vec_in(const struct memory *m, uint32_t n, enum precision p)
{
    return vecs_at(m->address, n, 1, p);
}

/* Column i. */
static inline struct vec vec_column(struct vec v, uint32_t i)
{
    assert(i < v.cols);
    return vecs_at(v.at + i * (uint64_t)v.ld * real_bytes(v.precision), v.n, 1, v.precision);
}

/* The elements of a vks_vector not stored in pairs of floats. */
static inline struct vec vec_of(const vks_vector *v)
{
    return vec_in(&v->memory, v->n, precision_of(v->precision));
}

/* Allocates `cols` columns of n elements; they live as long as the room. */
static inline struct vec room_vecs(struct room *w, uint32_t n, uint32_t cols, enum precision p,
                                   const char *what)
{
    struct vec v = vecs_at(0, n, cols, p);
    v.at = room_memory(w, MEMORY_DEVICE, vec_bytes(v), what).address;
    return v;
}

static inline struct vec room_vec(struct room *w, uint32_t n, enum precision p, const char *what)
{
    return room_vecs(w, n, 1, p, what);
}

/* Allocates sums over n elements in `rows` rows. */
static inline struct reduction room_reduction(struct room *w, uint32_t n, uint32_t rows)
{
    struct reduction sums = {0};
    if (!w->status)
        w->status = reduction_create(w->device, n, rows, &sums);
    room_keep(w, &sums.sums);
    room_keep(w, &sums.tickets);
    return sums;
}

#endif
