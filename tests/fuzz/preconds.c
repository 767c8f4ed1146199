/* Nested preconditioners, with valid or invalid options, applied and then shared by a solve: results must be
 * the same everywhere, and CONVERGED must be true. */
#include "differ.h"
#include "findings.h"
#include "honest.h"
#include "solution.h"
#include "storages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 3 };

struct choice {
    vks_precond_options of[DEEPEST]; /* each points to the next one */
    vks_solve_options options;
    const struct storage *storage;
    bool in_f32;
    char how[256];
};

/* The results of a preconditioner at a place. */
struct made {
    vks_status status;
    vks_precond_facts facts;
    double *z; /* M^-1 b, then the same for new values of A */
};

/* Mostly options that the kind supports. */
static vks_precond_options random_options(struct random *r)
{
    static const uint32_t blocks[] = {0, 1, 3, 7, 32}, steps[] = {0, 1, 3, 8, 64}, fills[] = {0, 1, 5, 65535},
                          rows[] = {0, 1, 7, 1024, VKS_ALL_ROWS};
    static const double weights[] = {0, 0, 0.5, VKS_WEIGHT_AUTO}, drops[] = {0, 0.1, 1e-9};
    vks_precond_options o = {.kind = (vks_precond_kind)random_below(r, VKS_PRECOND_COUNT_)};
    bool any = one_in(r, 30), beyond = one_in(r, 20);
    o.in_f32 = one_in(r, 6);
    if (any || o.kind == VKS_PRECOND_BLOCK_JACOBI)
        o.block_size = beyond ? 33 : ONE_OF(r, blocks);
    if (any || o.kind == VKS_PRECOND_CHEBYSHEV)
        o.degree = random_below(r, beyond ? 7 : VKS_LARGEST_DEGREE + 1);
    if (any || o.kind == VKS_PRECOND_INNER) {
        o.method = (vks_method)random_below(r, VKS_METHOD_COUNT_);
        o.weight = ONE_OF(r, weights);
    }
    if (any || o.kind == VKS_PRECOND_INNER || o.kind == VKS_PRECOND_FSAI)
        o.steps = beyond ? 65 : ONE_OF(r, steps);
    if (any || o.kind == VKS_PRECOND_FSAI)
        o.add = random_below(r, 5);
    if (any || o.kind == VKS_PRECOND_AMG)
        o.amg =
            (vks_amg_options){.block = random_below(r, 4), .refresh = (vks_amg_refresh)random_below(r, 2)};
    if (any || o.kind == VKS_PRECOND_ILUT) {
        o.fill = ONE_OF(r, fills);
        o.rows = beyond ? 1025 : ONE_OF(r, rows);
        o.drop = ONE_OF(r, drops);
    }
    return o;
}

static void choose(struct random *r, const struct system *s, struct choice *c)
{
    static const uint32_t most[] = {1, 30, 300};
    size_t used = 0;
    *c = (struct choice){.storage = &ONE_OF(r, storages)};
    c->options =
        (vks_solve_options){.method = (vks_method)random_below(r, VKS_METHOD_COUNT_),
                            .max_iterations = ONE_OF(r, most),
                            .scaling = one_in(r, 4) ? (vks_scaling)random_below(r, VKS_SCALING_COUNT_) : 0,
                            .zero_guess = one_in(r, 2)};
    used = (size_t)snprintf(c->how, sizeof c->how, "%s, %s, n %u, precision %d, %s with", c->storage->name,
                            s->kind, s->rows, s->precision, vks_method_name(c->options.method));
    for (uint32_t at = 0; at < DEEPEST; at++) {
        c->of[at] = random_options(r);
        c->in_f32 |= c->of[at].in_f32;
        used +=
            (size_t)snprintf(c->how + used, sizeof c->how - used, " %s", vks_precond_name(c->of[at].kind));
        if (at + 1 == DEEPEST || one_in(r, 2))
            break;
        c->of[at].inner = &c->of[at + 1];
    }
}

static void apply(const struct place *p, const struct system *s, vks_precond *M, double *z)
{
    OWNED(vks_vector) *in = place_vector(p, s->precision, s->b, s->rows),
                      *out = place_vector(p, s->precision, s->x, s->rows);
    vks_precond_facts facts;
    vks_precond_report(M, &facts);
    vks_status status = vks_precond_apply(M, in, out);
    if ((status != VKS_OK) != (facts.reason != VKS_REASON_NOT_RUN))
        finding("%s of a preconditioner with the reason %s on %s: %s", vks_status_name(status),
                vks_reason_name(facts.reason), p->name, vks_context_message(p->context));
    if (!status && vks_vector_read(out, 0, s->rows, VKS_F64, z))
        finding("z cannot be read on %s: %s", p->name, vks_context_message(p->context));
}

/* Makes and applies it, then does so again with twice the values of A, which A keeps. */
static struct made make(const struct place *p, const struct system *s, vks_matrix *A, const struct choice *c,
                        vks_precond **M)
{
    struct made m = {.z = room_for(2 * (size_t)s->rows, sizeof(double))};
    uint32_t entries = s->row[s->rows];
    OWNED(double) *twice = room_for(entries, sizeof *twice);
    for (uint32_t k = 0; k < entries; k++)
        twice[k] = 2 * s->val[k];
    m.status = vks_precond_create(A, &c->of[0], M);
    if (m.status && !is_refusal(m.status))
        finding("a preconditioner on %s: %s: %s", p->name, vks_status_name(m.status),
                vks_context_message(p->context));
    if (!m.status) {
        apply(p, s, *M, m.z);
        if (vks_matrix_set_values(A, VKS_F64, twice) || vks_precond_update(*M))
            finding("new values on %s: %s", p->name, vks_context_message(p->context));
        else
            apply(p, s, *M, m.z + s->rows);
        vks_precond_report(*M, &m.facts);
    }
    return m;
}

static void compare(const struct made *a, const char *where_a, const struct made *b, const char *where_b,
                    uint32_t n, const char *how)
{
    const vks_precond_facts *p = &a->facts, *q = &b->facts;
    if (a->status != b->status || p->reason != q->reason || p->row != q->row ||
        strcmp(p->detail, q->detail)) {
        finding("%s: %s %s row %u \"%s\" on %s, %s %s row %u \"%s\" on %s", how, vks_status_name(a->status),
                vks_reason_name(p->reason), p->row, p->detail, where_a, vks_status_name(b->status),
                vks_reason_name(q->reason), q->row, q->detail, where_b);
        return;
    }
    for (uint32_t i = 0; i < 2 * n; i++)
        if (!same_bits(a->z[i], b->z[i])) {
            finding("%s: z[%u] of %u is %a on %s, %a on %s", how, i, n, a->z[i], where_a, b->z[i], where_b);
            return;
        }
}

/* Restores the values of s in A first. LSMR may end with a least-squares solution. */
static struct solution solve_with(const struct place *p, const struct system *s, vks_matrix *A,
                                  vks_precond *M, const struct choice *c)
{
    vks_solve_options o = c->options;
    if (vks_matrix_set_values(A, VKS_F64, s->val))
        finding("the first values on %s: %s", p->name, vks_context_message(p->context));
    o.shared_precond = M;
    struct solution now = solve_at(p, s, A, &o, false);
    if (!now.status && o.method != VKS_METHOD_LSMR)
        check_report(s, now.x, &o, false, &now.report, p->name);
    counted.solves++;
    counted.converged += now.report.reason == VKS_REASON_CONVERGED;
    return now;
}

void differ_preconds(const struct places *p, struct random *r)
{
    OWNED_STRUCT(system) s = random_system(r);
    struct choice c;
    struct made first = {0};
    OWNED_STRUCT(solution) first_x = {0};
    choose(r, &s, &c);
    for (int i = 0; i < p->count; i++) {
        const struct place *at = &p->place[i];
        vks_status refused;
        vks_precond *M = NULL;
        vks_matrix *A = place_matrix(at, &s, &c.storage->options, &refused);
        if (!A)
            break;
        bool compared = c.storage->order != ORDER_ANY && !(at->vulkan && (s.rough || c.in_f32));
        struct made now = make(at, &s, A, &c, &M);
        struct solution x = {.x = NULL};
        if (M)
            x = solve_with(at, &s, A, M, &c);
        if (i > 0 && compared)
            compare(&now, at->name, &first, p->place[0].name, s.rows, c.how);
        if (i > 0 && compared && M && first_x.x)
            compare_solutions(&x, at->name, &first_x, p->place[0].name, s.cols, c.how);
        vks_precond_destroy(M);
        vks_matrix_destroy(A);
        if (i == 0) {
            first = now;
            first_x = x;
        } else {
            free(now.z);
            solution_free(&x);
        }
    }
    free(first.z);
}
