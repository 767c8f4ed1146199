/* A library with UMFPACK's functions that solves only 1 x 1 systems, with errors that the environment
 * requests: PRETENDED_symbolic, PRETENDED_numeric and PRETENDED_solve are the return values of these
 * functions, PRETENDED_excess is added to the matrix, and PRETENDED_gigaflops is the work that the analysis
 * predicts. Calls are counted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pretended_analyses, pretended_factors;

static int asked(const char *step)
{
    char name[64];
    snprintf(name, sizeof name, "PRETENDED_%s", step);
    const char *code = getenv(name);
    return code ? atoi(code) : 0;
}

/* Like UMFPACK, it leaves no object behind if it fails; a warning is not a failure. */
static int make(const char *step, void **object)
{
    int code = asked(step);
    *object = code < 0 ? NULL : malloc(1);
    return code;
}

void umfpack_dl_defaults(double *control)
{
    memset(control, 0, 20 * sizeof *control);
}

int umfpack_dl_symbolic(int64_t rows, int64_t cols, const int64_t *start, const int64_t *row,
                        const double *val, void **symbolic, const double *control, double *info)
{
    (void)rows, (void)cols, (void)start, (void)row, (void)val, (void)control;
    memset(info, 0, 90 * sizeof *info);
    info[22] = 1e9 * asked("gigaflops");
    pretended_analyses++;
    return make("symbolic", symbolic);
}

int umfpack_dl_numeric(const int64_t *start, const int64_t *row, const double *val, void *symbolic,
                       void **numeric, const double *control, double *info)
{
    (void)start, (void)row, (void)val, (void)symbolic, (void)control;
    info[67] = 1;
    pretended_factors++;
    return make("numeric", numeric);
}

int umfpack_dl_solve(int system, const int64_t *start, const int64_t *row, const double *val, double *x,
                     const double *b, void *numeric, const double *control, double *info)
{
    (void)system, (void)start, (void)row, (void)numeric, (void)control, (void)info;
    x[0] = b[0] / (val[0] + asked("excess"));
    return asked("solve");
}

void umfpack_dl_free_symbolic(void **symbolic)
{
    free(*symbolic);
    *symbolic = NULL;
}

void umfpack_dl_free_numeric(void **numeric)
{
    free(*numeric);
    *numeric = NULL;
}
