/* The calls on dense matrices. world.h includes this after defining its world. */
#ifndef VKS_TESTS_WORLD_DENSE_H
#define VKS_TESTS_WORLD_DENSE_H

enum { ORDER = 140 /* two panels */, STRIPS = 2100 /* columns, in three strips */ };

static inline void make_pair(struct world *w)
{
    uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    must_work(w->c, vks_matrix_from_csr(w->c, 2, 2, row, col, (double[]){4, 1, 2, 3}, NULL, &w->pair));
    must_work(w->c, vks_vector_create(w->c, 2, VKS_F64, &w->pair_x));
    must_work(w->c, vks_vector_create(w->c, 2, VKS_F64, &w->pair_b));
    must_work(w->c, vks_vector_fill(w->pair_b, 1));
}

static inline void make_dense(struct world *w)
{
    uint64_t seed = 3;
    OWNED(double) *v = random_vector(PRECISION_F64, ORDER * STRIPS, 1, seed);
    must_work(w->c, vks_dense_from_array(w->c, 3, STRIPS, VKS_F64, VKS_F64, v, 0, &w->broad));
    must_work(w->c, vks_dense_from_array(w->c, ORDER, 2, VKS_F64, VKS_F64, v, 0, &w->sides));
    for (uint32_t i = 0; i < ORDER; i++) /* so that repeated solves neither overflow nor underflow */
        for (uint32_t j = 0; j < ORDER; j++)
            v[i * ORDER + j] = i == j ? 1 : v[i * ORDER + j] / (4 * ORDER);
    must_work(w->c, vks_dense_from_array(w->c, ORDER, ORDER, VKS_F64, VKS_F64, v, 0, &w->square));
    must_work(w->c,
              vks_dense_from_array(w->c, 2, 2, VKS_F64, VKS_F64, (double[]){1, 2, 2, 4}, 0, &w->singular));
    must_work(w->c, vks_dense_from_array(w->c, 2, 1, VKS_F64, VKS_F64, (double[]){1, 2}, 0, &w->small));
    must_work(w->c, vks_vector_create(w->c, STRIPS, VKS_F64, &w->broad_x));
    must_work(w->c, vks_vector_create(w->c, 3, VKS_F64, &w->broad_y));
    make_pair(w);
}

static inline void free_dense(struct world *w)
{
    vks_dense *all[] = {w->broad, w->sides, w->square, w->singular, w->small};
    for (int k = 0; k < 5; k++)
        vks_dense_destroy(all[k]);
    vks_matrix_destroy(w->pair);
    vks_vector_destroy(w->pair_x);
    vks_vector_destroy(w->pair_b);
    vks_vector_destroy(w->broad_x);
    vks_vector_destroy(w->broad_y);
}

static inline vks_status destroy_dense(vks_status s, vks_dense *A)
{
    cr_expect_eq(s != VKS_OK, A == NULL, "a dense matrix that was not made");
    vks_dense_destroy(A);
    return s;
}

static inline vks_status dense_create(struct world *w)
{
    vks_dense *A = w->square;
    vks_status s = vks_dense_create(w->c, 7, 5, 9, VKS_F32, &A);
    return destroy_dense(s, A);
}

static inline vks_status dense_from_array(struct world *w)
{
    vks_dense *A = w->square;
    vks_status s = vks_dense_from_array(w->c, 10, 20, VKS_F64, VKS_F32, w->narrow, 0, &A);
    return destroy_dense(s, A);
}

static inline vks_status dense_read(struct world *w)
{
    vks_dense *A = w->square;
    vks_status s = vks_dense_read(w->c, w->path, VKS_F64, &A);
    return destroy_dense(s, A);
}

/* Reads a matrix, since the file has coordinates. */
static inline vks_status file_read(struct world *w)
{
    vks_matrix *m = w->A;
    vks_dense *A = w->square;
    vks_status s = vks_file_read(w->c, w->path, &m, &A);
    cr_expect(!A);
    return destroy_made(s, m);
}

static inline vks_status dense_write(struct world *w)
{
    char other[80];
    snprintf(other, sizeof other, "%s.other", w->path);
    return whole_or_none(other, vks_dense_write(w->sides, other));
}

static inline vks_status dense_from_sparse(struct world *w)
{
    vks_dense *A = w->square;
    vks_status s = vks_dense_from_matrix(w->A, &A);
    return destroy_dense(s, A);
}

static inline vks_status dense_to_sparse(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_dense_to_matrix(w->sides, NULL, &m);
    return destroy_made(s, m);
}

CALL_OF(dense_times_vector, vks_gemv(w->broad, w->broad_x, NULL, VKS_GEMV_AUTO, w->broad_y))

static inline vks_status dense_times_dense(struct world *w)
{
    OWNED(vks_dense) *C = NULL;
    vks_status s = vks_dense_create(w->c, ORDER, 2, 0, VKS_F64, &C);
    if (!s)
        s = vks_gemm(w->square, w->sides, C);
    return s;
}

/* A failed call reports no other result. */
static inline vks_status reported_of(vks_status s, const vks_gauss_jordan_report *r, vks_reason reason)
{
    cr_expect_eq(r->reason, s ? VKS_REASON_NOT_RUN : reason);
    return s;
}

static inline vks_status eliminate_dense(struct world *w)
{
    vks_gauss_jordan_report r;
    return reported_of(vks_gauss_jordan_solve(w->square, w->sides, NULL, &r), &r, VKS_REASON_CONVERGED);
}

static inline vks_status eliminate_singular(struct world *w)
{
    vks_gauss_jordan_report r;
    return reported_of(vks_gauss_jordan_solve(w->singular, w->small, NULL, &r), &r, VKS_REASON_SINGULAR);
}

static inline vks_status invert_dense(struct world *w)
{
    vks_gauss_jordan_report r;
    vks_dense *A = w->square;
    vks_status s = vks_gauss_jordan_invert(w->square, &A, NULL, &r);
    return reported_of(destroy_dense(s, A), &r, VKS_REASON_CONVERGED);
}

/* Elimination as a method of vks_solve. */
static inline vks_status eliminate_sparse(struct world *w)
{
    vks_solve_options o = {.method = VKS_METHOD_GAUSS_JORDAN};
    vks_solve_report r;
    vks_status s = vks_solve(w->pair, w->pair_b, w->pair_x, &o, &r);
    cr_expect_eq(r.reason, s ? VKS_REASON_NOT_RUN : VKS_REASON_CONVERGED, "%s", r.detail);
    return s;
}

#define DENSE_CALLS(X)        \
    X(dense_create, 4)        \
    X(dense_from_array, 1)    \
    X(dense_read, 1)          \
    X(file_read, 1)           \
    X(dense_write, 1)         \
    X(dense_from_sparse, 7)   \
    X(dense_to_sparse, 7)     \
    X(dense_times_vector, 3)  \
    X(dense_times_dense, 6)   \
    X(eliminate_dense, 40)    \
    X(eliminate_singular, 15) \
    X(invert_dense, 20)       \
    X(eliminate_sparse, 40)

#endif
