/* Each finding, on a matrix that has exactly that defect and no other. */
#include "entries/check.h"
#include "team/team.h"
#include "tests/support/own.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };

/* A dense matrix and which of its entries are stored. */
struct dense {
    uint32_t rows, cols;
    double at[N][N];
    bool stored[N][N];
};

/* Tridiagonal, 4 and -1: no findings. */
static struct dense sound(void)
{
    struct dense d = {.rows = N, .cols = N};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            d.stored[i][j] = abs(i - j) <= 1;
            d.at[i][j] = !d.stored[i][j] ? 0 : i == j ? 4 : -1;
        }
    return d;
}

static struct csr_diagnoses check(const struct dense *d)
{
    uint32_t row[N + 1] = {0}, col[N * N], count = 0;
    double val[N * N];
    for (uint32_t i = 0; i < d->rows; i++) {
        for (uint32_t j = 0; j < d->cols; j++)
            if (d->stored[i][j]) {
                col[count] = j;
                val[count++] = d->at[i][j];
            }
        row[i + 1] = count;
    }
    struct host_csr a = {.rows = d->rows, .cols = d->cols, .row = row, .col = col, .val = val};
    struct csr_diagnoses f;
    cr_assert_eq(csr_check(NULL, &a, &f), VKS_OK);
    cr_assert_eq(f.entries, count);
    return f;
}

/* The number of kinds of findings, without one. */
static int others(const struct csr_diagnoses *f, const struct csr_diagnosis *but)
{
    int kinds = 0;
#define COUNT(name, square, text) kinds += f->name.count > 0 && &f->name != but;
    CSR_DIAGNOSES(COUNT)
#undef COUNT
    return kinds;
}

#define assert_only(f, name, n, r, c)                           \
    do {                                                        \
        cr_assert_eq((f).name.count, n, "%zu", (f).name.count); \
        cr_assert_eq((f).name.row, r);                          \
        cr_assert_eq((f).name.col, c);                          \
        cr_assert_eq(others(&(f), &(f).name), 0);               \
    } while (0)

Test(check, a_sound_matrix_has_no_findings)
{
    struct dense d = sound();
    struct csr_diagnoses f = check(&d);
    cr_assert_eq(others(&f, NULL), 0);
    cr_assert(f.square && f.symmetric && f.structurally_symmetric);
    cr_assert_eq(f.worst_pair.difference, 0);
    cr_assert(f.smallest == 1 && f.largest == 4 && f.smallest_diagonal == 4 && f.largest_diagonal == 4);
    cr_assert_eq(f.bandwidth, 1);
    cr_assert(f.longest.length == 3 && f.longest.row == 1);
    cr_assert(f.shortest.length == 2 && f.shortest.row == 0);
    cr_assert_float_eq(f.mean_row, 16.0 / 6, 1e-15);
}

Test(check, empty_rows_are_found)
{
    struct dense d = sound();
    d.cols = 5; /* rectangular, so that a missing diagonal is not a second defect */
    memset(d.stored[3], 0, sizeof d.stored[3]);
    memset(d.stored[5], 0, sizeof d.stored[5]);
    struct csr_diagnoses f = check(&d);
    assert_only(f, empty_rows, 2, 3, 3);
    cr_assert(f.shortest.length == 0 && f.shortest.row == 3);
}

Test(check, empty_columns_are_found)
{
    struct dense d = sound();
    d.rows = 5;
    for (int i = 0; i < N; i++)
        d.stored[i][2] = d.stored[i][4] = false;
    struct csr_diagnoses f = check(&d);
    assert_only(f, empty_cols, 2, 0, 2);
}

Test(check, a_missing_diagonal_is_found)
{
    struct dense d = sound();
    for (int j = 0; j < N; j++)
        d.stored[2][j] = d.stored[j][2] = j == 5, d.at[2][j] = d.at[j][2] = -1e-3;
    d.stored[2][2] = false;
    struct csr_diagnoses f = check(&d);
    cr_assert_eq(f.missing_diagonal.count, 1);
    cr_assert(f.missing_diagonal.row == 2 && f.missing_diagonal.col == 2);
    cr_assert(f.not_dominant.count == 1 && f.not_dominant.row == 2); /* its consequence */
    cr_assert_eq(others(&f, &f.missing_diagonal), 1);
    cr_assert(f.symmetric);
}

Test(check, a_zero_diagonal_is_found)
{
    struct dense d = {.rows = 3, .cols = 3};
    for (int i = 0; i < 3; i++)
        d.stored[i][i] = true, d.at[i][i] = i == 1 ? -0.0 : 2;
    struct csr_diagnoses f = check(&d);
    cr_assert(f.zero_diagonal.count == 1 && f.zero_diagonal.row == 1);
    cr_assert(f.explicit_zeros.count == 1 && f.explicit_zeros.row == 1 && f.explicit_zeros.col == 1);
    cr_assert_eq(others(&f, &f.zero_diagonal), 1);
    cr_assert_eq(f.smallest_diagonal, 2);
}

Test(check, a_negative_diagonal_is_found)
{
    struct dense d = sound();
    d.at[4][4] = -4;
    struct csr_diagnoses f = check(&d);
    assert_only(f, negative_diagonal, 1, 4, 4);
}

Test(check, nan_and_infinity_are_found)
{
    struct dense d = sound();
    d.at[3][3] = INFINITY;
    struct csr_diagnoses f = check(&d);
    assert_only(f, not_finite, 1, 3, 3);
    cr_assert_eq(f.largest_diagonal, 4);

    d.at[1][2] = NAN;
    f = check(&d);
    cr_assert(f.not_finite.count == 2 && f.not_finite.row == 1 && f.not_finite.col == 2);
    cr_assert(!f.symmetric && f.structurally_symmetric);
    cr_assert_eq(f.worst_pair.difference, 0);
    cr_assert_eq(f.largest, 4);
}

Test(check, explicit_zeros_are_found)
{
    struct dense d = sound();
    d.at[1][2] = d.at[2][1] = 0;
    struct csr_diagnoses f = check(&d);
    assert_only(f, explicit_zeros, 2, 1, 2);
    cr_assert_eq(f.smallest, 1);
}

Test(check, rows_that_are_not_dominant_are_found)
{
    struct dense d = sound();
    d.at[2][2] = 1.5;
    d.at[3][3] = 2; /* equals the sum of the others: dominant */
    struct csr_diagnoses f = check(&d);
    assert_only(f, not_dominant, 1, 2, 2);
}

Test(check, unequal_pairs_are_found_with_the_worst)
{
    struct dense d = sound();
    d.at[1][2] = -1.25;
    d.at[4][5] = 1; /* against -1: difference 2 */
    struct csr_diagnoses f = check(&d);
    assert_only(f, unequal, 4, 1, 2);
    cr_assert(!f.symmetric && f.structurally_symmetric);
    cr_assert_eq(f.worst_pair.difference, 2);
    cr_assert_eq(f.largest_difference, 2);
    cr_assert(f.worst_pair.row == 4 && f.worst_pair.col == 5);
    cr_assert(f.worst_pair.a_ij == 1 && f.worst_pair.a_ji == -1);
}

Test(check, a_difference_in_the_last_bit_is_found)
{
    struct dense d = sound();
    d.at[2][1] = nextafter(-1, -2);
    struct csr_diagnoses f = check(&d);
    cr_assert(!f.symmetric);
    cr_assert_float_eq(f.worst_pair.difference, 2.2e-16, 1e-17);
    cr_assert(f.worst_pair.row == 1 && f.worst_pair.col == 2);
}

Test(check, the_worst_pair_is_relative_and_the_largest_difference_is_not)
{
    struct dense d = sound();
    d.at[0][1] = 1e-20, d.at[1][0] = -1e-20;
    d.at[3][4] = -1.5;
    struct csr_diagnoses f = check(&d);
    cr_assert(f.worst_pair.difference == 2 && f.worst_pair.row == 0 && f.worst_pair.col == 1);
    cr_assert_eq(f.largest_difference, 0.5);
}

Test(check, differences_beyond_the_range_are_measured)
{
    struct dense d = sound();
    d.at[2][1] = 1.5e308, d.at[1][2] = -1.5e308;
    struct csr_diagnoses f = check(&d);
    cr_assert_eq(f.worst_pair.difference, 2);
    d.at[2][1] = 4.9e-324, d.at[1][2] = -4.9e-324;
    f = check(&d);
    cr_assert_eq(f.worst_pair.difference, 2);
}

Test(check, an_entry_without_partner_is_found)
{
    struct dense d = sound();
    d.stored[5][0] = true;
    d.at[5][0] = -0.5;
    struct csr_diagnoses f = check(&d);
    cr_assert(f.unpaired.count == 1 && f.unpaired.row == 5 && f.unpaired.col == 0);
    cr_assert(f.unequal.count == 1 && f.unequal.row == 5 && f.unequal.col == 0);
    cr_assert_eq(others(&f, &f.unpaired), 1);
    cr_assert(!f.symmetric && !f.structurally_symmetric);
    cr_assert(f.worst_pair.difference == 1 && f.worst_pair.a_ij == -0.5 && f.worst_pair.a_ji == 0);
    cr_assert_eq(f.bandwidth, 5);
}

Test(check, a_stored_zero_without_partner_breaks_only_the_structure)
{
    struct dense d = sound();
    d.stored[0][3] = true;
    struct csr_diagnoses f = check(&d);
    cr_assert(f.symmetric && !f.structurally_symmetric);
    cr_assert(f.unpaired.count == 1 && f.unpaired.row == 0 && f.unpaired.col == 3);
}

Test(check, square_findings_do_not_apply_to_rectangles)
{
    struct dense d = sound();
    d.cols = 4;
    struct csr_diagnoses f = check(&d);
    cr_assert(!f.square && !f.symmetric && !f.structurally_symmetric);
#define NONE(name, square, text) cr_assert(!(square) || f.name.count == 0);
    CSR_DIAGNOSES(NONE)
#undef NONE
    cr_assert(f.smallest_diagonal == 0 && f.largest_diagonal == 0);
}

Test(check, the_scale_spread_is_measured)
{
    struct dense d = sound();
    d.at[0][0] = 1e10;
    d.at[5][5] = 1e-10, d.stored[4][5] = d.stored[5][4] = false;
    struct csr_diagnoses f = check(&d);
    cr_assert(f.smallest == 1e-10 && f.largest == 1e10);
    cr_assert(f.smallest_diagonal == 1e-10 && f.largest_diagonal == 1e10);
}

Test(check, no_rows_are_no_findings)
{
    uint32_t zero = 0;
    struct host_csr a = {.row = &zero};
    struct csr_diagnoses f;
    cr_assert_eq(csr_check(NULL, &a, &f), VKS_OK);
    cr_assert_eq(others(&f, NULL), 0);
    cr_assert(f.square && f.symmetric && f.shortest.length == 0 && f.mean_row == 0 && f.smallest == 0);
}

/* Random sparse matrices whose asymmetry is counted naively; large enough for several parts and threads. */
Test(check, asymmetry_of_random_matrices_is_counted)
{
    enum { SIZE = 150 };
    static double dense[SIZE][SIZE];
    static uint32_t row[SIZE + 1], col[SIZE * SIZE];
    static double val[SIZE * SIZE];
    uint64_t state = 7;
    OWNED_BY(team_end) struct team *team = team_create(5);
    for (int trial = 0; trial < 20; trial++) {
        uint32_t count = 0;
        size_t unpaired = 0, unequal = 0;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                dense[i][j] = state >> 60 < (trial % 2 ? 9 : 1) ? (double)(1 + (state >> 40) % 3) : 0;
            }
        for (uint32_t i = 0; i < SIZE; i++) {
            for (uint32_t j = 0; j < SIZE; j++) {
                unpaired += dense[i][j] != 0 && dense[j][i] == 0;
                unequal += dense[i][j] != 0 && dense[j][i] != dense[i][j];
                if (dense[i][j] != 0) {
                    col[count] = j;
                    val[count++] = dense[i][j];
                }
            }
            row[i + 1] = count;
        }
        struct host_csr a = {.rows = SIZE, .cols = SIZE, .row = row, .col = col, .val = val};
        struct csr_diagnoses f;
        cr_assert_eq(csr_check(&(struct message){.team = team}, &a, &f), VKS_OK);
        cr_assert_eq(f.unpaired.count, unpaired);
        cr_assert_eq(f.unequal.count, unequal);
    }
}

static void assert_refused(uint32_t rows, uint32_t cols, const uint32_t *row, const uint32_t *col,
                           const char *text)
{
    struct message m = {0};
    cr_assert_eq(csr_arrays_check(&m, rows, cols, row, col), text ? VKS_INVALID_ARGUMENT : VKS_OK);
    cr_assert_str_eq(m.text, text ? text : "");
}

Test(check, arrays_that_are_sound_pass)
{
    assert_refused(3, 9, (uint32_t[]){0, 2, 2, 4}, (uint32_t[]){0, 8, 1, 2}, NULL);
    assert_refused(0, 0, (uint32_t[]){0}, NULL, NULL);
    assert_refused(2, 0, (uint32_t[]){0, 0, 0}, NULL, NULL);
}

Test(check, the_first_defect_of_arrays_is_named)
{
    assert_refused(1, 1, NULL, NULL, "the row offsets are NULL");
    assert_refused(1, 1, (uint32_t[]){1, 1}, (uint32_t[]){0}, "row 0: the first offset is 1, not 0");
    assert_refused(2, 9, (uint32_t[]){0, 3, 2}, (uint32_t[]){0, 1, 2},
                   "row 1: the offsets descend from 3 to 2");
    assert_refused(1, 9, (uint32_t[]){0, 1}, NULL, "the column indices are NULL");
    assert_refused(2, 9, (uint32_t[]){0, 1, 3}, (uint32_t[]){9, 1, 1}, "row 0: column 9 is outside 0..8");
    assert_refused(2, 9, (uint32_t[]){0, 1, 3}, (uint32_t[]){8, 1, 1}, "row 1: column 1 appears twice");
    assert_refused(2, 9, (uint32_t[]){0, 1, 3}, (uint32_t[]){8, 5, 3},
                   "row 1: column 3 comes after column 5, columns must ascend");
    assert_refused(1, 0, (uint32_t[]){0, 1}, (uint32_t[]){0},
                   "row 0: column 0, but the matrix has no columns");
}

Test(check, arrays_beyond_the_limits_are_refused)
{
    uint32_t many[] = {0, VKS_MAX_ENTRIES + 1u};
    cr_assert_eq(csr_arrays_check(NULL, VKS_MAX_ROWS + 1u, 1, many, many), VKS_LIMIT);
    cr_assert_eq(csr_arrays_check(NULL, 1, VKS_MAX_ROWS + 1u, many, many), VKS_LIMIT);
    cr_assert_eq(csr_arrays_check(NULL, 1, 1, many, many), VKS_LIMIT);
}
