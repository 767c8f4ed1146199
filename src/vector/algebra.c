/* The calls of vksolve/vector_algebra.h. */
#include "device/call.h"
#include "vector/vector.h"
#include "vector/verbs.h"
#include "vksolve/vector_algebra.h"

#include <stdlib.h>

/* Tiles of a chunk: the second level of a sum. */
enum { CHUNK_TILES = VKS_CHUNK / 256 };

static struct call *begin(const vks_vector *x)
{
    return call_begin(x->context, precision_of(x->precision));
}

vks_status vks_vector_scale(double alpha, vks_vector *x)
{
    context_begin(x->context);
    struct call *c = begin(x);
    number factor = call_two_numbers(c, alpha, 1);
    reals one = (reals)call_behind(c, factor, 1);
    scale_each(&c->rec, factor, one, false, vec_of(x), vec_of(x));
    return call_end(c);
}

vks_status vks_vector_axpby(double alpha, const vks_vector *x, double beta, vks_vector *y)
{
    TRY(vectors_check(x, y));
    struct call *c = begin(x);
    number factors = call_two_numbers(c, alpha, beta);
    axpby(&c->rec, factors, vec_of(x), call_behind(c, factors, 1), vec_of(y));
    return call_end(c);
}

typedef void (*verb)(struct rec *r, struct vec x, struct vec y, struct vec z);

static vks_status run_on_three(verb record, const vks_vector *x, const vks_vector *y, vks_vector *z)
{
    TRY(vectors_check(x, y));
    TRY(vectors_check(x, z));
    struct call *c = begin(x);
    record(&c->rec, vec_of(x), vec_of(y), vec_of(z));
    return call_end(c);
}

vks_status vks_vector_multiply(const vks_vector *x, const vks_vector *y, vks_vector *z)
{
    return run_on_three(multiply_each, x, y, z);
}

vks_status vks_vector_divide(const vks_vector *x, const vks_vector *y, vks_vector *z)
{
    return run_on_three(divide_each, x, y, z);
}

vks_status vks_vector_reciprocal(const vks_vector *x, vks_vector *y)
{
    TRY(vectors_check(x, y));
    struct call *c = begin(x);
    run(&c->rec, reciprocals, groups_each(x->n), .x = vec_reals(vec_of(x)), .y = vec_reals(vec_of(y)),
        .n = x->n);
    bill(&c->rec, 2 * vec_bytes(vec_of(x)));
    return call_end(c);
}

/* Checks that y, which changes while a, b and c are read, is none of them. */
static vks_status alone(const vks_vector *y, const vks_vector *a, const vks_vector *b, const vks_vector *c)
{
    return y != a && y != b && y != c
               ? VKS_OK
               : fail(context_begin(y->context), VKS_INVALID_ARGUMENT, "y is one of the other vectors");
}

vks_status vks_vector_axpy_aypx(double alpha, vks_vector *x, vks_vector *y, double beta, const vks_vector *z)
{
    TRY(vectors_check(x, y));
    TRY(vectors_check(x, z));
    TRY(alone(y, x, z, z));
    if (x == z)
        return fail(context_begin(x->context), VKS_INVALID_ARGUMENT, "z is the same vector as x");
    struct call *c = begin(x);
    number factors = call_two_numbers(c, alpha, beta);
    axpy_aypx(&c->rec, factors, vec_of(x), vec_of(y), call_behind(c, factors, 1), vec_of(z));
    return call_end(c);
}

vks_status vks_vector_axpy_multiply(double alpha, const vks_vector *x, vks_vector *y, const vks_vector *d,
                                    vks_vector *z, double dots[2])
{
    double all[2 + CALL_FACTORS];
    TRY(vectors_check(x, y));
    TRY(vectors_check(x, d));
    TRY(vectors_check(x, z));
    TRY(alone(y, x, d, z));
    struct call *c = begin(x);
    number factor = call_number(c, alpha);
    axpy_multiply(&c->rec, call_reduction(c, x->n, 2), factor, vec_of(x), vec_of(y), vec_of(d), vec_of(z),
                  (reals)call_behind(c, call_room(c), CALL_FACTORS));
    vks_status s = call_results(c, 2 + CALL_FACTORS, all);
    if (!s) {
        dots[0] = all[CALL_FACTORS];
        dots[1] = all[CALL_FACTORS + 1];
    }
    return s;
}

/* Computes up to CALL_NUMBERS dot products. */
static vks_status some_dots(const vks_vector *x, uint32_t count, const vks_vector *const *y, double *results)
{
    struct call *c = begin(x);
    const struct reduction *w = call_reduction(c, x->n, 1);
    for (uint32_t k = 0; k < count; k++)
        dot(&c->rec, w, vec_of(x), vec_of(y[k]), call_behind(c, call_room(c), k));
    return call_results(c, count, results);
}

vks_status vks_vector_dots(const vks_vector *x, uint32_t count, const vks_vector *const *y, double *results)
{
    context_begin(x->context);
    for (uint32_t k = 0; k < count; k++)
        TRY(vectors_check(x, y[k]));
    for (uint32_t k = 0; k < count; k += CALL_NUMBERS)
        TRY(some_dots(x, count - k < CALL_NUMBERS ? count - k : CALL_NUMBERS, y + k, results + k));
    return VKS_OK;
}

/* The kernel of a dot product stores the sums of chunks after the sums of tiles. */
vks_status vks_vector_chunk_dots(const vks_vector *x, const vks_vector *y, double *sums)
{
    TRY(vectors_check(x, y));
    if (!x->n)
        return VKS_OK;
    struct call *c = begin(x);
    const struct reduction *w = call_reduction(c, x->n, 1);
    uint32_t tiles = (uint32_t)groups_each(x->n), chunks = (tiles - 1) / CHUNK_TILES + 1;
    double all;
    dot(&c->rec, w, vec_of(x), vec_of(y), call_room(c));
    TRY(call_result(c, &all));
    if (tiles > 1)
        return download_values(x->context->device, &w->sums, x->precision, tiles, chunks, VKS_F64, sums);
    sums[0] = all;
    return VKS_OK;
}

/* The sum of a tile of 256 values; missing values are zero. */
static double halved(enum precision p, const double *v, size_t count)
{
    double t[256] = {0};
    for (size_t i = 0; i < count && i < 256; i++)
        t[i] = v[i];
    for (int half = 128; half; half /= 2)
        for (int i = 0; i < half; i++)
            t[i] = scalar_round(p, t[i] + t[i + half]);
    return t[0];
}

double vks_sum_of_chunks(vks_precision precision, double *sums, size_t count)
{
    if (!count)
        return 0;
    for (; count > 1; count = (count + 255) / 256)
        for (size_t k = 0; k < count; k += 256)
            sums[k / 256] = halved(precision_of(precision), sums + k, count - k);
    return sums[0];
}

vks_status vks_vector_view(vks_vector *x, uint32_t first, uint32_t n, vks_vector **view)
{
    *view = NULL;
    struct message *m = context_begin(x->context);
    vks_vector *whole = x->whole ? x->whole : x;
    uint64_t bytes = real_bytes(precision_of(x->precision));
    if (in_pairs(x->context->device, x->precision))
        return fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats: vectors of VKS_F64 have no views there",
                    x->context->device->info.name);
    TRY(context_check_range(x->context, first, n, "a vector", x->n));
    TRY(vector_in_memory(x->context, n, x->precision, memory_part(&x->memory, first * bytes, n * bytes),
                         view));
    (*view)->whole = whole;
    whole->views++;
    return VKS_OK;
}

static vks_status check_index(const vks_vector *x, const vks_array *index, const vks_vector *y)
{
    struct message *m = context_begin(x->context);
    if (x->context != y->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the vectors belong to different contexts");
    if (x->precision != y->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the vectors differ in precision");
    TRY(array_check(index, x->context, 1u << VKS_TYPE_U32, "the index"));
    return array_check_length(index, y->n, "the index");
}

vks_status vks_vector_gather(const vks_vector *x, const vks_array *index, vks_vector *y)
{
    TRY(check_index(x, index, y));
    struct call *c = begin(x);
    gather_elements(&c->rec, vec_of(x), array_words(index), vec_of(y));
    return call_end(c);
}

vks_status vks_vector_scatter(const vks_vector *y, const vks_array *index, vks_vector *x)
{
    TRY(check_index(x, index, y));
    struct call *c = begin(x);
    scatter_elements(&c->rec, vec_of(y), array_words(index), vec_of(x));
    return call_end(c);
}
