/* Columns of a vector, and what verbs make of them. */
#include "vector/verbs.h"

#include <criterion/criterion.h>
#include <signal.h>

enum { N = 5, COLUMNS = 3, LD = 8 };

static struct vec with_gaps(void)
{
    return (struct vec){.at = 4096, .n = N, .cols = COLUMNS, .ld = LD, .precision = PRECISION_F64};
}

Test(vec, a_column_begins_at_the_leading_dimension_and_has_no_more_than_itself)
{
    struct vec v = with_gaps();
    for (uint32_t i = 0; i < COLUMNS; i++) {
        struct vec column = vec_column(v, i);
        cr_assert_eq(column.at, v.at + i * LD * 8, "column %u", i);
        cr_assert(column.n == N && column.cols == 1 && column.precision == v.precision, "column %u", i);
        cr_assert_eq(vec_bytes(column), N * 8, "column %u", i);
    }
    cr_assert_eq(vec_bytes(v), N * COLUMNS * 8);
}

#ifndef NDEBUG

Test(vec, a_verb_of_one_column_refuses_several, .signal = SIGABRT)
{
    struct rec r = {0};
    fill(&r, NULL, vecs_at(4096, N, COLUMNS, PRECISION_F64));
}

Test(vec, a_kernel_of_all_columns_refuses_gaps, .signal = SIGABRT)
{
    vec_all(with_gaps());
}

Test(vec, a_column_that_is_not_there_is_refused, .signal = SIGABRT)
{
    vec_column(with_gaps(), COLUMNS);
}

#endif
