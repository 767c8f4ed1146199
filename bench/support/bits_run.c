#include "support/bits_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY = 1024, CYCLES = 64, USUAL_LIMIT = 300 };

uint64_t bits_hash(uint64_t hash, const void *bytes, uint64_t count)
{
    const unsigned char *byte = bytes;
    for (uint64_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

void bits_hash_doubles(uint64_t *hash, const double *values, uint64_t count)
{
    static const uint64_t nan = 0x7ff8000000000000u;
    for (uint64_t i = 0; i < count; i++)
        *hash = bits_hash(*hash, isnan(values[i]) ? (const void *)&nan : &values[i], sizeof nan);
}

vks_status bits_checked(struct bits_job *j, vks_status s)
{
    if (s)
        snprintf(j->out.message, sizeof j->out.message, "%s", vks_context_message(j->context));
    return s;
}

vks_status bits_take(struct bits_job *j, const vks_vector *x)
{
    uint32_t n = vks_vector_length(x);
    double *values = bits_room(n, sizeof *values);
    vks_status s = bits_checked(j, vks_vector_read(x, 0, n, VKS_F64, values));
    if (!s)
        bits_hash_doubles(&j->out.x, values, n);
    free(values);
    return s;
}

/* 1, or a divisor that lets fixed-point iterations of A converge. */
static double divisor(const struct bits_csr *a, enum bits_call call)
{
    double largest = 0;
    for (uint32_t i = 0; i < a->rows && call == CALL_FIXED_POINT; i++) {
        double sum = 0;
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            sum += fabs(a->val[k]);
        largest = fmax(largest, 1.25 * sum);
    }
    return largest > 0 && isfinite(largest) ? largest : 1;
}

static void fill_sides(struct bits_job *j)
{
    const struct bits_csr *a = j->a;
    enum bits_rhs rhs = j->c->rhs;
    double scale = rhs == RHS_HUGE ? 1e200 : rhs == RHS_TINY ? 1e-200 : 1;
    bool no_b = rhs == RHS_ZERO || rhs == RHS_BOTH_ZERO, no_x = rhs == RHS_PRODUCT || rhs == RHS_BOTH_ZERO;
    for (uint32_t i = 0; i < a->rows; i++) {
        j->b[i] = no_b || rhs == RHS_PRODUCT ? 0 : scale * bits_random(1, i, 0);
        for (uint32_t k = a->row[i]; k < a->row[i + 1] && rhs == RHS_PRODUCT; k++)
            j->b[i] += j->values[k];
    }
    for (uint32_t i = 0; i < a->cols; i++)
        j->x0[i] = no_x ? 0 : bits_random(2, i, 0);
    if (rhs == RHS_NAN && a->rows)
        j->b[a->rows / 2] = NAN;
    if (rhs == RHS_INFINITE && a->cols)
        j->x0[a->cols / 3] = INFINITY;
}

static vks_status make_vector(struct bits_job *j, uint32_t n, const double *values, vks_vector **out)
{
    vks_status s = bits_checked(j, vks_vector_create(j->context, n, j->of_vectors, out));
    return s ? s : bits_checked(j, vks_vector_write(*out, 0, n, VKS_F64, values));
}

static vks_status make_system(struct bits_job *j)
{
    const struct bits_csr *a = j->a;
    enum bits_call call = j->c->call;
    vks_matrix_options o = {.precision = j->precision, .storage = j->c->storage};
    uint32_t rows = a->rows - (j->c->rhs == RHS_SHORT && a->rows);
    vks_status s = make_vector(j, rows, j->b, &j->on_b);
    if (!s)
        s = make_vector(j, a->cols, j->x0, &j->on_x);
    if (s || call == CALL_ONE_OFF || call == CALL_OPERATOR || call == CALL_OPERATOR_D)
        return s;
    return bits_checked(
        j, vks_matrix_from_csr(j->context, a->rows, a->cols, a->row, a->col, j->values, &o, &j->A));
}

/* Two vectors: ones in the first half, and in the second. */
static vks_status make_halves(struct bits_job *j, vks_vector *half[2])
{
    uint32_t n = j->a->rows;
    double *ones = bits_room(2 * (uint64_t)n, sizeof *ones);
    for (uint32_t i = 0; i < n; i++)
        ones[i < n / 2 ? i : n + i] = 1;
    vks_status s = make_vector(j, n, ones, &half[0]);
    if (!s)
        s = make_vector(j, n, ones + n, &half[1]);
    free(ones);
    return s;
}

static void hash_report(struct bits_outcome *o, const double *history, const vks_cycle *cycles)
{
    const vks_solve_report *r = &o->report;
    uint32_t count = r->history_count < HISTORY ? r->history_count : HISTORY;
    bits_hash_doubles(&o->history, history, count);
    bits_hash_doubles(&o->numbers,
                      (double[]){r->initial_residual, r->residual, r->true_residual, r->null_component,
                                 r->weight, r->contraction, r->normal_residual},
                      7);
    uint32_t facts[] = {r->row,
                        r->blocks,
                        r->largest_block,
                        r->history_step,
                        r->cycle_count,
                        (uint32_t)r->iterated_in,
                        (uint32_t)r->in_pairs,
                        (uint32_t)r->rounded,
                        (uint32_t)r->scaling,
                        r->structural_rank,
                        (uint32_t)r->least_squares,
                        r->attempts};
    o->facts = bits_hash(o->facts, facts, sizeof facts);
    for (uint32_t i = 0; i < r->cycle_count && i < CYCLES; i++) {
        uint32_t begun[] = {cycles[i].iteration, (uint32_t)cycles[i].keeps_directions};
        o->facts = bits_hash(o->facts, begun, sizeof begun);
        bits_hash_doubles(&o->facts, &cycles[i].true_residual, 1);
    }
    for (uint32_t i = 0; i < r->attempts; i++) {
        const vks_attempt *a = &r->attempt[i];
        uint32_t made[] = {(uint32_t)a->method, (uint32_t)a->precond, (uint32_t)a->in_f32,
                           a->budget,           a->iterations,        (uint32_t)a->reason};
        o->facts = bits_hash(o->facts, made, sizeof made);
        bits_hash_doubles(&o->facts, (double[]){a->true_residual, a->products}, 2);
    }
}

static vks_status call(struct bits_job *j)
{
#define X(CALL, function) [CALL_##CALL] = function,
    static vks_status (*const calls[])(struct bits_job *) = {BITS_CALLS(X)};
#undef X
    vks_vector *half[2] = {NULL};
    uint32_t n = j->a->rows, *order = bits_room(n, sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = n - 1 - i;
    j->o.order = j->c->reordered ? order : NULL;
    vks_status s = j->c->halves ? make_halves(j, half) : VKS_OK;
    if (j->c->halves) {
        j->o.null_space = (const vks_vector *const *)half;
        j->o.null_space_count = 2;
    }
    if (!s)
        s = make_system(j);
    if (!s)
        s = calls[j->c->call](j);
    vks_matrix_destroy(j->A);
    vks_vector_destroy(j->on_x);
    vks_vector_destroy(j->on_b);
    vks_vector_destroy(half[1]);
    vks_vector_destroy(half[0]);
    free(order);
    return s;
}

struct bits_outcome bits_run(vks_context *context, const struct bits_csr *a, const struct bits_case *c,
                             vks_precision precision)
{
    uint32_t entries = a->row[a->rows];
    vks_cycle cycles[CYCLES];
    double *history = bits_room(HISTORY, sizeof *history);
    struct bits_job j = {.context = context,
                         .a = a,
                         .c = c,
                         .precision = precision,
                         .of_vectors = precision == VKS_F32 ? VKS_F32 : VKS_F64,
                         .values = bits_room(entries, sizeof *j.values),
                         .b = bits_room(a->rows, sizeof *j.b),
                         .x0 = bits_room(a->cols, sizeof *j.x0),
                         .o = c->o,
                         .out = {.x = BITS_HASH_START,
                                 .history = BITS_HASH_START,
                                 .numbers = BITS_HASH_START,
                                 .facts = BITS_HASH_START}};
    bool chooses =
        j.o.method == VKS_METHOD_AUTO && c->call != CALL_FIXED_POINT && c->call != CALL_FIXED_AS_IS;
    j.o.any_device = j.o.no_direct = chooses; /* the same bits everywhere */
    if (!j.o.max_iterations)
        j.o.max_iterations = USUAL_LIMIT;
    j.o.history = history;
    j.o.history_capacity = HISTORY;
    j.o.cycles = cycles;
    j.o.cycle_capacity = CYCLES;
    double by = divisor(a, c->call);
    for (uint32_t k = 0; k < entries; k++)
        j.values[k] = a->val[k] / by;
    fill_sides(&j);
    j.out.status = call(&j);
    if (!j.out.status)
        hash_report(&j.out, history, cycles);
    free(j.x0);
    free(j.b);
    free(j.values);
    free(history);
    return j.out;
}
