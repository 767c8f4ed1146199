/* y = A x in every storage, and y = A^T x, everywhere: must have the same bits, and be close to the sum in
 * long double. */
#include "differ.h"
#include "findings.h"
#include "storages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The expected product. Sums of n products in any order differ from the exact one by at most n u / (1 - n u)
 * times the sum of magnitudes (Higham, "Accuracy and stability of numerical algorithms", 2nd ed., section
 * 4.2), and by half the smallest denormal for each product that underflows. */
struct expected {
    uint32_t n;
    double *first[ORDER_ANY]; /* the bits from the first place and storage of each order; NULL: none yet */
    long double *exact, *bound;
    bool *denormal; /* places that flush denormals may differ in this row */
};

static void expect_row(struct expected *e, uint32_t i, const struct system *s, const long double *term,
                       uint32_t count)
{
    bool f32 = s->precision == VKS_F32;
    long double u = f32 ? 0x1p-24L : 0x1p-53L, least = f32 ? 0x1p-149L : 0x1p-1074L;
    long double most = f32 ? FLT_MAX : DBL_MAX, small = f32 ? 0x1p-100L : 0x1p-960L, sum = 0, magnitude = 0;
    for (uint32_t k = 0; k < count; k++) {
        sum += term[k];
        magnitude += fabsl(term[k]);
        e->denormal[i] |= term[k] != 0 && fabsl(term[k]) < small;
    }
    e->exact[i] = sum;
    e->bound[i] = magnitude * u * (count + 1) * 1.01L + (count + 1) * least;
    if (!(magnitude < most / 2)) /* it may overflow in one order and not in another */
        e->bound[i] = INFINITY;
}

static bool is_denormal(double v, vks_precision p)
{
    return v != 0 && fabs(v) < (p == VKS_F32 ? (double)FLT_MIN : DBL_MIN);
}

static struct expected new_expected(uint32_t n)
{
    return (struct expected){.n = n,
                             .exact = room_for(n, sizeof(long double)),
                             .bound = room_for(n, sizeof(long double)),
                             .denormal = room_for(n, sizeof(bool))};
}

static struct expected expect_product(const struct system *s)
{
    struct expected e = new_expected(s->rows);
    long double *term = room_for(s->cols, sizeof *term);
    for (uint32_t i = 0; i < s->rows; i++) {
        uint32_t count = 0;
        for (uint32_t k = s->row[i]; k < s->row[i + 1]; k++) {
            double a = s->val[k], x = s->x[s->col[k]];
            e.denormal[i] |= is_denormal(a, s->precision) || is_denormal(x, s->precision);
            term[count++] = (long double)a * x;
        }
        expect_row(&e, i, s, term, count);
    }
    free(term);
    return e;
}

/* Of A^T b. */
static struct expected expect_transposed(const struct system *s)
{
    struct expected e = new_expected(s->cols);
    long double *term = room_for((size_t)s->cols * s->rows, sizeof *term);
    OWNED(uint32_t) *count = room_for(s->cols, sizeof *count);
    for (uint32_t i = 0; i < s->rows; i++)
        for (uint32_t k = s->row[i]; k < s->row[i + 1]; k++) {
            uint32_t j = s->col[k];
            e.denormal[j] |= is_denormal(s->val[k], s->precision) || is_denormal(s->b[i], s->precision);
            term[(size_t)j * s->rows + count[j]++] = (long double)s->val[k] * s->b[i];
        }
    for (uint32_t j = 0; j < s->cols; j++)
        expect_row(&e, j, s, term + (size_t)j * s->rows, count[j]);
    free(term);
    return e;
}

static void forget(struct expected *e)
{
    for (int k = 0; k < ORDER_ANY; k++)
        free(e->first[k]);
    free(e->exact);
    free(e->bound);
    free(e->denormal);
}

static void compare(struct expected *e, const double *y, const struct system *s, const struct place *at,
                    const struct storage *how, const char *what)
{
    double *first = how->order == ORDER_ANY ? NULL : e->first[how->order];
    if (!first && how->order != ORDER_ANY) {
        first = e->first[how->order] = room_for(e->n, sizeof *first);
        memcpy(first, y, e->n * sizeof *first);
    }
    for (uint32_t i = 0; i < e->n; i++) {
        if (at->vulkan && e->denormal[i])
            continue;
        if (first && !same_bits(y[i], first[i])) {
            finding("%s, row %u of %u x %u, %s values, precision %d, %s on %s: %a, on the host %a", what, i,
                    s->rows, s->cols, s->kind, s->precision, how->name, at->name, y[i], first[i]);
            return;
        }
        if (isfinite((double)e->bound[i]) && !(fabsl(y[i] - e->exact[i]) <= e->bound[i])) {
            finding("%s, row %u of %u x %u, %s values, precision %d, %s on %s: %a, exactly %La, bound %Lg",
                    what, i, s->rows, s->cols, s->kind, s->precision, how->name, at->name, y[i], e->exact[i],
                    e->bound[i]);
            return;
        }
    }
}

/* Reads y and compares it, if the call succeeded. */
static void check(struct expected *e, vks_status status, vks_vector *y, const struct system *s,
                  const struct place *at, const struct storage *how, const char *what)
{
    OWNED(double) *got = room_for(e->n, sizeof *got);
    if (!status)
        status = vks_vector_read(y, 0, e->n, VKS_F64, got);
    if (status)
        finding("%s of %u x %u, %s on %s: %s", what, s->rows, s->cols, how->name, at->name,
                vks_context_message(at->context));
    else
        compare(e, got, s, at, how, what);
}

static void multiply_at(const struct place *at, const struct system *s, struct expected *e,
                        struct expected *et, vks_status *refused)
{
    OWNED(vks_vector) *x = place_vector(at, s->precision, s->x, s->cols),
                      *y = place_vector(at, s->precision, s->b, s->rows);
    OWNED(vks_vector) *b = place_vector(at, s->precision, s->b, s->rows),
                      *z = place_vector(at, s->precision, s->x, s->cols);
    for (int k = 0; k < STORAGES; k++) {
        vks_status status;
        OWNED(vks_matrix) *A = place_matrix(at, s, &storages[k].options, &status);
        if (refused[k] == VKS_STATUS_COUNT_)
            refused[k] = status;
        else if (status != refused[k] && storages[k].order != ORDER_ANY)
            finding("%s: %s on %s, %s elsewhere", storages[k].name, vks_status_name(status), at->name,
                    vks_status_name(refused[k]));
        if (!A)
            continue;
        check(e, vks_spmv(A, x, y), y, s, at, &storages[k], "A x");
        counted.products++;
        if (k % 4 == 0) {
            check(et, vks_spmv_transpose(A, b, z), z, s, at, &storages[0], "A^T x");
            counted.products++;
        }
    }
}

void differ_products(const struct places *p, struct random *r)
{
    OWNED_STRUCT(system) s = random_product(r);
    struct expected e = expect_product(&s), et = expect_transposed(&s);
    vks_status refused[STORAGES];
    for (int k = 0; k < STORAGES; k++)
        refused[k] = VKS_STATUS_COUNT_;
    for (int i = 0; i < p->count; i++) {
        multiply_at(&p->place[i], &s, &e, &et, refused);
    }
    forget(&e);
    forget(&et);
}
