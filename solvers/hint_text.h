/* Texts of the hints. */
#ifndef VKS_SOLVERS_HINT_TEXT_H
#define VKS_SOLVERS_HINT_TEXT_H

#include "vksolve/report.h"

struct hint_text {
    char text[200];
};

/* Text of a hint, with options named as in `language`. */
struct hint_text hint_text(const vks_solve_report *r, vks_hint hint, vks_language language);

/* Rounds `reached` up to one significant digit, as a tolerance; NaN: it is not in (0, 1]. */
double hint_tolerance(double reached);

#endif
