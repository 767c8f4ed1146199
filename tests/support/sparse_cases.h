/* The cases of the kernels of shaders/sparse/, through their verbs. */
#ifndef VKS_TESTS_SPARSE_CASES_H
#define VKS_TESTS_SPARSE_CASES_H

#include "sparse/balanced.h"
#include "tests/support/long_cases.h"

static inline void record_spmv_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    put_longs(j);
    if (A->longs)
        spmv_long(&j->r, NULL, A, reals_at(x), reals_at(y));
    spmv_csr(&j->r, NULL, A, reals_at(x), reals_at(compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_csr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

/* 1 / diagonal, and the first row of each fault. */
static inline void record_csr_diagonal(struct job *j)
{
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "the diagonal"), j->p, j->n);
    csr_diagonal(&j->r, A, reals_at(d), words_at(compared_words(j, put_words(j, none, 3, "flags"), 3)));
}

static inline void expect_csr_diagonal(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++) {
        double a = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] == i)
                a = A->val[k];
        int fault = !isfinite(a) ? 2 : a == 0 ? 0 : a < 0 ? 1 : -1;
        if (fault >= 0 && flags[fault] == UINT32_MAX)
            flags[fault] = i;
        want[i] = rounded(j->p, 1 / a);
    }
}

/* r = b - A x in double precision. */
static inline void record_csr_residual(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *r =
        compared(j, new_bytes(j, 8 * (uint64_t)j->n, "the residual"), PRECISION_F64, j->n);
    put_longs(j);
    if (A->longs)
        csr_residual_long(&j->r, A, reals_at(x), doubles_at(r));
    csr_residual(&j->r, A, reals_at(x), reals_at(b), doubles_at(r));
}

static inline void expect_csr_residual(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes);
}

/* Rows of 64 to 256 entries, one after the other, and then the others, in tasks of neighbours that begin in
 * the same share of 63 entries and rows: from, end, first entry, entry behind the last. Returns how many. */
static inline uint32_t tasks_naively(const struct host_csr *A, uint32_t *task)
{
    uint32_t tasks = 0;
    for (int alone = 1; alone >= 0; alone--)
        for (uint32_t i = 0, before = UINT32_MAX; i < A->rows; i++) {
            uint32_t length = A->row[i + 1] - A->row[i], share = (A->row[i] + i) / 63;
            bool mine = alone ? length > 63 && length <= 256 : length <= 63;
            if (mine && (alone || before != share)) {
                memcpy(task + 4 * tasks, (uint32_t[]){i, 0, A->row[i]}, 12);
                tasks++;
            }
            if (mine)
                memcpy(task + 4 * tasks - 3, (uint32_t[]){i + 1, task[4 * tasks - 2], A->row[i + 1]}, 12);
            before = mine ? share : UINT32_MAX;
        }
    return tasks;
}

/* The flags, the tasks, and the product. */
static inline void record_spmv_balanced(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n, *task = room(n, 16), tasks = tasks_naively(j->A, task), *set = room(n, 4);
    for (uint32_t t = 0; t < tasks; t++) {
        bool alone = task[4 * t + 3] - task[4 * t + 2] > 63 && task[4 * t + 1] == task[4 * t] + 1;
        set[t] = task[4 * t] + (alone ? 0 : n);
    }
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, n, "y"),
                        *flag = new_bytes(j, 8 * (uint64_t)n, "flags"),
                        *list = new_bytes(j, 16 * (uint64_t)tasks, "tasks"),
                        *from = put_words(j, set, tasks, "flags that are set");
    put_longs(j);
    balanced_flags(&j->r, A, words_at(flag));
    balanced_tasks(&j->r, A, words_at(from), words_at(list), tasks);
    spmv_balanced(&j->r, NULL, A, words_at(list), tasks, reals_at(x), reals_at(y));
    compared(j, y, j->p, n);
    compared_words(j, flag, 2 * (uint64_t)n);
    compared_words(j, list, 4 * (uint64_t)tasks);
    free(task);
    free(set);
}

static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    uint32_t n = j->n, *task = room(n, 16), tasks = tasks_naively(j->A, task);
    double *flag = want + n;
    expect_spmv_csr(j, want);
    for (uint32_t i = 0; i < 2 * n; i++)
        flag[i] = 0;
    for (uint32_t t = 0; t < tasks; t++) {
        bool alone = task[4 * t + 3] - task[4 * t + 2] > 63 && task[4 * t + 1] == task[4 * t] + 1;
        flag[task[4 * t] + (alone ? 0 : n)] = 1;
    }
    for (uint32_t w = 0; w < 4 * tasks; w++)
        flag[2 * n + w] = task[w];
    free(task);
}

#define SPARSE_CASES(X)              \
    X(spmv_balanced, .sparse = true) \
    X(spmv_csr, .sparse = true)      \
    X(csr_diagonal, .sparse = true)  \
    X(csr_residual, .sparse = true)

#endif
