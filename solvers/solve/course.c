/* Which iterations a solve has run, in words. */
#include "vksolve/precond.h"
#include "vksolve/solver.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void add_attempt(const vks_attempt *a, bool first, char *text, size_t size)
{
    size_t at = strlen(text);
    bool takes = vks_method_takes_precond(a->method) && a->precond > VKS_PRECOND_NONE,
         in_f32 = a->in_f32 || (a->precond_options && a->precond_options->in_f32);
    snprintf(text + at, size - at, "%s%u%s of %s%s%s%s", first ? "" : ", then ", a->iterations,
             !first               ? ""
             : a->iterations == 1 ? " iteration"
                                  : " iterations",
             vks_method_name(a->method), takes ? " with " : "", takes ? vks_precond_name(a->precond) : "",
             takes && in_f32 ? "/f32" : "");
}

void vks_solve_report_course(const vks_solve_report *r, char *text, size_t size)
{
    const vks_attempt whole = {.method = r->method, .precond = r->precond, .iterations = r->iterations};
    bool first = true;
    if (!size)
        return;
    text[0] = 0;
    for (uint32_t k = 0; k < r->attempts; k++)
        if (r->attempt[k].iterations) {
            add_attempt(&r->attempt[k], first, text, size);
            first = false;
        }
    if (first)
        add_attempt(&whole, true, text, size);
}
