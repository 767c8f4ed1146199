/* The command, and one-off solves, on devices without 64-bit floats: all devices of this suite act as such
 * (without_f64/context.c). */
#include "cli.h"
#include "small_matrix.h"
#include "tests/support/matrix.h"
#include "vksolve/solver.h"

static void begin(void)
{
    make_folder();
    setenv("VKSOLVE", VKSOLVE_WITHOUT_F64, 1);
}

TestSuite(without_f64, .init = begin, .fini = remove_folder, .timeout = 240);

#define SOLVE "$VKSOLVE solve --device host "

Test(without_f64, the_command_takes_mixed_for_cg_and_says_in_what_it_ran)
{
    struct ran r = run(SOLVE "$MATRICES/nos4.mtx.gz --rtol 1e-11");
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect(strstr(r.out, "\nprecision   mixed (the device has no 64-bit floats)\n"
                            "values      stored as pairs of f32, which hold 48 bits or more\n"
                            "iterating   in f32 with the values rounded; x and the residual in pairs of f32, "
                            "refined "),
              "%s", r.out);
    ran_free(&r);
    expect(SOLVE "$MATRICES/nos4.mtx.gz --precision f64", 0,
           "\nprecision   f64 (as asked)\nvalues      stored as pairs");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --precision f32", 0, "\nprecision   f32 (as asked)\n");
    expect("$VKSOLVE solve --device $GPU $MATRICES/nos4.mtx.gz", 0, "pairs of f32, refined ");
}

Test(without_f64, programs_learn_too)
{
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/nos4.mtx.gz --json -");
    cr_expect(json_valid(r.out), "%s", r.out);
    cr_expect(strstr(r.out, "\"in_pairs\": true") && strstr(r.out, "\"iterated_in\": \"f32\"") &&
                  strstr(r.out, "\"precision\": \"mixed\""),
              "%s", r.out);
}

Test(without_f64, other_methods_take_f32_and_refuse_f64)
{
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method gauss-jordan --rtol 1e-3", 0,
           "\nprecision   f32 (the device has no 64-bit floats)\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method gauss-jordan --precision f64", 1, "use --precision f32");
    expect("$VKSOLVE spmv $MATRICES/nos4.mtx.gz --device host --products 2 --formats csr --precision f64", 1,
           "use --precision f32");
}

Test(without_f64, the_command_names_the_entry_that_a_pair_cannot_hold)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1e39\n");
    expect(SOLVE "$FOLDER/a.mtx", 1, "row 2, column 2, counted from 1, 1e+39, is outside the range");
}

/* x is 1, 2 ... */
static vks_status solve_csr(vks_method method, vks_solve_report *report, double *error)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(300, -1, 2.1, -1);
    double want[300], b[300], x[300] = {0};
    for (int i = 0; i < 300; i++)
        want[i] = i + 1;
    host_multiply(&a, want, b);
    vks_status s = vks_solve_csr(300, a.row, a.col, a.val, b, x,
                                 &(vks_solve_options){.method = method, .rtol = 1e-12}, report);
    *error = 0;
    for (int i = 0; i < 300; i++)
        *error = fmax(*error, fabs(x[i] - want[i]));
    return s;
}

Test(without_f64, one_off_solves_by_cg_are_as_good_as_those_of_f64)
{
    vks_solve_report r;
    double error;
    cr_assert_eq(solve_csr(VKS_METHOD_AUTO, &r, &error), VKS_OK, "%s", r.detail);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect(r.in_pairs && r.iterated_in == VKS_F32);
    cr_expect_lt(error, 1e-8);
}
