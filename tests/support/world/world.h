/* Each public call once, with everything that it needs, for the suites that make each operation fail. */
#ifndef VKS_TESTS_WORLD_H
#define VKS_TESTS_WORLD_H

#include "sparse/matrix.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vector/vector.h"
#include "vksolve/assembly.h"
#include "vksolve/batch.h"
#include "vksolve/gauss_jordan.h"
#include "vksolve/primitive.h"
#include "vksolve/solver.h"
#include "vksolve/sort.h"

#include <unistd.h>

enum {
    N = 300,
    LONG = 1500,  /* more than a workgroup sorts in shared memory */
    LARGE = 40000 /* more than two pieces of a conversion */
};

/* The objects of the calls. */
struct world {
    vks_context *c;
    struct host_csr host, back, long_row, in_blocks, of_even_rows; /* for the last two auto takes no CSR */
    vks_matrix *with_long_row;
    double *ones;                          /* as many as host has entries */
    vks_matrix *A, *narrow_A, *few, *wide; /* few: 3 x 3; wide: 3 long rows */
    vks_vector *x, *b, *narrow_x, *narrow_b, *large;
    double values[N], history[N];
    float *narrow;     /* zeros */
    double *surviving; /* the values of `host` as f32 has them */
    vks_array *words, *more_words, *long_words, *payload, *offsets;
    vks_array *diagonal; /* 0 .. N - 1 */
    vks_assembly *assembly;
    vks_matrix *assembled; /* of it */
    vks_dense *broad, *sides, *square, *singular, *small;
    vks_vector *broad_x, *broad_y, *pair_b, *pair_x;
    vks_matrix *pair; /* 2 x 2 */
    char path[64];
};

/* A call of one expression. */
#define CALL_OF(name, call)                        \
    static inline vks_status name(struct world *w) \
    {                                              \
        return call;                               \
    }

static inline vks_status create_vector(struct world *w)
{
    OWNED(vks_vector) *v = w->x;
    vks_status s = vks_vector_create(w->c, N, VKS_F32, &v);
    cr_expect_eq(s != VKS_OK, v == NULL);
    return s;
}

CALL_OF(write_vector, vks_vector_write(w->large, 0, LARGE, VKS_F32, w->narrow))
CALL_OF(read_vector, vks_vector_read(w->large, 0, LARGE, VKS_F32, w->narrow))
CALL_OF(fill_vector, vks_vector_fill(w->x, 1))
CALL_OF(copy_vector, vks_vector_copy(w->b, w->x))
CALL_OF(axpy_vector, vks_vector_axpy(2, w->b, w->x))
CALL_OF(dot_vectors, vks_vector_dot(w->b, w->x, w->values))
CALL_OF(norm_of_vector, vks_vector_norm2(w->b, w->values))
CALL_OF(sum_of_vector, vks_vector_sum(w->b, w->values))

static inline vks_status destroy_made(vks_status s, vks_matrix *m)
{
    cr_expect_eq(s != VKS_OK, m == NULL, "a matrix that was not made");
    vks_matrix_destroy(m);
    return s;
}

static inline vks_status matrix_from_csr(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, NULL, &m);
    return destroy_made(s, m);
}

static inline vks_status matrix_stored(struct world *w, vks_matrix_options o)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, &o, &m);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->host.val);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

CALL_OF(matrix_in_slices, matrix_stored(w, (vks_matrix_options){.storage.format = VKS_FORMAT_SELL}))

static inline vks_status matrix_from_coo(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {.precision = VKS_F32};
    vks_status s = vks_matrix_from_coo(w->c, N, N, N, w->host.col, w->host.col, w->host.val, &o, &m);
    return destroy_made(s, m);
}

static inline vks_status matrix_read(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_read(w->c, w->path, NULL, &m);
    return destroy_made(s, m);
}

/* Checks that the file exists if writing it gave VKS_OK, and only then; removes it. */
static inline vks_status whole_or_none(const char *path, vks_status s)
{
    cr_expect_eq(access(path, F_OK) == 0, s == VKS_OK, "a file that was not written whole");
    unlink(path);
    return s;
}

static inline vks_status matrix_write(struct world *w)
{
    char other[80];
    snprintf(other, sizeof other, "%s.other", w->path);
    return whole_or_none(other, vks_matrix_write(w->A, other));
}

CALL_OF(matrix_set_values, vks_matrix_set_values(w->A, VKS_F64, w->host.val))
CALL_OF(matrix_to_csr, vks_matrix_to_csr(w->A, w->back.row, w->back.col, VKS_F64, w->back.val))
CALL_OF(multiply, vks_spmv(w->A, w->b, w->x))

static inline vks_status measure_bandwidth(struct world *w)
{
    w->c->copy_bandwidth = 0;
    return vks_context_copy_bandwidth(w->c, w->values);
}

static inline vks_status test_arithmetic(struct world *w)
{
    vks_selftest t;
    return vks_context_selftest(w->c, &t);
}

static inline vks_status create_array(struct world *w)
{
    OWNED(vks_array) *a = w->words;
    vks_status s = vks_array_create(w->c, N, VKS_TYPE_U64, &a);
    cr_expect_eq(s != VKS_OK, a == NULL);
    return s;
}

CALL_OF(write_array, vks_array_write(w->words, 0, N, w->values))
CALL_OF(read_array, vks_array_read(w->words, 0, N, w->values))
CALL_OF(fill_array, vks_array_fill(w->words, w->values))
CALL_OF(sort_array, vks_sort(w->words, &(vks_sort_options){.method = VKS_SORT_RADIX}))
CALL_OF(sort_pairs, vks_sort_pairs(w->long_words, w->payload, &(vks_sort_options){.bits = 5}))

/* One segment is short, the other one long. */
CALL_OF(sort_segments, vks_sort_segments(w->long_words, w->payload, w->offsets))
CALL_OF(reduce_array,
        vks_reduce(vks_vector_array(w->b), VKS_REDUCE_PRODUCT, VKS_PAIRING_NEIGHBOURS, w->values))
CALL_OF(range_of_array, vks_min_max(w->words, w->values, NULL, w->values + 1, NULL))

/* In one pass, in steps, and in segments. */
static inline vks_status scan_arrays(struct world *w)
{
    vks_status s = vks_scan(w->words, VKS_SCAN_EXCLUSIVE, w->more_words);
    if (!s)
        s = vks_scan(vks_vector_array(w->b), VKS_SCAN_EXCLUSIVE, vks_vector_array(w->x));
    if (!s)
        s = vks_scan(w->words, VKS_SCAN_INCLUSIVE, w->words);
    if (!s)
        s = vks_scan_segments(vks_vector_array(w->b), w->more_words, VKS_SCAN_INCLUSIVE,
                              vks_vector_array(w->x));
    return s;
}

static inline vks_status count_in_bins(struct world *w)
{
    uint32_t outside = 0;
    vks_status s = vks_histogram(w->words, NULL, w->more_words, &outside);
    if (!s)
        s = vks_histogram_lengths(w->words, w->more_words, NULL);
    if (!s)
        s = vks_histogram(w->words, vks_vector_array(w->b), vks_vector_array(w->x), w->values);
    return s;
}

#include "tests/support/world/algebra.h"
#include "tests/support/world/assembly.h" /* the calls in it use a world */
#include "tests/support/world/batch.h"
#include "tests/support/world/blocks.h"
#include "tests/support/world/coo.h"
#include "tests/support/world/dense.h"
#include "tests/support/world/format.h"
#include "tests/support/world/mixed.h"
#include "tests/support/world/multiply.h"
#include "tests/support/world/solve.h"

static inline struct world make_world(vks_context *c)
{
    struct world w = {.c = c};
    char folder[] = "/tmp/vksolve-test-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    snprintf(w.path, sizeof w.path, "%s/a.mtx", folder);
    w.host = random_spd(PRECISION_F64, N, 1);
    w.narrow = room(LARGE, 4);
    w.back = new_csr(N, N, host_csr_entries(&w.host));
    make_surviving(&w);
    double *b = random_vector(PRECISION_F64, N, 3, 2);
    must_work(w.c, vks_matrix_from_csr(w.c, N, N, w.host.row, w.host.col, w.host.val, NULL, &w.A));
    must_work(w.c, vks_matrix_write(w.A, w.path));
    must_work(w.c, vks_vector_create(w.c, N, VKS_F64, &w.x));
    must_work(w.c, vks_vector_create(w.c, N, VKS_F64, &w.b));
    must_work(w.c, vks_vector_create(w.c, LARGE, VKS_F64, &w.large));
    must_work(w.c, vks_array_create(w.c, N, VKS_TYPE_U32, &w.words));
    must_work(w.c, vks_array_create(w.c, LONG, VKS_TYPE_U32, &w.long_words));
    must_work(w.c, vks_array_create(w.c, LONG, VKS_TYPE_U32, &w.payload));
    must_work(w.c, vks_array_create(w.c, 3, VKS_TYPE_U32, &w.offsets));
    must_work(w.c, vks_array_write(w.offsets, 0, 3, (uint32_t[]){0, 100, LONG}));
    must_work(w.c, vks_array_create(w.c, N, VKS_TYPE_U32, &w.more_words));
    make_assembly(&w);
    vks_matrix_options o = {.precision = VKS_F32};
    must_work(w.c, vks_matrix_from_csr(w.c, N, N, w.host.row, w.host.col, w.host.val, &o, &w.narrow_A));
    must_work(w.c, vks_vector_create(w.c, N, VKS_F32, &w.narrow_x));
    must_work(w.c, vks_vector_create(w.c, N, VKS_F32, &w.narrow_b));
    must_work(w.c, vks_vector_fill(w.narrow_b, 1));
    must_work(w.c, vks_vector_write(w.b, 0, N, VKS_F64, b));
    free(b);
    make_products(&w);
    make_long_row(&w);
    make_choices(&w);
    make_ones(&w);
    make_dense(&w);
    return w;
}

static inline void world_free(struct world *w)
{
    unlink(w->path);
    *strrchr(w->path, '/') = 0;
    rmdir(w->path);
    vks_matrix_destroy(w->A);
    vks_vector_destroy(w->x);
    vks_vector_destroy(w->b);
    vks_vector_destroy(w->large);
    vks_array_destroy(w->words);
    vks_array_destroy(w->long_words);
    vks_array_destroy(w->payload);
    vks_array_destroy(w->offsets);
    vks_array_destroy(w->more_words);
    vks_array_destroy(w->diagonal);
    vks_assembly_destroy(w->assembly);
    vks_matrix_destroy(w->assembled);
    vks_matrix_destroy(w->narrow_A);
    vks_matrix_destroy(w->few);
    vks_matrix_destroy(w->wide);
    vks_vector_destroy(w->narrow_x);
    vks_vector_destroy(w->narrow_b);
    vks_matrix_destroy(w->with_long_row);
    free(w->ones);
    host_csr_free(&w->long_row);
    free_choices(w);
    free_dense(w);
    host_csr_free(&w->host);
    host_csr_free(&w->back);
    free(w->narrow);
    free(w->surviving);
}

#include "tests/support/world/calls.h"

#endif
