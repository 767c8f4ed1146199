/* The calls of vksolve/vector_algebra.h: values, views, sums of chunks, and refusals. */
#include "tests/support/solve.h"
#include "tests/support/vectors.h"
#include "vksolve/vector_algebra.h"

/* x and y in the precision, and device vectors of them. */
struct pair_of_vectors {
    uint32_t n;
    double *x, *y, *want;
    vks_vector *vx, *vy, *vz;
};

static struct pair_of_vectors make_pair(vks_context *c, enum precision p, uint32_t n)
{
    struct pair_of_vectors t = {.n = n, .want = room(n, 8)};
    t.x = random_vector(p, n, 20, 3);
    t.y = random_vector(p, n, 20, 4);
    t.vx = vector_of(c, p, t.x, n);
    t.vy = vector_of(c, p, t.y, n);
    t.vz = vector_of(c, p, NULL, n);
    return t;
}

static void free_pair(struct pair_of_vectors *t)
{
    vks_vector_destroy(t->vx);
    vks_vector_destroy(t->vy);
    vks_vector_destroy(t->vz);
    free(t->x);
    free(t->y);
    free(t->want);
}

static void expect_elements(vks_context *c, enum precision p)
{
    struct pair_of_vectors t = make_pair(c, p, 1000);
    double a = rounded(p, -0.3), b = rounded(p, 1.7);
    must_work(c, vks_vector_multiply(t.vx, t.vy, t.vz));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, t.x[i] * t.y[i]);
    must_hold(t.vz, t.want, "x y");
    must_work(c, vks_vector_divide(t.vx, t.vy, t.vz));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, t.x[i] / t.y[i]);
    must_hold(t.vz, t.want, "x / y");
    must_work(c, vks_vector_reciprocal(t.vx, t.vz));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, 1 / t.x[i]);
    must_hold(t.vz, t.want, "1 / x");
    must_work(c, vks_vector_axpby(-0.3, t.vx, 1.7, t.vy));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, rounded(p, a * t.x[i]) + rounded(p, b * t.y[i]));
    must_hold(t.vy, t.want, "a x + b y");
    must_work(c, vks_vector_scale(-0.3, t.vy));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = rounded(p, a * t.want[i]);
    must_hold(t.vy, t.want, "a y");
    must_work(c, vks_vector_divide(t.vx, t.vx, t.vx));
    for (uint32_t i = 0; i < t.n; i++)
        t.want[i] = 1;
    must_hold(t.vx, t.want, "over an operand");
    free_pair(&t);
}

Test(vector_algebra, operations_on_elements_round_once)
{
    everywhere(expect_elements);
}

/* Resets vx and vy, and sets vz to ones. */
static void begin_again(vks_context *c, const struct pair_of_vectors *t)
{
    must_work(c, vks_vector_write(t->vx, 0, t->n, VKS_F64, t->x));
    must_work(c, vks_vector_write(t->vy, 0, t->n, VKS_F64, t->y));
    must_work(c, vks_vector_fill(t->vz, 1));
}

static void expect_steps(vks_context *c, enum precision p)
{
    static const uint32_t sizes[] = {0, 1, 255, 257, 1000, 70000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct pair_of_vectors t = make_pair(c, p, sizes[k]);
        double *want = room(3 * (size_t)t.n, 8), dots[2], got[2];
        vks_vector *vd = vector_of(c, p, t.x, t.n);
        begin_again(c, &t);
        must_work(c, vks_vector_axpy(0.3, t.vx, t.vy));
        must_work(c, vks_vector_multiply(vd, t.vy, t.vz));
        must_work(c, vks_vector_dot(t.vz, t.vy, &dots[0]));
        must_work(c, vks_vector_dot(t.vz, t.vz, &dots[1]));
        must_work(c, vks_vector_read(t.vy, 0, t.n, VKS_F64, want));
        must_work(c, vks_vector_read(t.vz, 0, t.n, VKS_F64, want + t.n));
        begin_again(c, &t);
        must_work(c, vks_vector_axpy_multiply(0.3, t.vx, t.vy, vd, t.vz, got));
        cr_assert(same_bits(got[0], dots[0]) && same_bits(got[1], dots[1]), "%u elements", t.n);
        must_hold(t.vx, t.x, "x is read");
        must_hold(t.vy, want, "y + alpha x");
        must_hold(t.vz, want + t.n, "d y");
        begin_again(c, &t);
        must_work(c, vks_vector_axpy_multiply(0.3, t.vx, t.vy, vd, t.vx, got));
        cr_assert(same_bits(got[0], dots[0]) && same_bits(got[1], dots[1]), "%u elements", t.n);
        must_hold(t.vy, want, "y + alpha x");
        must_hold(t.vx, want + t.n, "d y over x");
        begin_again(c, &t);
        must_work(c, vks_vector_axpy(0.3, t.vx, t.vy));
        must_work(c, vks_vector_axpby(1, t.vz, -0.7, t.vx));
        must_work(c, vks_vector_read(t.vx, 0, t.n, VKS_F64, want));
        must_work(c, vks_vector_read(t.vy, 0, t.n, VKS_F64, want + t.n));
        begin_again(c, &t);
        must_work(c, vks_vector_axpy_aypx(0.3, t.vx, t.vy, -0.7, t.vz));
        must_hold(t.vx, want, "z + beta x");
        must_hold(t.vy, want + t.n, "y + alpha x");
        vks_vector_destroy(vd);
        free(want);
        free_pair(&t);
    }
}

Test(vector_algebra, passes_of_conjugate_gradients_have_the_bits_of_single_calls)
{
    everywhere(expect_steps);
}

static void expect_refused(vks_context *c, vks_status s, const char *why)
{
    cr_expect_eq(s, VKS_INVALID_ARGUMENT);
    cr_expect_str_eq(vks_context_message(c), why);
}

Test(vector_algebra, passes_of_conjugate_gradients_refuse_to_write_over_what_they_read)
{
    vks_context *c = open_host();
    struct pair_of_vectors t = make_pair(c, PRECISION_F64, 10);
    const char *why = "y is one of the other vectors";
    double dots[2];
    expect_refused(c, vks_vector_axpy_multiply(2, t.vy, t.vy, t.vx, t.vz, dots), why);
    expect_refused(c, vks_vector_axpy_multiply(2, t.vx, t.vy, t.vy, t.vz, dots), why);
    expect_refused(c, vks_vector_axpy_multiply(2, t.vx, t.vy, t.vz, t.vy, dots), why);
    expect_refused(c, vks_vector_axpy_aypx(2, t.vy, t.vy, 3, t.vz), why);
    expect_refused(c, vks_vector_axpy_aypx(2, t.vx, t.vy, 3, t.vy), why);
    expect_refused(c, vks_vector_axpy_aypx(2, t.vx, t.vy, 3, t.vx), "z is the same vector as x");
    must_hold(t.vy, t.y, "y stays");
    free_pair(&t);
    close_context(c);
}

static void expect_dots(vks_context *c, enum precision p)
{
    enum { COUNT = 70 };
    struct pair_of_vectors t = make_pair(c, p, 3000);
    const vks_vector *y[COUNT];
    double got[COUNT], want[2];
    must_work(c, vks_vector_dot(t.vx, t.vy, &want[0]));
    must_work(c, vks_vector_dot(t.vx, t.vx, &want[1]));
    for (int k = 0; k < COUNT; k++)
        y[k] = k % 3 ? t.vx : t.vy;
    must_work(c, vks_vector_dots(t.vx, COUNT, y, got));
    for (int k = 0; k < COUNT; k++)
        cr_assert_eq(got[k], want[k % 3 != 0], "dot %d", k);
    must_work(c, vks_vector_dots(t.vx, 0, NULL, NULL));
    free_pair(&t);
}

Test(vector_algebra, several_dots_have_the_bits_of_each)
{
    everywhere(expect_dots);
}

/* Parts of a vector that begin at chunks: 1, 2 and 3 of them. */
static void expect_chunks(vks_context *c, enum precision p)
{
    static const uint32_t sizes[] = {
        1, 255, 256, 257, VKS_CHUNK - 1, VKS_CHUNK, VKS_CHUNK + 1, 3 * VKS_CHUNK + 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct pair_of_vectors t = make_pair(c, p, sizes[k]);
        double whole, parts[4];
        uint32_t chunks = (t.n + VKS_CHUNK - 1) / VKS_CHUNK;
        must_work(c, vks_vector_dot(t.vx, t.vy, &whole));
        must_work(c, vks_vector_chunk_dots(t.vx, t.vy, parts));
        cr_assert_eq(vks_sum_of_chunks(public_precision(p), parts, chunks), whole, "%u elements", t.n);
        for (uint32_t i = 0; i < chunks; i++) {
            vks_vector *x, *y;
            uint32_t first = i * VKS_CHUNK, n = t.n - first < VKS_CHUNK ? t.n - first : VKS_CHUNK;
            must_work(c, vks_vector_view(t.vx, first, n, &x));
            must_work(c, vks_vector_view(t.vy, first, n, &y));
            must_work(c, vks_vector_chunk_dots(x, y, parts + i));
            vks_vector_destroy(x);
            vks_vector_destroy(y);
        }
        cr_assert_eq(vks_sum_of_chunks(public_precision(p), parts, chunks), whole, "%u elements in parts",
                     t.n);
        free_pair(&t);
    }
}

Test(vector_algebra, sums_of_chunks_make_the_dot_product_however_they_are_shared)
{
    everywhere(expect_chunks);
}

Test(vector_algebra, the_sum_of_many_chunks_is_a_tree)
{
    vks_context *c = open_host();
    enum { MANY = 70000 };
    double *v = random_vector(PRECISION_F64, MANY, 10, 5), whole;
    vks_vector *x = vector_of(c, PRECISION_F64, v, MANY);
    must_work(c, vks_vector_sum(x, &whole));
    cr_expect_eq(vks_sum_of_chunks(VKS_F64, v, MANY), whole);
    cr_expect_eq(vks_sum_of_chunks(VKS_F64, v, 0), 0);
    vks_vector_destroy(x);
    free(v);
    close_context(c);
}

static void expect_views(vks_context *c, enum precision p)
{
    struct pair_of_vectors t = make_pair(c, p, 700);
    vks_vector *view, *part;
    must_work(c, vks_vector_view(t.vx, 3, 600, &view));
    must_work(c, vks_vector_view(view, 7, 500, &part));
    must_hold(part, t.x + 10, "a view of a view");
    must_work(c, vks_vector_fill(part, 2));
    must_work(c, vks_vector_write(view, 0, 1, VKS_F64, &(double){5}));
    memcpy(t.want, t.x, t.n * sizeof *t.want);
    t.want[3] = 5;
    for (uint32_t i = 10; i < 510; i++)
        t.want[i] = 2;
    must_hold(t.vx, t.want, "what was written through views");
    vks_vector_destroy(view);
    vks_vector_destroy(t.vx);
    t.vx = NULL;
    must_hold(part, t.want + 10, "a view of a vector that has been destroyed");
    vks_vector_destroy(part);
    free_pair(&t);
}

Test(vector_algebra, views_share_memory_that_goes_with_the_last_of_them)
{
    everywhere(expect_views);
}

static void expect_gathered(vks_context *c, enum precision p)
{
    enum { FEW = 300 };
    struct pair_of_vectors t = make_pair(c, p, 1000);
    uint32_t index[FEW];
    double want[FEW];
    vks_array *at = NULL;
    vks_vector *few = vector_of(c, p, NULL, FEW);
    for (uint32_t i = 0; i < FEW; i++) {
        index[i] = i == 7 ? 1000 : i * 331 % 1000;
        want[i] = i == 7 ? NAN : t.x[index[i]];
    }
    must_work(c, vks_array_create(c, FEW, VKS_TYPE_U32, &at));
    must_work(c, vks_array_write(at, 0, FEW, index));
    must_work(c, vks_vector_gather(t.vx, at, few));
    must_hold(few, want, "gathered");
    must_work(c, vks_vector_scatter(few, at, t.vy));
    for (uint32_t i = 0; i < FEW; i++)
        if (i != 7)
            t.y[index[i]] = want[i];
    must_hold(t.vy, t.y, "scattered");
    vks_array_destroy(at);
    vks_vector_destroy(few);
    free_pair(&t);
}

Test(vector_algebra, gathers_and_scatters_keep_to_the_vector)
{
    everywhere(expect_gathered);
}

Test(vector_algebra, what_does_not_fit_is_refused)
{
    vks_context *c = open_host();
    vks_vector *x = vector_of(c, PRECISION_F64, NULL, 9), *y = vector_of(c, PRECISION_F64, NULL, 8),
               *z = vector_of(c, PRECISION_F32, NULL, 9), *view = x;
    vks_array *words = NULL;
    const vks_vector *list[] = {x, y};
    double results[2];
    must_work(c, vks_array_create(c, 8, VKS_TYPE_U32, &words));
    must_refuse(c, vks_vector_axpby(1, x, 1, y), VKS_INVALID_ARGUMENT, "differ in length: 9 and 8");
    must_refuse(c, vks_vector_multiply(x, x, z), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_vector_axpy_multiply(1, x, x, x, y, results), VKS_INVALID_ARGUMENT,
                "differ in length: 9 and 8");
    must_refuse(c, vks_vector_axpy_aypx(1, x, z, 1, x), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_vector_dots(x, 2, list, results), VKS_INVALID_ARGUMENT, "differ in length");
    must_refuse(c, vks_vector_view(x, 4, 6, &view), VKS_INVALID_ARGUMENT, "a vector");
    cr_expect_null(view);
    must_refuse(c, vks_vector_gather(y, words, x), VKS_INVALID_ARGUMENT, "the index");
    must_refuse(c, vks_vector_gather(x, vks_vector_array(y), y), VKS_INVALID_ARGUMENT, "the index");
    must_refuse(c, vks_vector_scatter(z, words, x), VKS_INVALID_ARGUMENT, "differ in precision");
    vks_array_destroy(words);
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_vector_destroy(z);
    close_context(c);
}

/* Without the guards of other tests, which depend on the places of arrays. */
Test(vector_algebra, views_are_read_and_written_where_they_lie)
{
    const char *const devices[] = {"host", gpu_name()};
    for (int k = 0; k < 2; k++) {
        vks_context *c = NULL;
        vks_vector *other, *x, *view;
        double got[4];
        must_work(NULL, vks_context_create(&(vks_context_options){.device = devices[k]}, &c));
        must_work(c, vks_vector_create(c, 50, VKS_F64, &other));
        must_work(c, vks_vector_create(c, 50, VKS_F64, &x));
        must_work(c, vks_vector_view(x, 20, 10, &view));
        must_work(c, vks_vector_write(view, 3, 2, VKS_F64, (double[]){7, 8}));
        must_work(c, vks_vector_read(x, 22, 4, VKS_F64, got));
        cr_expect(got[0] == 0 && got[1] == 7 && got[2] == 8 && got[3] == 0, "%s", devices[k]);
        must_work(c, vks_vector_read(view, 2, 4, VKS_F64, got));
        cr_expect(got[0] == 0 && got[1] == 7 && got[2] == 8 && got[3] == 0, "%s", devices[k]);
        vks_vector_destroy(view);
        vks_vector_destroy(x);
        vks_vector_destroy(other);
        vks_context_destroy(c);
    }
}
