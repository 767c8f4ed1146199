/* A program as users write it, which prints what it gets. It is compiled with the headers of 0.1.0, and with
 * today's for comparison. Each struct that it gives to the library ends where memory ends; what is to be
 * filled in, and the padding at its end, is poison before. */
#include "given.h"

#include <math.h>
#include <stdio.h>

enum { N = 200 };

static vks_context *context;

static void must(vks_status s, const char *what)
{
    if (!s)
        return;
    printf("%s: %s: %s\n", what, vks_status_name(s), vks_context_message(context));
    exit(1);
}

#define MUST(call) must(call, #call)

static void tell_report(const char *what, const vks_solve_report *r)
{
    printf("%s: %s '%s' '%s' %s %s blocks %u %u\n", what, vks_reason_name(r->reason), r->detail, r->warning,
           vks_method_name(r->method), vks_precond_name(r->precond), r->blocks, r->largest_block);
    printf("  %u iterations, %u restarts, in %d, pairs %d, rounded %d, %u refinements, row %u\n",
           r->iterations, r->restarts, (int)r->iterated_in, r->in_pairs, r->rounded, r->refinements, r->row);
    printf("  %a %a %a history %u %u cycles %u null %a weight %a contraction %a\n", r->initial_residual,
           r->residual, r->true_residual, r->history_count, r->history_step, r->cycle_count,
           r->null_component, r->weight, r->contraction);
    printf("  %a bytes %u dispatches %u together, times %d\n", r->bytes_per_iteration,
           r->dispatches_per_iteration, r->together, r->seconds_setup >= 0 && r->seconds_solve >= 0);
}

static void tell_vector(const vks_vector *x)
{
    double value[N], sum = 0;
    MUST(vks_vector_read(x, 0, N, VKS_F64, value));
    for (int i = 0; i < N; i++)
        sum += value[i] * (i + 1);
    printf("  x %a %a\n", value[N / 2], sum);
}

static void devices(void)
{
    uint32_t count, all;
    MUST(vks_device_list(NULL, 0, &all));
    vks_device_info *list = at_the_end(all * sizeof *list);
    MUST(vks_device_list(list, all, &count));
    for (uint32_t i = 0; i < count; i++)
        printf("device %d '%s' '%s' %u %d %d %d %llu %llu '%s'\n", (int)list[i].kind, list[i].name,
               list[i].driver, list[i].index, list[i].usable, list[i].f64, list[i].subgroups,
               (unsigned long long)list[i].memory, (unsigned long long)list[i].largest_array,
               list[i].why_not);
}

static void open_context(void)
{
    char *message = at_the_end(64);
    vks_status s = vks_context_create(
        &GIVEN(vks_context_options, .device = "none such", .message = message, .message_size = 64), &context);
    printf("%s '%.20s' %d\n", vks_status_name(s), message, context == NULL);
    MUST(vks_context_create(
        &GIVEN(vks_context_options, .device = "host", .message = message, .message_size = 64), &context));
    vks_device_info *info = at_the_end(sizeof *info);
    MUST(vks_context_device(context, info));
    printf("host %d '%s' %u %d %d\n", (int)info->kind, info->name, info->index, info->usable, info->f64);
    vks_selftest *test = at_the_end(sizeof *test);
    MUST(vks_context_selftest(context, test));
    printf("selftest %u %u %d %d\n", test->cases, test->wrong[1][7], test->qualifies[0], test->qualifies[1]);
}

static void in_a_vulkan_device(void)
{
    char *message = at_the_end(64);
    vks_vulkan_features *features = at_the_end(sizeof *features);
    vks_context *none;
    vks_status s =
        vks_vulkan_choose_features(&GIVEN(vks_vulkan_device, .api_version = 1), features, message, 64);
    printf("features %s '%s'\n", vks_status_name(s), message);
    s = vks_context_create_vulkan(&GIVEN(vks_vulkan_device, .api_version = 1),
                                  &GIVEN(vks_context_options, .message = message, .message_size = 64), &none);
    printf("context %s '%s'\n", vks_status_name(s), message);
}

/* A chain of springs. */
struct springs {
    uint32_t row[N + 1], col[3 * N], at[3 * N];
    double val[3 * N], b[N], x[N];
};

static struct springs *springs(void)
{
    static struct springs s;
    uint32_t k = 0;
    for (uint32_t i = 0; i < N; i++) {
        s.row[i] = k;
        for (uint32_t j = i ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            s.at[k] = i;
            s.col[k] = j;
            s.val[k] = i == j ? 2.5 : -1 - 0.1 * (i + j) / N;
        }
        s.b[i] = 1 + 0.01 * i;
        s.x[i] = 0;
    }
    s.row[N] = k;
    return &s;
}

static void tell_matrix(const char *what, const vks_matrix *A)
{
    printf("%s: %u entries, %s, %d, '%s'\n", what, vks_matrix_entries(A),
           vks_format_name(vks_matrix_format(A)), (int)vks_matrix_precision(A), vks_matrix_format_reason(A));
}

static void matrices(const struct springs *s)
{
    vks_matrix *A, *B, *C, *D;
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_SELL, .slice_height = 8, .lean = true}};
    MUST(vks_matrix_from_csr(context, N, N, s->row, s->col, s->val,
                             &GIVEN(vks_matrix_options, .precision = VKS_MIXED, .storage = o.storage), &A));
    tell_matrix("csr", A);
    MUST(vks_matrix_from_coo(context, N, N, s->row[N], s->at, s->col, s->val,
                             &GIVEN(vks_matrix_options, .storage = {.format = VKS_FORMAT_COO}), &B));
    tell_matrix("coo", B);
    MUST(vks_matrix_convert(
        B, &GIVEN(vks_format_options, .format = VKS_FORMAT_BSR, .block_size = 3, .padding = 9), &C));
    tell_matrix("convert", C);
    MUST(vks_matrix_read(context, "matrices/nos4.mtx.gz", &GIVEN(vks_matrix_options, .precision = VKS_F32),
                         &D));
    tell_matrix("read", D);
    vks_statistics *t = at_the_end(sizeof *t);
    MUST(vks_matrix_statistics(C, t));
    printf("statistics %u %u %u %u %a %a slices %u %u %llu %a kinds %u\n", t->rows, t->entries, t->longest,
           t->lengths[2], t->mean_length, t->skew, t->slice_height, t->sigma,
           (unsigned long long)t->slice_entries, t->slice_growth, t->entry_kinds);
    for (int i = 0; i <= VKS_LARGEST_BLOCK; i++)
        printf("  blocks %u %u %u %u %a %d\n", t->block[i].block_rows, t->block[i].looked, t->block[i].blocks,
               t->block[i].entries, t->block[i].fill, t->block[i].full);
    vks_matrix_destroy(D);
    MUST(vks_matrix_multiply(B, C, &GIVEN(vks_multiply_options, .drop = true, .drop_below = 0.3), &D));
    tell_matrix("product", D);
    vks_matrix_destroy(D);
    MUST(vks_matrix_triple_product(B, C, B, &GIVEN(vks_multiply_options, .format = VKS_FORMAT_ELL), &D));
    tell_matrix("triple product", D);
    vks_matrix_destroy(A);
    vks_matrix_destroy(B);
    vks_matrix_destroy(C);
    vks_matrix_destroy(D);
}

static int progress(void *user, const vks_progress *p)
{
    *(double *)user += p->iteration * p->target;
    return 0;
}

static vks_matrix *matrix(const struct springs *s)
{
    vks_matrix *A;
    MUST(vks_matrix_from_csr(context, N, N, s->row, s->col, s->val, NULL, &A));
    return A;
}

static vks_vector *vector(const double *value)
{
    vks_vector *v;
    MUST(vks_vector_create(context, N, VKS_F64, &v));
    MUST(vks_vector_write(v, 0, N, VKS_F64, value));
    return v;
}

static void tell_cycles(const vks_cycle *cycles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        printf("  cycle %u %d %a\n", cycles[i].iteration, cycles[i].keeps_directions,
               cycles[i].true_residual);
}

static void solves(struct springs *s)
{
    vks_matrix *A = matrix(s);
    vks_vector *b = vector(s->b), *x = vector(s->x);
    vks_solve_report *r = at_the_end(sizeof *r);
    double history[64] = {0}, seen = 0;
    vks_cycle *cycles = at_the_end(4 * sizeof *cycles);
    MUST(vks_solve(A, b, x,
                   &GIVEN(vks_solve_options, .precond = VKS_PRECOND_BLOCK_JACOBI, .block_size = 4,
                          .rtol = 1e-12, .zero_guess = 1, .iterate_in_f32 = 1, .progress = progress,
                          .user = &seen, .history = history, .history_capacity = 64, .cycles = cycles,
                          .cycle_capacity = 4),
                   r));
    tell_report("solve", r);
    tell_vector(x);
    tell_cycles(cycles, r->cycle_count);
    printf("  progress %a history %a %a\n", seen, history[0], history[7]);
    MUST(vks_cg_solve(A, b, x, &GIVEN(vks_solve_options, .zero_guess = 1, .max_iterations = 9), r));
    tell_report("cg", r);
    MUST(vks_jacobi_solve(A, b, x, &GIVEN(vks_solve_options, .zero_guess = 1, .weight = 0.75), r));
    tell_report("jacobi", r);
    tell_vector(x);
    MUST(vks_fixed_point_solve(A, b, x, &GIVEN(vks_solve_options, .max_iterations = 8), r));
    tell_report("fixed point", r);
    memset(r, POISON, sizeof *r);
    printf("%s\n", vks_status_name(vks_solve(A, b, x, &GIVEN(vks_solve_options, .rtol = -1), r)));
    tell_report("refused", r);
    memset(r, POISON, sizeof *r);
    printf("%s\n", vks_status_name(vks_solve_csr(N, s->row, s->col, s->val, s->b, NULL, NULL, r)));
    tell_report("arrays, refused", r);
    MUST(vks_solve_csr(N, s->row, s->col, s->val, s->b, s->x,
                       &GIVEN(vks_solve_options, .method = VKS_METHOD_GAUSS_JORDAN), r));
    tell_report("arrays", r);
    printf("  x %a\n", s->x[N / 2]);
    vks_matrix_destroy(A);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
}

static void kept_solver(const struct springs *s)
{
    enum { MANY = 3 };
    vks_matrix *A = matrix(s);
    vks_vector *x[MANY];
    const vks_vector *b[MANY];
    vks_solve_report *r = at_the_end(MANY * sizeof *r);
    vks_cycle *cycles = at_the_end(2 * sizeof *cycles);
    vks_solver *solver;
    int ended;
    for (int i = 0; i < MANY; i++) {
        b[i] = vector(i ? &s->val[i] : s->b);
        x[i] = vector(s->x);
    }
    MUST(vks_solver_create(
        A, &GIVEN(vks_solve_options, .rtol = 1e-10, .zero_guess = 1, .cycles = cycles, .cycle_capacity = 2),
        &solver));
    MUST(vks_solver_solve_many(solver, MANY, b, x, r));
    for (int i = 0; i < MANY; i++) {
        tell_report("many", &r[i]);
        tell_vector(x[i]);
    }
    tell_cycles(cycles, r[MANY - 1].cycle_count);
    MUST(vks_solver_solve_many(solver, MANY, b, x, NULL));
    MUST(vks_solver_solve(solver, b[1], x[1], &r[2]));
    tell_report("one", &r[2]);
    MUST(vks_solver_submit(solver, b[2], x[2]));
    memset(&r[2], POISON, sizeof *r);
    MUST(vks_solver_poll(solver, &ended, &r[2]));
    printf("poll %d\n", r[2].iterations <= N);
    MUST(vks_solver_wait(solver, INFINITY, &r[2]));
    tell_report("wait", &r[2]);
    vks_solver_destroy(solver);
    for (int i = 0; i < MANY; i++) {
        vks_vector_destroy((vks_vector *)b[i]);
        vks_vector_destroy(x[i]);
    }
    vks_matrix_destroy(A);
}

static void tell_elimination(const char *what, const vks_gauss_jordan_report *r)
{
    printf("%s: %s '%s' '%s' %u %a %a %u %d %a %a %u %a %a %d\n", what, vks_reason_name(r->reason), r->detail,
           r->warning, r->column, r->least_pivot, r->largest_pivot, r->least_pivot_column,
           r->determinant_sign, r->determinant_log, r->reciprocal_condition, r->refinements, r->residual,
           r->backward_error, r->seconds >= 0);
}

static void elimination(const struct springs *s)
{
    double of_ones[N];
    vks_matrix *A = matrix(s), *again;
    vks_dense *D, *B, *inverse;
    vks_vector *b = vector(s->b);
    vks_gauss_jordan_report *r = at_the_end(sizeof *r);
    for (int i = 0; i < N; i++)
        of_ones[i] = 1;
    MUST(vks_dense_from_matrix(A, &D));
    MUST(vks_dense_from_array(context, N, 1, VKS_F64, VKS_F64, of_ones, 0, &B));
    MUST(vks_gauss_jordan_solve(D, B, &GIVEN(vks_gauss_jordan_options, .refinements = 3, .condition = 1), r));
    tell_elimination("elimination", r);
    MUST(vks_gauss_jordan_solve_vector(D, b, b, &GIVEN(vks_gauss_jordan_options, .no_condition = 1), r));
    tell_elimination("of a vector", r);
    tell_vector(b);
    MUST(vks_gauss_jordan_invert(D, &inverse, &GIVEN(vks_gauss_jordan_options, .refinements = 0), r));
    tell_elimination("inverse", r);
    MUST(vks_dense_to_matrix(D, &GIVEN(vks_matrix_options, .storage = {.format = VKS_FORMAT_CSC}), &again));
    tell_matrix("of dense", again);
    vks_matrix_destroy(A);
    vks_matrix_destroy(again);
    vks_dense_destroy(D);
    vks_dense_destroy(B);
    vks_dense_destroy(inverse);
    vks_vector_destroy(b);
}

static void arrays(void)
{
    uint32_t key[4] = {7, 3, 0x103, 1}, payload[4] = {0, 1, 2, 3}, rows[3] = {0, 1, 2};
    double block[2] = {4, 0};
    vks_array *keys, *with, *blocks, *out, *sizes;
    vks_block_report *r = at_the_end(sizeof *r);
    MUST(vks_array_create(context, 4, VKS_TYPE_U32, &keys));
    MUST(vks_array_create(context, 4, VKS_TYPE_U32, &with));
    MUST(vks_array_create(context, 2, VKS_TYPE_F64, &blocks));
    MUST(vks_array_create(context, 2, VKS_TYPE_F64, &out));
    MUST(vks_array_create(context, 3, VKS_TYPE_U32, &sizes));
    MUST(vks_array_write(keys, 0, 4, key));
    MUST(vks_array_write(with, 0, 4, payload));
    MUST(vks_array_write(blocks, 0, 2, block));
    MUST(vks_array_write(sizes, 0, 3, rows));
    MUST(vks_sort_pairs(keys, with, &GIVEN(vks_sort_options, .method = VKS_SORT_RADIX, .bits = 8)));
    MUST(vks_array_read(with, 0, 4, payload));
    MUST(vks_sort(keys, &GIVEN(vks_sort_options, .bits = 32)));
    MUST(vks_array_read(keys, 0, 4, key));
    printf("sorted %u %u %u %u, %u %u %u %u\n", key[0], key[1], key[2], key[3], payload[0], payload[1],
           payload[2], payload[3]);
    MUST(vks_invert_blocks(2, 1, blocks, out, r));
    printf("blocks %u %u\n", r->singular_block, r->singular_row);
    MUST(vks_invert_blocks_of_sizes(sizes, blocks, out, r));
    printf("blocks %u %u\n", r->singular_block, r->singular_row);
    vks_array_destroy(keys);
    vks_array_destroy(with);
    vks_array_destroy(blocks);
    vks_array_destroy(out);
    vks_array_destroy(sizes);
}

static void rows(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x, double *y)
{
    for (uint32_t i = first; i < first + count; i++) {
        double sum = i ? -x[i - 1] : 0;
        sum += A->word[0] * x[i];
        y[i] = i + 1 < A->n ? sum - x[i + 1] : sum;
    }
}

static void an_operator(const struct springs *s)
{
    vks_vector *b = vector(s->b), *x = vector(s->x);
    vks_solve_report *r = at_the_end(sizeof *r);
    vks_matrix *A;
    MUST(vks_operator_create(context, N, &GIVEN(vks_operator, .rows_f64 = rows, .word = {3}, .bytes = 64),
                             &A));
    MUST(vks_solve(A, b, x, NULL, r));
    tell_report("operator", r);
    tell_vector(x);
    void *compiled;
    size_t bytes;
    vks_status status = vks_operator_compile(context, &GIVEN(vks_operator, .word = {3}), &compiled, &bytes);
    printf("%s '%s'\n", vks_status_name(status), vks_context_message(context));
    vks_matrix_destroy(A);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
}

int main(void)
{
    devices();
    open_context();
    in_a_vulkan_device();
    struct springs *s = springs();
    matrices(s);
    solves(s);
    kept_solver(s);
    elimination(s);
    arrays();
    an_operator(s);
    vks_context_destroy(context);
    return 0;
}
