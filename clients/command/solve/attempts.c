#include "command/solve/attempts.h"
#include "command/shared/words.h"

#include <math.h>

struct precond_text attempt_precond(const vks_attempt *a)
{
    vks_precond_options o = {0};
    if (a->precond_options)
        o = *a->precond_options;
    o.kind = a->precond;
    o.in_f32 |= a->in_f32;
    return preconds_write(&o);
}

static void print_attempt(const vks_attempt *a, bool last, FILE *to)
{
    bool takes = vks_method_takes_precond(a->method);
    fprintf(to, "            %s%s%s", vks_method_name(a->method), takes ? " with " : "",
            takes ? attempt_precond(a).text : "");
    if (a->restart)
        fprintf(to, ", restart %u", a->restart);
    if (a->scaling > VKS_SCALING_NONE)
        fprintf(to, ", scaling %s", vks_scaling_name(a->scaling));
    fprintf(to, ": ");
    if (isnan(a->true_residual))
        fprintf(to, "not begun");
    else
        fprintf(to, "%s iteration%s, residual %s", words_count(a->iterations).text,
                a->iterations == 1 ? "" : "s", words_number(a->true_residual).text);
    if (a->reason == VKS_REASON_ITERATION_LIMIT && !last)
        fprintf(to, ", its budget");
    else if (a->reason != VKS_REASON_NOT_RUN)
        fprintf(to, ", %s", vks_reason_name(a->reason));
    fputc('\n', to);
}

void attempts_print(const vks_solve_report *r, FILE *to)
{
    if (!r->attempts)
        return;
    fprintf(to, "chosen      %s\n", r->choice);
    for (uint32_t i = 0; i < r->attempts && r->attempts > 1; i++)
        print_attempt(&r->attempt[i], i + 1 == r->attempts, to);
}

void attempts_to_json(const vks_solve_report *r, struct json *j)
{
    json_string(j, "choice", r->attempts ? r->choice : NULL);
    json_array(j, "attempts");
    for (uint32_t i = 0; i < r->attempts; i++) {
        const vks_attempt *a = &r->attempt[i];
        json_object(j, NULL);
        json_string(j, "method", vks_method_name(a->method));
        json_string(j, "precond", attempt_precond(a).text);
        json_string(j, "scaling", vks_scaling_name(a->scaling));
        json_count(j, "restart", a->restart);
        json_count(j, "budget", a->budget);
        json_count(j, "iterations", a->iterations);
        json_string(j, "reason", vks_reason_name(a->reason));
        json_number(j, "true_residual", a->true_residual);
        json_number(j, "products", a->products);
        json_end_object(j);
    }
    json_end_array(j);
}
