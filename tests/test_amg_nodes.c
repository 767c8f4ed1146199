/* Multigrid for problems with several unknowns at each node: its levels, the iterations with each sort of
 * near-null vectors, and the same bits on all devices. */
#include "small_matrix.h"
#include "tests/support/nodes.h"

/* Checks the second and third level of elasticity3d 16, and the limit of iterations. */
static void must_converge(vks_context *c, enum precision p, const struct body *y,
                          const vks_precond_options *o, uint32_t columns, uint32_t most)
{
    static const uint32_t aggregates[] = {116, 5};
    OWNED_STRUCT(solved) s = solve_body(c, p, y, o);
    const vks_hierarchy *h = &s.report.hierarchy;
    cr_assert_eq(h->levels, 2 + (h->level[1].rows > 512), "%u levels", h->levels);
    cr_expect_eq(h->level[0].rows, 12288);
    for (uint32_t i = 1; i < h->levels; i++)
        cr_expect_eq(h->level[i].rows, columns * aggregates[i - 1], "%u rows on level %u", h->level[i].rows,
                     i + 1);
    cr_expect(s.report.iterations <= most && s.report.iterations > most / 2,
              "%u iterations in %s with %u near-null vectors; at most %u", s.report.iterations,
              precision_name(p), columns, most);
}

TestOnHost(amg_nodes, elasticity_converges_by_constants_and_twice_as_fast_by_rigid_body_modes)
{
    OWNED_STRUCT(body) y = make_body(16);
    vks_precond_options rigid = of_coordinates(&y.at), constant = of_block(3);
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        must_converge(c, p, &y, &rigid, 6, p == PRECISION_F32 ? 13 : 18);
        must_converge(c, p, &y, &constant, 3, p == PRECISION_F32 ? 23 : 30);
    }
    rigid.in_f32 = 1;
    must_converge(c, PRECISION_F64, &y, &rigid, 6, 18);
}

enum { SMALL = 6 }; /* 648 rows, and two levels */

static void give_modes(vks_context *c, enum precision p)
{
    OWNED_STRUCT(body) y = make_body(SMALL);
    OWNED(double) *vectors = rigid_vectors(c, p, &y.at);
    vks_precond_options rigid = of_coordinates(&y.at), given = of_vectors(3, 6, vectors);
    OWNED_STRUCT(solved) want = solve_body(c, p, &y, &rigid), got = solve_body(c, p, &y, &given);
    must_have_levels_of(&got.report.hierarchy, &want.report.hierarchy, "modes that are given");
    must_match(&got, &want, y.A.rows, "modes that are given");
}

Test(amg_nodes, rigid_body_modes_that_are_given_have_the_bits_of_those_of_coordinates)
{
    vks_context *c = open_gpu();
    give_modes(c, PRECISION_F64);
    close_context(c);
    in_both_precisions(open_host(), give_modes);
}

/* Unit vectors of each unknown of a node. */
TestInBothPrecisions(amg_nodes, constants_that_are_given_have_the_bits_of_a_size_alone)
{
    OWNED_STRUCT(body) y = make_body(SMALL);
    OWNED(double) *vectors = room((size_t)3 * y.A.rows, 8);
    for (uint32_t i = 0; i < y.A.rows; i++)
        vectors[(size_t)(i % 3) * y.A.rows + i] = 1;
    vks_precond_options constant = of_block(3), given = of_vectors(3, 3, vectors);
    OWNED_STRUCT(solved) want = solve_body(c, p, &y, &constant), got = solve_body(c, p, &y, &given);
    must_match(&got, &want, y.A.rows, "constants that are given");
}

/* Each row is its own node, with a row of six modes. */
TestInBothPrecisions(amg_nodes, near_null_vectors_suit_nodes_of_one_row)
{
    OWNED_STRUCT(body) y = make_body(SMALL);
    OWNED(double) *vectors = rigid_vectors(c, p, &y.at);
    vks_precond_options plain = {.kind = VKS_PRECOND_AMG}, given = of_vectors(0, 6, vectors),
                        same = of_vectors(1, 6, vectors);
    OWNED_STRUCT(solved) without = solve_body(c, p, &y, &plain), got = solve_body(c, p, &y, &given),
                         of_one = solve_body(c, p, &y, &same);
    cr_expect_eq(got.report.hierarchy.level[1].rows % 6, 0);
    cr_expect_lt(got.report.iterations, without.report.iterations, "%u iterations, without modes %u",
                 got.report.iterations, without.report.iterations);
    must_match(&got, &of_one, y.A.rows, "nodes of one row");
}

/* Diffusion in the plane, whose only near-null vector is the constant. */
TestOnHost(amg_nodes, a_constant_that_is_given_serves_as_the_one_that_is_not)
{
    OWNED_STRUCT(body) y = {.b = room(900, 8)};
    struct message m = {0};
    cr_assert_eq(generate_matrix(&m, "poisson2d", 30, &y.A), VKS_OK, "%s", m.text);
    for (uint32_t i = 0; i < 900; i++)
        y.b[i] = 1;
    vks_precond_options plain = {.kind = VKS_PRECOND_AMG}, given = of_vectors(1, 1, y.b);
    OWNED_STRUCT(solved) want = solve_body(c, PRECISION_F64, &y, &plain),
                         got = solve_body(c, PRECISION_F64, &y, &given);
    must_have_levels_of(&got.report.hierarchy, &want.report.hierarchy, "a constant that is given");
    cr_expect_leq(abs((int)got.report.iterations - (int)want.report.iterations), 1);
}

static struct solved solve_on(const char *device, struct device_options d, enum precision p,
                              const struct body *y, const vks_precond_options *o)
{
    OWNED(vks_context) *c = open_context(device, d);
    struct solved s = solve_body(c, p, y, o);
    cr_expect_eq(s.report.hierarchy.levels, 2);
    return s;
}

static void must_be_alike_on(const char *device, struct device_options d, enum precision p,
                             const struct body *y, const vks_precond_options *o)
{
    OWNED_STRUCT(solved) want = solve_on("host", (struct device_options){.threads = 1}, p, y, o),
                         got = solve_on(device, d, p, y, o);
    must_match(&got, &want, y->A.rows, device);
    must_have_levels_of(&got.report.hierarchy, &want.report.hierarchy, device);
}

Test(amg_nodes, the_bits_are_those_of_any_number_of_threads)
{
    OWNED_STRUCT(body) y = make_body(12);
    vks_precond_options rigid = of_coordinates(&y.at), narrow = rigid, constant = of_block(3);
    narrow.in_f32 = 1;
    for (uint32_t threads = 2; threads <= 3; threads++) {
        struct device_options d = {.threads = threads};
        must_be_alike_on("host", d, PRECISION_F32, &y, &constant);
        must_be_alike_on("host", d, PRECISION_F64, &y, &rigid);
        must_be_alike_on("host", d, PRECISION_F64, &y, &narrow);
    }
}

/* Also if three workgroups stride over all the work, and without subgroups. */
Test(amg_nodes, the_bits_are_those_of_any_device)
{
    OWNED_STRUCT(body) y = make_body(SMALL);
    vks_precond_options rigid = of_coordinates(&y.at), narrow = rigid, constant = of_block(3);
    struct device_options few = {.max_groups = 3, .without_subgroups = true}, all = {0};
    narrow.in_f32 = 1;
    must_be_alike_on(gpu_name(), all, PRECISION_F32, &y, &rigid);
    must_be_alike_on(gpu_name(), few, PRECISION_F64, &y, &constant);
    must_be_alike_on(gpu_name(), all, PRECISION_F64, &y, &narrow);
}

/* A plate without bending: a node has two unknowns and three modes. */
TestInBothPrecisions(amg_nodes, nodes_of_the_plane_have_two_coordinates)
{
    enum { SIDE = 20, NODES = SIDE * SIDE };
    double at[2 * NODES];
    OWNED_STRUCT(host_csr) P = model("poisson2d", SIDE);
    OWNED_STRUCT(body) y = {.A = new_csr(2 * NODES, 2 * NODES, 4 * host_csr_entries(&P)),
                            .b = room(2 * NODES, 8)};
    for (uint32_t i = 0, to = 0; i < 2 * NODES; i++) {
        at[i] = i % 2 ? i / 2 % SIDE : i / 2 / SIDE;
        for (uint32_t k = P.row[i / 2]; k < P.row[i / 2 + 1]; k++)
            for (uint32_t u = 0; u < 2; u++) {
                y.A.col[to] = 2 * P.col[k] + u;
                y.A.val[to++] = u == i % 2 ? P.val[k] : 0.25 * P.val[k];
            }
        y.A.row[i + 1] = to;
        y.b[i] = 1;
    }
    struct coordinates plane = {NODES, 2, at};
    vks_precond_options o = of_coordinates(&plane);
    OWNED_STRUCT(solved) s = solve_body(c, p, &y, &o);
    cr_expect(s.report.hierarchy.levels == 2 && s.report.hierarchy.level[1].rows % 3 == 0);
    cr_expect_lt(s.report.iterations, 25, "%u", s.report.iterations);
}
