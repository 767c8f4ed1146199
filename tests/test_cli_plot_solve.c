/* vksolve solve --plot. */
#include "support/gnuplot.h"
#include "support/png.h"

#include <math.h>

TestSuite(cli_plot_solve, .init = begin_pictures, .fini = remove_folder, .timeout = 120);

Test(cli_plot_solve, a_solve_draws_its_residuals)
{
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --device host --plot $FOLDER/r.svg --history $FOLDER/h.csv",
           0, "CONVERGED");
    const char *const texts[] = {"nos4",
                                 "cg with jacobi in f64: CONVERGED after",
                                 "iteration",
                                 "||b - A x|| / ||b||",
                                 "by the iteration",
                                 "recomputed in f64",
                                 "time, after ",
                                 " of set-up",
                                 "goal"};
    char *svg = read_text("r.svg");
    cr_assert(svg);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect(strstr(svg, texts[i]), "no \"%s\"", texts[i]);
    free(svg);
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --device host --plot $FOLDER/r.svg", 1, "CONVERGED");
    OWNED(char) *script = read_text("gnuplot-script"), *history = read_text("h.csv");
    cr_assert(script && history);
    const char *at = strstr(script, "$series0 << END\n"), *line = strchr(history, '\n');
    cr_assert(at && line);
    at = strchr(at, '\n');
    for (; line[1]; line = strchr(line + 1, '\n'), at = strchr(at + 1, '\n')) { /* "3,0.5" and "3 0.5" */
        size_t number = strcspn(line + 1, ","), length = strcspn(line + 1, "\n");
        cr_assert(!strncmp(at + 1, line + 1, number) && at[1 + number] == ' ', "%.40s", at);
        cr_assert_eq(strncmp(at + 2 + number, line + 2 + number, length - number), 0, "%.40s %.40s", at,
                     line);
    }
    cr_expect_eq(strncmp(at, "\nEND\n", 5), 0, "%.40s", at);
    char ends[128];
    double last = strtod(strrchr(history, ',') + 1, NULL), first, recomputed;
    snprintf(ends, sizeof ends, "$series1 << END\n");
    at = strstr(script, ends);
    cr_assert(at && sscanf(at + strlen(ends), "0 %lf %*d %lf", &first, &recomputed) == 2, "%.200s", at);
    cr_expect(first == 1 && fabs(recomputed - last) < 1e-10, "%g %g", first, recomputed);
    cr_expect(strstr(script, " 1e-08\nEND\n") || strstr(script, " 1.0000000000000000"
                                                                "2e-08\nEND\n"),
              "no goal");
}

/* The points of a series, at most 64. */
static int points_of(const char *script, int series, double at[64], double value[64])
{
    char name[32];
    int count = 0, used;
    snprintf(name, sizeof name, "$series%d << END\n", series);
    const char *from = strstr(script, name);
    for (from = from ? from + strlen(name) : "";
         count < 64 && sscanf(from, "%lf %lf%n", &at[count], &value[count], &used) == 2; from += used)
        count++;
    return count;
}

/* Unreachable in f32: cg restarts from the true residual until that no longer helps. */
Test(cli_plot_solve, restarts_are_marked_where_the_residual_was_recomputed)
{
    double at[64], value[64], restart[64], top[64];
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    struct ran r = run("$VKSOLVE solve $MATRICES/bcsstk14.mtx.gz --device host --precision f32 --rtol 1e-9 "
                       "--plot $FOLDER/r.png --json $FOLDER/r.json");
    ran_free(&r);
    OWNED(char) *script = read_text("gnuplot-script"), *json = read_text("r.json");
    cr_assert(script && json);
    int reported = atoi(strstr(json, "\"restarts\":") + strlen("\"restarts\":"));
    int restarts = points_of(script, 3, restart, top), points = points_of(script, 1, at, value);
    cr_expect(reported > 0 && restarts == reported, "%d restarts of %d", restarts, reported);
    cr_assert_eq(points, restarts + 2);
    for (int i = 0; i < restarts; i++) {
        cr_expect_eq(at[i + 1], restart[i]);
        cr_expect_lt(value[i + 1], value[i]);
    }
    cr_expect(strstr(script, "title 'restart'"));
}

Test(cli_plot_solve, refinements_are_points)
{
    double at[64], value[64];
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    expect("$VKSOLVE solve $MATRICES/bcsstk14.mtx.gz --device host --precision mixed --plot $FOLDER/r.png", 1,
           "refined");
    OWNED(char) *script = read_text("gnuplot-script");
    cr_assert(script);
    cr_expect_gt(points_of(script, 1, at, value), 5);
    cr_expect(strstr(script, "title 'recomputed, x refined'"));
    cr_expect(!strstr(script, "title 'restart'"));
}

Test(cli_plot_solve, times_stand_above_and_elimination_has_none)
{
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    expect("$VKSOLVE solve $MATRICES/bcsstk14.mtx.gz --device host --plot $FOLDER/r.png", 1, "CONVERGED");
    OWNED(char) *script = read_text("gnuplot-script");
    cr_assert(script);
    const char *ticks = strstr(script, "set x2tics");
    cr_assert(ticks);
    cr_expect(strstr(ticks, "('0 ") && strstr(script, "; short ticks: "), "%.200s", ticks);
    cr_expect(strstr(ticks, "'' ") && strstr(ticks, "'' ") < strchr(ticks, '\n'), "no batch");
    free(script);
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --method gauss-jordan --device host --plot $FOLDER/r.png", 1,
           "CONVERGED");
    script = read_text("gnuplot-script");
    cr_assert(script);
    cr_expect(!strstr(script, "x2tics"));
}

Test(cli_plot_solve, the_title_tells_levels_and_contraction_of_multigrid)
{
    expect("$VKSOLVE generate poisson2d 30 -o $FOLDER/P.mtx", 0, "900 x 900");
    expect("$VKSOLVE solve $FOLDER/P.mtx --precond amg --device host --plot $FOLDER/r.svg", 0, "CONVERGED");
    OWNED(char) *svg = read_text("r.svg");
    cr_assert(svg);
    cr_expect(strstr(svg, "P: 2 levels, operator complexity 1.") && strstr(svg, ", contraction 0.0"));
}

/* ||b|| is 5e200 or 5e-200, whose square is not representable. */
Test(cli_plot_solve, the_goal_is_that_of_atol_whatever_the_size_of_b)
{
    static const char *const powers[] = {"200", "-200"};
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 1\n2 2 3\n");
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, "%%%%MatrixMarket matrix array real general\n2 1\n3e%s\n4e%s\n",
                 powers[i], powers[i]);
        write_text("b.mtx", text);
        snprintf(text, sizeof text,
                 "$VKSOLVE solve $FOLDER/a.mtx -b $FOLDER/b.mtx --device host --atol 1.25e%s --plot "
                 "$FOLDER/r.png",
                 powers[i]);
        expect(text, 1, "CONVERGED");
        OWNED(char) *script = read_text("gnuplot-script");
        double goal = 0;
        cr_assert(script);
        const char *at = strstr(script, "$series2 << END\n0 ");
        cr_expect(at && sscanf(at, "$series2 << END\n0 %lf", &goal) == 1 && fabs(goal - 0.25) < 1e-12,
                  "1e%s: %g", powers[i], goal);
    }
}

Test(cli_plot_solve, a_solve_that_fails_is_drawn_as_well)
{
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --max-iterations 3 --plot $FOLDER/r.svg && exit 9 || cat "
           "$FOLDER/r.svg",
           0, "ITERATION_LIMIT after 3 iterations<");
    write_text("z.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");
    expect("$VKSOLVE solve $FOLDER/z.mtx -b $FOLDER/b.mtx --plot $FOLDER/none.png", 0,
           "none.png is not drawn: there is no residual above zero");
    expect("ls $FOLDER/none.png", 2, "");
}

Test(cli_plot_solve, a_solve_refuses_what_cannot_be)
{
#define SOLVE "$VKSOLVE solve $FOLDER/none.mtx "
    expect(SOLVE "--plot r.jpg", 1, "r.jpg: the name of a picture must end in .png, .svg or .pdf");
    expect(SOLVE "--plot -", 1, "-: the name of a picture must end in .png");
    expect(SOLVE "--plot $FOLDER/no/r.png", 1, "r.png: cannot be written");
    expect(SOLVE "--plot $FOLDER/r.png --json $FOLDER/r.png", 1, "--plot and --json are the same file");
    expect(SOLVE "--plot $FOLDER/r.png --history $FOLDER/r.png", 1, "are the same file");
    expect(SOLVE "--plot $FOLDER/none.mtx", 1, "would overwrite the matrix that is read");
    expect_output("ls $FOLDER", "err\nout\n");
}

/* The residual of the first strategy stagnates; the second one ends the solve. */
Test(cli_plot_solve, attempts_are_parted)
{
    expect("$VKSOLVE solve $MATRICES/orsirr_1.mtx.gz --method 'auto(device=any)' --device host --plot "
           "$FOLDER/r.svg",
           0, "CONVERGED");
    OWNED(char) *text = read_text("r.svg");
    cr_assert(text);
    cr_expect(strstr(text, "next attempt") && strstr(text, "idr with jacobi, then idr with fsai(add=4)/8"),
              "%s", text);
}
