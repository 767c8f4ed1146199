/* vksolve solve --reorder: only the device's system is reordered. */
#include "cli.h"

#include <math.h>
#include <stdint.h>

TestSuite(cli_reorder, .init = make_folder, .fini = remove_folder, .timeout = 60);

#define SOLVE "$VKSOLVE solve --device host "

enum { ROWS = 37 };

/* A path whose neighbours are 11 apart, modulo ROWS: bandwidth 1 in a better order. Row i of the file, from
 * 1, is vertex i; `diagonal` is its entry at row `bad`, elsewhere 2 + i. */
static void write_path(const char *name, uint32_t bad, double diagonal, double above)
{
    char text[8192];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
                         ROWS, ROWS, 3 * ROWS - 2);
    for (uint32_t i = 1; i <= ROWS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u %u %.17g\n", i, i,
                                 i == bad ? diagonal : 2.0 + i);
    for (uint32_t k = 0; k + 1 < ROWS; k++) {
        uint32_t i = 1 + k * 11 % ROWS, j = 1 + (k + 1) * 11 % ROWS;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%u %u -1\n%u %u %.17g\n", i, j, j, i, above);
    }
    cr_assert_lt(used, sizeof text);
    write_text(name, text);
}

static void write_rhs(void)
{
    char text[2048];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%%%%MatrixMarket matrix array real general\n%d 1\n", ROWS);
    for (int i = 1; i <= ROWS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d\n", i * i);
    write_text("b.mtx", text);
}

/* The numbers of an array file, after its header. */
static void read_solution(const char *name, double x[ROWS])
{
    char *text = read_text(name), *at;
    cr_assert(text && (at = strstr(text, "37 1\n")));
    at += strlen("37 1\n");
    for (int i = 0; i < ROWS; i++)
        x[i] = strtod(at, &at);
    free(text);
}

static void compare_solutions(const char *options)
{
    char line[512];
    double plain[ROWS], reordered[ROWS];
    snprintf(line, sizeof line, SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx -o $FOLDER/plain.mtx --rtol 1e-12 %s",
             options);
    expect(line, 0, "CONVERGED");
    snprintf(line, sizeof line,
             SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx -o $FOLDER/other.mtx --rtol 1e-12 --reorder rcm %s",
             options);
    expect(line, 0, "CONVERGED: the true residual meets the tolerance");
    read_solution("plain.mtx", plain);
    read_solution("other.mtx", reordered);
    for (int i = 0; i < ROWS; i++)
        cr_expect(fabs(plain[i] - reordered[i]) <= 1e-9 * fabs(plain[i]), "x[%d]: %.17g and %.17g", i,
                  plain[i], reordered[i]);
}

Test(cli_reorder, the_solution_is_in_the_order_of_the_file)
{
    write_rhs();
    write_path("a.mtx", 0, 0, -1);
    compare_solutions("");
    compare_solutions("--precision mixed");
    write_path("a.mtx", 0, 0, -0.5); /* not symmetric */
    compare_solutions("--method jacobi");
    expect(SOLVE "$FOLDER/a.mtx --method jacobi --reorder rcm --compare lapack", 0,
           "the solutions differ by ");
}

Test(cli_reorder, the_report_says_what_it_gained)
{
    write_path("a.mtx", 0, 0, -1);
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx --reorder rcm --json $FOLDER/r.json");
    cr_expect(strstr(r.out, "\norder       rcm in ") &&
                  strstr(r.out, ": bandwidth 1, was 26; mean |i - j| 0.6606, was 10.02"),
              "%s", r.out);
    cr_expect_not(strstr(r.out, "no gain"), "%s", r.out);
    ran_free(&r);
    char *json = read_text("r.json");
    cr_assert(json && json_valid(json));
    const char *const parts[] = {"\"name\": \"rcm\"", "\"bandwidth_before\": 26,", "\"bandwidth\": 1,",
                                 "\"mean_distance\": 0.6605", "\"mean_distance_before\": 10.018"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(json, parts[i]), "no %s in %s", parts[i], json);
    free(json);
    expect(SOLVE "$FOLDER/a.mtx --json -", 0, "\"reorder\": null,");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --reorder rcm", 0, "(no gain)\n");
    r = run(SOLVE "$FOLDER/a.mtx --reorder none");
    cr_expect_not(strstr(r.out, "order   "), "%s", r.out);
}

Test(cli_reorder, rows_are_named_as_the_file_has_them)
{
    write_path("a.mtx", 8, 0, -1);
    expect_parts(SOLVE "$FOLDER/a.mtx --method cg --reorder rcm", 3, "ZERO_DIAGONAL: row 8 has",
                 "row 8 has no diagonal entry other than zero", NULL);
    write_path("a.mtx", 8, 0.5, -1);
    expect(SOLVE "$FOLDER/a.mtx --method jacobi --max-iterations 2 --reorder rcm", 2, "in row 8, the worst");
    write_path("a.mtx", 8, 10.1, -1);
    expect(SOLVE "$FOLDER/a.mtx --precision mixed --reorder rcm", 0, "entry (8, 8) = 10.1 does not survive");
    write_path("a.mtx", 8, 1e300, -1);
    expect(SOLVE "$FOLDER/a.mtx --precision f32 --reorder rcm", 1,
           "entry (8, 8), 1e+300, is beyond the range");
}

Test(cli_reorder, elimination_does_without)
{
    write_path("a.mtx", 0, 0, -1);
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx --method gauss-jordan --reorder rcm");
    cr_expect_eq(r.code, 0);
    cr_expect(strstr(r.out, "warning     A is not reordered: gauss-jordan"), "%s", r.out);
    cr_expect_not(strstr(r.out, "order   "), "%s", r.out);
}

Test(cli_reorder, no_rows_one_row_and_rectangles)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
    expect(SOLVE "$FOLDER/a.mtx --method cg --reorder rcm", 0, "CONVERGED");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n");
    expect(SOLVE "$FOLDER/a.mtx --reorder rcm", 0, "bandwidth 0, was 0;");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 3\n");
    expect(SOLVE "$FOLDER/a.mtx --reorder rcm", 1, "--reorder needs a square one");
    expect(SOLVE "$FOLDER/a.mtx --reorder amd", 1, "none or rcm");
}
