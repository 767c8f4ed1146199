/* The public calls that write reports. */
#include "abi/abi.h"
#include "report/words.h"
#include "solvers/hierarchy_text.h"
#include "solvers/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_hints(const vks_solve_report *r, vks_language language, FILE *to)
{
    for (int k = 0; k < VKS_HINT_COUNT_; k++)
        if (r->hints >> k & 1)
            fprintf(to, "%s\n", hint_text(r, (vks_hint)k, language).text);
}

/* The report lacks the options of a named preconditioner. */
static struct precond_text precond_of(const vks_solve_report *r)
{
    const vks_attempt *last = r->attempts ? &r->attempt[r->attempts - 1] : NULL;
    bool is_last = last && last->method == r->method && last->precond == r->precond;
    return is_last ? report_attempt_precond(last) : precond_write(&(vks_precond_options){.kind = r->precond});
}

static void print_report(const vks_solve_report *r, vks_language language, FILE *to)
{
    struct precond_text precond = precond_of(r);
    fprintf(to, "%s: %s\n", vks_reason_name(r->reason), report_ending(r, language));
    report_print_hints(r, language, to);
    if (r->warning[0])
        fprintf(to, "warning     %s\n", r->warning);
    report_print_method(r, &precond, to);
    fputc('\n', to);
    report_print_attempts(r, to);
    hierarchy_print(&r->hierarchy, r->precond_bytes, to);
    if (r->refinements)
        report_print_refinement(r, to);
    fprintf(to, "time        set-up %s, solve %s\n", words_seconds(r->seconds_setup).text,
            words_seconds(r->seconds_solve).text);
    report_print_course(r, to);
    if (r->null_component > 0)
        fprintf(to, "null space  b has %s of its norm there; left out of b and x\n",
                words_number(r->null_component).text);
    if (r->bytes_per_iteration > 0)
        fprintf(to, "traffic     %s an iteration\n", words_bytes(r->bytes_per_iteration).text);
}

static void print_course(const vks_solve_report *r, vks_language language, FILE *to)
{
    (void)language;
    report_print_iterated(r, to);
}

static vks_status write_text(uint32_t header, const vks_solve_report *report, vks_language language,
                             void (*print)(const vks_solve_report *, vks_language, FILE *), char *text,
                             size_t size)
{
    const vks_solve_report r = vks_solve_report_in(header, report);
    char *whole = NULL, why[256] = "";
    size_t length = 0;
    if (size)
        text[0] = 0;
    TRY(abi_check(header, why, sizeof why));
    if ((unsigned)language > VKS_FOR_PYTHON)
        return VKS_INVALID_ARGUMENT;
    FILE *to = open_memstream(&whole, &length);
    if (!to)
        return VKS_OUT_OF_MEMORY;
    print(&r, language, to);
    bool failed = fclose(to) || !whole;
    if (!failed && size)
        snprintf(text, size, "%s", whole);
    free(whole);
    return failed ? VKS_OUT_OF_MEMORY : length < size ? VKS_OK : VKS_LIMIT;
}

vks_status vks_solve_hints_as(uint32_t header, const vks_solve_report *report, vks_language language,
                              char *text, size_t size)
{
    return write_text(header, report, language, print_hints, text, size);
}

vks_status vks_solve_report_text_as(uint32_t header, const vks_solve_report *report, vks_language language,
                                    char *text, size_t size)
{
    return write_text(header, report, language, print_report, text, size);
}

vks_status vks_solve_course_as(uint32_t header, const vks_solve_report *report, char *text, size_t size)
{
    return write_text(header, report, VKS_FOR_C, print_course, text, size);
}
