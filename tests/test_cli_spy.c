/* vksolve spy: the contents of its pictures, and how entries are counted. */
#include "cli.h"
#include "command/spy/bins.h"
#include "command/spy/levels.h"
#include "support/png.h"
#include "tests/support/failing_memory.h"

TestSuite(cli_spy, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* The place of the frame in a picture whose pattern is 600 pixels long and wide: 7 fonts from the left, 4
 * from the top. Its font is 3 % of the pattern. */
enum { SIDE = 600, FONT = 18, LEFT = 7 * FONT, TOP = 4 * FONT };

static struct png picture(const char *name)
{
    char path[256];
    return png_read(in_folder(name, path));
}

static FILE *begin_matrix(const char *name, const char *banner, unsigned rows, unsigned cols,
                          unsigned entries)
{
    char path[256];
    FILE *f = fopen(in_folder(name, path), "w");
    cr_assert(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate %s\n%u %u %u\n", banner, rows, cols, entries);
    return f;
}

/* A 10 x 10 pattern, row after row; every cell is 60 pixels wide and sampled in nine places. */
static void expect_picture(const char *name, const char *pattern)
{
    struct png p = picture(name);
    for (uint32_t i = 0; i < 10; i++)
        for (uint32_t j = 0; j < 10; j++)
            for (uint32_t place = 0; place < 9; place++) {
                uint32_t x = LEFT + 60 * j + 3 + 27 * (place % 3), y = TOP + 60 * i + 3 + 27 * (place / 3);
                bool dark = pattern[10 * i + j] == 'x';
                cr_assert(dark ? png_at(&p, x, y) < 40 : png_at(&p, x, y) > 250,
                          "row %u, column %u, place %u: %d", i + 1, j + 1, place, png_at(&p, x, y));
            }
    free(p.grey);
}

Test(cli_spy, draws_the_diagonal_where_it_is_and_nothing_else)
{
    FILE *f = begin_matrix("d.mtx", "real general", 10, 10, 10);
    for (int i = 1; i <= 10; i++)
        fprintf(f, "%d %d %d\n", i, i, i);
    cr_assert_eq(fclose(f), 0);
    expect_output("$VKSOLVE spy $FOLDER/d.mtx -o $FOLDER/d.png 2>&1", "");
    expect_picture("d.png", "x........."
                            ".x........"
                            "..x......."
                            "...x......"
                            "....x....."
                            ".....x...."
                            "......x..."
                            ".......x.."
                            "........x."
                            ".........x");
}

Test(cli_spy, rows_go_down_and_columns_right)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n10 10 4\n1 10\n2 3\n9 1\n10 5\n");
    expect("$VKSOLVE spy - -o $FOLDER/a.png <$FOLDER/a.mtx", 0, "");
    expect_picture("a.png", ".........x"
                            "..x......."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            "x........."
                            "....x.....");
}

Test(cli_spy, both_triangles_of_a_symmetric_file)
{
    write_text("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n10 10 3\n1 1 2\n9 2 1\n10 1 -1\n");
    expect("$VKSOLVE spy $FOLDER/s.mtx -o $FOLDER/s.png", 0, "");
    expect_picture("s.png", "x........x"
                            "........x."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            ".........."
                            ".x........"
                            "x.........");
    expect("$VKSOLVE spy $FOLDER/s.mtx -o $FOLDER/s.svg && grep -c '10 x 10, 5 entries' $FOLDER/s.svg", 0,
           "1");
}

/* If a row is a pixel, it fills exactly that pixel: every second column of a 600 x 600 matrix. */
Test(cli_spy, cells_are_whole_pixels)
{
    FILE *f = begin_matrix("c.mtx", "pattern general", SIDE, SIDE, SIDE * SIDE / 2);
    for (int i = 1; i <= SIDE; i++)
        for (int j = 2; j <= SIDE; j += 2)
            fprintf(f, "%d %d\n", i, j);
    cr_assert_eq(fclose(f), 0);
    expect("$VKSOLVE spy $FOLDER/c.mtx -o $FOLDER/c.png", 0, "");
    struct png p = picture("c.png");
    for (uint32_t j = 2; j + 2 < SIDE; j++)
        for (uint32_t y = TOP + 2; y + 2 < TOP + SIDE; y += 99)
            cr_assert(j % 2 ? png_at(&p, LEFT + j, y) < 40 : png_at(&p, LEFT + j, y) > 215,
                      "column %u, pixel row %u: %d", j + 1, y, png_at(&p, LEFT + j, y));
    free(p.grey);
}

/* 1, 10 and 100 entries in a cell: 100 is black, and 10 in the middle. */
Test(cli_spy, shades_follow_the_logarithm)
{
    FILE *f = begin_matrix("s.mtx", "pattern general", 10, 10, 111);
    for (int k = 0; k < 111; k++)
        fprintf(f, "%s\n", k < 1 ? "1 1" : k < 11 ? "2 2" : "3 3");
    cr_assert_eq(fclose(f), 0);
    expect("$VKSOLVE spy $FOLDER/s.mtx -o $FOLDER/s.png", 0, "");
    struct png p = picture("s.png");
    int shade[4];
    for (uint32_t i = 0; i < 4; i++)
        shade[i] = png_at(&p, LEFT + 60 * i + 30, TOP + 60 * i + 30);
    cr_expect(abs(shade[0] - 0x90) <= 3 && abs(shade[1] - 0x48) <= 3 && shade[2] <= 3 && shade[3] == 255,
              "%d %d %d %d", shade[0], shade[1], shade[2], shade[3]);
    free(p.grey);
    expect("$VKSOLVE spy $FOLDER/s.mtx -o $FOLDER/s.svg && grep -o 'entries in a .*<' $FOLDER/s.svg", 0,
           "entries in a dot<");
}

Test(cli_spy, a_large_matrix_as_svg_is_an_image_and_not_its_dots)
{
    expect("$VKSOLVE generate poisson2d 400 -q -o $FOLDER/p.mtx.gz", 0, "");
    expect("$VKSOLVE spy $FOLDER/p.mtx.gz -o $FOLDER/p.svg", 0, "");
    OWNED(char) *text = read_text("p.svg");
    cr_assert(text);
    cr_expect(strstr(text, "<image") && strlen(text) < 100000, "%zu bytes", strlen(text));
    cr_expect(strstr(text, ">160,000 x 160,000, 798,400 entries<") && strstr(text, ">row (thousands)<"));
    cr_expect(strstr(text, ">entries in a pixel<"));
}

Test(cli_spy, pdf_too)
{
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz -o $FOLDER/n.pdf && head -c 5 $FOLDER/n.pdf && tail -n 1 "
           "$FOLDER/n.pdf",
           0, "%PDF-");
}

Test(cli_spy, the_size_is_that_of_the_longer_side)
{
    expect("$VKSOLVE spy $MATRICES/gr_30_30.mtx.gz -o $FOLDER/g.png --size 200", 0, "");
    struct png small = picture("g.png");
    cr_expect(small.high >= 200 && small.high < 400 && small.wide < 400, "%u x %u", small.wide, small.high);
    free(small.grey);
    expect("$VKSOLVE spy $MATRICES/ash219.mtx.gz -o $FOLDER/a.png --size 2000", 0, "");
    struct png tall = picture("a.png");
    cr_expect(tall.high > 1900 && tall.high < 2700 && tall.high > tall.wide, "%u x %u", tall.wide, tall.high);
    free(tall.grey);
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz -o $FOLDER/g.png --size 99", 1, "from 100 to 4000");
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz -o $FOLDER/g.png --size 4001", 1, "from 100 to 4000");
}

Test(cli_spy, unusual_shapes)
{
    write_text("one.mtx", "%%MatrixMarket matrix array real general\n1 1\n7\n");
    expect("$VKSOLVE spy $FOLDER/one.mtx -o $FOLDER/one.svg && cat $FOLDER/one.svg", 0, ">1 x 1, 1 entry<");
    write_text("empty.mtx", "%%MatrixMarket matrix coordinate real general\n30 4000 0\n");
    expect("$VKSOLVE spy $FOLDER/empty.mtx -o $FOLDER/empty.png", 0, "");
    struct png p = picture("empty.png");
    for (uint32_t y = TOP + 3; y < TOP + SPY_LEAST_SIDE - 3; y++)
        cr_assert_eq(png_at(&p, LEFT + SIDE / 2, y), 255);
    free(p.grey);
    write_text("none.mtx", "%%MatrixMarket matrix coordinate real general\n0 5 0\n");
    expect("$VKSOLVE spy $FOLDER/none.mtx -o $FOLDER/none.png", 1,
           "none.mtx: is 0 x 5: without rows or columns there is nothing to draw");
    expect("ls $FOLDER/none.png", 2, "");
    write_text("long.mtx",
               "%%MatrixMarket matrix coordinate real general\n2000000000 3 2\n1 1 1\n2000000000 3 1\n");
    expect("$VKSOLVE spy $FOLDER/long.mtx -o $FOLDER/long.svg && cat $FOLDER/long.svg", 0,
           ">row (billions)<");
}

Test(cli_spy, names_are_shown_as_they_are)
{
    setenv("NAME", "a_b^c{d}@e'f\"g`touch pwned`$(h)\\i j&<k>", 1);
    expect(
        "cd $FOLDER && cp $MATRICES/nos4.mtx.gz \"$NAME\" && $VKSOLVE spy \"$NAME\" -o \"$NAME.svg\" && cat "
        "\"$NAME.svg\"",
        0, "<text>a_b^c{d}@e'f\"g`touch pwned`$(h)\\i j&amp;&lt;k></text>");
    expect("ls $FOLDER/pwned", 2, "");
    setenv("NAME", "x\ny\033z\xFF\xC3\xA4'\nplot 1", 1);
    expect(
        "cd $FOLDER && cp $MATRICES/nos4.mtx.gz \"$NAME\" && $VKSOLVE spy \"$NAME\" -o \"$NAME.svg\" && cat "
        "\"$NAME.svg\"",
        0, "<text>x?y?z?\xC3\xA4'?plot 1</text>");
}

Test(cli_spy, refuses)
{
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz", 1, "-o FILE is missing");
    const char *const names[] = {"spy.jpg", "spy", ".png", "spy.PNG", "-", "spy.png.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char line[256];
        snprintf(line, sizeof line, "cd $FOLDER && $VKSOLVE spy none.mtx -o %s", names[i]);
        expect(line, 1, "the name of a picture must end in .png, .svg or .pdf");
    }
    expect("$VKSOLVE spy none.mtx -o $FOLDER/no/spy.png", 1, "spy.png: cannot be written");
    expect("$VKSOLVE spy $FOLDER/none.mtx -o $FOLDER/spy.png", 1, "none.mtx: cannot be opened");
    expect("cp $MATRICES/nos4.mtx.gz $FOLDER/n.png && $VKSOLVE spy $FOLDER/n.png -o $FOLDER/n.png", 1,
           "would overwrite the matrix");
    expect_output("ls $FOLDER", "err\nn.png\nout\n");
}

/* --- The counting --- */

static struct plot_density count(uint32_t rows, uint32_t cols, size_t entries, const uint32_t *row,
                                 const uint32_t *col, uint32_t pixels)
{
    struct message m = {0};
    struct plot_density d = {0};
    struct triplets t = {
        .rows = rows, .cols = cols, .count = entries, .row = (uint32_t *)row, .col = (uint32_t *)col};
    cr_assert_eq(spy_count(&m, &t, pixels, &d), VKS_OK, "%s", m.text);
    cr_assert_eq(d.rows, rows);
    cr_assert_eq(d.cols, cols);
    return d;
}

Test(spy_count, cells_of_matrices_of_all_sizes)
{
    /* n rows and columns at 600 pixels, without entries and with more than 4,800: cells and pixels of each */
    static const uint32_t sizes[][5] = {{1, 1, 600, 1, 600},   {7, 7, 86, 7, 86},
                                        {100, 100, 6, 100, 6}, {219, 219, 3, 219, 3},
                                        {300, 300, 2, 300, 2}, {301, 200, 3, 301, 2},
                                        {599, 200, 3, 599, 1}, {600, 200, 3, 600, 1},
                                        {601, 200, 3, 600, 1}, {VKS_MAX_ROWS, 200, 3, 600, 1}};
    static uint32_t zeros[5000];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int many = 0; many < 2; many++) {
            const uint32_t *s = sizes[k];
            struct plot_density d = count(s[0], s[0], many ? 4801 : 0, zeros, zeros, 600);
            cr_expect(d.high == s[1 + 2 * many] && d.cell_height == s[2 + 2 * many],
                      "%u: %u cells of %u pixels", s[0], d.high, d.cell_height);
            cr_expect(d.wide == d.high && d.cell_width == d.cell_height);
            cr_expect_eq(d.most, many ? 4801 : 0);
            free(d.count);
        }
}

Test(spy_count, rectangles_keep_their_shape_but_never_vanish)
{
    struct plot_density d = count(1000, 4000, 0, NULL, NULL, 600);
    cr_expect(d.wide == 200 && d.cell_width == 3 && d.high == 50 && d.cell_height == 3);
    free(d.count);
    d = count(2000000000, 3, 0, NULL, NULL, 600);
    cr_expect(d.wide == 3 && d.cell_width == 13 && d.high == 200 && d.cell_height == 3);
    free(d.count);
    d = count(1, VKS_MAX_ROWS, 0, NULL, NULL, 100);
    cr_expect(d.high == 1 && d.cell_height == SPY_LEAST_SIDE && d.wide == 33 && d.cell_width == 3);
    free(d.count);
}

Test(spy_count, each_entry_in_its_cell)
{
    static const uint32_t row[] = {0, 0, 1, 999, 499, 500, 999, 5}, col[] = {0, 0, 1, 999, 0, 999, 0, 4};
    struct plot_density d = count(1000, 1000, 8, row, col, 600); /* 200 x 200 cells of 5 x 5 */
    cr_assert(d.wide == 200 && d.high == 200);
    uint32_t sum = 0;
    for (size_t k = 0; k < (size_t)d.wide * d.high; k++)
        sum += d.count[k];
    cr_expect_eq(sum, 8);
    cr_expect_eq(d.most, 3);
    cr_expect_eq(d.count[0], 3);
    cr_expect_eq(d.count[1 * 200 + 0], 1);
    cr_expect_eq(d.count[199 * 200 + 199], 1);
    cr_expect_eq(d.count[99 * 200 + 0], 1);
    cr_expect_eq(d.count[100 * 200 + 199], 1);
    cr_expect_eq(d.count[199 * 200 + 0], 1);
    free(d.count);
    static const uint32_t far[] = {0, VKS_MAX_ROWS - 1, VKS_MAX_ROWS / 2};
    d = count(VKS_MAX_ROWS, VKS_MAX_ROWS, 3, far, far, 600);
    cr_expect(d.count[0] == 1 && d.count[199 * 200 + 199] == 1 && d.count[100 * 200 + 100] == 1);
    free(d.count);
}

/* Blocks of five rows: their edges cross columns 1 to 5 below row 5, where the matrix has no entries. */
Test(cli_spy, blocks_are_outlined)
{
    FILE *f = begin_matrix("b.mtx", "real general", 10, 10, 1);
    fprintf(f, "1 1 1\n");
    cr_assert_eq(fclose(f), 0);
    for (int with = 0; with < 2; with++) {
        expect_output(with ? "$VKSOLVE spy $FOLDER/b.mtx -o $FOLDER/b.png --blocks 5 2>&1"
                           : "$VKSOLVE spy $FOLDER/b.mtx -o $FOLDER/b.png 2>&1",
                      "");
        struct png p = picture("b.png");
        int inside = 0, outside = 0;
        for (uint32_t d = 0; d < 9; d++) {
            inside += png_at(&p, LEFT + 150, TOP + 300 - 4 + d) < 200;
            outside += png_at(&p, LEFT + 450, TOP + 150 - 4 + d) < 200;
        }
        cr_expect(with ? inside > 0 : inside == 0, "the edge of a block has %d pixels", inside);
        cr_expect_eq(outside, 0);
        free(p.grey);
    }
    expect("$VKSOLVE spy $MATRICES/bcsstk14.mtx.gz -o $FOLDER/c.png --blocks 1", 1,
           "blocks of 1 rows are more than 1000");
}

/* --- Levels --- */

Test(spy_shade, follows_the_logarithm)
{
    /* of 1 to 1,000 entries in the fullest cell */
    cr_expect_eq(spy_shade(0, 1000), ' ');
    cr_expect_eq(spy_shade(1, 1000), '.');
    cr_expect_eq(spy_shade(10, 1000), ':');
    cr_expect_eq(spy_shade(100, 1000), '*');
    cr_expect_eq(spy_shade(1000, 1000), '#');
    cr_expect_eq(spy_shade(UINT32_MAX, UINT32_MAX), '#');
    cr_expect_eq(spy_shade(1, 1), '#');
}

Test(cli_spy, a_level_is_printed_entry_by_entry_where_there_is_room)
{
    write_text("A.mtx", "%%MatrixMarket matrix coordinate real general\n5 5 7\n1 1 2\n2 2 2\n3 3 2\n4 4 2\n"
                        "5 5 2\n1 4 -1\n4 1 -1\n");
    expect_output("$VKSOLVE spy $FOLDER/A.mtx --levels 2>&1",
                  "level 1              5 rows               7 entries, 1.4 a row\n"
                  "+-----+\n"
                  "|#  # |\n"
                  "| #   |\n"
                  "|  #  |\n"
                  "|#  # |\n"
                  "|    #|\n"
                  "+-----+\n"
                  "entries of all 1 times those of the first, rows 1 times\n");
}

/* The sizes are those of the drawn matrices; info --amg has those counted by the setup. */
Test(cli_spy, each_level_is_drawn_and_the_complexities_come_last)
{
    expect("$VKSOLVE generate elasticity3d 8 -q -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 0, "");
    expect("$VKSOLVE info --amg $FOLDER/A.mtx --coordinates $FOLDER/x.mtx >$FOLDER/info", 0, "");
    expect("$VKSOLVE spy --levels $FOLDER/A.mtx --coordinates $FOLDER/x.mtx >$FOLDER/spy", 0, "");
    expect_output(
        "cd $FOLDER && for f in info spy; do grep -oE '[0-9,]+ rows +.* a row|entries of all.*' $f "
        ">$f.sizes; done; cmp info.sizes spy.sizes; wc -l <spy.sizes; grep -c '^level' spy; grep -cE "
        "'^[|].{40}[|]$' spy; tail -n 1 spy | cut -d ' ' -f 1-3",
        "3\n2\n40\nentries of all\n");
}

Test(cli_spy, levels_refuse)
{
    expect("$VKSOLVE spy $MATRICES/west0067.mtx.gz --levels", 1,
           "west0067.mtx.gz has no levels: ZERO_DIAGONAL: row 1 ");
    expect("$VKSOLVE spy $MATRICES/ash219.mtx.gz --levels", 1, "A is 219 x 85");
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz --levels --block 3", 1,
           "nodes with 3 unknowns, but A has 100 rows");
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz --levels -o $FOLDER/n.png", 1,
           "-o, --size and --blocks are for pictures");
    expect("$VKSOLVE spy $MATRICES/nos4.mtx.gz -o $FOLDER/n.png --block 2", 1, "are for --levels");
    expect("$VKSOLVE spy - --levels --coordinates - <$MATRICES/nos4.mtx.gz", 1,
           "only one of A and --coordinates");
}

#if MEMORY_CAN_FAIL
/* Some allocations are optional, such as those of more threads. */
Test(cli_spy, levels_end_where_memory_runs_out)
{
    uint32_t row[] = {0, 1}, col[] = {0, 1}, ended = 0, k = 0;
    double val[] = {1, 1};
    struct triplets t = {.rows = 2, .cols = 2, .count = 2, .row = row, .col = col, .val = val};
    cr_assert(freopen("/dev/null", "w", stdout));
    do {
        struct message m = {0};
        arm(++k);
        vks_status s = spy_levels(&m, NULL, "A", &t, (struct amg_nodes){0});
        disarm();
        bool lacks = s == VKS_OUT_OF_MEMORY || s == VKS_DEVICE_MEMORY;
        cr_assert(!s || (memory.failures && lacks), "allocation %u: %s", k, m.text);
        cr_assert(!s || strstr(m.text, "memory"), "allocation %u: %s", k, m.text);
        ended += s != VKS_OK;
    } while (memory.failures);
    cr_expect_gt(ended, 10, "%u of %u", ended, k);
}
#endif
