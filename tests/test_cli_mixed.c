/* --precision mixed: what info, solve and spmv report about it. */
#include "cli.h"

TestSuite(cli_mixed, .init = make_folder, .fini = remove_folder, .timeout = 240);

#define SOLVE "$VKSOLVE solve --device host "

/* Entries (1,1), (1,2), (2,1) and (2,2); the last one is given. */
static void write_matrix(const char *last)
{
    char text[256];
    snprintf(
        text, sizeof text,
        "%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2.5\n1 2 0.03125\n2 1 0.03125\n2 2 %s\n",
        last);
    write_text("a.mtx", text);
}

static void expect_stored(const char *last, const char *how)
{
    char want[256];
    write_matrix(last);
    snprintf(want, sizeof want, "\nmixed       %s\n", how);
    expect("$VKSOLVE info $FOLDER/a.mtx", 0, want);
    snprintf(want, sizeof want, "\nprecision   mixed (as asked)\nvalues      %s\n", how);
    expect(SOLVE "$FOLDER/a.mtx --precision mixed", 0, want);
    snprintf(want, sizeof want, "\nvalues      %s\n", how);
    expect("$VKSOLVE spmv $FOLDER/a.mtx --device host --precision mixed --products 2 --formats csr,sell", 0,
           want);
}

Test(cli_mixed, values_that_do_not_survive_are_named)
{
    expect_stored("3", "stored in f32: all 4 survive");
    expect_stored("0.1", "stored in f64: entry (2, 2) = 0.1 does not survive f32");
    expect_stored("16777217", "stored in f64: entry (2, 2) = 16777217 does not survive f32");
    expect_stored("3.4028235677973366e38",
                  "stored in f64: entry (2, 2) = 3.4028235677973366e+38 does not survive f32");
    expect_stored("1.0000000000000002",
                  "stored in f64: entry (2, 2) = 1.0000000000000002 does not survive f32");
}

/* The output of the command must contain the part. */
static void expect_json(const char *command, const char *part)
{
    OWNED_STRUCT(ran) r = run(command);
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect(json_valid(r.out), "%s", r.out);
    char *to = r.out; /* without blanks and line ends */
    for (const char *from = r.out; *from; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = 0;
    cr_expect(strstr(r.out, part), "no %s in %s", part, r.out);
}

Test(cli_mixed, programs_learn_too)
{
    static const char *const of[] = {
        "$VKSOLVE info $FOLDER/a.mtx --json -", SOLVE "$FOLDER/a.mtx --precision mixed --json -",
        "$VKSOLVE spmv $FOLDER/a.mtx -d host --precision mixed --products 2 --json -"};
    for (int i = 0; i < 3; i++) {
        write_matrix("3");
        expect_json(of[i], "\"mixed\":{\"value_bytes\":4,\"lost\":null}");
        write_matrix("0.1");
        expect_json(of[i], "\"mixed\":{\"value_bytes\":8,\"lost\":{\"row\":2,\"col\":2,\"value\":0.1}}");
    }
    expect_json(of[0], "\"csr_bytes\":{\"f64\":60,\"f32\":44,\"mixed\":60}");
    expect_json(SOLVE "$FOLDER/a.mtx --json -", "\"mixed\":null");
    expect_json("$VKSOLVE spmv $FOLDER/a.mtx -d host --products 2 --json -", "\"mixed\":null");
}

/* Nothing is reported about values that are not mixed. */
Test(cli_mixed, other_precisions_do_not_say_how_values_are_stored)
{
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/nos4.mtx.gz --precision f64");
    cr_expect_eq(r.code, 0);
    cr_expect_null(strstr(r.out, "stored in"), "%s", r.out);
}

Test(cli_mixed, the_jacobi_iteration_writes_the_x_of_f64)
{
    write_matrix("3");
    expect(SOLVE "$FOLDER/a.mtx --method jacobi --precision mixed -o $FOLDER/x.mtx", 0,
           "stored in f32: all 4 survive");
    expect(SOLVE "$FOLDER/a.mtx --method jacobi --precision f64 -o $FOLDER/y.mtx", 0, "CONVERGED");
    expect("cmp $FOLDER/x.mtx $FOLDER/y.mtx", 0, "");
}

Test(cli_mixed, cg_tells_that_it_iterates_in_f32_and_refines)
{
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --precision mixed", 0,
           "\niterating   in f32; x and the residual in f64, refined 7 times\n");
    expect(SOLVE "$MATRICES/bcsstk01.mtx.gz --method cg --precision mixed", 0,
           "\niterating   in f32 with the values rounded; x and the residual in f64, refined ");
    expect_json(SOLVE "$MATRICES/bcsstk01.mtx.gz --precision mixed --json -",
                "\"iterated_in\":\"f32\",\"rounded\":true,");
    expect_json(SOLVE "$MATRICES/gr_30_30.mtx.gz --precision mixed --json -", "\"refinements\":7,");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --precision mixed --max-iterations 1", 2,
           "until the residual is 1e-08");
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --precision mixed --rtol 1e-18", 2,
           "\nhint        this was in f32; use --precision f64\n");
    write_matrix("3.4028235677973366e38");
    expect(
        SOLVE "$FOLDER/a.mtx --precision mixed", 0,
        "\nwarning     the iterations are in f64: entry (2, 2), 3.40282e+38, is beyond the range of f32\n");
    expect("$VKSOLVE solve --help", 0,
           "With --precision mixed auto, cg, minres, idr, bicgstab and gmres also iterate in");
}
