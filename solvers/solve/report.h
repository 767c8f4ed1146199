/* The report of a solve. */
#ifndef VKS_SOLVERS_SOLVE_REPORT_H
#define VKS_SOLVERS_SOLVE_REPORT_H

#include "solvers/diagnosis.h"
#include "vksolve/solver.h"

/* The report before a solve. */
extern const vks_solve_report report_not_run;
/* Makes the report of a call that failed: reason NOT_RUN, with the message as detail. */
void report_failure(vks_solve_report *report, const char *message);
/* Sets reason, row, detail and warning. */
void report_diagnosis(vks_solve_report *report, const struct diagnosis *f);

#endif
