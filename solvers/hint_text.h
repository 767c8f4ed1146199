/* Hints in words: the one list of them. */
#ifndef VKS_SOLVERS_HINT_TEXT_H
#define VKS_SOLVERS_HINT_TEXT_H

#include "vksolve/report.h"

struct hint_text {
    char text[200];
};

/* With the options of the language. */
struct hint_text hint_text(const vks_solve_report *r, vks_hint hint, vks_language language);

/* The tolerance that was reached, rounded up to one digit; NaN: none below 1. */
double hint_tolerance(double reached);

#endif
