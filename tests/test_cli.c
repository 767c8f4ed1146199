/* The command: its words, exit codes, and the subcommands other than solve. */
#include "cli.h"
#include "command/command.h"

TestSuite(cli, .init = make_folder, .fini = remove_folder, .timeout = 120);

Test(cli, tells_how_it_is_used)
{
    expect("$VKSOLVE", 1, "usage: vksolve COMMAND");
    expect("$VKSOLVE --help", 0, "exit codes:");
    expect("$VKSOLVE --version", 0, "vksolve 0.");
    expect("$VKSOLVE --wersion", 1, "unknown option '--wersion'");
    expect("$VKSOLVE version", 0, "vksolve 0.");
    expect("$VKSOLVE help", 0, "usage: vksolve COMMAND");
    expect("$VKSOLVE help check", 0, "usage: vksolve check");
    expect("$VKSOLVE help dissolve", 1, "unknown command 'dissolve'");
    expect("$VKSOLVE dissolve", 1, "unknown command 'dissolve'\n");
    expect("$VKSOLVE solv a.mtx", 1, "unknown command 'solv'; did you mean solve?");
    expect("$VKSOLVE spine a.mtx", 1, "unknown command 'spine'\n");
    expect("$VKSOLVE solve a.mtx --presision=f32", 1,
           "unknown option --presision=f32; did you mean --precision?");
    expect("$VKSOLVE ''", 1, "unknown command ''");
}

Test(cli, has_help_for_each_subcommand)
{
#define X(name, text)                                                                             \
    expect("$VKSOLVE --help", 0, "  " #name);                                                     \
    expect("$VKSOLVE " #name " --help", 0, "usage: vksolve " #name);                              \
    expect("$VKSOLVE " #name " --help", 0, "exit codes:\n  0");                                   \
    expect("$VKSOLVE " #name " -h", 0, "example");                                                \
    expect("$VKSOLVE " #name " --nonsense", 1, "vksolve " #name ": unknown option --nonsense\n"); \
    expect("$VKSOLVE " #name " --nonsense", 1, "try vksolve " #name " --help\n");
    SUBCOMMANDS(X)
#undef X
}

Test(cli, names_the_option_that_is_wrong)
{
    expect("$VKSOLVE solve", 1, "A.mtx is missing");
    expect("$VKSOLVE solve ''", 1, "A.mtx is empty");
    expect("$VKSOLVE info a b", 1, "unexpected argument 'b'");
    expect("$VKSOLVE solve a -x", 1, "unknown option -x");
    expect("$VKSOLVE solve a --rtol", 1, "--rtol needs a value");
    expect("$VKSOLVE solve a --quiet=yes", 1, "--quiet takes no value");
    expect("$VKSOLVE solve a --pre f32", 1, "--pre is ambiguous");
    expect("$VKSOLVE solve a -b ''", 1, "--rhs ''");
    expect("$VKSOLVE solve a --device ''", 1, "--device ''");
    expect("$VKSOLVE solve a --method sor", 1,
           "--method: unknown method sor; expected auto, cg, jacobi, gauss-jordan");
    expect("$VKSOLVE solve a --precond ilu", 1, "--precond: expected auto, none, jacobi, block-jacobi");
}

Test(cli, checks_numbers)
{
    const char *const reals[] = {"0",     "-1",     "1.5", "nan",  "inf", "0x1p-3",
                                 "1e-8x", "1e-400", "1,5", "\"\"", "' 1'"};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        char line[128];
        snprintf(line, sizeof line, "$VKSOLVE solve a --rtol %s", reals[i]);
        expect(line, 1, "must be a number above 0, at most 1");
    }
    const char *const counts[] = {"0",   "-1",   "+1", "4294967296", "99999999999999999999999",
                                  "1e3", "\"\"", "1k"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char line[128];
        snprintf(line, sizeof line, "$VKSOLVE solve a --max-iterations %s", counts[i]);
        expect(line, 1, "must be a whole number from 1 to 4294967295");
    }
    const char *const sizes[] = {"0", "-4G", "4X", "G", "4GG", "1e3", "99999999999999999999", "inf", "\"\""};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char line[128];
        snprintf(line, sizeof line, "$VKSOLVE solve a --lapack-memory %s", sizes[i]);
        expect(line, 1, "must be a size such as");
    }
}

Test(cli, refuses_unreadable_files)
{
    const char *const commands[] = {"solve", "info", "check"};
    for (int i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "$VKSOLVE %s $FOLDER/none.mtx", commands[i]);
        expect(line, 1, "none.mtx: cannot be opened");
        snprintf(line, sizeof line, "$VKSOLVE %s $FOLDER", commands[i]);
        expect(line, 1, "directory");
        snprintf(line, sizeof line, "echo no matrix | $VKSOLVE %s -", commands[i]);
        expect(line, 1, ":1: ");
    }
}

Test(cli, notices_that_standard_output_fails)
{
    expect("$VKSOLVE info $MATRICES/nos4.mtx.gz >&-", 1, "standard output cannot be written");
    expect("$VKSOLVE info $MATRICES/nos4.mtx.gz >/dev/full", 1, "standard output cannot be written");
    expect("$VKSOLVE info $MATRICES/nos4.mtx.gz --json - >/dev/full", 1, "cannot be written");
    static const char *const words[] = {"solve --help", "spmv --help", "generate --help", "--help",
                                        "sort --help",  "help solve",  "--version",       "devices --help"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[128];
        snprintf(line, sizeof line, "$VKSOLVE %s >/dev/full", words[i]);
        expect(line, 1, "vksolve: standard output cannot be written: No space left on device");
    }
    expect("$VKSOLVE info $MATRICES/nos4.mtx.gz | head -n 1", 0, "nos4: 100 x 100, 594 entries");
}

Test(cli, notices_that_a_file_must_not_be_so_large)
{
    expect("cd $FOLDER && ulimit -f 1 && $VKSOLVE generate poisson2d 40 -o a.mtx", 1,
           "a.mtx: cannot be written: File too large");
    expect_output("ls $FOLDER", "err\nout\n");
}

Test(cli, leaves_no_part_of_a_file_where_a_signal_kills_it)
{
    static const struct {
        const char *name, *end;
    } signals[] = {{"TERM", "code 143\n0\n"},
                   {"HUP", "code 129\n0\n"},
                   {"PIPE", "code 141\n0\n"},
                   {"QUIT", "code 131\n0\n"}};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "cd $FOLDER && ulimit -c 0 && { env --default-signal $VKSOLVE generate poisson3d 160 -q -o "
                 "a.mtx.gz & }\n"
                 "n=0; until [ -s a.mtx.gz.*.part ] || [ $n = 2000 ]; do sleep 0.01; n=$((n + 1)); done\n"
                 "kill -%s $!; wait $!; echo code $?; ls a.mtx* 2>&1 | grep -c .part",
                 signals[i].name);
        expect(line, 1, signals[i].end);
    }
}

Test(cli, info_tells_what_is_in_a_file)
{
    expect("$VKSOLVE info $MATRICES/nos4.mtx.gz", 0, "coordinate real symmetric, 347 entries stored");
    expect("$VKSOLVE info $MATRICES/ash219.mtx.gz", 0, "219 x 85, 438 entries");
    write_text("d.mtx",
               "%%MatrixMarket matrix coordinate integer general\n2 2 4\n1 1 1\n1 1 2\n2 1 5\n2 2 -1\n");
    expect_parts("$VKSOLVE info $FOLDER/d.mtx", 0, "1 duplicates summed",
                 "not symmetric: (2, 1) is 5, (1, 2) is 0", NULL);
    expect("$VKSOLVE info $FOLDER/d.mtx --json -", 0, "\"duplicates\": 1");
}

/* 7 x 7 points of a 5-point stencil: 4 corners, 20 edges, 25 inside. */
Test(cli, info_tells_statistics_and_what_auto_takes)
{
    expect("$VKSOLVE generate poisson2d 7 -q -o $FOLDER/s.mtx", 0, "");
    expect_parts("$VKSOLVE info $FOLDER/s.mtx", 0, "2 to 3              4 rows  ####\n",
                 "4 to 7             45 rows  ########################################\n",
                 "7 below the diagonal, 7 above; 5 diagonals have entries",
                 "\nkinds       5 of entries, which differ in column minus row, or in value\n", NULL);
    expect("$VKSOLVE info $FOLDER/s.mtx --json -", 0, "\"entry_kinds\": 5");
    expect("$VKSOLVE info $MATRICES/s1rmq4m1.mtx.gz", 0, "\nkinds       too many");
    expect_parts("$VKSOLVE info $FOLDER/s.mtx", 0, "on a GPU csr: 217 entries are too few",
                 "on the host csr: rows are contiguous for a processor", NULL);
    expect_parts("$VKSOLVE generate elasticity3d 6 -q -o - | $VKSOLVE info -", 0,
                 "3 x 3           1.00  full",
                 "on a GPU sell: rows are few, and in slices iterations share a dispatch: ", NULL);
    expect("$VKSOLVE info $FOLDER/s.mtx --device nonesuch", 4, "nonesuch");
    static const char *const parts[] = {"\"diagonals\": 5", "\"rows\": 45",   "\"lower_bandwidth\": 7",
                                        "\"skew\": -",      "\"height\": 32", "\"block_rows\": 25",
                                        "\"from\": 4",      "\"gpu\": {"};
    OWNED_STRUCT(ran) r = run("$VKSOLVE info $FOLDER/s.mtx --json -");
    cr_expect(json_valid(r.out));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        cr_expect(strstr(r.out, parts[k]), "%s is not in %s", parts[k], r.out);
}

static void expect_check(const char *body, int code, const char *part)
{
    char text[512];
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%s", body);
    write_text("c.mtx", text);
    expect("$VKSOLVE check $FOLDER/c.mtx", code, part);
    OWNED_STRUCT(ran) r = run("$VKSOLVE check $FOLDER/c.mtx --json -");
    cr_expect_eq(r.code, code);
    cr_expect(json_valid(r.out) && strstr(r.out, code ? "\"fit\": false" : "\"fit\": true"), "%s", r.out);
}

Test(cli, check_names_what_speaks_against_a_solve)
{
    expect_check("2 2 2\n1 1 1\n2 2 1\n", 0, "\n  cg with none, jacobi, ");
    expect_check("2 3 2\n1 1 1\n2 2 1\n", 3, "unsuitable: the matrix is 2 x 3, not square");
    expect_check("2 2 1\n1 1 1\n", 3, "unsuitable: row 2 has no diagonal entry");
    expect_check("2 2 2\n1 1 0\n2 2 1\n", 3, "unsuitable: the diagonal entry of row 1 is zero");
    expect_check("2 2 2\n1 1 1\n2 2 -1\n", 3, "the diagonal entry of row 2 is negative");
    expect_check("2 2 4\n1 1 3\n2 2 3\n1 2 1\n2 1 2\n", 3, "not symmetric: (1, 2) is 1, (2, 1) is 2");
    expect_check("2 2 4\n1 1 1\n2 2 4\n1 2 2\n2 1 2\n", 3, "rows 1 and 2, with 2 between 1 and 4");
    expect_check("2 2 4\n1 1 1\n2 2 4.000000000000001\n1 2 2\n2 1 2\n", 0, "\n  cg with none, jacobi, ");
    expect("$VKSOLVE check $MATRICES/bcsstm10.mtx.gz", 3, "rows 2 and 3");
    expect("$VKSOLVE check $MATRICES/nasa2146.mtx.gz", 0,
           "fsai: no problem found\n  cg with ilut: unsuitable: cg needs a preconditioner that is "
           "linear and "
           "symmetric; ilut is not symmetric\n");
    expect_check("3 3 9\n1 1 1\n2 2 1\n3 3 1\n1 2 -0.9\n2 1 -0.9\n1 3 -0.9\n3 1 -0.9\n2 3 -0.9\n3 2 -0.9\n",
                 0, "\n  cg with none, jacobi, "); /* it is indefinite, which no pair of rows shows */
}

Test(cli, check_assesses_each_method_by_what_it_needs)
{
    expect_parts("$VKSOLVE check $MATRICES/sherman5.mtx.gz", 3, "\n  gauss-jordan: no problem found\n",
                 "\n  cg with any preconditioner: unsuitable: not symmetric", NULL);
    expect_check("2 2 4\n1 1 3\n2 2 3\n1 2 1\n2 1 2\n", 3, "\n  jacobi: no problem found\n");
    expect_check("2 2 4\n1 1 1\n2 2 4\n1 2 2\n2 1 2\n", 3, "\n  jacobi: unsuitable: row 1 is not diagonally");
    expect_check("2 2 2\n1 2 1\n2 1 1\n", 3, "\n  gauss-jordan: no problem found\n");
    expect_check("2 2 1\n1 1 1\n", 3, "\n  gauss-jordan: unsuitable: row 2 has no entry: A is singular");
    expect_check("2 2 4\n1 1 1\n2 2 1\n1 2 -1\n2 1 -1\n", 3,
                 "gauss-jordan: unsuitable: A times ones is zero: A is singular\n");
    expect_check("2 2 4\n1 1 1\n2 2 2\n1 2 -1\n2 1 -2\n", 3,
                 "cg with any preconditioner: unsuitable: A times ones is zero: A is singular\n");
    expect_check("2 2 2\n1 1 1\n2 2 1e-310\n", 3, "  cg with jacobi: unsuitable: the reciprocal");
}

Test(cli, check_asks_the_library_about_each_method)
{
    const char *const flipped = "2 2 3\n1 1 1\n1 2 2\n2 1 3\n";
    expect_check(flipped, 3, "\n  idr with none, jacobi, block-jacobi, ");
    expect_check(flipped, 3, "\n  minres with any preconditioner: unsuitable: not symmetric: (1, 2) is 2");
    expect_check(flipped, 3,
                 "richardson with jacobi, inner, chebyshev, amg: unsuitable: ZERO_DIAGONAL: row 2");
    expect_check("2 2 3\n1 1 1\n2 2 -1\n1 2 1e-20\n", 3,
                 "  minres with jacobi, chebyshev, amg, saddle: unsuitable: NOT_POSITIVE_DEFINITE: row 2");
    expect_check("3 3 3\n1 1 1\n2 1 1\n2 3 1\n", 3,
                 "\n  gmres with any preconditioner: unsuitable: row 3 has no");
    expect_check("3 3 4\n1 1 1\n2 1 1\n3 1 1\n3 2 1\n", 3,
                 "bicgstab with any preconditioner: unsuitable: column 3");
    expect_check("4 4 6\n1 1 1\n2 1 2\n3 1 1\n3 3 1\n4 4 2\n4 2 1\n", 3,
                 "\n  direct: unsuitable: the structural rank is 3 of 4: A is singular\n");
    expect_check("3 2 2\n1 1 1\n2 2 1\n", 3, "\n  lsmr: no problem found\n");
    expect_check("3 2 2\n1 1 1\n2 2 1\n", 3, "\none attempt: lsmr (A is not square)\n");
}

Test(cli, check_finds_what_has_no_solution)
{
    expect_check("2 2 4\n1 1 1\n2 2 1\n1 2 -1\n2 1 -1\n", 3,
                 "unsuitable: A times ones is zero: A is singular (is a boundary");
    expect_check("2 2 4\n1 1 2\n2 2 2\n1 2 -1\n2 1 -1\n", 0, "findings: none");
    expect_check("2 2 2\n1 1 -1\n2 2 -1\n", 3, "-A x = -b may be solved");
    expect_check("2 3 3\n1 1 1\n2 2 1\n2 3 1\n", 3, "findings\n  the matrix is not square");
    expect_check("2 2 2\n1 1 1\n2 2 1e-310\n", 3,
                 "jacobi: unsuitable: the reciprocal of the diagonal entry of row 2");
    expect("$VKSOLVE check $FOLDER/c.mtx", 3, "\n  cg with none, ");
    expect("$VKSOLVE check $FOLDER/c.mtx --json $FOLDER/c.mtx", 1, "would overwrite the matrix");
    expect("$VKSOLVE info $FOLDER/c.mtx --json $FOLDER/c.mtx", 1, "would overwrite the matrix");
}

Test(cli, lists_the_devices)
{
    expect("$VKSOLVE devices", 0, "host");
    expect("$VKSOLVE devices surplus", 1, "unexpected argument 'surplus'");
    expect("$VKSOLVE devices --json -", 0, "\"auto\": true");
}

Test(cli, selftest_finds_the_host_faithful)
{
    expect("$VKSOLVE selftest --device host", 0, "qualifies: the same bits everywhere");
    expect("$VKSOLVE selftest --device host --all", 1, "exclude each other");
    expect_parts("$VKSOLVE selftest --device nonesuch", 4, "nonesuch", "auto, host and gpu", NULL);
    expect("$VKSOLVE selftest -d HOST", 0, "qualifies: the same bits everywhere");
    expect("$VKSOLVE selftest --device host --json -", 0, "\"qualifies\": true");
}

Test(cli, generate_writes_matrices)
{
    expect("$VKSOLVE generate poisson2d 4 -o $FOLDER/p.mtx", 0, "16 x 16, 40 entries stored");
    expect("$VKSOLVE info $FOLDER/p.mtx", 0, "coordinate real symmetric, 40 entries stored");
    expect("$VKSOLVE generate poisson3d27 3 -o - | $VKSOLVE info -", 0, "27 x 27, 343 entries");
    expect("$VKSOLVE generate poisson2d 3 -q -o - | head -n 1", 0,
           "%%MatrixMarket matrix coordinate real symmetric");
    expect("$VKSOLVE generate poisson2d 4", 1, "-o FILE is missing");
    expect("$VKSOLVE generate poisson2d", 1, "SIZE is missing");
    expect("$VKSOLVE generate poisson4d 4 -o -", 1, "KIND 'poisson4d'");
    expect("$VKSOLVE generate poisson2d 2 -o - >/dev/null", 0, "standard output: 4 x 4, 8 entries stored");
    expect("$VKSOLVE generate poisson3d 99999999999999999999 -o -", 1, "is too large");
    expect("$VKSOLVE generate poisson2d 0 -o -", 1, "SIZE '0'");
    expect("$VKSOLVE generate elasticity3d 1 -o -", 1, "a whole number from 2");
    expect("$VKSOLVE generate poisson3d 100000 -o $FOLDER/huge.mtx", 1, "vksolve: ");
    expect("$VKSOLVE generate poisson2d 4 -o $FOLDER/none/p.mtx", 1, "p.mtx: cannot be written");
    expect("ls $FOLDER/huge.mtx", 2, "");
}
