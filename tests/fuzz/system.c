#include "system.h"
#include "findings.h"
#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum shape {
    SHAPE_PLAIN,
    SHAPE_EMPTY_ROWS,
    SHAPE_FULL_ROWS,
    SHAPE_POWER_LAW,
    SHAPE_BAND,
    SHAPE_BLOCKS,
    SHAPES
};

void *room_for(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes);
    if (!p)
        cannot_go_on("no memory");
    return p;
}

double as_stored(vks_precision p, double value)
{
    return p == VKS_F32 ? (float)value : value;
}

static uint32_t random_size(struct random *r)
{
    switch (random_below(r, 6)) {
    case 0:
        return random_below(r, 4);
    case 1:
        return random_below(r, 40);
    case 2:
        return 30 + random_below(r, 6);
    case 3:
        return 254 + random_below(r, 5);
    default:
        return random_below(r, 301);
    }
}

static struct system empty_system(struct random *r, uint32_t rows, uint32_t cols)
{
    size_t most = (size_t)rows * cols;
    return (struct system){.rows = rows,
                           .cols = cols,
                           .row = room_for((size_t)rows + 1, sizeof(uint32_t)),
                           .col = room_for(most, sizeof(uint32_t)),
                           .val = room_for(most, sizeof(double)),
                           .x = room_for(cols, sizeof(double)),
                           .b = room_for(rows, sizeof(double)),
                           .precision = (vks_precision)random_below(r, 3)};
}

static bool has_entry(struct random *r, enum shape shape, double density, uint32_t i, uint32_t j)
{
    if (shape == SHAPE_BAND)
        return j + 2 >= i && j <= i + 2;
    if (shape == SHAPE_BLOCKS)
        return i / 3 == j / 3 || (i / 3 + 7 * (j / 3)) % 11 == 0;
    return random_unit(r) < density;
}

static void fill_any(struct random *r, struct system *s, enum values values, double density)
{
    enum shape shape = (enum shape)random_below(r, SHAPES);
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->rows; i++) {
        double d = density;
        if (shape == SHAPE_EMPTY_ROWS && one_in(r, 4))
            d = 0;
        if (shape == SHAPE_FULL_ROWS && one_in(r, 20))
            d = 1;
        if (shape == SHAPE_POWER_LAW)
            d = pow(random_unit(r), 6);
        for (uint32_t j = 0; j < s->cols; j++)
            if (has_entry(r, shape, d, i, j)) {
                s->col[at] = j;
                s->val[at++] = as_stored(s->precision, random_value(r, values));
            }
        s->row[i + 1] = at;
    }
}

struct system random_product(struct random *r)
{
    uint32_t rows = random_size(r), cols = random_size(r);
    struct system s = empty_system(r, rows, cols);
    enum values of_a = random_values(r), of_x = random_values(r);
    s.kind = values_name(of_a);
    fill_any(r, &s, of_a, pow(random_unit(r), 3));
    for (uint32_t j = 0; j < cols; j++)
        s.x[j] = as_stored(s.precision, random_value(r, of_x));
    for (uint32_t i = 0; i < rows; i++)
        s.b[i] = as_stored(s.precision, random_both(r));
    return s;
}

/* Lower triangle first: a[i * n + j], NaN-free `is` tells which entries there are. */
struct square {
    uint32_t n;
    double *a;
    bool *is;
};

static void set_both(struct square *q, uint32_t i, uint32_t j, double v)
{
    q->a[(size_t)i * q->n + j] = q->a[(size_t)j * q->n + i] = v;
    q->is[(size_t)i * q->n + j] = q->is[(size_t)j * q->n + i] = true;
}

static double sum_beside_diagonal(const struct square *q, uint32_t i)
{
    double sum = 0;
    for (uint32_t j = 0; j < q->n; j++)
        sum += j == i ? 0 : fabs(q->a[(size_t)i * q->n + j]);
    return sum;
}

static void take_square(struct system *s, const struct square *q, const double *scale)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        for (uint32_t j = 0; j < q->n; j++)
            if (q->is[(size_t)i * q->n + j]) {
                s->col[at] = j;
                s->val[at++] = as_stored(s->precision, q->a[(size_t)i * q->n + j] * scale[i] * scale[j]);
            }
        s->row[i + 1] = at;
    }
}

/* Symmetric, with a diagonal that exceeds the sum of the others by `dominance`; negative: any diagonal. */
static void fill_symmetric(struct random *r, struct system *s, enum values values, double dominance,
                           double decades)
{
    uint32_t n = s->rows;
    struct square q = {n, room_for((size_t)n * n, sizeof(double)), room_for((size_t)n * n, sizeof(bool))};
    double *scale = room_for(n, sizeof *scale), density = 0.05 + 0.3 * random_unit(r);
    for (uint32_t i = 0; i < n; i++) {
        scale[i] = decades > 0 ? ldexp(1, (int)(3.32 * decades * random_both(r))) : 1;
        for (uint32_t j = 0; j < i; j++)
            if (random_unit(r) < density)
                set_both(&q, i, j, random_value(r, values));
    }
    for (uint32_t i = 0; i < n; i++) {
        double sum = sum_beside_diagonal(&q, i);
        if (dominance >= 0)
            set_both(&q, i, i, sum > 0 ? sum * (1 + dominance) : 1);
        else if (random_below(r, 4))
            set_both(&q, i, i, random_value(r, values));
    }
    take_square(s, &q, scale);
    free(q.a);
    free(q.is);
    free(scale);
}

/* The Laplacian of a graph with `parts` components, scaled from both sides; a share `more` is added to a
 * quarter of its diagonal. Its null space has one vector for each component, 1 / scale on it. */
static void fill_laplacian(struct random *r, struct system *s, uint32_t parts, double decades, double more)
{
    uint32_t n = s->rows, stride = 2 + random_below(r, 20);
    struct square q = {n, room_for((size_t)n * n, sizeof(double)), room_for((size_t)n * n, sizeof(bool))};
    OWNED(double) *scale = room_for(n, sizeof *scale);
    for (uint32_t i = 0; i < n; i++) {
        scale[i] = decades > 0 ? ldexp(1, (int)(3.32 * decades * random_both(r))) : 1;
        for (uint32_t j = 0; j < i; j++)
            if ((j + parts == i || j + stride * parts == i))
                set_both(&q, i, j, one_in(r, 3) ? -1 - random_unit(r) : -1);
    }
    for (uint32_t i = 0; i < n; i++)
        set_both(&q, i, i, sum_beside_diagonal(&q, i) + (i < n / 4 ? more : 0));
    take_square(s, &q, scale);
    if (parts > 1 || decades > 0)
        for (s->null_count = 0; s->null_count < parts; s->null_count++) {
            double *v = room_for(n, sizeof *v);
            for (uint32_t i = s->null_count; i < n; i += parts)
                v[i] = as_stored(s->precision, 1 / scale[i]);
            s->null_vector[s->null_count] = v;
        }
    free(q.a);
    free(q.is);
}

static void make_singular(struct random *r, struct system *s)
{
    static const double more[] = {0, 0, 0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 5e-6, 1e-3};
    double share = ONE_OF(r, more);
    s->singular = s->rows > 2;
    s->kind = share > 0 ? "nearly singular" : "singular";
    fill_laplacian(r, s, s->rows > 8 ? 1 + random_below(r, 2) : 1, one_in(r, 3) ? 1 : 0, share);
}

static void fill_matrix(struct random *r, struct system *s, enum values values)
{
    double f32 = s->precision == VKS_F32, decades;
    s->kind = values_name(values);
    s->rough = values_rough(values, s->precision);
    switch (random_below(r, 10)) {
    case 0:
    case 1:
    case 2:
        fill_symmetric(r, s, values, 0.01 + random_unit(r), 0);
        break;
    case 3:
        fill_symmetric(r, s, VALUES_PLAIN, 0.1, decades = 4 * random_unit(r));
        s->rough = decades > 3 || f32;
        s->kind = "scaled";
        break;
    case 4:
        fill_symmetric(r, s, VALUES_PLAIN, 0.1, (f32 ? 15 : 140) * random_unit(r));
        s->rough = true;
        s->kind = "scaled far";
        break;
    case 5:
    case 6:
        s->rough = false;
        make_singular(r, s);
        break;
    case 7:
        fill_symmetric(r, s, values, -1, 0);
        break;
    default:
        fill_any(r, s, values, pow(random_unit(r), 2));
    }
}

static void fill_right_side(struct random *r, struct system *s)
{
    uint32_t kind = random_below(r, 12), n = s->rows;
    for (uint32_t i = 0; i < n; i++) {
        double v = kind == 0   ? 0
                   : kind == 1 ? 1
                   : kind == 2 ? random_value(r, VALUES_WIDE)
                   : kind == 3 ? 1e150 * random_both(r)
                   : kind == 4 ? 1e-158 * random_both(r)
                   : kind == 5 ? random_value(r, VALUES_EXTREME)
                   : kind == 6 ? random_value(r, VALUES_WHOLE)
                   : kind == 7 ? 1000 + random_both(r)
                               : random_both(r);
        s->b[i] = as_stored(s->precision, v);
    }
    s->rough |= kind >= 2 && kind <= 5;
    if (kind == 8 && n && one_in(r, 4)) {
        s->b[random_below(r, n)] = one_in(r, 2) ? NAN : INFINITY;
        s->rough = true;
    }
}

static void fill_guess(struct random *r, struct system *s)
{
    uint32_t kind = random_below(r, 60), n = s->cols;
    double size = kind == 0 ? 1e300 : kind < 20 ? 1 : 0;
    for (uint32_t i = 0; i < n; i++)
        s->x[i] = as_stored(s->precision, size * random_both(r));
    if (kind == 59 && n)
        s->x[random_below(r, n)] = NAN;
    s->rough |= kind == 0 || kind == 59;
}

struct system random_system(struct random *r)
{
    uint32_t n = random_size(r);
    struct system s = empty_system(r, n, n);
    fill_matrix(r, &s, one_in(r, 2) ? VALUES_PLAIN : random_values(r));
    fill_right_side(r, &s);
    fill_guess(r, &s);
    return s;
}

struct system random_short_rows(struct random *r)
{
    uint32_t n = random_size(r);
    struct system s = empty_system(r, n, n);
    enum values values = one_in(r, 2) ? VALUES_PLAIN : VALUES_WHOLE;
    s.precision = one_in(r, 2) ? VKS_F64 : VKS_F32;
    s.kind = "short rows";
    if (one_in(r, 3)) {
        fill_laplacian(r, &s, 1, 0, 1e-3);
    } else {
        uint32_t at = 0;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) {
                bool diagonal = i == j && random_below(r, 50);
                if (diagonal || random_unit(r) * n < 9) {
                    s.col[at] = j;
                    s.val[at++] = as_stored(s.precision, random_value(r, values) + (i == j ? 12 : 0));
                }
            }
            s.row[i + 1] = at;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        s.b[i] = as_stored(s.precision, random_both(r));
        s.x[i] = as_stored(s.precision, random_both(r));
    }
    return s;
}

void system_free(struct system *s)
{
    free(s->row);
    free(s->col);
    free(s->val);
    free(s->x);
    free(s->b);
    for (int k = 0; k < 2; k++)
        free(s->null_vector[k]);
    *s = (struct system){0};
}
