/* The rows of a matrix as an operator, by a function on the host and by a text elsewhere: it must have the
 * bits of the matrix, in products and in solves. */
#include "differ.h"
#include "findings.h"
#include "solution.h"

#include <stdlib.h>
#include <string.h>

/* array0: the offsets of the rows, array1: columns, array2: values. */
static const char rows_glsl[] = "real row(uint i)\n"
                                "{\n"
                                "    real sum = real(0);\n"
                                "    for (uint k = array0.at[i]; k < array0.at[i + 1]; k++)\n"
                                "        sum = sum + real(array2.at[k]) * x.at[array1.at[k]];\n"
                                "    return sum;\n"
                                "}\n";

#define ROWS(name, real)                                                                                 \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        const uint32_t *row = A->array[0], *col = A->array[1];                                           \
        const double *val = A->array[2];                                                                 \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            real sum = 0;                                                                                \
            for (uint32_t k = row[i]; k < row[i + 1]; k++)                                               \
                sum = sum + (real)val[k] * x[col[k]];                                                    \
            y[i] = sum;                                                                                  \
        }                                                                                                \
    }
ROWS(rows_f64, double)
ROWS(rows_f32, float)

/* The compiled text, shared by all; NULL if there is no libshaderc, or it is not yet compiled. */
static void *compiled;
static size_t compiled_bytes;
static bool no_compiler;

struct made {
    vks_matrix *A;
    vks_array *array[3];
    vks_vector *diagonal;
};

static vks_array *array_at(const struct place *p, vks_type type, uint32_t n, const void *values)
{
    vks_array *a = NULL;
    if (vks_array_create(p->context, n, type, &a) || vks_array_write(a, 0, n, values))
        cannot_go_on("an array on %s: %s", p->name, vks_context_message(p->context));
    return a;
}

static vks_vector *diagonal_at(const struct place *p, const struct system *s)
{
    OWNED(double) *d = room_for(s->rows, sizeof *d);
    for (uint32_t i = 0; i < s->rows; i++)
        for (uint32_t k = s->row[i]; k < s->row[i + 1]; k++)
            d[i] = s->col[k] == i ? s->val[k] : d[i];
    vks_vector *v = place_vector(p, s->precision, d, s->rows);
    return v;
}

/* Compiles the text if it is not compiled, or again if `again`. */
static void give_text(const struct place *p, vks_operator *d, bool again)
{
    d->glsl = rows_glsl;
    if (!compiled && vks_operator_compile(p->context, d, &compiled, &compiled_bytes) == VKS_UNSUPPORTED)
        no_compiler = true;
    if (compiled && !again) {
        d->glsl = NULL;
        d->compiled = compiled;
        d->compiled_bytes = compiled_bytes;
    }
}

static struct made make(const struct place *p, const struct system *s, bool text_again)
{
    uint32_t entries = s->row[s->rows];
    struct made m = {.array = {array_at(p, VKS_TYPE_U32, s->rows + 1, s->row),
                               array_at(p, VKS_TYPE_U32, entries, s->col),
                               array_at(p, VKS_TYPE_F64, entries, s->val)},
                     .diagonal = diagonal_at(p, s)};
    vks_operator d = {
        .precision = s->precision, .rows_f64 = rows_f64, .rows_f32 = rows_f32, .diagonal = m.diagonal};
    memcpy(d.array, m.array, sizeof m.array);
    if (p->vulkan)
        give_text(p, &d, text_again);
    if (p->vulkan && no_compiler)
        return m;
    vks_status status = vks_operator_create(p->context, s->rows, &d, &m.A);
    if (status)
        finding("an operator of %u rows on %s: %s: %s", s->rows, p->name, vks_status_name(status),
                vks_context_message(p->context));
    return m;
}

static void unmake(struct made *m)
{
    vks_matrix_destroy(m->A);
    for (int k = 0; k < 3; k++)
        vks_array_destroy(m->array[k]);
    vks_vector_destroy(m->diagonal);
}

static void compare_products(const struct place *p, const struct system *s, const vks_matrix *A,
                             const vks_matrix *B)
{
    OWNED(vks_vector) *x = place_vector(p, s->precision, s->x, s->cols),
                      *y = place_vector(p, s->precision, s->b, s->rows);
    OWNED(double) *want = room_for(s->rows, sizeof *want), *got = room_for(s->rows, sizeof *got);
    if (vks_spmv(A, x, y) || vks_vector_read(y, 0, s->rows, VKS_F64, want) || vks_vector_fill(y, 777) ||
        vks_spmv(B, x, y) || vks_vector_read(y, 0, s->rows, VKS_F64, got))
        finding("a product on %s: %s", p->name, vks_context_message(p->context));
    counted.products += 2;
    for (uint32_t i = 0; i < s->rows; i++)
        if (!same_bits(want[i], got[i])) {
            finding("A x, row %u of %u on %s: %a by the operator, %a by the matrix", i, s->rows, p->name,
                    got[i], want[i]);
            break;
        }
}

/* Clears what a solve with an operator does not know: the rounding of its residual, and why there is no
 * solution. */
static void forget_causes(vks_solve_report *a, vks_solve_report *b)
{
    bool failed = a->reason != VKS_REASON_CONVERGED && b->reason != VKS_REASON_CONVERGED;
    a->warning[0] = b->warning[0] = 0;
    if (!failed)
        return;
    a->reason = b->reason;
    a->row = b->row;
    a->detail[0] = b->detail[0] = 0;
}

static void compare_at(const struct place *p, const struct system *s, const vks_solve_options *o,
                       bool text_again)
{
    vks_status status;
    OWNED(vks_matrix) *A = place_matrix(p, s, &(vks_format_options){.format = VKS_FORMAT_CSR}, &status);
    struct made m = make(p, s, text_again);
    if (A && m.A) {
        compare_products(p, s, A, m.A);
        OWNED_STRUCT(solution) by_matrix = solve_at(p, s, A, o, false),
                               by_operator = solve_at(p, s, m.A, o, false);
        forget_causes(&by_matrix.report, &by_operator.report);
        counted.solves += 2;
        counted.converged += (by_matrix.report.reason == VKS_REASON_CONVERGED) * 2;
        if (!by_matrix.report.exact_residual) /* of an operator there is none */
            compare_solutions(&by_operator, "the operator", &by_matrix, "the matrix", s->rows, p->name);
    }
    unmake(&m);
}

void differ_operators(const struct places *p, struct random *r)
{
    static const double rtol[] = {0, 1e-3, 1e-12};
    OWNED_STRUCT(system) s = random_short_rows(r);
    vks_solve_options o = {
        .rtol = ONE_OF(r, rtol), .max_iterations = 200 + random_below(r, 100), .norm = VKS_NORM_PLAIN};
    bool text_again = one_in(r, 16);
    o.method = one_in(r, 3) ? VKS_METHOD_JACOBI : VKS_METHOD_CG;
    if (o.method == VKS_METHOD_CG) {
        o.precond = one_in(r, 2) ? VKS_PRECOND_NONE : VKS_PRECOND_JACOBI;
        o.iterate_in_f32 = s.precision == VKS_F64 && one_in(r, 3);
    }
    for (int i = 0; i < p->count; i++) {
        compare_at(&p->place[i], &s, &o, text_again);
    }
}
