#include "solvers/hint_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* {C|COMMAND|PYTHON}: the wording for each language. %r: the residual reached; %t: the same, rounded up as a
 * tolerance; %b: the unknowns of a node. */
static const char *const hints[] = {
    [VKS_HINT_TOLERANCE] = "%r was reached; ask for {rtol = %t|--rtol %t|rtol=%t}",
    [VKS_HINT_F64] = "f32 reached %r; use {VKS_F64|--precision f64|precision=\"f64\"}",
    [VKS_HINT_NOT_IN_F32] = "this was in f32; use {iterate_in_f32 = 0|--precision f64|in_f32=False}",
    [VKS_HINT_HOST] = "this was in f32; use {the device \"host\"|--device host|context=\"host\"}",
    [VKS_HINT_NULL_SPACE] = "{vks_solve_options.singular|--singular|null_space=\"constants\"} keeps the "
                            "constants out of the solve",
    [VKS_HINT_NO_NULL_SPACE] = "solve without {vks_solve_options.singular|--singular|null_space}",
    [VKS_HINT_LEAST_SQUARES] =
        "{VKS_METHOD_LSMR|--method lsmr|method=\"lsmr\"} finds a least-squares solution",
    [VKS_HINT_DIRECT] = "{VKS_METHOD_DIRECT|--method direct|method=\"direct\"} solves by sparse factors, "
                        "where UMFPACK is installed",
    [VKS_HINT_INDEFINITE] = "{VKS_METHOD_MINRES or _IDR|--method minres or idr|method=\"minres\" or \"idr\"} "
                            "handles an A that is not positive definite; {VKS_METHOD_AUTO|--method auto "
                            "without --precond|method=\"auto\" without M} "
                            "tries both",
    [VKS_HINT_AUTOMATIC] =
        "without {a method and a preconditioner|--method and --precond|method and M} several are tried in "
        "turn",
    [VKS_HINT_ITERATIONS] =
        "a larger {vks_solve_options.max_iterations|--max-iterations|maxiter} allows more iterations",
    [VKS_HINT_DIAGONAL] = "{report.row is a row whose diagonal entry is zero|vksolve check names the first "
                          "row with a zero or missing diagonal entry|numpy.flatnonzero(A.diagonal() == 0) "
                          "lists the rows with a zero or missing diagonal entry}",
    [VKS_HINT_NODES] =
        "{vks_amg_options.block = %b|amg(block=%b)|precond.AMG(block=%b)} takes up to three times fewer "
        "iterations, and {vks_amg_options.coordinates|--coordinates|precond.AMG(coordinates=...)} up to "
        "seven times",
};

double hint_tolerance(double reached)
{
    if (!isgreater(reached, 0))
        return NAN;
    double unit = pow(10, floor(log10(reached)));
    double rtol = ceil(reached / unit) * unit;
    return rtol <= 1 ? rtol : NAN;
}

static void add_number(const vks_solve_report *r, char which, char *text, size_t size)
{
    if (which == 'b')
        snprintf(text, size, "%u", r->rows_of_node);
    else
        snprintf(text, size, "%.3g", which == 't' ? hint_tolerance(r->true_residual) : r->true_residual);
}

struct hint_text hint_text(const vks_solve_report *r, vks_hint hint, vks_language language)
{
    struct hint_text h = {""};
    int choice = -1; /* the alternative being read; -1: outside braces */
    for (const char *at = hints[hint]; *at; at++) {
        size_t used = strlen(h.text);
        bool skips = choice >= 0 && choice != (int)language;
        if (*at == '{')
            choice = 0;
        else if (*at == '}')
            choice = -1;
        else if (*at == '|')
            choice++;
        else if (skips)
            continue;
        else if (*at == '%')
            add_number(r, *++at, h.text + used, sizeof h.text - used);
        else
            snprintf(h.text + used, sizeof h.text - used, "%c", *at);
    }
    return h;
}
