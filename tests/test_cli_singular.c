/* vksolve solve --singular. */
#include "cli.h"

#include <math.h>

TestSuite(cli_singular, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* A chain of springs with free ends. */
static void write_chain(const char *name, int n)
{
    char path[256];
    FILE *f = fopen(in_folder(name, path), "w");
    cr_assert(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, 2 * n - 1);
    for (int i = 1; i <= n; i++) {
        fprintf(f, "%d %d %d\n", i, i, i == 1 || i == n ? 1 : 2);
        if (i < n)
            fprintf(f, "%d %d -1\n", i + 1, i);
    }
    cr_assert_eq(fclose(f), 0);
}

static double number_of(const char *json, const char *name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(json, quoted);
    cr_assert(at, "no %s in %s", name, json);
    return strtod(at + strlen(quoted), NULL);
}

#define SOLVE "$VKSOLVE solve $FOLDER/chain.mtx --singular --device host "

Test(cli_singular, finds_the_ramp_of_the_default_right_hand_side)
{
    static const char *const ways[] = {"", "--method cg --precision mixed", "--reorder rcm", "--precond none",
                                       "--method jacobi --weight 0.7 --max-iterations 20000"};
    write_chain("chain.mtx", 30);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char line[256];
        snprintf(line, sizeof line, SOLVE "--json - %s", ways[i]);
        OWNED_STRUCT(ran) r = run(line);
        cr_expect_eq(r.code, 0, "%s: %s", line, r.err);
        cr_expect_lt(number_of(r.out, "error_vs_known"), 1e-5, "%s", r.out);
        cr_expect_lt(number_of(r.out, "null_component"), 1e-14);
        cr_expect(strstr(r.out, "\"singular\": true") || strstr(r.out, "\"singular\":true"), "%s", r.out);
    }
    expect_parts(SOLVE, 0, "right side  A times a ramp\n", "against the known solution (a ramp)\n", NULL);
    write_text("chain.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 0\n");
    expect(SOLVE "--precond none", 0, "CONVERGED");
}

Test(cli_singular, tells_what_of_b_has_no_solution)
{
    write_chain("chain.mtx", 2);
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n7\n1\n");
    expect(SOLVE "-b $FOLDER/b.mtx -o $FOLDER/x.mtx", 0, "A x = b has no solution");
    expect(SOLVE "-b $FOLDER/b.mtx", 0, "null space  the constants: b has 0.8 of its norm there");
    double x[2];
    OWNED(char) *text = read_text("x.mtx");
    cr_assert(text && sscanf(strstr(text, "\n2 1\n") + 5, "%lf %lf", &x[0], &x[1]) == 2, "%s", text);
    cr_expect(fabs(x[0] - 1.5) < 1e-12 && fabs(x[1] + 1.5) < 1e-12, "%g %g", x[0], x[1]);
}

Test(cli_singular, ends_with_3_where_the_matrix_is_not_singular)
{
    write_text("chain.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n"
                            "1 1 1.000001\n2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n");
    expect_parts(SOLVE, 3, "NOT_SINGULAR: the part of A x in the null space is ", "solve without --singular",
                 NULL);
    expect(SOLVE "--json -", 3, "\"NOT_SINGULAR\"");
}

Test(cli_singular, refuses_what_it_is_not_for)
{
    write_chain("chain.mtx", 5);
    expect(SOLVE "--method gauss-jordan", 1, "--singular does not work with gauss-jordan");
    expect(SOLVE "--compare lapack", 0, "LAPACK: not tried, since A is singular");
    expect("$VKSOLVE solve $MATRICES/nos4.mtx.gz --singular --device host", 1,
           "A does not have the given null space");
    expect("$VKSOLVE solve $FOLDER/chain.mtx --json - --device host", 0, "\"null_component\": null");
}
