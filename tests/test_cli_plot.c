/* Pictures: the input of gnuplot, and the results. */
#include "command/plot/parts.h"
#include "command/plot/plot.h"
#include "support/gnuplot.h"
#include "support/png.h"

#include <math.h>
#include <signal.h>
#include <time.h>

TestSuite(cli_plot, .init = begin_pictures, .fini = remove_folder, .timeout = 120);

#define SPY "$VKSOLVE spy $MATRICES/nos4.mtx.gz -o $FOLDER/kept.png"

/* The failure has exit code 1, the existing file is unchanged, and there is no other. */
static void expect_failure(const char *part)
{
    write_text("kept.png", "as it was");
    expect(SPY, 1, part);
    expect_output("cat $FOLDER/kept.png", "as it was");
    expect_output("ls $FOLDER | grep -v gnuplot", "err\nkept.png\nout\n");
    expect("rm $FOLDER/kept.png", 0, "");
    expect(SPY, 1, part);
    expect_output("ls $FOLDER | grep -v gnuplot", "err\nout\n");
}

Test(cli_plot, says_that_gnuplot_is_missing_before_the_work)
{
    setenv("VKSOLVE_GNUPLOT", "/nonexistent", 1);
    expect_failure(
        "gnuplot is needed for pictures, and '/nonexistent' cannot be run: No such file or directory");
    unsetenv("VKSOLVE_GNUPLOT");
    expect("PATH=$FOLDER " SPY, 1,
           "vksolve: gnuplot is needed for pictures and was not found: apt install gnuplot-nox\n");
    expect("PATH=$FOLDER $VKSOLVE spy $FOLDER/none.mtx -o $FOLDER/kept.png", 1, "was not found");
    expect("PATH=$FOLDER $VKSOLVE solve $FOLDER/none.mtx --plot $FOLDER/kept.png", 1, "was not found");
    expect("VKSOLVE_GNUPLOT=$MATRICES/README.md " SPY, 1, "Permission denied");
    expect_output("ls $FOLDER", "err\nout\n");
}

Test(cli_plot, repeats_what_a_failing_gnuplot_says)
{
    pretend("cat >/dev/null; printf 'line 0:\\n\\n   undefined \\033 variable\\n' >&2; exit 3");
    expect_failure("vksolve: gnuplot failed with exit code 3: line 0: undefined ? variable\n");
    pretend("exit 1");
    expect_failure("gnuplot failed with exit code 1: no error message");
    pretend("kill -SEGV $$");
    expect_failure("gnuplot was ended by signal 11");
}

Test(cli_plot, gnuplot_itself_fails_with_its_own_words)
{
    pretend("(echo 'set terminal none_such'; cat) | exec gnuplot \"$@\"");
    expect_failure("unknown or ambiguous terminal type");
}

Test(cli_plot, a_picture_that_is_not_whole_does_not_appear)
{
    pretend("exit 0");
    expect_failure("kept.png: gnuplot has not drawn a whole picture");
    pretend("gnuplot \"$@\" | head -c 2000");
    expect_failure("kept.png: gnuplot has not drawn a whole picture");
    pretend("gnuplot \"$@\"");
    expect(SPY, 0, "");
    char path[256];
    struct png p = png_read(in_folder("kept.png", path));
    free(p.grey);
}

/* Neither the program nor its children may still run. Whether an exited process is still listed depends on
 * the system, so its state is checked. */
static void expect_gone(const char *name)
{
    char path[64], *text = read_text(name);
    cr_assert(text, "%s", name);
    long pid = strtol(text, NULL, 10);
    free(text);
    cr_assert_gt(pid, 1);
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int tries = 0; tries < 200; tries++) {
        char state = 'X';
        snprintf(path, sizeof path, "/proc/%ld/stat", pid);
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
            state = '?';
        if (f)
            fclose(f);
        if (state == 'X' || state == 'Z')
            return;
        nanosleep(&pause, NULL);
    }
    cr_assert_fail("process %ld runs on", pid);
}

Test(cli_plot, ends_a_gnuplot_that_hangs_and_its_children)
{
    setenv("VKSOLVE_GNUPLOT_SECONDS", "1", 1);
    pretend("sleep 600 & echo $! >\"$FOLDER/gnuplot-child\"; echo $$ >\"$FOLDER/gnuplot-self\"; wait");
    expect_failure("gnuplot did not end within 1 seconds (VKSOLVE_GNUPLOT_SECONDS), and was killed");
    expect_gone("gnuplot-self");
    expect_gone("gnuplot-child");
    const char *const wrong[] = {"0", "x", "-1", "1.5", "86401"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("VKSOLVE_GNUPLOT_SECONDS", wrong[i], 1);
        expect(SPY, 1, "must be a whole number from 1 to 86400");
    }
}

Test(cli_plot, a_signal_ends_gnuplot_too)
{
    pretend("sleep 600 & echo $! >\"$FOLDER/gnuplot-child\"; echo $$ >\"$FOLDER/gnuplot-self\"; wait");
    write_text("kept.png", "as it was");
    time_t begun = time(NULL);
    expect(SPY " & pid=$!; for i in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do "
               "[ -s $FOLDER/gnuplot-self ] || sleep 0.2; done; kill -TERM $pid; wait $pid",
           1, "interrupted while gnuplot was drawing");
    cr_expect_lt(time(NULL) - begun, 40, "only the limit of 60 seconds ended it");
    expect_gone("gnuplot-self");
    expect_gone("gnuplot-child");
    expect_output("cat $FOLDER/kept.png; ls $FOLDER | grep -v gnuplot", "as it waserr\nkept.png\nout\n");
}

/* The command sleeps until the signal has arrived and gnuplot has exited; a single thread gets the signal. */
Test(cli_plot, a_signal_counts_when_gnuplot_has_just_ended)
{
    pretend("kill -STOP $PPID; kill -TERM $PPID; gnuplot \"$@\"\n"
            "(sleep 0.3; kill -CONT $PPID) >/dev/null 2>&1 &");
    expect("OMP_NUM_THREADS=1 " SPY, 1, "interrupted while gnuplot was drawing");
    expect("ls $FOLDER/kept.png", 2, "");
}

Test(cli_plot, the_terminal_that_the_environment_names_does_not_matter)
{
    cr_assert_eq(setenv("GNUTERM", "none_such", 1), 0);
    expect_output(SPY " 2>&1", "");
    char path[256];
    struct png p = png_read(in_folder("kept.png", path));
    free(p.grey);
}

Test(cli_plot, works_where_children_are_reaped_by_the_system)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    cr_assert_eq(sigaction(SIGCHLD, &ignore, &before), 0);
    struct message m = {0};
    char path[256];
    const double y[] = {1, 0.1};
    struct plot_series s = {"s", PLOT_LINE, NULL, y, 2};
    struct plot_lines p = {"t", "n", "x", "y", &s, 1, NULL};
    vks_status status = plot_lines(&m, in_folder("p.png", path), &p);
    cr_assert_eq(sigaction(SIGCHLD, &before, NULL), 0);
    cr_assert_eq(status, VKS_OK, "%s", m.text);
    struct png picture = png_read(path);
    cr_expect(picture.wide == 1000 && picture.high == 750);
    free(picture.grey);
}

Test(cli_plot, keeps_links_and_permissions_of_what_it_replaces)
{
    expect("touch $FOLDER/real.png && chmod 600 $FOLDER/real.png && ln -s real.png $FOLDER/kept.png", 0, "");
    expect(SPY, 0, "");
    expect_output("cd $FOLDER && readlink kept.png && stat -c %a real.png", "real.png\n600\n");
    char path[256];
    struct png p = png_read(in_folder("real.png", path));
    free(p.grey);
}

/* --- Lines --- */

/* The script that gnuplot receives; the caller frees it. */
static char *script_of(const struct plot_lines *p)
{
    struct message m = {0};
    char path[256];
    pretend("cat >\"$FOLDER/gnuplot-script\"");
    cr_assert_eq(plot_lines(&m, in_folder("p.png", path), p), VKS_FILE);
    char *script = read_text("gnuplot-script");
    cr_assert(script);
    return script;
}

Test(cli_plot, a_line_is_broken_where_it_has_no_place)
{
    const double y[] = {1, NAN, 0.25, 0, -1, INFINITY, 0.003}, x[] = {0, 6}, goal[] = {1e-3, 1e-3};
    const struct plot_series s[] = {{"one", PLOT_LINE, NULL, y, 7}, {"it's", PLOT_DASHES, x, goal, 2}};
    struct plot_lines p = {"t", "n", "x", "y", s, 2, NULL};
    OWNED(char) *script = script_of(&p);
    cr_expect(strstr(script, "$series0 << END\n0 1\n\n2 0.25\n\n\n\n6 0.0030000000000000001\nEND\n"), "%s",
              script);
    cr_expect(strstr(script, "$series1 << END\n0 0.001\n6 0.001\nEND\n"), "%s", script);
    cr_expect(strstr(script, "set xrange [0:6]\nset logscale y\nset yrange [1e-4:1e0]\n"), "%s", script);
    cr_expect(strstr(script, "title 'it''s'"), "%s", script);
}

Test(cli_plot, long_lines_keep_their_extremes)
{
    enum { COUNT = 1000003 };
    OWNED(double) *y = malloc(COUNT * sizeof *y);
    cr_assert(y);
    for (int i = 0; i < COUNT; i++)
        y[i] = 1 + i % 7;
    y[0] = 50;
    y[123456] = 1e-5;
    y[777777] = 1e4;
    y[COUNT - 1] = 0.5;
    const struct plot_series s = {"s", PLOT_LINE, NULL, y, COUNT};
    struct plot_lines p = {"t", "n", "x", "y", &s, 1, NULL};
    OWNED(char) *script = script_of(&p);
    cr_expect(strstr(script, "\n123456 1") && strstr(script, "\n777777 10000\n"));
    cr_expect(strstr(script, "<< END\n0 50\n") && strstr(script, "\n1000002 0.5\nEND\n"));
    cr_expect(strstr(script, "set yrange [1e-6:1e4]"), "%.800s", script);
    int lines = count_lines(script);
    cr_expect(lines > 2000 && lines < 2050, "%d", lines);
    double last = -1, x, value;
    int used;
    for (const char *at = strstr(script, "<< END\n") + 7; sscanf(at, "%lf %lf%n", &x, &value, &used) == 2;
         at += used) {
        cr_assert(x > last && value == y[(int)x], "%g %g", x, value);
        last = x;
    }
}

Test(cli_plot, extreme_values_have_a_range)
{
    const double y[] = {1.7e308, 5e-324, 1};
    struct plot_series s = {"s", PLOT_LINE, NULL, y, 3};
    struct plot_lines p = {"t", "n", "x", "y", &s, 1, NULL};
    struct message m = {0};
    char path[256];
    cr_expect_eq(plot_lines(&m, in_folder("p.png", path), &p), VKS_OK, "%s", m.text);
    s.count = 1;
    cr_expect_eq(plot_lines(&m, in_folder("p.png", path), &p), VKS_OK, "%s", m.text);
}

Test(cli_plot, marks_go_from_bottom_to_top_and_have_no_say_in_the_range)
{
    const double y[] = {1, 0.5, 0.003}, at[] = {1, 2};
    const struct plot_series s[] = {{"one", PLOT_LINE, NULL, y, 3}, {"mark", PLOT_MARKS, at, NULL, 2}};
    struct plot_lines p = {"t", "n", "x", "y", s, 2, NULL};
    OWNED(char) *script = script_of(&p);
    cr_expect(strstr(script, "$series1 << END\n1 1e0\n2 1e0\nEND\n"), "%s", script);
    cr_expect(strstr(script, "set yrange [1e-3:1e0]\n"), "%s", script);
    cr_expect(!strstr(script, "x2tics"));
}

Test(cli_plot, an_axis_above_has_long_and_short_ticks)
{
    const double y[] = {1, 0.5, 0.003};
    const struct plot_series s = {"one", PLOT_LINE, NULL, y, 3};
    const struct plot_tick ticks[] = {{0, "none"}, {0.5, ""}, {1.5, "it's"}};
    struct plot_top top = {"time", ticks, 3};
    struct plot_lines p = {"t", "n", "x", "y", &s, 1, &top};
    OWNED(char) *script = script_of(&p);
    cr_expect(strstr(script, "set x2label 'time'"), "%s", script);
    cr_expect(strstr(script, "set x2range [0:2]\n"), "%s", script);
    cr_expect(strstr(script, "('none' 0 0, '' 0.5 1, 'it''s' 1.5 0)\n"), "%s", script);
}

/* The total darkness of the picture. */
static double darkness(const char *name)
{
    char path[256];
    struct png p = png_read(in_folder(name, path));
    double sum = 0;
    for (size_t i = 0; i < (size_t)p.wide * p.high; i++)
        sum += 255 - p.grey[i];
    free(p.grey);
    return sum;
}

Test(cli_plot, marks_and_ticks_are_drawn)
{
    const double y[] = {1, 0.5, 0.003}, at[] = {1};
    const struct plot_series s[] = {{"one", PLOT_LINE, NULL, y, 3}, {"", PLOT_MARKS, at, NULL, 1}};
    const struct plot_tick ticks[] = {{0.5, ""}, {0.6, ""}, {0.7, ""}, {1.5, ""}, {1.6, ""}, {1.7, ""}};
    struct plot_top none = {"", ticks, 1}, some = {"", ticks, 6};
    struct plot_lines bare = {"t", "n", "x", "y", s, 1, &none}, marked = bare, ticked = bare;
    struct message m = {0};
    char path[256];
    marked.count = 2;
    ticked.top = &some;
    cr_assert_eq(plot_lines(&m, in_folder("bare.png", path), &bare), VKS_OK, "%s", m.text);
    cr_assert_eq(plot_lines(&m, in_folder("marked.png", path), &marked), VKS_OK, "%s", m.text);
    cr_assert_eq(plot_lines(&m, in_folder("ticked.png", path), &ticked), VKS_OK, "%s", m.text);
    cr_expect_gt(darkness("marked.png"), darkness("bare.png") + 20 * 255.0);
    cr_expect_gt(darkness("ticked.png"), darkness("bare.png") + 10 * 255.0, "%g",
                 darkness("ticked.png") - darkness("bare.png"));
}

Test(cli_plot, curves_differ_in_dashes_points_and_colours)
{
    enum { CURVES = 8 };
    const double y[] = {1, 0.5};
    struct plot_series s[CURVES];
    struct plot_lines p = {"t", "n", "x", "y", s, CURVES, NULL};
    for (int k = 0; k < CURVES; k++)
        s[k] = (struct plot_series){"s", PLOT_CURVE, NULL, y, 2};
    char *script = script_of(&p), style[CURVES][160];
    const char *at = script;
    for (int k = 0; k < CURVES; k++) {
        at = strstr(at + 1, "with linespoints");
        cr_assert(at && sscanf(at, "%159[^,\n]", style[k]) == 1);
        for (int i = 0; i < k; i++)
            cr_expect_str_neq(style[i], style[k], "%d and %d", i, k);
    }
    free(script);
}

/* --- Bars --- */

/* The number of non-white pixels in the column near the middle of bar k in group i, between the frame above
 * and the axis below. */
static int bar_height(const struct png *p, const struct plot_bars *b, int i, int k)
{
    double middle = i + 0.8 * ((k + 0.5) / b->count - 0.5);
    double frame = PLOT_WIDE - PLOT_SIDES;
    uint32_t x = (uint32_t)(PLOT_LEFT + frame * (middle + 0.5) / b->groups) + 7, y = 76;
    int height = 0;
    for (; y < 512; y++)
        height += png_at(p, x, y) < 240;
    return height;
}

Test(cli_plot, bars_are_as_high_as_their_values)
{
    const char *const groups[] = {"one", "two"}, *const series[] = {"a", "b", "c"};
    const double values[] = {1, 0.5, NAN, 0, 0.25, 0.75};
    struct plot_bars b = {"t", "n", "y", groups, 2, series, 3, values, 0};
    struct message m = {0};
    char path[256];
    cr_assert_eq(plot_bars(&m, in_folder("b.png", path), &b), VKS_OK, "%s", m.text);
    struct png p = png_read(path);
    int whole = bar_height(&p, &b, 0, 0);
    cr_assert(whole > 300, "%d", whole);
    int none = bar_height(&p, &b, 0, 2); /* the grid */
    for (int i = 0; i < 6; i++) {
        double want = isnan(values[i]) ? 0 : values[i] * whole;
        int height = bar_height(&p, &b, i / 3, i % 3), patterned = i % 3 == 2;
        if (patterned && want > 0)
            cr_expect(height > 0.1 * want, "bar %d: %d pixels of %g", i, height, want);
        else
            cr_expect(fabs(height - want) <= none + 0.02 * whole, "bar %d: %d pixels, not %g", i, height,
                      want);
    }
    free(p.grey);
}

Test(cli_plot, many_bars_with_long_names)
{
    const char *const groups[] = {"it's {a}_b^c", "a_name_that_is_long", "c", "d", "e", "f", "g", "h"};
    const char *const series[] = {"s0", "s1", "s2", "s3",  "s4",  "s5", "s6",
                                  "s7", "s8", "s9", "s10", "s11", "s12"};
    double values[8 * 13];
    for (int i = 0; i < 8 * 13; i++)
        values[i] = i % 13 == 4 ? NAN : 1 + i % 17;
    struct plot_bars b = {"t", "n", "y", groups, 8, series, 13, values, 4};
    struct message m = {0};
    char path[256];
    cr_assert_eq(plot_bars(&m, in_folder("b.svg", path), &b), VKS_OK, "%s", m.text);
    OWNED(char) *svg = read_text("b.svg");
    for (int i = 0; i < 13; i++)
        cr_expect(strstr(svg, series[i]), "no %s", series[i]);
    cr_expect(strstr(svg, "it&apos;s {a}_b^c") || strstr(svg, "it's {a}_b^c"), "the first name");
    for (int i = 1; i < 8; i++)
        cr_expect(strstr(svg, groups[i]), "no %s", groups[i]);
}

Test(cli_plot, percent_signs_in_names_are_no_formats)
{
    const char *const groups[] = {"100%", "%s%s", "%d%%", "50%g"}, *const series[] = {"%s"};
    const double values[] = {1, 2, 3, 4};
    struct plot_bars b = {"%n 1%", "%s", "%y", groups, 4, series, 1, values, 0};
    struct message m = {0};
    char path[256];
    cr_assert_eq(plot_bars(&m, in_folder("b.svg", path), &b), VKS_OK, "%s", m.text);
    OWNED(char) *svg = read_text("b.svg");
    for (int i = 0; i < 4; i++)
        cr_expect(strstr(svg, groups[i]), "no %s", groups[i]);
    cr_expect(!strstr(svg, "%d%%%") && strstr(svg, "%n 1%<") && strstr(svg, "%y"), "other texts");
}

Test(cli_plot, bars_of_nothing)
{
    const char *const groups[] = {"one"}, *const series[] = {"a", "b"};
    struct plot_bars b = {"t", "n", "y", groups, 1, series, 2, (const double[]){NAN, -1}, 0};
    struct message m = {0};
    char path[256];
    cr_assert_eq(plot_bars(&m, in_folder("b.png", path), &b), VKS_OK, "%s", m.text);
    struct png p = png_read(path);
    cr_expect(bar_height(&p, &b, 0, 0) <= 8 && bar_height(&p, &b, 0, 1) <= 8);
    free(p.grey);
}
