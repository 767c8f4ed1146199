/* What batches refuse: by system, row and limit. Failed calls leave no batch. */
#include "small_matrix.h"
#include "tests/support/batch.h"

static const uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
static const double entries[] = {2, 1, 1, 2, 3, 1, 1, 3};

static vks_status create(vks_context *c, uint32_t systems, uint32_t n, const uint32_t *r, const uint32_t *k,
                         const double *v, const vks_batch_options *o)
{
    OWNED(vks_batch) *batch = (vks_batch *)&row;
    vks_status s = vks_batch_create(c, systems, n, r, k, VKS_F64, v, o, &batch);
    cr_expect_eq(s != VKS_OK, batch == NULL);
    return s;
}

TestOnHost(batch_refuse, patterns_that_are_wrong_by_their_row)
{
    static const uint32_t down[] = {0, 3, 2}, high[] = {0, 1, 0, 2}, twice[] = {0, 1, 1, 1};
    must_refuse(c, create(c, 2, 2, down, col, entries, NULL), VKS_INVALID_ARGUMENT, "row 1");
    must_refuse(c, create(c, 2, 2, row, high, entries, NULL), VKS_INVALID_ARGUMENT, "row 1: column 2");
    must_refuse(c, create(c, 2, 2, row, twice, entries, NULL), VKS_INVALID_ARGUMENT, "row 1");
    must_refuse(c, create(c, 2, 2, NULL, col, entries, NULL), VKS_INVALID_ARGUMENT,
                "the row offsets are NULL");
    must_refuse(c, create(c, 2, 2, row, NULL, entries, NULL), VKS_INVALID_ARGUMENT, "column");
    must_refuse(c, create(c, 2, 2, row, col, NULL, NULL), VKS_INVALID_ARGUMENT, "the values are NULL");
    must_refuse(c, create(c, 0, 2, row, col, entries, NULL), VKS_INVALID_ARGUMENT, "no systems");
    must_work(c, create(c, 2, 2, row, col, entries, NULL));
}

TestOnHost(batch_refuse, own_patterns_by_their_system_and_row)
{
    static const uint32_t high[] = {0, 1, 0, 2};
    OWNED(vks_batch) *batch = NULL;
    vks_batch_system s[3];
    for (int k = 0; k < 3; k++)
        s[k] = (vks_batch_system){2, row, col, entries};
    s[1].col = high;
    must_refuse(c, vks_batch_create_of(c, 3, s, VKS_F64, NULL, &batch), VKS_INVALID_ARGUMENT,
                "system 1, from 0: row 1: column 2");
    s[1].col = col;
    s[2].n = 0;
    must_refuse(c, vks_batch_create_of(c, 3, s, VKS_F64, NULL, &batch), VKS_INVALID_ARGUMENT,
                "system 2, from 0: a system of 0 rows");
    s[2].n = VKS_LARGEST_BATCH_SYSTEM + 1;
    must_refuse(c, vks_batch_create_of(c, 3, s, VKS_F64, NULL, &batch), VKS_LIMIT,
                "system 2, from 0: a system of 1025 rows; systems of a batch have 1 to 1024");
    s[2] = (vks_batch_system){2, row, col, NULL};
    must_refuse(c, vks_batch_create_of(c, 3, s, VKS_F64, NULL, &batch), VKS_INVALID_ARGUMENT,
                "system 2, from 0: the values are NULL");
    must_refuse(c, vks_batch_create_of(c, 3, NULL, VKS_F64, NULL, &batch), VKS_INVALID_ARGUMENT,
                "the systems are NULL");
    cr_expect_null(batch);
}

/* All systems share one pattern, so the values are not read before the limit is found. */
TestOnHost(batch_refuse, totals_beyond_the_limit)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(1024, -1, 2, -1);
    must_refuse(c, create(c, 1u << 22, 1024, A.row, A.col, A.val, NULL), VKS_LIMIT, "stored entries");
    must_refuse(c, create(c, UINT32_MAX, 1024, A.row, A.col, A.val, NULL), VKS_LIMIT, "systems 0 to ");
}

TestOnHost(batch_refuse, options_out_of_range)
{
    const vks_batch_options wrong[] = {
        {.rtol = -1}, {.rtol = NAN}, {.atol = -1}, {.atol = INFINITY}, {.precision = VKS_MIXED}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_expect_eq(create(c, 2, 2, row, col, entries, &wrong[k]), VKS_INVALID_ARGUMENT, "options %zu", k);
    must_refuse(c, create(c, 2, 2, row, col, entries, &(vks_batch_options){.method = VKS_METHOD_LSMR}),
                VKS_UNSUPPORTED, "no method lsmr");
    must_refuse(c, create(c, 2, 2, row, col, entries, &(vks_batch_options){.precond = VKS_PRECOND_AMG}),
                VKS_UNSUPPORTED, "no preconditioner amg");
}

TestOnHost(batch_refuse, vectors_and_values_that_do_not_fit)
{
    OWNED(vks_context) *other = open_host();
    OWNED(vks_batch) *batch = NULL;
    must_work(c, vks_batch_create(c, 2, 2, row, col, VKS_F64, entries, NULL, &batch));
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, entries, 4), *x = vector_of(c, PRECISION_F64, NULL, 4),
                      *longer = vector_of(c, PRECISION_F64, NULL, 5),
                      *narrow = vector_of(c, PRECISION_F32, NULL, 4),
                      *far = vector_of(other, PRECISION_F64, NULL, 4);
    vks_batch_report r[2] = {{.reason = VKS_REASON_CONVERGED}, {.reason = VKS_REASON_CONVERGED}};
    must_refuse(c, vks_batch_solve(batch, longer, x, r), VKS_INVALID_ARGUMENT,
                "the systems have 4 rows, and b has 5 elements");
    cr_expect(r[0].reason == VKS_REASON_NOT_RUN && r[1].reason == VKS_REASON_NOT_RUN);
    must_refuse(c, vks_batch_solve(batch, b, narrow, r), VKS_INVALID_ARGUMENT, "x differ in precision");
    must_refuse(c, vks_batch_solve(batch, far, x, r), VKS_INVALID_ARGUMENT, "b belong to different contexts");
    must_refuse(c, vks_batch_solve(batch, b, b, r), VKS_INVALID_ARGUMENT, "same vector");
    must_refuse(c, vks_batch_update(batch, VKS_F64, NULL), VKS_INVALID_ARGUMENT, "the values are NULL");
    must_refuse(c, vks_batch_update(batch, VKS_MIXED, entries), VKS_INVALID_ARGUMENT, "");
    must_refuse(c, vks_batch_update_from(batch, b), VKS_INVALID_ARGUMENT, "8 values, and the vector 4");
    must_refuse(c, vks_batch_update_from(batch, narrow), VKS_INVALID_ARGUMENT, "precision");
    must_refuse(c, vks_batch_update_from(batch, far), VKS_INVALID_ARGUMENT, "contexts");
    must_work(c, vks_batch_solve(batch, b, x, r));
    cr_expect(r[0].reason == VKS_REASON_CONVERGED && r[1].reason == VKS_REASON_CONVERGED);
}

Test(batch_refuse, doubles_on_a_device_without_them_which_solves_in_f32)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    static const uint32_t n[] = {5, 140};
    OWNED_STRUCT(systems) s = systems_of(PRECISION_F32, n, 2);
    OWNED(vks_batch) *batch = NULL;
    must_refuse(c, create_batch(c, &s, NULL, &batch), VKS_UNSUPPORTED, "64-bit floats");
    const vks_batch_options o = batch_options(PRECISION_F32);
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < s.count; k++)
        cr_expect(s.report[k].reason == VKS_REASON_CONVERGED && residual_of_system(&s, k) <= 1.001e-5);
}
