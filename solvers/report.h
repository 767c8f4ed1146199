/* The report of a solve. */
#ifndef VKS_SOLVERS_REPORT_H
#define VKS_SOLVERS_REPORT_H

#include "solvers/finding.h"
#include "vksolve/solver.h"

/* A report before its solve. */
extern const vks_solve_report report_not_run;
/* After a call that failed: a report that does not look like that of a solve. */
void report_failure(vks_solve_report *report, const char *message);
/* Reason, row, detail and warning. */
void report_finding(vks_solve_report *report, const struct finding *f);

#endif
