/* A solve at one place, and its comparison with another. */
#ifndef VKS_TESTS_FUZZ_SOLUTION_H
#define VKS_TESTS_FUZZ_SOLUTION_H

#include "places.h"

enum { HISTORY = 64 };

struct solution {
    vks_status status;
    vks_solve_report report;
    double *x;
    double history[HISTORY];
};

/* Whether this failure is allowed for random options and matrices. */
static inline bool is_refusal(vks_status s)
{
    return s == VKS_INVALID_ARGUMENT || s == VKS_UNSUPPORTED || s == VKS_LIMIT;
}

/* Solves A x = b, from s->x. */
struct solution solve_at(const struct place *p, const struct system *s, const vks_matrix *A,
                         const vks_solve_options *options, bool fixed_point);

/* Any difference except in times is a finding; `how` describes the solve. */
void compare_solutions(const struct solution *a, const char *where_a, const struct solution *b,
                       const char *where_b, uint32_t n, const char *how);

void solution_free(struct solution *s);

#endif
