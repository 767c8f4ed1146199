/* Near-null vectors of multigrid: their definition, and refusals. */
#include "command/models/generate_matrix.h"
#include "tests/support/modes.h"

/* force += K u on one brick, whose local node 4 x + 2 y + z is node[4 x + 2 y + z] */
static void add_force(double k[24][24], const uint32_t node[8], const double *B, uint32_t mode, double *force)
{
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            force[3 * node[i / 3] + i % 3] += k[i][j] * B[(3 * node[j / 3] + j % 3) * 6 + mode];
}

/* Elasticity of an unsupported cube. */
TestEverywhere(multigrid_modes, rigid_body_modes_cause_no_force_in_a_free_body)
{
    double k[24][24], *x = cube(3), *B = rigid(c, p, x, NODES, 3);
    brick_stiffness(0.3, k);
    for (uint32_t mode = 0; mode < 6; mode++) {
        double force[UNKNOWNS] = {0}, most = 0;
        for (uint32_t brick = 0; brick < NODES; brick++) {
            uint32_t at[] = {brick / SIDE / SIDE, brick / SIDE % SIDE, brick % SIDE}, node[8];
            if (at[0] == SIDE - 1 || at[1] == SIDE - 1 || at[2] == SIDE - 1)
                continue;
            for (uint32_t n = 0; n < 8; n++)
                node[n] = brick + (n >> 2) * SIDE * SIDE + (n >> 1 & 1) * SIDE + (n & 1);
            add_force(k, node, B, mode, force);
        }
        for (uint32_t i = 0; i < UNKNOWNS; i++) {
            cr_assert_leq(fabs(force[i]), 100 * epsilon_of(p), "force %g of mode %u", force[i], mode);
            most = fmax(most, fabs(B[i * 6 + mode]));
        }
        cr_assert_eq(most, 1, "the largest displacement of mode %u is %g", mode, most);
    }
    free(B);
    free(x);
}

/* No distance of two nodes changes: the difference of displacements is orthogonal to it. */
TestEverywhere(multigrid_modes, rigid_body_modes_keep_the_distances_of_nodes)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        uint32_t columns = dim == 3 ? 6 : 3;
        OWNED(double) *x = cube(dim), *B = rigid(c, p, x, NODES, dim);
        for (uint32_t i = 0; i < NODES; i++)
            for (uint32_t k = 0; k < columns; k++) {
                double change = 0;
                for (uint32_t a = 0; a < dim; a++)
                    change += (B[(i * dim + a) * columns + k] - B[a * columns + k]) * (x[i * dim + a] - x[a]);
                cr_assert_leq(fabs(change), 20 * epsilon_of(p), "mode %u of %u stretches by %g", k, columns,
                              change);
            }
    }
}

/* The sums of rotations over all nodes are zero. */
TestEverywhere(multigrid_modes, rotations_are_about_the_centroid)
{
    OWNED(double) *x = cube(3), *B = rigid(c, p, x, NODES, 3);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t k = 3; k < 6; k++) {
            double sum = 0;
            for (uint32_t node = 0; node < NODES; node++)
                sum += B[(3 * node + a) * 6 + k];
            cr_assert_leq(fabs(sum), NODES * epsilon_of(p), "%g", sum);
        }
}

TestEverywhere(multigrid_modes, constants_are_ones_of_one_unknown_of_each_node)
{
    enum { SIZE = 5, COUNT = 300 };
    OWNED_BY(room_close) struct room w;
    struct modes b;
    OWNED(double) *B = room((size_t)COUNT * SIZE * SIZE, 8);
    room_open(&w, c->device);
    must_work(c, modes_constant(&w, p, COUNT, SIZE, &b));
    cr_assert(b.rows == COUNT * SIZE && b.columns == SIZE);
    read_reals(c, &b.value, p, (uint64_t)COUNT * SIZE * SIZE, B);
    for (uint32_t e = 0; e < COUNT * SIZE * SIZE; e++)
        cr_assert_eq(B[e], e / SIZE % SIZE == e % SIZE, "element %u", e);
}

/* Nodes that are all at one place have no rotations, and no nodes have no modes. */
TestEverywhere(multigrid_modes, nodes_at_one_place_have_rotations_of_zeros)
{
    double x[] = {7, 8, 9, 7, 8, 9}, *B = rigid(c, p, x, 2, 3), *none = rigid(c, p, x, 0, 3);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t k = 0; k < 6; k++)
            cr_expect_eq(B[i * 6 + k], k == i % 3);
    free(B);
    free(none);
}

TestOnHost(multigrid_modes, coordinates_that_do_not_suit_are_refused)
{
    OWNED_BY(room_close) struct room w;
    struct modes b;
    double x[] = {0, 1, 2, 3, NAN, 5}, far[] = {1.7e308, 0, 0, 1.7e308, 0, 0}, large[] = {1.7e308, 1.7e308};
    room_open(&w, c->device);
    must_refuse(c, modes_rigid(&w, PRECISION_F64, x, 2, 3, &b), VKS_INVALID_ARGUMENT,
                "coordinate 2 of node 2 is not finite");
    context_begin(c);
    must_refuse(c, modes_rigid(&w, PRECISION_F64, x, 2, 1, &b), VKS_INVALID_ARGUMENT,
                "2 or 3 coordinates, not 1");
    context_begin(c);
    must_refuse(c, modes_rigid(&w, PRECISION_F64, far, 2, 3, &b), VKS_INVALID_ARGUMENT, "too large");
    context_begin(c);
    must_refuse(c, modes_rigid(&w, PRECISION_F64, large, 1, 2, &b), VKS_OK, "");
    context_begin(c);
    must_refuse(c, modes_rigid(&w, PRECISION_F64, x, 1500000000, 3, &b), VKS_LIMIT,
                "1500000000 nodes with 3 unknowns each have 4500000000");
    context_begin(c);
    must_refuse(c, modes_constant(&w, PRECISION_F64, 1 << 20, 1 << 10, &b), VKS_LIMIT, "1073741824 unknowns");
}
