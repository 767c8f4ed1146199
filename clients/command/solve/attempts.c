#include "command/solve/attempts.h"
#include "solvers/report_text.h"

void attempts_to_json(const vks_solve_report *r, struct json *j)
{
    json_string(j, "choice", r->attempts ? r->choice : NULL);
    json_array(j, "attempts");
    for (uint32_t i = 0; i < r->attempts; i++) {
        const vks_attempt *a = &r->attempt[i];
        json_object(j, NULL);
        json_string(j, "method", vks_method_name(a->method));
        json_string(j, "precond", report_attempt_precond(a).text);
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
