/* Multigrid for problems with several unknowns at each node over time: new values, and freed arrays of the
 * program. */
#include "tests/support/nodes.h"
#include "tests/support/repeated.h"

enum { SIZE = 6 }; /* 648 rows, and two levels */

/* Overwrites coordinates after a call, as a program may. */
static void spoil(double *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at[i] = NAN;
    free(at);
}

static double *copy_of(const double *v, size_t count)
{
    double *copy = room(count, 8);
    memcpy(copy, v, count * sizeof *copy);
    return copy;
}

/* A body. The solver of r has options whose arrays are freed; r.options has existing ones. */
struct kept {
    struct body y;
    vks_precond_options o;
    struct repeated r;
    double *val, *vectors; /* of A, in f32; or NULL */
};

static void keep(vks_context *c, vks_precision stored, int in_f32, bool by_vectors, struct kept *k)
{
    struct coordinates gone;
    *k = (struct kept){.y = make_body(SIZE)};
    uint32_t rows = k->y.A.rows;
    size_t count = by_vectors ? 6 * (size_t)rows : rows;
    k->val = copy_of(k->y.A.val, host_csr_entries(&k->y.A));
    if (by_vectors)
        k->vectors = rigid_vectors(c, PRECISION_F64, &k->y.at);
    gone = (struct coordinates){k->y.at.nodes, 3, copy_of(by_vectors ? k->vectors : k->y.at.value, count)};
    vks_precond_options o = by_vectors ? of_vectors(3, 6, gone.value) : of_coordinates(&gone);
    k->o = by_vectors ? of_vectors(3, 6, k->vectors) : of_coordinates(&k->y.at);
    o.in_f32 = k->o.in_f32 = in_f32;
    vks_solve_options with = {.precond_options = &o, .rtol = stored == VKS_F32 ? 1e-4 : 1e-9};
    k->r = make_repeated_of(c, k->y.A, (vks_matrix_options){.precision = stored}, with);
    k->y.A = (struct host_csr){0};
    k->r.options.precond_options = &k->o;
    spoil(gone.value, count);
}

static void let_go(struct kept *k)
{
    repeated_free(&k->r);
    body_free(&k->y);
    free(k->val);
    free(k->vectors);
}

/* How values change: doubled, with those of the diagonal quadrupled; or so that they need f64. */
enum { STIFFER = 1, WIDE = 2 };

static void change(const struct kept *k, unsigned how)
{
    const struct host_csr *A = &k->r.host;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            A->val[e] = k->val[e] *
                        (!(how & STIFFER) ? 1
                         : A->col[e] == i ? 3
                                          : 2) *
                        (how & WIDE ? 1 + 0x1p-40 : 1);
    must_work(k->r.c, vks_matrix_set_values(k->r.A, VKS_F64, A->val));
}

static void follow(vks_context *c, vks_precision stored, int in_f32, bool by_vectors)
{
    static const unsigned changes[] = {STIFFER | WIDE, STIFFER, WIDE, 0};
    struct kept k;
    int count = c->device->info.kind == DEVICE_HOST ? 4 : 2;
    keep(c, stored, in_f32, by_vectors, &k);
    uint32_t before = solve_twice(&k.r).iterations;
    for (int i = 0; i < count; i++) {
        change(&k, changes[i]);
        must_work(c, vks_vector_fill(k.r.x, i));
        vks_solve_report report = solve_twice(&k.r);
        cr_expect_eq(report.reason, VKS_REASON_CONVERGED, "%s", report.detail);
        cr_expect(report.hierarchy.levels == 2 && report.hierarchy.level[1].rows % 6 == 0);
        cr_expect(changes[i] & STIFFER ? report.iterations < before : report.iterations >= before,
                  "%u iterations, before %u", report.iterations, before);
    }
    let_go(&k);
}

/* solve_twice compares with a fresh solve, whose options have existing arrays. */
TestOnBoth(amg_nodes_values, a_solver_takes_new_values_after_its_coordinates_are_gone)
{
    if (c->device->info.kind == DEVICE_HOST) {
        follow(c, VKS_F64, 0, false);
        follow(c, VKS_F32, 0, false);
        follow(c, VKS_MIXED, 1, true);
    }
    follow(c, VKS_MIXED, 0, false);
}

static vks_status solve_with(const struct kept *k, vks_precond *M)
{
    vks_solve_options shared = {.shared_precond = M, .rtol = k->r.options.rtol};
    must_work(k->r.c, vks_vector_fill(k->r.x, 0));
    return vks_solve(k->r.A, k->r.b, k->r.x, &shared, NULL);
}

/* Solves with M, which is up to date, and with the options that it was made from. */
static void must_be_fresh(const struct kept *k, vks_precond *M)
{
    const struct repeated *r = &k->r;
    uint32_t n = r->host.rows;
    OWNED(double) *x = room(n, 8), *want = room(n, 8);
    vks_precond_facts facts;
    vks_solve_report report;
    must_work(r->c, solve_with(k, M));
    must_work(r->c, vks_vector_fill(r->want, 0));
    must_work(r->c, vks_solve(r->A, r->b, r->want, &r->options, &report));
    must_work(r->c, vks_vector_read(r->x, 0, n, VKS_F64, x));
    must_work(r->c, vks_vector_read(r->want, 0, n, VKS_F64, want));
    must_equal(x, want, n, "x by a shared preconditioner");
    must_work(r->c, vks_precond_report(M, &facts));
    must_have_levels_of(&facts.hierarchy, &report.hierarchy, "facts");
    cr_expect(facts.bytes == report.precond_bytes && facts.levels == 2);
}

static void update(vks_context *c, vks_precision stored, int in_f32)
{
    static const unsigned changes[] = {STIFFER | WIDE, STIFFER, 0};
    struct kept k;
    vks_precond *M = NULL;
    int count = c->device->info.kind == DEVICE_HOST ? 3 : 1;
    keep(c, stored, in_f32, false, &k);
    struct coordinates gone = {k.y.at.nodes, 3, copy_of(k.y.at.value, k.r.host.rows)};
    vks_precond_options o = of_coordinates(&gone);
    o.in_f32 = in_f32;
    must_work(c, vks_precond_create(k.r.A, &o, &M));
    spoil(gone.value, k.r.host.rows);
    must_be_fresh(&k, M);
    for (int i = 0; i < count; i++) {
        change(&k, changes[i]);
        if (i == 0 && stored == VKS_MIXED)
            must_refuse(c, solve_with(&k, M), VKS_INVALID_ARGUMENT, "call vks_precond_update first");
        must_work(c, vks_precond_update(M));
        must_be_fresh(&k, M);
    }
    vks_precond_destroy(M);
    let_go(&k);
}

TestOnBoth(amg_nodes_values, a_shared_one_is_updated_after_its_coordinates_are_gone)
{
    if (c->device->info.kind == DEVICE_HOST) {
        update(c, VKS_F64, 1);
        update(c, VKS_F32, 0);
        update(c, VKS_MIXED, 1);
    }
    update(c, VKS_MIXED, 0);
}

/* Arrays of nested options are copied, too. With values that need f64 it is rebuilt. */
static void follow_nested(vks_context *c)
{
    struct kept k;
    vks_precond *M = NULL;
    keep(c, VKS_MIXED, 0, false, &k);
    struct coordinates gone = {k.y.at.nodes, 3, copy_of(k.y.at.value, k.r.host.rows)};
    vks_precond_options inner = of_coordinates(&gone), o = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &inner},
                        there = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &k.o};
    must_work(c, vks_precond_create(k.r.A, &o, &M));
    spoil(gone.value, k.r.host.rows);
    inner = (vks_precond_options){0};
    change(&k, STIFFER | WIDE);
    must_work(c, vks_precond_update(M));
    k.r.options.precond_options = &there;
    must_work(c, solve_with(&k, M));
    must_work(c, vks_vector_fill(k.r.want, 0));
    must_work(c, vks_solve(k.r.A, k.r.b, k.r.want, &k.r.options, NULL));
    double x[3 * SIZE * SIZE * SIZE], want[3 * SIZE * SIZE * SIZE];
    must_work(c, vks_vector_read(k.r.x, 0, k.r.host.rows, VKS_F64, x));
    must_work(c, vks_vector_read(k.r.want, 0, k.r.host.rows, VKS_F64, want));
    must_equal(x, want, k.r.host.rows, "x by one that nests multigrid");
    vks_precond_destroy(M);
    let_go(&k);
}

TestOnHost(amg_nodes_values, one_that_nests_multigrid_keeps_its_coordinates)
{
    follow_nested(c);
}
