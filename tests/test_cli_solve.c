/* vksolve solve: reports, files, and exit codes. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>

TestSuite(cli_solve, .init = make_folder, .fini = remove_folder, .timeout = 240);

#define SOLVE "$VKSOLVE solve --device host "

/* The number after "key": in a JSON text; NaN if it is null or missing. */
static double number_of(const char *json, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    char *end;
    double value = at ? strtod(at + strlen(quoted), &end) : NAN;
    return at && end > at + strlen(quoted) ? value : NAN;
}

static int parts_left(void)
{
    return system("ls \"$FOLDER\" | grep -q part") == 0;
}

Test(cli_solve, auto_takes_the_host_for_a_small_system_and_says_why)
{
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz", 0, " (an iteration takes about 3.73 us here, ");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --method gauss-jordan -d AUTO", 0,
           " (elimination takes about ");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --device host", 0, " (as asked)");
}

Test(cli_solve, validation_wants_a_Vulkan_device)
{
    expect("VK_DRIVER_FILES=/nonesuch VK_ICD_FILENAMES=/nonesuch $VKSOLVE solve $MATRICES/nos4.mtx.gz "
           "--validate",
           4, "Vulkan");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --validate", 1, "not for the host");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --device $GPU --validate", 0, "CONVERGED");
}

Test(cli_solve, round_trip)
{
    expect("$VKSOLVE generate poisson3d 12 -o $FOLDER/a.mtx.gz", 0, "1,728 x 1,728");
    expect(SOLVE "$FOLDER/a.mtx.gz -o $FOLDER/x.mtx", 0, "CONVERGED");
    char *x = read_text("x.mtx");
    cr_assert(x);
    cr_expect_eq(strncmp(x, "%%MatrixMarket matrix array real general\n1728 1\n", 48), 0);
    cr_expect_eq(count_lines(x), 1730);
    free(x);
    expect(SOLVE "$FOLDER/a.mtx.gz -b $FOLDER/x.mtx -o $FOLDER/y.mtx.gz -q && gzip -t $FOLDER/y.mtx.gz", 0,
           "");
    expect(SOLVE "$FOLDER/a.mtx.gz -q -o - | head -n 2", 0, "1728 1");
    expect(SOLVE "- -q <$FOLDER/a.mtx.gz", 0, "");
    cr_expect_not(parts_left());
}

Test(cli_solve, report_is_short_and_plain)
{
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/bcsstk06.mtx.gz --compare lapack");
    cr_expect_eq(r.code, 0);
    cr_expect_eq(r.err[0], 0, "%s", r.err);
    cr_expect_null(strpbrk(r.out, "\033\r"));
    cr_expect_leq(count_lines(r.out), 18);
    const char *const parts[] = {"bcsstk06: 420 x 420, 7,860 entries, symmetric",
                                 "host",
                                 "cg with jacobi",
                                 "csr",
                                 "f64",
                                 "iterations ",
                                 "residual ",
                                 "error ",
                                 "true residual",
                                 "bandwidth "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect(strstr(r.out, parts[i]), "no \"%s\" in\n%s", parts[i], r.out);
    cr_expect_eq(strncmp(r.out, "CONVERGED: ", 11), 0, "the first line is how it ended: %s", r.out);
    ran_free(&r);
    r = run(SOLVE "$MATRICES/bcsstk06.mtx.gz --quiet");
    cr_expect(r.code == 0 && !r.out[0] && !r.err[0]);
}

Test(cli_solve, json_has_all_keys)
{
    struct ran r = run(SOLVE "$MATRICES/bcsstk06.mtx.gz --compare lapack --json -");
    cr_expect_eq(r.code, 0);
    cr_assert(json_valid(r.out), "%s", r.out);
    char keys[] = "matrix path rows cols entries symmetric device kind name method precond choice "
                  "attempts budget format precision reason format_reason iterations residual seconds "
                  "true_residual error_vs_lapack read setup solve bytes_per_iteration rtol warnings "
                  "detail bandwidth_share restarts refinements iterated_in rounded lapack note "
                  "initial_residual error_vs_known copy_bandwidth dispatches_per_iteration together";
    for (char *key = strtok(keys, " "); key; key = strtok(NULL, " ")) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "\"%s\": ", key);
        cr_expect(strstr(r.out, quoted), "no %s in\n%s", quoted, r.out);
    }
    cr_expect_leq(number_of(r.out, "true_residual"), 1e-8);
    cr_expect_gt(number_of(r.out, "iterations"), 10);
    cr_expect_gt(number_of(r.out, "bandwidth_share"), 0);
    cr_expect_leq(number_of(r.out, "error_vs_known"), 1e-2);
    ran_free(&r);
    expect(SOLVE "$MATRICES/nos4.mtx.gz --json $FOLDER/r.json --max-iterations 1", 2, "ITERATION_LIMIT");
    OWNED(char) *text = read_text("r.json");
    cr_expect(text && json_valid(text));
}

Test(cli_solve, exit_codes_tell_how_it_ended)
{
    expect(SOLVE "$MATRICES/bcsstk14.mtx.gz --max-iterations 5", 2, "ITERATION_LIMIT: ");
    expect(SOLVE "$MATRICES/bcsstk14.mtx.gz --max-iterations 5 --max-iterations 4000", 0, "CONVERGED: ");
    expect(SOLVE "$MATRICES/bcsstk14.mtx.gz --precision f32 --rtol 1e-14", 2, "STAGNATED: ");
    expect(SOLVE "$MATRICES/bcsstm10.mtx.gz --method cg", 3, "NOT_POSITIVE_DEFINITE: ");
    expect(SOLVE "$MATRICES/bcsstm01.mtx.gz --method cg", 3, "ZERO_DIAGONAL: ");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --device nonesuch", 4, "nonesuch");
    expect(SOLVE "$MATRICES/ash219.mtx.gz --method cg", 1,
           "219 x 85; cg needs a square one; lsmr, the default here, does not");
    /* nothing was computed, so no residual may be reported */
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/bcsstm01.mtx.gz --method cg --json -");
    cr_expect(json_valid(r.out));
    cr_expect_not(number_of(r.out, "true_residual") < 0.5);
}

Test(cli_solve, takes_rectangular_systems)
{
    expect(SOLVE "$MATRICES/ash219.mtx.gz -o $FOLDER/x.mtx", 0, "CONVERGED: the true residual meets");
    expect("head -n 2 $FOLDER/x.mtx | tail -n 1", 0, "85 1");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 9\n2 2 3\n3 2 3\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n9\n1\n3\n");
    expect_parts(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --compare lapack", 0,
                 "CONVERGED: a least-squares solution", "orthogonal (dgelsy)", NULL);
    expect(SOLVE "$FOLDER/a.mtx --reorder rcm", 1, "3 x 2; --reorder needs a square one");
    expect(SOLVE "$FOLDER/a.mtx --singular", 1, "3 x 2; --singular needs a square one");
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --compare lapack --json -");
    cr_expect(json_valid(r.out) && strstr(r.out, "\"least_squares\": true"), "%s", r.out);
    cr_expect(number_of(r.out, "normal_residual") <= 1e-8);
}

Test(cli_solve, warns_of_asymmetry)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 9\n2 2 9\n1 2 1\n2 1 2\n");
    expect(SOLVE "$FOLDER/a.mtx --method cg", 0,
           "A is not symmetric, as conjugate gradients need it: entry (1, 2) is 1 and");
    expect(SOLVE "$FOLDER/a.mtx --method cg --json -", 0, "\"A is not symmetric");
    expect(SOLVE "$FOLDER/a.mtx --method minres", 0,
           "A is not symmetric, as minimal residuals need it: entry (1, 2) is 1 and");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 9\n2 2 9\n1 2 1\n2 1 "
                        "1.0000000000000002\n");
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx");
    cr_expect(strstr(r.out, "symmetric up to rounding") && !strstr(r.out, "warning"), "%s", r.out);
}

Test(cli_solve, warns_where_b_is_zero)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 -1\n2 2 1\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");
    expect(SOLVE "$FOLDER/a.mtx", 0, "warning     A times ones is zero, so x = 0 solves the system: nothing");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx", 0, "warning     the right-hand side is zero, so x = 0");
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx --singular");
    cr_expect(r.code == 0 && !strstr(r.out, "warning"), "%s", r.out);
}

Test(cli_solve, right_hand_sides_of_the_wrong_size)
{
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx", 1,
           "is 3 x 1; the matrix, 100 x 100, needs 100 rows and a column or more");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n100 0\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx", 1, "is 100 x 0;");
    write_text("b.mtx", "%%MatrixMarket matrix coordinate real general\n100 1 1\n7 1 1\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx", 0, "CONVERGED");
    expect(SOLVE "- -b -", 1, "cannot both come from standard input");
}

Test(cli_solve, unwritable_outputs_are_found_before_the_work)
{
    /* the matrix does not exist either, but that is not the reported error */
    expect(SOLVE "$FOLDER/none.mtx -o $FOLDER", 1, "Is a directory");
    expect(SOLVE "$FOLDER/none.mtx -o $FOLDER/no/x.mtx", 1, "x.mtx: cannot be written");
    expect(SOLVE "$FOLDER/none.mtx --json $FOLDER/no/r.json", 1, "r.json: cannot be written");
    expect(SOLVE "$FOLDER/none.mtx --history $FOLDER/no/h.csv", 1, "h.csv: cannot be written");
    expect(SOLVE "$FOLDER/none.mtx -o - --json -", 1, "only one of");
    expect(SOLVE "$FOLDER/none.mtx -o $FOLDER/x.mtx", 1, "none.mtx: cannot be opened");
    expect("ls $FOLDER/x.mtx", 2, "");
    cr_expect_not(parts_left());
}

Test(cli_solve, files_that_would_overwrite_each_other)
{
    expect("cp $MATRICES/nos4.mtx.gz $FOLDER/a.mtx.gz && ln -s a.mtx.gz $FOLDER/link.mtx.gz", 0, "");
    expect(SOLVE "$FOLDER/a.mtx.gz -o $FOLDER/F --history $FOLDER/F", 1,
           "--output and --history are the same file");
    expect(SOLVE "$FOLDER/a.mtx.gz -o $FOLDER/F --json $FOLDER/F", 1,
           "--output and --json are the same file");
    expect("cd $FOLDER && " SOLVE "a.mtx.gz -o ./G --history G", 1, "are the same file");
    expect("cd $FOLDER && " SOLVE "a.mtx.gz --json ./G --history ../${FOLDER##*/}/G", 1, "are the same file");
    expect(SOLVE "$FOLDER/a.mtx.gz -o $FOLDER/link.mtx.gz", 1, "would overwrite the matrix that is read");
    expect(SOLVE "- --json $FOLDER/a.mtx.gz <$FOLDER/a.mtx.gz", 1, "would overwrite the matrix that is read");
    expect(SOLVE "$FOLDER/a.mtx.gz -o $FOLDER/x.mtx", 0, "CONVERGED");
    expect(SOLVE "$FOLDER/a.mtx.gz -b $FOLDER/x.mtx -o $FOLDER/x.mtx", 1, "overwrite the right-hand side");
    expect(SOLVE "$FOLDER/a.mtx.gz -o /dev/null --history /dev/null", 0, "CONVERGED");
    expect("ls $FOLDER/F $FOLDER/G", 2, "");
    expect("gzip -t $FOLDER/a.mtx.gz", 0, "");
}

/* The message says both what f32 cannot do and what can. */
Test(cli_solve, f32_has_its_limits)
{
    expect(SOLVE "$MATRICES/bcsstk14.mtx.gz --precision f32 --rtol 1e-14", 2, "use --precision f64\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --precision f32 --max-iterations 1", 2,
           "until the residual is 1e-05");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --max-iterations 1", 2, "until the residual is 1e-08");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1e39\n");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --precision f32", 1, "row 2 of the right-hand side, 1e+39");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx", 0, "CONVERGED");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n1e-60\n");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --precision f32", 1, "row 2 of the right-hand side, 1e-60");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1e-60\n");
    expect(SOLVE "$FOLDER/a.mtx --precision f32", 1, "entry (2, 2), 1e-60, is beyond the range of f32");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e300\n2 2 1\n");
    expect(SOLVE "$FOLDER/a.mtx --precision f32", 1, "entry (1, 1), 1e+300, is beyond the range of f32");
}

Test(cli_solve, refusals_are_reported_once)
{
    expect_parts(SOLVE "$MATRICES/bcsstm01.mtx.gz --method cg", 3, "ZERO_DIAGONAL: row ",
                 "\nhint        vksolve check ", NULL);
    expect(SOLVE "$MATRICES/bcsstm01.mtx.gz --method cg --compare lapack", 3, "refused\n");
    expect("$VKSOLVE solve -d Host $MATRICES/nos4.mtx.gz", 0, "CONVERGED");
}

Test(cli_solve, history_has_a_line_for_each_iteration)
{
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/nos4.mtx.gz --history $FOLDER/h.csv --json -");
    OWNED(char) *history = read_text("h.csv");
    cr_assert(history);
    cr_expect_eq(strncmp(history, "iteration,residual\n0,1\n1,", 25), 0);
    cr_expect_eq(count_lines(history), 2 + (int)number_of(r.out, "iterations"));
    double last = strtod(strrchr(history, ',') + 1, NULL);
    cr_expect_float_eq(last, number_of(r.out, "residual"), 1e-12);
}

Test(cli_solve, lapack_within_its_memory)
{
    expect(SOLVE "$MATRICES/nos4.mtx.gz --compare lapack --lapack-memory 1K", 0, "LAPACK: ");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --compare lapack --lapack-memory 1K --json -", 0,
           "\"error_vs_lapack\": null");
}

/* A chain of unknowns: information from its ends propagates by one unknown an iteration. */
static void write_chain(int n)
{
    char path[256];
    FILE *f = fopen(in_folder("chain.mtx", path), "w");
    cr_assert(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, 2 * n - 1);
    for (int i = 1; i < n; i++)
        fprintf(f, "%d %d 2\n%d %d -1\n", i, i, i + 1, i);
    fprintf(f, "%d %d 2\n", n, n);
    cr_assert_eq(fclose(f), 0);
}

/* Starts a long solve whose stderr is a terminal; returns the other end. */
static int start_on_terminal(pid_t *pid)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && !grantpt(master) && !unlockpt(master));
    *pid = fork();
    cr_assert_geq(*pid, 0);
    if (*pid)
        return master;
    setenv("TERM", "xterm", 1);
    setenv("OMP_NUM_THREADS", "1", 1); /* so that the reporting thread parses all chunks */
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal >= 0 && dup2(terminal, STDERR_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c",
              "IFS=; exec $VKSOLVE solve $FOLDER/chain.mtx --method cg --precond jacobi --device host "
              "--max-iterations 4000000000 -o "
              "$FOLDER/x.mtx "
              "--history $FOLDER/h.csv --plot $FOLDER/r.svg --json $FOLDER/r.json >$FOLDER/out",
              (char *)NULL);
    _exit(127);
}

/* Reads into text until `part` has arrived, or the other end is closed. */
static void read_until(int master, const char *part, char *text, size_t room)
{
    size_t used = strlen(text);
    while (used + 1 < room && !(part && strstr(text, part))) {
        ssize_t more = read(master, text + used, room - 1 - used);
        if (more <= 0 && errno != EINTR)
            break;
        used += more > 0 ? (size_t)more : 0;
        text[used] = 0;
    }
}

static void cancel_with(int signal_number)
{
    static char text[1 << 16];
    pid_t pid;
    int status = 0;
    write_chain(200000);
    int master = start_on_terminal(&pid);
    text[0] = 0;
    read_until(master, "residual ", text, sizeof text);
    cr_expect(strstr(text, "\rreading ") && strstr(text, "\rsorting ") && strstr(text, "\rset-up"), "%s",
              text);
    char *parsing = strstr(text, "\rparsing chain, 6.16 MB  ");
    cr_expect(parsing && strstr(parsing, " %  about 0 s to go"), "%s", text);
    cr_expect(strstr(text, "\riteration ") && strstr(text, "residual"), "%s", text);
    cr_assert_eq(kill(pid, signal_number), 0);
    read_until(master, NULL, text, sizeof text);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    close(master);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 2, "status %d", status);
    size_t length = strlen(text); /* the progress line is erased */
    cr_expect(length > 4 && !strcmp(text + length - 4, "\r\033[K"), "%s", text);
    const char *const files[] = {"x.mtx", "h.csv", "r.json", "out", "r.svg"};
    for (int i = 0; i < 5; i++) {
        OWNED(char) *content = read_text(files[i]);
        cr_assert(content, "%s", files[i]);
        cr_expect(i < 2 ? count_lines(content) > 2 : strstr(content, "CANCELLED") != NULL);
        cr_expect(i != 2 || strstr(content, "\"copy_bandwidth\": null"));
        cr_expect(i != 3 || strstr(content, "CANCELLED: a signal ended the solve"));
    }
    cr_expect_not(parts_left());
}

Test(cli_solve, control_c_keeps_what_there_is)
{
    cancel_with(SIGINT);
}

Test(cli_solve, so_does_sigterm)
{
    cancel_with(SIGTERM);
}
