/* vksolve solve for problems with several unknowns at each node: amg(block=N) and --coordinates. */
#include "cli_body.h"

TestSuite(cli_nodes, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host "
#define BODY "$FOLDER/A.mtx --precond amg "
#define AT "--coordinates $FOLDER/x.mtx "
#define BANNER "%%MatrixMarket matrix array real general\n"

Test(cli_nodes, coordinates_take_fewer_iterations_than_a_size_and_that_fewer_than_nothing)
{
    make_body();
    expect(SOLVE BODY AT "--json $FOLDER/rigid.json", 0, "cg with amg, until");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/3 --json $FOLDER/block.json", 0, "cg with amg/3");
    expect(SOLVE "$FOLDER/A.mtx --precond 'amg(block=3)' --json $FOLDER/same.json", 0, "cg with amg/3");
    expect(SOLVE BODY "--json $FOLDER/plain.json", 0, "cg with amg");
    double rigid = number_in("rigid.json", "iterations"), block = number_in("block.json", "iterations");
    cr_expect_lt(rigid, block);
    cr_expect_lt(block, number_in("plain.json", "iterations"));
    cr_expect_eq(block, number_in("same.json", "iterations"));
}

/* Rows of the second level: six for each of eight aggregates, or three. */
Test(cli_nodes, levels_are_reported)
{
    make_body();
    expect(SOLVE BODY AT, 0, " 48 rows ");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/3", 0, " 24 rows ");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/3/f32 " AT, 0, " 48 rows ");
}

Test(cli_nodes, an_order_that_would_part_unknowns_is_refused)
{
    make_body();
    expect(SOLVE BODY AT "--reorder rcm", 1,
           "--reorder rcm would separate the unknowns of a node, which amg keeps together");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/3 --reorder rcm", 1,
           "--reorder rcm would separate the unknowns");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/1 --reorder rcm", 0, "order       rcm");
}

Test(cli_nodes, coordinates_are_for_amg)
{
    make_body();
    expect(SOLVE "$FOLDER/A.mtx --method richardson " AT, 1, "--coordinates is for --precond amg");
    expect(SOLVE "$FOLDER/A.mtx --precond chebyshev " AT, 1, "--coordinates is for --precond amg");
    expect(SOLVE "$FOLDER/A.mtx --method jacobi " AT, 1, "--coordinates is for --precond amg");
}

Test(cli_nodes, coordinates_choose_amg_where_nothing_else_is_asked_for)
{
    make_body();
    expect(SOLVE "$FOLDER/A.mtx " AT "--json $FOLDER/r.json", 0, "cg with amg/f32, until");
    expect(SOLVE BODY AT "--json $FOLDER/same.json", 0, "cg with amg, until");
    cr_expect_eq(number_in("r.json", "iterations"), number_in("same.json", "iterations"));
    expect(SOLVE "$FOLDER/A.mtx --precond auto " AT, 0, " 48 rows ");
    expect(SOLVE "$FOLDER/A.mtx " AT "--reorder rcm", 1,
           "--reorder rcm would separate the unknowns of a node");
}

/* Columns of the coordinates of 216 nodes: the first ones unchanged, the others constant. */
static void flatten(int columns)
{
    char line[256];
    snprintf(line, sizeof line,
             "awk 'NR <= %d { print; next } { print 7.1 }' $FOLDER/x.mtx > $FOLDER/flat.mtx",
             2 + 216 * columns);
    expect(line, 0, "");
}

Test(cli_nodes, coordinates_that_tell_too_little_are_reported)
{
#define FLAT "--coordinates $FOLDER/flat.mtx "
    make_body();
    flatten(3);
    struct ran r = run(SOLVE BODY FLAT);
    cr_expect(r.code == 0 && !strstr(r.out, "warning"), "%s", r.out);
    ran_free(&r);
    flatten(2);
    expect(SOLVE BODY FLAT, 0, "flat.mtx: all nodes lie in a plane; if those of A do not, more");
    flatten(1);
    expect(SOLVE BODY FLAT, 0, "flat.mtx: all nodes lie on a line; ");
    flatten(0);
    expect(SOLVE BODY FLAT, 1,
           "flat.mtx: all 216 nodes are at one place; what amg(block=3) does needs no coordinates");
    expect("$VKSOLVE info $FOLDER/A.mtx --amg " FLAT, 1, "flat.mtx: all 216 nodes are at one place");
}

Test(cli_nodes, files_of_another_shape_are_refused)
{
    make_body();
    write_text("four.mtx", BANNER "1 4\n1\n2\n3\n4\n");
    write_text("few.mtx", BANNER "2 3\n1\n2\n3\n4\n5\n6\n");
    write_text("nan.mtx", BANNER "1 3\n1\nnan\n3\n");
    expect(SOLVE BODY "--coordinates $FOLDER/none.mtx", 1, "none.mtx: ");
    expect(SOLVE BODY "--coordinates $FOLDER/four.mtx", 1,
           "four.mtx: the coordinates are 1 x 4; nodes have 2 or 3 each, in columns");
    expect(SOLVE BODY "--coordinates $FOLDER/few.mtx", 1,
           "few.mtx: 2 nodes with 3 coordinates have 6 unknowns; the matrix has 648 rows");
    expect(SOLVE BODY "--coordinates $FOLDER/nan.mtx", 1, "nan.mtx");
    expect(SOLVE BODY "--coordinates $FOLDER/A.mtx", 1, "A.mtx: ");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/2 " AT, 1,
           "nodes with 2 unknowns and 3 coordinates; the two must be equal");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/5", 1,
           "nodes with 5 unknowns, but A has 648 rows, which is not a multiple");
    expect(SOLVE "$FOLDER/A.mtx --precond amg/9", 1, "the block of amg, a whole number from 1 to 8");
}

Test(cli_nodes, one_of_a_b_and_coordinates_comes_from_standard_input)
{
    make_body();
    expect(SOLVE BODY "--coordinates - < $FOLDER/x.mtx", 0, " 48 rows ");
    expect(SOLVE "- --precond amg --coordinates - < $FOLDER/A.mtx", 1,
           "only one of A, b and --coordinates can come from standard input");
    expect(SOLVE BODY "--rhs - --coordinates - < $FOLDER/x.mtx", 1,
           "only one of A, b and --coordinates can come from standard input");
}

Test(cli_nodes, nothing_is_written_onto_the_coordinates)
{
    make_body();
    OWNED(char) *before = read_text("x.mtx");
    expect(SOLVE BODY AT "--output $FOLDER/x.mtx", 1, "x.mtx would overwrite the coordinates of nodes");
    expect(SOLVE BODY AT "--json $FOLDER/../$(basename $FOLDER)/x.mtx", 1,
           "would overwrite the coordinates of nodes");
    OWNED(char) *after = read_text("x.mtx");
    cr_expect_str_eq(after, before);
}
