/* The calls of bench_solve_bits on sparse systems. */
#include "support/bits_inside.h"

#include <stdio.h>
#include <stdlib.h>

vks_status solve_once(struct bits_job *j)
{
    vks_status s = bits_checked(j, vks_solve(j->A, j->on_b, j->on_x, &j->o, &j->out.report));
    return s ? s : bits_take(j, j->on_x);
}

vks_status iterate_once(struct bits_job *j)
{
    vks_status s = bits_checked(j, vks_fixed_point_solve(j->A, j->on_b, j->on_x, &j->o, &j->out.report));
    return s ? s : bits_take(j, j->on_x);
}

/* b in reverse. */
static vks_status write_reversed(struct bits_job *j, vks_vector *b)
{
    uint32_t n = vks_vector_length(b);
    double *reversed = bits_room(n, sizeof *reversed);
    for (uint32_t i = 0; i < n; i++)
        reversed[i] = j->b[n - 1 - i];
    vks_status s = bits_checked(j, vks_vector_write(b, 0, n, VKS_F64, reversed));
    free(reversed);
    return s;
}

/* Increases diagonal entries by half, the others by a quarter. */
static vks_status set_other_values(struct bits_job *j)
{
    const struct bits_csr *a = j->a;
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            j->values[k] *= a->col[k] == i ? 1.5 : 1.25;
    return bits_checked(j, vks_matrix_set_values(j->A, VKS_F64, j->values));
}

static vks_status solve_with(struct bits_job *j, vks_solver *v)
{
    vks_status s = bits_checked(j, vks_solver_solve(v, j->on_b, j->on_x, &j->out.report));
    return s ? s : bits_take(j, j->on_x);
}

vks_status solve_twice(struct bits_job *j)
{
    vks_solver *v = NULL;
    vks_status s = bits_checked(j, vks_solver_create(j->A, &j->o, &v));
    if (!s)
        s = solve_with(j, v);
    if (!s && j->c->call == CALL_UPDATED)
        s = set_other_values(j);
    if (!s && j->c->call == CALL_LIMITS)
        s = bits_checked(j, vks_solver_set_limits(v, 1e-3, 0, 20));
    if (!s)
        s = write_reversed(j, j->on_b);
    if (!s)
        s = bits_checked(j, vks_vector_write(j->on_x, 0, j->a->cols, VKS_F64, j->x0));
    if (!s)
        s = solve_with(j, v);
    vks_solver_destroy(v);
    return s;
}

vks_status solve_submitted(struct bits_job *j)
{
    vks_solver *v = NULL;
    vks_status s = bits_checked(j, vks_solver_create(j->A, &j->o, &v));
    if (!s)
        s = bits_checked(j, vks_solver_submit(v, j->on_b, j->on_x));
    if (!s)
        s = bits_checked(j, vks_solver_wait(v, 300, &j->out.report));
    if (!s)
        s = bits_take(j, j->on_x);
    vks_solver_destroy(v);
    return s;
}

vks_status solve_many(struct bits_job *j)
{
    vks_solver *v = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_solve_report reports[2];
    vks_status s = bits_checked(j, vks_solver_create(j->A, &j->o, &v));
    if (!s)
        s = bits_checked(j, vks_vector_create(j->context, j->a->rows, j->of_vectors, &b));
    if (!s)
        s = bits_checked(j, vks_vector_create(j->context, j->a->cols, j->of_vectors, &x));
    if (!s)
        s = write_reversed(j, b);
    if (!s)
        s = bits_checked(j, vks_solver_solve_many(v, 2, (const vks_vector *[]){j->on_b, b},
                                                  (vks_vector *[]){j->on_x, x}, reports));
    if (!s)
        j->out.report = reports[1];
    if (!s)
        s = bits_take(j, j->on_x);
    if (!s)
        s = bits_take(j, x);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_solver_destroy(v);
    return s;
}

vks_status solve_arrays(struct bits_job *j)
{
    const struct bits_csr *a = j->a;
    vks_status s = vks_solve_csr(a->rows, a->row, a->col, j->values, j->b, j->x0, &j->o, &j->out.report);
    if (s)
        snprintf(j->out.message, sizeof j->out.message, "%s", j->out.report.detail);
    else
        bits_hash_doubles(&j->out.x, j->x0, a->cols);
    return s;
}
