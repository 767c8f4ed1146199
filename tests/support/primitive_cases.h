/* The cases of the kernels of shaders/primitive/, through their verbs. */
#ifndef VKS_TESTS_PRIMITIVE_CASES_H
#define VKS_TESTS_PRIMITIVE_CASES_H

#include "primitive/verbs.h"
#include "tests/support/job.h"

/* Elements of one word, and of two. */
static inline void record_fill_words(struct job *j)
{
    const struct memory *narrow = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "narrow"), j->n);
    const struct memory *wide =
        compared_words(j, new_bytes(j, 8 * (uint64_t)j->n, "wide"), 2 * (uint64_t)j->n);
    fill_words(&j->r, words_at(narrow), 1, 2, j->n, 1);
    fill_words(&j->r, words_at(wide), 0x7F800001u, 0xFFFFFFFFu, j->n, 2);
}

static inline void expect_fill_words(const struct job *j, double *want)
{
    for (size_t i = 0; i < j->n; i++) {
        want[i] = 1;
        want[j->n + 2 * i] = 0x7F800001u;
        want[j->n + 2 * i + 1] = 0xFFFFFFFFu;
    }
}

/* X(verb, further members) */
#define PRIMITIVE_CASES(X) X(fill_words, .once = false)

#endif
