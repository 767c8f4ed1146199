/* Products whose rows feed an operation on vectors, in all formats: the bits of the product followed by the
 * operation. */
#include "tests/support/cases/then.h"
#include "tests/support/large.h"
#include "tests/support/mixed.h"
#include "tests/support/operator.h"

/* How a matrix is stored, and the kernel of its products. */
struct stored_as {
    vks_format_options options;
    enum kernel_id kernel;
};

#define STORED(kernel, ...)                             \
    {                                                   \
        {__VA_ARGS__, .padding = 1000}, KERNEL_##kernel \
    }
static const struct stored_as ways[] = {
    STORED(spmv_csr_then, .format = VKS_FORMAT_CSR),
    STORED(spmv_sell_then, .format = VKS_FORMAT_SELL, .coding = VKS_CODED_NEVER),
    STORED(spmv_slices_then, .format = VKS_FORMAT_SELL, .slice_height = 8, .sigma = 64),
    STORED(spmv_slices_then, .format = VKS_FORMAT_ELL),
    STORED(spmv_coded_then, .format = VKS_FORMAT_SELL, .coding = VKS_CODED_ALWAYS),
    STORED(spmv_bsr_then, .format = VKS_FORMAT_BSR),
    STORED(product_then, .format = VKS_FORMAT_COO),
    STORED(product_then, .format = VKS_FORMAT_CSC),
    STORED(product_then, .format = VKS_FORMAT_BALANCED),
    STORED(product_then, .format = VKS_FORMAT_CSR_CACHED),
};
enum { WAYS = sizeof ways / sizeof *ways, CODED = 4, APART = 6 /* those from here on need two kernels */ };

/* Vectors of a matrix, in host memory and on the device. */
struct operands {
    vks_context *c;
    const vks_matrix *A;
    enum precision p;
    uint32_t rows, cols;
    double *x, *b, *d, *s; /* s = A x by definition */
    vks_vector *vx, *vb, *vd, *vw, *vy, *vz, *spare;
};

static void operands_make(struct operands *o, vks_context *c, const vks_matrix *A, const struct host_csr *a,
                          enum precision p)
{
    uint32_t most = a->rows > a->cols ? a->rows : a->cols;
    *o = (struct operands){.c = c, .A = A, .p = real_precision(p), .rows = a->rows, .cols = a->cols};
    o->x = random_vector(o->p, most, 10, 1);
    o->b = random_vector(o->p, a->rows, 10, 2);
    o->d = random_vector(o->p, a->rows, 10, 3);
    o->s = room(a->rows, 8);
    for (uint32_t i = 0; i < a->rows; i++)
        o->s[i] = canonical_row(p, a, o->x, i, A->csr.lanes);
    o->vx = put_vector(c, o->x, a->cols, o->p);
    o->vb = put_vector(c, o->b, a->rows, o->p);
    o->vd = put_vector(c, o->d, a->rows, o->p);
    o->vw = put_vector(c, &then_weight, 1, o->p);
    o->vy = put_vector(c, o->b, a->rows, o->p);
    o->vz = put_vector(c, o->b, a->rows, o->p);
    o->spare = put_vector(c, o->b, a->rows, o->p);
}

static void operands_free(struct operands *o)
{
    vks_vector *all[] = {o->vx, o->vb, o->vd, o->vw, o->vy, o->vz, o->spare};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vks_vector_destroy(all[i]);
    free(o->x);
    free(o->b);
    free(o->d);
    free(o->s);
}

/* Every vector that the form uses, and no other. b is y if `in_place`. */
static struct product_then wanted(const struct operands *o, uint32_t form, bool varies, bool in_place)
{
    struct product_then t = {.form = form, .varies = varies, .x = vec_of(o->vx), .y = vec_of(o->vy)};
    if (form == PRODUCT_STEP || form == PRODUCT_RESIDUAL)
        t.b = vec_of(in_place ? o->vy : o->vb);
    if (form == PRODUCT_STEP || form == PRODUCT_SCALED) {
        t.w = (number)vec_reals(vec_of(o->vw));
        t.d = vec_reals(vec_of(o->vd));
    }
    if (form == PRODUCT_SCALED)
        t.z = vec_of(o->vz);
    if (product_then_spares(&t))
        t.spare = vec_of(o->spare);
    return t;
}

static void must_hold(const struct operands *o, const vks_vector *v, const double *want, const char *what)
{
    OWNED(double) *got = room(o->rows, 8);
    must_work(o->c, vks_vector_read(v, 0, o->rows, VKS_F64, got));
    must_equal(got, want, o->rows, what);
}

/* y was b before, which ADD adds to. */
static void check_result(const struct operands *o, const struct product_then *t, const char *what)
{
    double *y = room(o->rows, 8), *z = room(o->rows, 8), none;
    for (uint32_t i = 0; i < o->rows; i++)
        y[i] = expect_row(o->p, t->form, o->s[i], o->x[i], o->b[i], o->d[t->varies ? i : 0],
                          t->form == PRODUCT_SCALED ? &z[i] : &none);
    must_hold(o, o->vy, y, what);
    must_hold(o, o->vz, t->form == PRODUCT_SCALED ? z : o->b, what);
    free(y);
    free(z);
}

/* Records it, and checks which kernel is the last. */
static void record_then(struct rec *r, const struct operands *o, const struct product_then *t,
                        enum kernel_id kernel, const char *what)
{
    spmv_then(r, o->A, t);
    must_work(o->c, r->status);
    cr_assert_eq(r->list[r->count - 1].kernel, kernel, "%s: %s", what,
                 kernels[r->list[r->count - 1].kernel].name);
    cr_assert((r->count == 1) == (kernel != KERNEL_product_then), "%s: %u dispatches", what, r->count);
}

static void attempt(const struct operands *o, const struct product_then *t, enum kernel_id kernel,
                    const char *what)
{
    char text[200];
    struct rec r;
    snprintf(text, sizeof text, "%s, form %u, varies %d, in place %d", what, t->form, t->varies,
             t->b.at == t->y.at);
    rec_create(&r, o->c->device, o->p);
    must_work(o->c, vks_vector_write(o->vy, 0, o->rows, VKS_F64, o->b));
    must_work(o->c, vks_vector_write(o->vz, 0, o->rows, VKS_F64, o->b));
    record_then(&r, o, t, kernel, text);
    must_work(o->c, rec_run(&r));
    guards_check(o->c->device);
    rec_destroy(&r);
    check_result(o, t, text);
}

/* All operations with A. A step needs a square one. */
static void attempt_all(const struct operands *o, enum kernel_id kernel, const char *what)
{
    for (uint32_t form = o->rows == o->cols ? PRODUCT_STEP : PRODUCT_RESIDUAL; form <= PRODUCT_SCALED; form++)
        for (int varies = 0; varies < (form == PRODUCT_STEP || form == PRODUCT_SCALED ? 2 : 1); varies++)
            for (int in_place = 0; in_place < (form <= PRODUCT_RESIDUAL ? 2 : 1); in_place++) {
                struct product_then t = wanted(o, form, varies, in_place);
                attempt(o, &t, kernel, what);
            }
}

/* X(name, some rows are long, no codes, matrix). Codes need rows of few lanes, and at least some entries;
 * some rows of random matrices are empty. */
#define MATRICES(X)                                             \
    X(square, false, false, random_csr(p, 700, 700, 9, 1))      \
    X(tall, false, false, random_csr(p, 1031, 37, 4, 2))        \
    X(wide, false, false, random_csr(p, 129, 4001, 60, 3))      \
    X(many_lanes, false, true, rows_of_length(p, 70, 300, 230)) \
    X(all_empty, false, true, random_csr(p, 300, 300, 0, 4))    \
    X(no_rows, false, true, random_csr(p, 0, 5, 0, 5))          \
    X(some_long_rows, true, true, csr_of_long_rows(p, 61, 6))   \
    X(all_rows_long, true, true, rows_of_length(p, 260, 260, 259)) /* and square */

#define X(name, longs, no_codes, matrix)                 \
    static struct host_csr make_##name(enum precision p) \
    {                                                    \
        return matrix;                                   \
    }
MATRICES(X)
#undef X

static const struct shape {
    const char *name;
    struct host_csr (*make)(enum precision);
    bool longs, no_codes;
} shapes[] = {
#define X(name, longs, no_codes, matrix) {#name, make_##name, longs, no_codes},
    MATRICES(X)
#undef X
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Long rows need two kernels, and rows of many lanes have no leaner kernel in slices of 32 rows. */
static enum kernel_id kernel_of(const vks_matrix *A, int way)
{
    if (A->csr.longs)
        return KERNEL_product_then;
    return ways[way].kernel == KERNEL_spmv_sell_then && A->csr.lanes > 8 ? KERNEL_spmv_slices_then
                                                                         : ways[way].kernel;
}

static void attempt_shape(vks_context *c, const struct shape *s, int way, enum precision p)
{
    static const vks_precision stored[] = {VKS_F32, VKS_F64, VKS_MIXED};
    char what[100];
    OWNED_STRUCT(host_csr) a = s->make(stored_precision(p));
    OWNED_STRUCT(operands) o;
    if (way == CODED) {
        struct host_csr few = of_diagonals(&a, 1);
        host_csr_free(&a);
        a = few;
    }
    OWNED(vks_matrix) *A = put_stored(c, &a, stored[p], ways[way].options);
    cr_assert_eq(matrix_precision(A), a.row[a.rows] ? p : matrix_precision(A));
    snprintf(what, sizeof what, "%s in %s (%d), %s", s->name, vks_format_name(ways[way].options.format), way,
             precision_name(p));
    cr_assert_eq(A->csr.longs != NULL, s->longs);
    operands_make(&o, c, A, &a, matrix_precision(A));
    attempt_all(&o, kernel_of(A, way), what);
}

static void attempt_shapes(vks_context *c, int first, int end)
{
    for (enum precision p = 0; p < PRECISIONS; p++)
        for (int i = first; i < end; i++)
            for (int way = 0; way < WAYS; way++)
                if (way != CODED || !shapes[i].no_codes)
                    attempt_shape(c, &shapes[i], way, p);
    close_context(c);
}

Test(product_then, gives_the_bits_of_the_product_and_the_operation_on_the_host)
{
    attempt_shapes(open_host(), 0, SHAPES);
}

Test(product_then, gives_the_same_bits_on_lavapipe, SHADER_RUN)
{
    attempt_shapes(open_gpu(), 0, 4);
}

Test(product_then, gives_the_same_bits_where_three_groups_stride_over_all_rows, SHADER_RUN)
{
    vks_context *c = open_context(gpu_name(), (struct device_options){.max_groups = 3});
    attempt_shapes(c, 0, 2);
}

Test(product_then, gives_the_same_bits_on_lavapipe_where_rows_are_empty_or_long, SHADER_RUN)
{
    attempt_shapes(open_gpu(), 4, SHAPES);
}

/* No vector may change while the guard is not 0, including the spare one. */
static void attempt_stopped(const struct operands *o, const struct product_then *t, struct memory *word,
                            const char *what)
{
    OWNED_BY(rec_destroy) struct rec r;
    rec_create(&r, o->c->device, o->p);
    rec_guard(&r, words_of(word));
    must_work(o->c, vks_vector_write(o->vy, 0, o->rows, VKS_F64, o->b));
    must_work(o->c, vks_vector_write(o->vz, 0, o->rows, VKS_F64, o->b));
    must_work(o->c, vks_vector_write(o->spare, 0, o->rows, VKS_F64, o->b));
    spmv_then(&r, o->A, t);
    must_work(o->c, rec_run(&r));
    must_hold(o, o->vy, o->b, what);
    must_hold(o, o->vz, o->b, what);
    must_hold(o, o->spare, o->b, what);
    must_work(o->c, device_write(o->c->device, word, 0, (uint32_t[]){0}, 4));
    must_work(o->c, rec_run(&r));
    check_result(o, t, what);
    must_work(o->c, device_write(o->c->device, word, 0, (uint32_t[]){1}, 4));
}

TestOnBoth(product_then, changes_nothing_while_its_guard_stops_it)
{
    struct memory word = {0};
    OWNED_STRUCT(host_csr) a = make_square(PRECISION_F64), few = of_diagonals(&a, 1);
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, 4, "a guard", &word));
    must_work(c, device_write(c->device, &word, 0, (uint32_t[]){1}, 4));
    for (int way = 0; way <= APART; way++) {
        OWNED(vks_matrix) *A = put_stored(c, &few, VKS_F64, ways[way].options);
        OWNED_STRUCT(operands) o;
        operands_make(&o, c, A, &few, PRECISION_F64);
        for (uint32_t form = PRODUCT_STEP; form <= PRODUCT_SCALED; form++) {
            struct product_then t = wanted(&o, form, true, false);
            attempt_stopped(&o, &t, &word, kernels[ways[way].kernel].name);
        }
    }
    device_release(c->device, &word);
}

static uint64_t billed(const struct operands *o, uint32_t form, bool varies)
{
    OWNED_BY(rec_destroy) struct rec r;
    struct product_then t = wanted(o, form, varies, false);
    rec_create(&r, o->c->device, o->p);
    spmv_then(&r, o->A, &t);
    uint64_t bytes = r.bytes;
    return bytes;
}

static uint64_t billed_for_product(const struct operands *o)
{
    OWNED_BY(rec_destroy) struct rec r;
    rec_create(&r, o->c->device, o->p);
    spmv(&r, o->A, vec_of(o->vx), vec_of(o->vy));
    uint64_t bytes = r.bytes;
    return bytes;
}

/* The traffic of a product includes two vectors. With two kernels its result is also written and read. */
static void check_bills(const struct operands *o, bool apart)
{
    uint64_t vector = 8 * (uint64_t)o->rows, base = billed_for_product(o) - (apart ? 0 : 2 * vector);
    cr_expect_eq(billed(o, PRODUCT_STEP, true), base + (apart ? 5 : 4) * vector);
    cr_expect_eq(billed(o, PRODUCT_STEP, false), base + (apart ? 4 : 3) * vector);
    cr_expect_eq(billed(o, PRODUCT_RESIDUAL, true), base + 3 * vector);
    cr_expect_eq(billed(o, PRODUCT_ADD, false), base + 3 * vector);
    cr_expect_eq(billed(o, PRODUCT_SCALED, true), base + 4 * vector);
    cr_expect_eq(billed(o, PRODUCT_SCALED, false), base + 3 * vector);
}

TestOnHost(product_then, bills_the_matrix_and_each_vector_once)
{
    OWNED_STRUCT(host_csr) a = make_square(PRECISION_F64), few = of_diagonals(&a, 1);
    for (int way = 0; way <= APART; way++) {
        OWNED(vks_matrix) *A = put_stored(c, &few, VKS_F64, ways[way].options);
        OWNED_STRUCT(operands) o;
        operands_make(&o, c, A, &few, PRECISION_F64);
        check_bills(&o, way == APART);
    }
}

/* As in poisson_operator, which is summed like the matrix. */
TEST_BY(with_operators, product_then, takes_operators, vks_context *c, enum precision p)
{
    OWNED_STRUCT(host_csr) a = poisson_matrix(19, false);
    vks_operator d = poisson_operator(19, false, public_precision(p));
    OWNED(vks_matrix) *A = NULL;
    OWNED_STRUCT(operands) o;
    must_work(c, vks_operator_create(c, a.rows, &d, &A));
    operands_make(&o, c, A, &a, p);
    attempt_all(&o, KERNEL_product_then, "an operator");
}
