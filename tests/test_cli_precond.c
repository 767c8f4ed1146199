/* Preconditioners as the command reads and writes them. */
#include "cli.h"
#include "command/shared/preconds.h"
#include "tests/support/data.h"

TestSuite(cli_precond, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host "
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void must_read(const char *text, struct precond_words *w)
{
    struct message m = {0};
    cr_assert_eq(preconds_read(&m, text, w), VKS_OK, "%s: %s", text, m.text);
}

/* Whether the library has the kind; NULL: a kind that it always has. */
static bool has(const char *kind)
{
    bool found = !kind;
    for (int k = VKS_PRECOND_AUTO; k < VKS_PRECOND_COUNT_ && !found; k++)
        found = !strcmp(vks_precond_name((vks_precond_kind)k), kind);
    return found;
}

/* Reads, writes, and reads again: equal options have one text. */
Test(cli_precond, what_is_read_is_written_in_one_way)
{
    static const struct {
        const char *needs, *text, *written;
    } cases[] = {
        {NULL, "auto", "auto"},
        {NULL, "auto/f32", "auto/f32"},
        {NULL, "none", "none"},
        {NULL, "jacobi/f32", "jacobi/f32"},
        {NULL, "block-jacobi/3", "block-jacobi/3"},
        {NULL, "block-jacobi(block-size=03)", "block-jacobi/3"},
        {NULL, "block-jacobi(block-size=32)/f32", "block-jacobi/32/f32"},
        {"chebyshev", "chebyshev/3", "chebyshev/3"},
        {"chebyshev", "chebyshev(inner=block-jacobi/3)/2", "chebyshev(inner=block-jacobi/3)/2"},
        {"chebyshev", "chebyshev(inner=block-jacobi(block-size=3)/f32,degree=2)",
         "chebyshev(inner=block-jacobi/3/f32)/2"},
        {"chebyshev", "chebyshev(inner=auto)", "chebyshev"},
        {"chebyshev", "chebyshev(inner=auto/f32)", "chebyshev(inner=auto/f32)"},
        {"dense", "dense", "dense"},
        {"inner", "inner(method=jacobi,steps=4)/f32", "inner(method=jacobi)/4/f32"},
        {"inner", "inner(weight=auto,method=jacobi)", "inner(method=jacobi,weight=auto)"},
        {"inner", "inner(weight=0.100)/2", "inner(weight=0.1)/2"},
        {"inner", "inner(weight=1e+2,inner=inner(inner=none,method=cg))",
         "inner(weight=100,inner=inner(method=cg,inner=none))"},
        {"ilut", "ilut", "ilut"},
        {"ilut", "ilut(drop=1e-4,fill=20,rows=all)/f32", "ilut(drop=0.0001,rows=all)/20/f32"},
        {"ilut", "ilut(rows=1024)/7", "ilut(rows=1024)/7"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (!has(cases[i].needs))
            continue;
        struct precond_words w;
        must_read(cases[i].text, &w);
        cr_expect_str_eq(precond_write(w.options).text, cases[i].written);
        must_read(cases[i].written, &w);
        cr_expect_str_eq(precond_write(w.options).text, cases[i].written);
    }
}

Test(cli_precond, options_are_where_the_library_looks_for_them)
{
    struct precond_words w;
    must_read("block-jacobi/7/f32", &w);
    cr_expect(w.count == 1 && w.options->kind == VKS_PRECOND_BLOCK_JACOBI);
    cr_expect(w.options->block_size == 7 && w.options->in_f32 && !w.options->inner);
    if (!has("inner"))
        return;
    must_read("inner(method=cg,weight=0.75,inner=block-jacobi/5)/6", &w);
    cr_expect(w.options->method == VKS_METHOD_CG && w.options->steps == 6 && w.options->weight == 0.75);
    cr_expect(w.count == 2 && w.options->inner == &w.options[1] && w.options[1].block_size == 5);
}

/* The last line of the message has a caret under the place, below the text. */
static void refuse(const char *text, size_t place, const char *said)
{
    struct message m = {0};
    struct precond_words w;
    char below[600];
    cr_expect_eq(preconds_read(&m, text, &w), VKS_INVALID_ARGUMENT, "%s", text);
    snprintf(below, sizeof below, "\n  %s\n  %*s^", text, (int)place, "");
    const char *end = strchr(m.text, '\n');
    cr_expect(end && !strcmp(end, below), "%s: no caret under column %zu:\n%s", text, place, m.text);
    cr_expect(strstr(m.text, said) && end && strstr(m.text, said) < end, "%s: no '%s' in\n%s", text, said,
              m.text);
}

Test(cli_precond, a_mistake_is_pointed_at)
{
    static const struct {
        const char *needs, *text;
        size_t place;
        const char *said;
    } cases[] = {
        {NULL, "", 0, "expected auto, none, jacobi, block-jacobi"},
        {NULL, "ilu", 0, "expected auto, none, jacobi, block-jacobi"},
        {NULL, "Jacobi", 0, "expected auto, none"},
        {NULL, " jacobi", 0, "expected auto, none"},
        {NULL, "jacobi ", 6, "expected nothing more"},
        {NULL, "jacobi)", 6, "expected nothing more"},
        {NULL, "jacobi(steps=3)", 6, "jacobi has no options"},
        {NULL, "auto/3", 5, "expected f32; auto has no number"},
        {NULL, "jacobi/", 7, "expected f32; jacobi has no number"},
        {NULL, "jacobi/f64", 7, "expected f32"},
        {NULL, "jacobi/f32/f32", 11, "nothing follows /f32"},
        {NULL, "block-jacobi/f32/3", 17, "nothing follows /f32"},
        {NULL, "block-jacobi/0", 13, "the block-size of block-jacobi, a whole number from 1 to 32"},
        {NULL, "block-jacobi/33", 13, "from 1 to 32"},
        {NULL, "block-jacobi/4294967297", 13, "from 1 to 32"},
        {NULL, "block-jacobi/00000000000000000000000000000000003", 13, "from 1 to 32"},
        {NULL, "block-jacobi/+3", 13, "from 1 to 32"},
        {NULL, "block-jacobi/3/3", 15, "expected f32; there is a value for block-size already"},
        {NULL, "block-jacobi()", 13, "expected an option of block-jacobi: block-size"},
        {NULL, "block-jacobi(degree=3)", 13, "expected an option of block-jacobi: block-size"},
        {NULL, "block-jacobi(block-size)", 23, "expected = and a value"},
        {NULL, "block-jacobi(block-size=)", 24, "from 1 to 32"},
        {NULL, "block-jacobi(block-size=3", 25, "expected , or )"},
        {NULL, "block-jacobi(block-size=3,)", 26, "expected an option of block-jacobi"},
        {NULL, "block-jacobi(block-size=3,block-size=3)", 26, "block-size is given twice"},
        {NULL, "block-jacobi/3(block-size=3)", 14, "expected nothing more"},
        {"chebyshev", "chebyshev(inner=ilu)", 16, "expected auto, none"},
        {"chebyshev", "chebyshev(inner=jacobi", 22, "expected , or )"},
        {"chebyshev", "chebyshev(inner=block-jacobi/x)/2", 29, "the block-size of block-jacobi"},
        {"chebyshev", "chebyshev(inner=jacobi)/5", 24, "the degree of chebyshev, a whole number from 1 to 4"},
        {"inner", "inner(method=auto)", 13, "expected a method that iterates: cg, jacobi, richardson"},
        {"inner", "inner(weight=0)", 13, "expected a weight above 0, or auto"},
        {"inner", "inner(weight=inf)", 13, "expected a weight above 0, or auto"},
        {"ilut", "ilut(rows=1025)", 10, "the rows of ilut, a whole number from 1 to 1024, or all"},
        {"fsai", "fsai(steps=33)", 11, "the steps of fsai, a whole number from 1 to 32"},
        {"inner", "inner(steps=65)", 12, "the steps of inner, a whole number from 1 to 64"},
        {"ilut", "ilut(drop=1)", 10, "expected a number above 0 and below 1"},
        {"ilut", "ilut(drop=0)", 10, "expected a number above 0 and below 1"},
        {"ilut", "ilut/0", 5, "the fill of ilut, a whole number from 1 to 65535"},
        {"inner", "inner(block-size=3)", 6, "expected an option of inner: method, steps, weight, inner"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (has(cases[i].needs))
            refuse(cases[i].text, cases[i].place, cases[i].said);
}

Test(cli_precond, depth_and_length_are_bounded)
{
    struct message m = {0};
    struct precond_words w;
    char text[400] = "";
    memset(text, 'x', LONGEST_PRECOND + 1);
    cr_expect_eq(preconds_read(&m, text, &w), VKS_INVALID_ARGUMENT);
    cr_expect_str_eq(m.text, "a preconditioner of 256 characters; 255 are allowed");
    if (!has("inner"))
        return;
    size_t last = (VKS_LARGEST_NESTING - 1) * strlen("inner(inner=");
    for (size_t k = 0; k < VKS_LARGEST_NESTING; k++)
        strcpy(text + k * strlen("inner(inner="), "inner(inner=");
    strcpy(text + last, "none)))))))");
    must_read(text, &w);
    cr_expect_eq(w.count, VKS_LARGEST_NESTING);
    strcpy(text + last, "inner(inner=none))))))))");
    refuse(text, last + strlen("inner(inner="), "more than 8 preconditioners are nested");
}

/* Texts that partly follow the grammar: nothing is read out of bounds, and what is
 * accepted can be written and read again. */
Test(cli_precond, any_text_is_taken_or_refused)
{
    static const char *const pieces[] = {
        "(",      ")", ",",        "=",  "/", "f32",          "3",      "2", "auto", "0.5",
        "1e-300", " ", "\xc3\xbc", "%s", "x", "(block-size=", "(inner="};
    enum { PIECES = COUNT_OF(pieces), OPTIONS = PRECOND_OPTION_COUNT };
    uint64_t seed = 1;
    uint32_t taken = 0;
    for (int k = 0; k < 100000; k++) {
        char text[600] = "";
        for (uint32_t i = random_below(&seed, 24); i > 0; i--) {
            uint32_t p = random_below(&seed, PIECES + VKS_PRECOND_COUNT_ + OPTIONS + VKS_METHOD_COUNT_);
            strcat(text, p < PIECES                ? pieces[p]
                         : (p -= PIECES) < OPTIONS ? precond_options[p].key
                         : (p -= OPTIONS) < VKS_METHOD_COUNT_
                             ? vks_method_name((vks_method)p)
                             : vks_precond_name((vks_precond_kind)(p - VKS_METHOD_COUNT_)));
        }
        struct message m = {0};
        struct precond_words w;
        if (preconds_read(&m, text, &w))
            continue;
        struct precond_text written = precond_write(w.options);
        must_read(written.text, &w);
        cr_assert_str_eq(precond_write(w.options).text, written.text);
        taken++;
    }
    cr_expect_gt(taken, 500);
}

Test(cli_precond, the_library_refuses_by_the_same_list)
{
    static const struct {
        vks_precond_options o;
        const char *said;
    } cases[] = {
        {{.kind = VKS_PRECOND_JACOBI, .block_size = 3}, "the preconditioner jacobi has no block size"},
        {{.kind = VKS_PRECOND_NONE, .steps = 1}, "the preconditioner none has no number of steps"},
        {{.kind = VKS_PRECOND_NONE, .weight = -1}, "the preconditioner none has no weight"},
        {{.kind = VKS_PRECOND_NONE, .inner = &cases[0].o},
         "the preconditioner none has no inner preconditioner"},
        {{.kind = VKS_PRECOND_BLOCK_JACOBI, .method = VKS_METHOD_CG}, "block-jacobi has no method"},
        {{.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 32}, ""}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct message m = {0};
        vks_status s = precond_options_check(&m, &cases[i].o);
        cr_expect_eq(s, cases[i].said[0] ? VKS_INVALID_ARGUMENT : VKS_OK);
        cr_expect(strstr(m.text, cases[i].said), "%s", m.text);
    }
}

Test(cli_precond, reports_name_what_was_asked_for)
{
    expect("$VKSOLVE generate elasticity3d 5 -o $FOLDER/e.mtx", 0, "375 x 375");
    expect(SOLVE "$FOLDER/e.mtx --precond 'block-jacobi(block-size=10)'", 0,
           "cg with block-jacobi/10 (38 blocks of up to 10 rows), until");
    expect(SOLVE "$FOLDER/e.mtx --precond block-jacobi --block-size 10 --json -", 0,
           "\"precond\": \"block-jacobi/10\",");
    expect(SOLVE "$FOLDER/e.mtx --precond block-jacobi/10 --json -", 0, "\"blocks\": 38,");
    expect(SOLVE "$FOLDER/e.mtx --json -", 0, "\"precond\": \"jacobi\",");
    expect(SOLVE "$FOLDER/e.mtx --precond none", 0, "cg with none, until");
}

/* Reported before anything is read: there is no matrix. */
Test(cli_precond, the_command_points_at_mistakes)
{
    expect(SOLVE "none.mtx --precond block-jacobi/x", 1,
           "vksolve solve: --precond: expected the block-size of block-jacobi, a whole number from 1 to 32\n"
           "  block-jacobi/x\n"
           "               ^\n"
           "try vksolve solve --help\n");
    expect(SOLVE "none.mtx --precond block-jacobi/3 --block-size 3", 1,
           "--block-size is also given in --precond block-jacobi/3");
    expect(SOLVE "none.mtx --block-size 3", 1, "--block-size: the preconditioner auto has no block size");
    if (has("inner"))
        expect(SOLVE "none.mtx --precond 'inner(weight=0.5)' --weight 0.6", 1,
               "--weight is also given in --precond inner(weight=0.5)");
}

Test(cli_precond, the_report_tells_what_was_chosen_and_why)
{
    struct ran r = run(SOLVE "$MATRICES/1138_bus.mtx.gz --method 'auto(device=any)'");
    static const char *const parts[] = {"cg with amg/f32, until",
                                        "\nchosen      multigrid may pay after ",
                                        " jacobi: 319 iterations, residual ",
                                        ", its budget\n",
                                        " amg/f32: 1",
                                        ", CONVERGED\n",
                                        "\niterations  3"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        cr_expect(strstr(r.out, parts[i]), "no \"%s\" in\n%s", parts[i], r.out);
    ran_free(&r);
    expect(SOLVE "$MATRICES/1138_bus.mtx.gz --method 'auto(device=any)' --json -", 0,
           "\"choice\": \"multigrid may pay after 319 ");
    expect(SOLVE "$MATRICES/1138_bus.mtx.gz --precond jacobi --json -", 0,
           "\"choice\": null,\n  \"attempts\": []");
    expect(SOLVE "$MATRICES/nasa2146.mtx.gz", 0, "would have to know their nodes");
    expect(SOLVE "$MATRICES/bodyy4.mtx.gz", 0, "chosen      positive off-diagonals are 1.00 of the sum");
}
