/* vksolve spmv: what it measures and reports. */
#include "cli.h"
#include "command/spmv/chart.h"
#include "support/png.h"

#include <math.h>

static void begin(void)
{
    make_folder();
    unsetenv("VKSOLVE_GNUPLOT");
}

TestSuite(cli_spmv, .init = begin, .fini = remove_folder, .timeout = 240);

#define QUICK " --products 20 --seconds 0.5 "

/* --- CSV --- */

enum { CELLS = 40, FIXED = 7 /* before the figures */ };

static const char *const fixed[] = {"matrix", "rows", "cols", "entries", "precision", "format", "refused"};
static const char *const figures[] = {
#define X(name) #name,
    SPMV_FIGURES(X)
#undef X
};
enum { FIGURES = sizeof figures / sizeof *figures };

struct line {
    char *cell[CELLS];
    int count;
};

/* Splits the line at `at`, in place (RFC 4180), and returns the one after it. */
static char *split_line(char *at, struct line *l)
{
    l->count = 0;
    for (;;) {
        bool quoted = *at == '"';
        char *to = at += quoted;
        cr_assert_lt(l->count, CELLS);
        l->cell[l->count++] = to;
        for (; quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\r'; at++) {
            cr_assert(*at && *at != '\n');
            at += quoted && *at == '"';
            *to++ = *at;
        }
        at += quoted;
        char end = *at++;
        *to = 0;
        if (end == ',')
            continue;
        cr_assert(end == '\r' && *at == '\n', "%c", end);
        return at + 1;
    }
}

static double number(const char *cell)
{
    char *end;
    double value = strtod(cell, &end);
    cr_assert(*cell && !*end, "'%s' is not a number", cell);
    return value;
}

static double figure(const struct line *l, const char *name)
{
    for (int i = 0; i < FIGURES; i++)
        if (!strcmp(figures[i], name))
            return number(l->cell[FIXED + i]);
    cr_assert_fail("there is no %s", name);
    return NAN;
}

/* Checks the first line, and returns the next. */
static char *check_head(char *text)
{
    struct line head;
    char *next = split_line(text, &head);
    cr_assert_eq(head.count, FIXED + FIGURES);
    for (int i = 0; i < head.count; i++)
        cr_expect_str_eq(head.cell[i], i < FIXED ? fixed[i] : figures[i - FIXED]);
    return next;
}

/* All figures must be present and consistent. */
static void check_figures(const struct line *l, double products, double error, int value_bytes)
{
    cr_assert_eq(l->count, FIXED + FIGURES);
    cr_expect_str_empty(l->cell[6]);
    for (int i = 0; i < FIGURES; i++)
        cr_expect(isfinite(number(l->cell[FIXED + i])), "%s %s: %s", l->cell[5], figures[i],
                  l->cell[FIXED + i]);
    double rows = number(l->cell[1]), cols = number(l->cell[2]), entries = number(l->cell[3]);
    double seconds = figure(l, "seconds"), count = figure(l, "products"), memory = figure(l, "memory_bytes");
    double copies = figure(l, "copies"), bytes = figure(l, "bytes");
    cr_expect(figure(l, "setup_seconds") > 0 && seconds > 0);
    cr_expect(figure(l, "seconds_least") <= seconds && seconds <= figure(l, "seconds_most"));
    cr_expect(figure(l, "seconds") <= 1.001 * figure(l, "wall_seconds") + 1e-7, "%g of %g", seconds,
              figure(l, "wall_seconds"));
    cr_expect(count >= 1 && count <= products, "%g products", count);
    cr_expect(figure(l, "batches") >= 1 && figure(l, "batches") <= count);
    cr_expect_float_eq(figure(l, "gflops") * seconds * 1e9, 2 * entries, 1e-6 * entries + 1e-9);
    int least = strcmp(l->cell[5], "sell") ? value_bytes : 1; /* a byte if entries are codes */
    cr_expect(bytes >= entries * least, "%g bytes", bytes);
    cr_expect_float_eq(figure(l, "bandwidth") * seconds, bytes, 1e-6 * bytes);
    cr_expect(memory >= entries * least, "%g bytes", memory);
    cr_expect(figure(l, "bandwidth_share") > 0 && figure(l, "efficiency") > 0);
    cr_expect(figure(l, "error") >= 0 && figure(l, "error") < error, "%s: error %g", l->cell[5],
              figure(l, "error"));
    cr_expect(copies >= 1 && copies <= ceil(count / figure(l, "batches")));
    cr_expect_float_eq(figure(l, "copies_bytes"), copies * (memory + value_bytes * (rows + cols)), 0.5);
}

static void check_device(const char *device, const char *precision, double error)
{
    char line[512], *text, *at;
    snprintf(line, sizeof line,
             "$VKSOLVE spmv $MATRICES/nos4.mtx.gz $MATRICES/ash219.mtx.gz --device %s --precision %s" QUICK
             "--csv $FOLDER/a.csv",
             device, precision);
    expect(line, 0, "nos4: 100 x 100, 594 entries");
    text = read_text("a.csv");
    cr_assert(text);
    at = check_head(text);
    double csr = 0;
    for (int m = 0; m < 2; m++)
        for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
            struct line l;
            at = split_line(at, &l);
            cr_expect(strstr(l.cell[0], m ? "/ash219.mtx.gz" : "/nos4.mtx.gz"), "%s", l.cell[0]);
            cr_expect_str_eq(l.cell[3], m ? "438" : "594");
            cr_expect_str_eq(l.cell[4], precision);
            cr_expect_str_eq(l.cell[5], vks_format_name((vks_format)f));
            if (l.cell[6][0])
                continue; /* refused: a format may have reasons to */
            check_figures(&l, 20, error, strcmp(precision, "f32") ? 8 : 4);
            double cost = figure(&l, "seconds") * figure(&l, "memory_bytes");
            if (f == VKS_FORMAT_CSR)
                csr = cost;
            cr_expect_float_eq(figure(&l, "efficiency"), csr / cost, 1e-9 * csr / cost);
        }
    cr_expect_str_empty(at);
    free(text);
}

Test(cli_spmv, all_figures_on_the_host_in_f64)
{
    check_device("host", "f64", 1e-14);
}

Test(cli_spmv, all_figures_on_the_host_in_f32)
{
    check_device("host", "f32", 1e-6);
}

/* Whether or not the values are whole numbers, vectors are f64. */
Test(cli_spmv, all_figures_on_the_host_mixed)
{
    check_device("host", "mixed", 1e-14);
}

#ifdef VKS_HAVE_VULKAN
Test(cli_spmv, all_figures_on_vulkan_in_f64)
{
    check_device("$GPU", "f64", 1e-14);
}
#endif

Test(cli_spmv, a_format_that_does_not_suit_has_a_line_that_says_why)
{
    char path[256];
    FILE *f = fopen(in_folder("a\"b,c.mtx", path), "w");
    cr_assert(f);
    fputs("%%MatrixMarket matrix coordinate real general\n600 600 799\n", f); /* one row of 200 entries */
    for (int i = 1; i <= 600; i++)
        fprintf(f, "%d %d %d\n", i, i, i % 17 - 8);
    for (int i = 2; i <= 200; i++)
        fprintf(f, "1 %d %d\n", i, i % 13 - 6);
    cr_assert_eq(fclose(f), 0);
    struct ran r = run("$VKSOLVE spmv \"$FOLDER/a\\\"b,c.mtx\" --formats ell,csr --device host" QUICK
                       "--csv $FOLDER/a.csv --json $FOLDER/a.json");
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect_str_empty(r.err);
    cr_expect(strstr(r.out, "\nell              refused: "), "%s", r.out);
    ran_free(&r);
    char *csv = read_text("a.csv"), *json = read_text("a.json"), wanted[300];
    cr_assert(csv && json);
    struct line csr, ell;
    char *at = split_line(split_line(check_head(csv), &ell), &csr);
    cr_expect_str_empty(at);
    cr_expect_str_eq(csr.cell[0], path);
    check_figures(&csr, 20, 1e-14, 8);
    cr_expect(strlen(ell.cell[6]) > 20 && strstr(ell.cell[6], "8 times"), "%s", ell.cell[6]);
    for (int i = FIXED; i < ell.count; i++)
        cr_expect_str_empty(ell.cell[i], "%s", figures[i - FIXED]);
    cr_expect(json_valid(json), "%s", json);
    cr_expect(strstr(json, "\"refused\":null") || strstr(json, "\"refused\": null"));
    snprintf(wanted, sizeof wanted, "%s", ell.cell[6]);
    cr_expect(strstr(json, wanted), "no \"%s\" in %s", wanted, json);
    free(csv);
    free(json);
}

Test(cli_spmv, json_has_what_the_table_has_and_nothing_else_is_said)
{
    struct ran r = run("$VKSOLVE spmv poisson3d:5 $MATRICES/west0067.mtx.gz --device host" QUICK
                       "--json - --formats all");
    cr_assert_eq(r.code, 0, "%s", r.err);
    cr_expect(json_valid(r.out), "%s", r.out);
    for (int i = 0; i < FIGURES; i++) {
        char key[64];
        snprintf(key, sizeof key, "\"%s\":", figures[i]);
        cr_expect(strstr(r.out, key), "no %s", key);
    }
    const char *const parts[] = {"\"poisson3d:5\"",    "\"rows\":", "125",
                                 "west0067",           "\"auto\":", "\"reason\":",
                                 "\"setup_seconds\":", "\"clock\":"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(r.out, parts[i]), "no %s in %s", parts[i], r.out);
    ran_free(&r);
    expect_output("$VKSOLVE spmv poisson3d:3 --device host" QUICK "--quiet", "");
    expect_output("$VKSOLVE spmv poisson3d:3 --device host" QUICK "--csv - --formats csr | wc -l | tr -d ' '",
                  "2\n");
}

Test(cli_spmv, what_is_asked_bounds_the_products)
{
    struct line l;
    expect("$VKSOLVE spmv poisson2d:20 --device host --formats csr --products 7 --seconds 60 --csv "
           "$FOLDER/a.csv",
           0, "");
    OWNED(char) *text = read_text("a.csv");
    split_line(check_head(text), &l);
    cr_expect_eq(figure(&l, "products"), 7);
    cr_expect_eq(figure(&l, "batches"), 7);
    cr_expect_eq(figure(&l, "copies"), 1);
    free(text);
    expect("$VKSOLVE spmv poisson2d:20 --device host --formats csr --seconds 1e-9 --csv $FOLDER/a.csv", 0,
           "");
    text = read_text("a.csv");
    split_line(check_head(text), &l);
    cr_expect_eq(figure(&l, "products"), 1);
}

Test(cli_spmv, without_csr_there_is_no_efficiency)
{
    struct line l;
    expect("$VKSOLVE spmv poisson2d:20 --device host --formats balanced" QUICK "--csv $FOLDER/a.csv", 0,
           " - ");
    OWNED(char) *text = read_text("a.csv");
    split_line(check_head(text), &l);
    for (int i = 0; i < FIGURES; i++)
        if (!strcmp(figures[i], "efficiency"))
            cr_expect_str_empty(l.cell[FIXED + i]);
        else
            cr_expect(isfinite(number(l.cell[FIXED + i])), "%s", figures[i]);
}

/* Shapes of a format are adjacent, in the order of the request. */
Test(cli_spmv, shapes_have_rows_of_their_own)
{
    static const char *const names[] = {"csr",         "sell", "sell/4", "sell/128/256",
                                        "sell/32/900", "bsr",  "bsr/2",  "bsr/8"};
    struct line l[8];
    double memory[8];
    OWNED_STRUCT(ran) r = run("$VKSOLVE spmv $MATRICES/bcsstk06.mtx.gz --device host" QUICK
                              "--formats csr,sell,sell/4,sell/128/256,sell/32/0900,bsr,bsr/2,sell/4,bsr/8 "
                              "--padding 20 --csv $FOLDER/a.csv --json $FOLDER/a.json --chart $FOLDER/a.svg");
    cr_assert_eq(r.code, 0, "%s", r.err);
    char *csv = read_text("a.csv"), *json = read_text("a.json"), *svg = read_text("a-gflops.svg"), wanted[64];
    cr_assert(csv && json && svg);
    char *at = check_head(csv);
    for (int i = 0; i < 8; i++) {
        at = split_line(at, &l[i]);
        cr_expect_str_eq(l[i].cell[5], names[i]);
        check_figures(&l[i], 20, 1e-14, 8);
        memory[i] = figure(&l[i], "memory_bytes");
        cr_expect(strstr(svg, names[i]), "no %s in the chart", names[i]);
        snprintf(wanted, sizeof wanted, "\n%s ", names[i]);
        cr_expect(strstr(r.out, wanted), "no %s in %s", names[i], r.out);
        snprintf(wanted, sizeof wanted, "\"format\": \"%s\"", names[i]);
        cr_expect(strstr(json, wanted), "no %s in %s", wanted, json);
    }
    cr_expect_str_empty(at);
    cr_expect(memory[2] < memory[1] && memory[4] < memory[1], "slices of 4 rows, and sorted ones, pad less");
    cr_expect(memory[3] != memory[1] && memory[6] != memory[7]);
    free(csv);
    free(json);
    free(svg);
}

Test(cli_spmv, matrices_without_entries_rows_or_columns)
{
#define MARKET "%%MatrixMarket matrix coordinate real general\n"
    write_text("a.mtx", MARKET "0 0 0\n");
    write_text("b.mtx", MARKET "5 0 0\n");
    write_text("c.mtx", MARKET "0 5 0\n");
    write_text("d.mtx", MARKET "5 4 0\n");
    write_text("e.mtx", MARKET "1 1 1\n1 1 3\n");
    struct ran r = run("$VKSOLVE spmv $FOLDER/a.mtx $FOLDER/b.mtx $FOLDER/c.mtx $FOLDER/d.mtx $FOLDER/e.mtx "
                       "--device host" QUICK "--json $FOLDER/a.json --chart $FOLDER/c.png");
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect(!strstr(r.out, "nan") && !strstr(r.out, "inf"), "%s", r.out);
    ran_free(&r);
    OWNED(char) *json = read_text("a.json");
    cr_expect(json && json_valid(json), "%s", json);
}

/* --- Files --- */

Test(cli_spmv, a_file_that_is_missing_does_not_cost_the_others)
{
    expect_parts("$VKSOLVE spmv $FOLDER/none.mtx poisson2d:9 --device host" QUICK
                 "--formats csr --csv $FOLDER/a.csv",
                 1, "none.mtx: cannot be opened", "poisson2d:9: 81 x 81", NULL);
    char *text = read_text("a.csv");
    cr_assert(text);
    cr_expect_eq(count_lines(text), 2);
    free(text);
    expect("$VKSOLVE spmv $FOLDER/none.mtx --device host --csv $FOLDER/b.csv", 1, "cannot be opened");
    cr_expect(!read_text("b.csv"));
}

Test(cli_spmv, draws_three_charts)
{
    static const char *const parts[] = {"gflops", "efficiency", "bandwidth"};
    static const char *const labels[] = {"GFLOP/s", "CSR is 1", "% of the copy bandwidth"};
    expect("$VKSOLVE spmv poisson2d:9 $MATRICES/nos4.mtx.gz --device host" QUICK "--chart $FOLDER/a.b.svg", 0,
           "");
    expect("$VKSOLVE spmv poisson2d:9 --device host" QUICK "--chart $FOLDER/c.png", 0, "");
    for (int i = 0; i < SPMV_CHARTS; i++) {
        char name[64], path[256];
        snprintf(name, sizeof name, "a.b-%s.svg", parts[i]);
        char *svg = read_text(name);
        cr_assert(svg, "%s", name);
        cr_expect(strstr(svg, labels[i]) && strstr(svg, "nos4") && strstr(svg, "poisson2d:9"), "%s", name);
        for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
            cr_expect(strstr(svg, vks_format_name((vks_format)f)), "%s", name);
        free(svg);
        snprintf(name, sizeof name, "c-%s.png", parts[i]);
        struct png p = png_read(in_folder(name, path));
        cr_expect(p.wide == 1000 && p.high >= 600);
        free(p.grey);
    }
    expect_output("ls $FOLDER | grep -c svg; ls $FOLDER | grep -c png", "3\n3\n");
    setenv("VKSOLVE_GNUPLOT", "/nonexistent", 1);
    expect("$VKSOLVE spmv $FOLDER/none.mtx --chart $FOLDER/d.png", 1, "gnuplot is needed for pictures");
}

Test(cli_spmv, refuses_what_cannot_be)
{
#define SPMV "$VKSOLVE spmv $FOLDER/none.mtx "
    char names[256] = "expected all";
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        snprintf(names + strlen(names), sizeof names - strlen(names), ", %s", vks_format_name((vks_format)f));
    expect_parts(SPMV "--formats csr,foo", 1, "unknown format 'foo'; ", names, NULL);
    expect(SPMV "--formats csr,", 1, "unknown format ''");
    expect(SPMV "--formats auto", 1, "unknown format 'auto'");
    expect(SPMV "--products 0", 1, "must be a whole number from 1 to 1000000");
    expect(SPMV "--seconds 0", 1, "above 0");
    expect(SPMV "--json - --csv -", 1, "only one of --csv and --json can be standard output");
    expect(SPMV "--json $FOLDER/x --csv $FOLDER/x", 1, "two outputs are the same file");
    expect(SPMV "--json $FOLDER/x-gflops.png --chart $FOLDER/x.png", 1, "two outputs are the same file");
    expect(SPMV "--csv $FOLDER/none.mtx", 1, "would overwrite a matrix that is read");
    expect("$VKSOLVE spmv - - --device host", 1, "only one matrix can come from standard input");
    expect(SPMV "--csv $FOLDER/no/x", 1, "cannot be written");
    expect(SPMV "--chart $FOLDER/x.jpg", 1, "must end in .png, .svg or .pdf");
    expect(SPMV "--chart $FOLDER/x", 1, "must end in .png, .svg or .pdf");
    expect(SPMV "--device none-such", 4, "none-such");
    expect("$VKSOLVE spmv", 1, "A.mtx is missing");
    expect("$VKSOLVE spmv poisson3d:2 ''", 1, "A.mtx is empty");
    expect("$VKSOLVE spmv poisson3d:0 --device host", 1, "poisson3d:0: '0' is not a size of a model problem");
    expect("$VKSOLVE spmv poisson3d: --device host", 1, "poisson3d:: '' is not a size of a model problem");
    expect("$VKSOLVE spmv --help", 0, "usage: vksolve spmv A.mtx ... [options]");
    expect_output("ls $FOLDER", "err\nout\n");
}
