/* The cases of the kernels that are only for levels of an unsymmetric matrix. */
#ifndef VKS_TESTS_MULTIGRID_UNSYMMETRIC_CASES_H
#define VKS_TESTS_MULTIGRID_UNSYMMETRIC_CASES_H

#include "tests/support/cases/multigrid_strength.h"

/* A level whose entries above the diagonal are larger, and some are missing. */
static inline struct host_csr convection_of(const struct job *j)
{
    struct host_csr A = level_of(j);
    uint32_t at = 0, k = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        for (; k < A.row[i + 1]; k++) {
            uint32_t col = A.col[k];
            if (col > i && key_in_round(i, col) % 7 == 0)
                continue;
            A.val[at] = rounded(j->p, col > i ? 1.375 * A.val[k] : A.val[k]);
            A.col[at++] = col;
        }
        k = A.row[i + 1];
        A.row[i + 1] = at;
    }
    return A;
}

/* The entry in row i and column k; 0 if there is none. */
static inline double entry_at(const struct host_csr *A, uint32_t i, uint32_t k, bool *is)
{
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
        if (A->col[e] == k) {
            *is = true;
            return A->val[e];
        }
    *is = false;
    return 0;
}

static inline struct host_csr transpose_of(const struct host_csr *A)
{
    struct host_csr T = new_csr(A->cols, A->rows, A->row[A->rows]);
    for (uint32_t e = 0; e < A->row[A->rows]; e++)
        T.row[A->col[e] + 1]++;
    for (uint32_t i = 0; i < T.rows; i++)
        T.row[i + 1] += T.row[i];
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++) {
            uint32_t at = T.row[A->col[e]]++;
            T.col[at] = i;
            T.val[at] = A->val[e];
        }
    for (uint32_t i = T.rows; i > 0; i--)
        T.row[i] = T.row[i - 1];
    T.row[0] = 0;
    return T;
}

struct put_entries {
    u32s row, col;
    reals val;
};

static inline struct put_entries put_entries(struct job *j, const struct host_csr *A)
{
    uint32_t entries = A->row[A->rows];
    return (struct put_entries){words_at(put_words(j, A->row, A->rows + (uint64_t)1, "row offsets")),
                                words_at(put_words(j, A->col, entries, "columns")),
                                reals_at(put(j, A->val, entries, "values"))};
}

static inline void record_symmetric_part(struct job *j)
{
    struct host_csr A = convection_of(j), T = transpose_of(&A);
    struct put_entries a = put_entries(j, &A), t = put_entries(j, &T);
    uint32_t entries = A.row[j->n];
    run(&j->r, symmetric_part, groups_each(entries), .row = a.row, .col = a.col, .val = a.val, .t_row = t.row,
        .t_col = t.col, .t_val = t.val, .part = out_reals(j, entries), .n = j->n, .entries = entries);
    host_csr_free(&A);
    host_csr_free(&T);
}

static inline void expect_symmetric_part(const struct job *j, double *want)
{
    struct host_csr A = convection_of(j);
    bool is;
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t e = A.row[i]; e < A.row[i + 1]; e++) {
            double other = entry_at(&A, A.col[e], i, &is);
            *want++ = is ? rounded(j->p, A.val[e] / 2 + other / 2) : 0;
        }
    host_csr_free(&A);
}

/* A part of the entries of a level, with its diagonal. */
static inline struct host_csr part_of(const struct host_csr *A)
{
    struct host_csr S = new_csr(A->rows, A->cols, A->row[A->rows]);
    uint32_t at = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
            if (A->col[e] == i || key_in_round(A->col[e], i) % 3)
                S.col[at++] = A->col[e];
        S.row[i + 1] = at;
    }
    return S;
}

static inline void record_smoother_entries(struct job *j)
{
    struct host_csr A = convection_of(j), S = part_of(&A);
    struct put_entries a = put_entries(j, &A), s = put_entries(j, &S);
    double w = rounded(j->p, level_weight);
    const struct memory *weight = put(j, &w, 1, "w");
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        run(&j->r, smoother_entries, groups_rows(j->n, lanes_of_rows[t]), .row = a.row, .col = a.col,
            .val = a.val, .to_row = s.row, .to_col = s.col, .to_val = out_reals(j, S.row[j->n]),
            .w = number_at(weight), .n = j->n, .lanes = lanes_of_rows[t]);
    host_csr_free(&A);
    host_csr_free(&S);
}

/* The diagonal of the filtered matrix in row i. */
static inline double filtered_entry(const struct job *j, const struct host_csr *A, const struct host_csr *S,
                                    uint32_t i, uint32_t lanes)
{
    double sums[32] = {0}, diagonal = 0;
    bool is;
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++) {
        double *sum = &sums[(e - A->row[i]) % lanes];
        entry_at(S, i, A->col[e], &is);
        if (A->col[e] == i)
            diagonal = A->val[e];
        else if (!is)
            *sum = rounded(j->p, *sum + A->val[e]);
    }
    double lumped = rounded(j->p, diagonal + sum_of_lanes(j->p, sums, lanes));
    return lumped < rounded(j->p, rounded(j->p, 0.3) * diagonal) ? diagonal : lumped;
}

static inline void expect_smoother_entries(const struct job *j, double *want)
{
    struct host_csr A = convection_of(j), S = part_of(&A);
    double w = rounded(j->p, level_weight);
    bool is;
    for (uint32_t t = 0; t < LANES_OF_ROWS; t++)
        for (uint32_t i = 0; i < j->n; i++) {
            double factor = rounded(j->p, w / filtered_entry(j, &A, &S, i, lanes_of_rows[t]));
            for (uint32_t e = S.row[i]; e < S.row[i + 1]; e++)
                *want++ = S.col[e] == i ? rounded(j->p, 1 - w)
                                        : -rounded(j->p, factor * entry_at(&A, i, S.col[e], &is));
        }
    host_csr_free(&A);
    host_csr_free(&S);
}

#define MULTIGRID_UNSYMMETRIC_CASES(X)           \
    X(symmetric_part, .sizes = &sizes_of_levels) \
    X(smoother_entries, .sizes = &sizes_of_levels)

#endif
