#include "solvers/solve/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const vks_solve_report report_not_run = {.reason = VKS_REASON_NOT_RUN,
                                         .row = UINT32_MAX,
                                         .initial_residual = NAN,
                                         .residual = NAN,
                                         .true_residual = NAN,
                                         .contraction = NAN,
                                         .normal_residual = NAN,
                                         .norm_of_b = NAN,
                                         .scaled_residual = NAN,
                                         .row_range = NAN,
                                         .backward_error = NAN,
                                         .backward_error_row = UINT32_MAX,
                                         .rounding_level = NAN,
                                         .history_step = 1};

void report_failure(vks_solve_report *report, const char *message)
{
    *report = report_not_run;
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)sizeof report->detail - 1, message);
}

void report_diagnosis(vks_solve_report *report, const struct diagnosis *f)
{
    report->reason = f->reason;
    report->row = f->row;
    memcpy(report->detail, f->detail, sizeof report->detail);
    memcpy(report->warning, f->warning, sizeof report->warning);
}
