/* Coordinates of nodes: vksolve generate writes them, and the reader accepts suitable files. */
#include "cli.h"
#include "command/models/generate_matrix.h"
#include "command/shared/coordinates.h"
#include "small_matrix.h"
#include "tests/support/failing_memory.h"

#include <math.h>

TestSuite(cli_coordinates, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define BANNER "%%MatrixMarket matrix array real general\n"

Test(cli_coordinates, generate_writes_a_row_for_each_node_of_elasticity3d)
{
    expect("$VKSOLVE generate elasticity3d 2 -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 0, "24 x 24");
    char *text = read_text("x.mtx");
    cr_expect_str_eq(text,
                     BANNER "8 3\n1\n1\n1\n1\n2\n2\n2\n2\n0\n0\n1\n1\n0\n0\n1\n1\n0\n1\n0\n1\n0\n1\n0\n1\n");
    free(text);
    expect_output("$VKSOLVE generate elasticity3d 2 -q -o $FOLDER/A.mtx --coordinates - | sed -n 2p",
                  "8 3\n");
}

Test(cli_coordinates, generate_refuses_them_where_there_are_none)
{
    expect("$VKSOLVE generate poisson3d 4 -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 1,
           "--coordinates: the nodes of poisson3d have none; those of elasticity3d do");
    expect("$VKSOLVE generate dense 4 -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 1, "dense");
    expect("$VKSOLVE generate elasticity3d 4 -o - --coordinates -", 1, "can be standard output");
    expect("$VKSOLVE generate elasticity3d 4 -o $FOLDER/A.mtx --coordinates $FOLDER/../$(basename "
           "$FOLDER)/A.mtx",
           1, "--output and --coordinates are the same file");
    expect("$VKSOLVE generate elasticity3d 4 -o $FOLDER/A.mtx --coordinates $FOLDER/none/x.mtx", 1,
           "x.mtx: cannot be written");
    expect("ls $FOLDER/A.mtx $FOLDER/x.mtx", 2, "");
}

Test(cli_coordinates, those_that_are_written_are_read)
{
    struct message m = {0};
    OWNED_STRUCT(coordinates) c, back;
    char path[256];
    cr_assert_eq(generate_coordinates(&m, 5, &c), VKS_OK);
    cr_assert(c.nodes == 125 && c.dim == 3);
    cr_assert_eq(coordinates_write(&m, in_folder("x.mtx.gz", path), &c), VKS_OK, "%s", m.text);
    cr_assert_eq(coordinates_read(&m, path, 375, &back), VKS_OK, "%s", m.text);
    cr_assert(back.nodes == 125 && back.dim == 3);
    for (int i = 0; i < 375; i++)
        cr_assert_eq(back.value[i], c.value[i], "coordinate %d", i);
}

Test(cli_coordinates, nodes_of_the_plane_have_two)
{
    OWNED_STRUCT(coordinates) c;
    char path[256];
    write_text("x.mtx", BANNER "3 2\n1\n2\n3\n.5\n-.5\n7e-300\n");
    cr_assert_eq(coordinates_read(NULL, in_folder("x.mtx", path), 6, &c), VKS_OK);
    cr_assert(c.nodes == 3 && c.dim == 2);
    static const double want[] = {1, .5, 2, -.5, 3, 7e-300};
    for (int i = 0; i < 6; i++)
        cr_expect_eq(c.value[i], want[i], "coordinate %d", i);
}

/* The file must be refused for a matrix of 6 rows, with a message that names it. */
static void refuse(const char *text, vks_status status, const char *part)
{
    struct message m = {0};
    struct coordinates c;
    char path[256];
    write_text("x.mtx", text);
    vks_status s = coordinates_read(&m, in_folder("x.mtx", path), 6, &c);
    cr_expect_eq(s, status, "%s: %s", vks_status_name(s), m.text);
    cr_expect(strstr(m.text, "x.mtx") && strstr(m.text, part), "no \"%s\" in %s", part, m.text);
    cr_expect(!c.value && !c.nodes);
}

Test(cli_coordinates, other_shapes_are_refused)
{
    refuse(BANNER "6 1\n1\n2\n3\n4\n5\n6\n", VKS_INVALID_ARGUMENT,
           "6 x 1; nodes have 2 or 3 each, in columns");
    refuse(BANNER "2 4\n1\n2\n3\n4\n5\n6\n7\n8\n", VKS_INVALID_ARGUMENT, "2 x 4");
    refuse(BANNER "3 3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", VKS_INVALID_ARGUMENT,
           "3 nodes with 3 coordinates have 9 unknowns; the matrix has 6 rows");
}

Test(cli_coordinates, numbers_that_are_not_finite_are_refused_by_their_line)
{
    refuse(BANNER "2 3\n1\n2\n3\nnan\n5\n6\n", VKS_FORMAT, "x.mtx:6:");
    refuse(BANNER "2 3\n1\n2\n3\n4\n-inf\n6\n", VKS_FORMAT, "x.mtx:7:");
    refuse(BANNER "2 3\n1\n2\n3\n4\n5\n1e999\n", VKS_FORMAT, "x.mtx:8:");
}

Test(cli_coordinates, as_many_nodes_as_no_matrix_has_are_refused)
{
    struct message m = {0};
    struct coordinates c;
    cr_expect_eq(generate_coordinates(&m, 2000, &c), VKS_LIMIT);
    cr_expect(strstr(m.text, "24000000000 rows") && !c.value, "%s", m.text);
}

/* Rigid body modes give no force in those rows of A without neighbours on the clamped face. */
Test(cli_coordinates, belong_to_the_nodes_of_the_matrix)
{
    enum { SIZE = 5 };
    OWNED_STRUCT(coordinates) c;
    OWNED_STRUCT(host_csr) A = model("elasticity3d", SIZE);
    cr_assert_eq(generate_coordinates(NULL, SIZE, &c), VKS_OK);
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t i = 3 * SIZE * SIZE; i < A.rows; i++) {
            double force = 0;
            for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++) {
                const double *x = c.value + A.col[k] / 3 * 3;
                uint32_t along = A.col[k] % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
                force += A.val[k] * (along == next ? -x[last] : along == last ? x[next] : 0);
            }
            cr_assert_leq(fabs(force), 1e-13, "%g in row %u by a rotation about axis %u", force, i, axis);
        }
}

#if MEMORY_CAN_FAIL
/* Writes the coordinates of elasticity3d and reads them. */
static vks_status write_and_read(struct message *m, const char *path)
{
    OWNED_STRUCT(coordinates) c, back = {0};
    vks_status s = generate_coordinates(m, 2, &c);
    if (!s)
        s = coordinates_write(m, path, &c);
    if (!s)
        s = coordinates_read(m, path, 24, &back);
    return s;
}

Test(cli_coordinates, each_allocation_may_fail)
{
    char path[256];
    uint32_t k = 0;
    do {
        struct message m = {0};
        arm(++k);
        vks_status s = write_and_read(&m, in_folder("x.mtx", path));
        disarm();
        cr_assert_eq(s, memory.failures ? VKS_OUT_OF_MEMORY : VKS_OK, "allocation %u: %s, %s", k,
                     vks_status_name(s), m.text);
        cr_assert(!s || strstr(m.text, "memory"), "%s", m.text);
    } while (memory.failures);
    cr_expect_gt(k, 6, "%u", k);
}
#endif
