/* The order of a device's solve with the factors of ILUT. */
#include "shaders/precond/ilut.h"
#include "small_matrix.h"
#include "tests/support/ilut.h"

/* The inputs of a line are written in earlier steps; those of a line of U, after the last line of L that
 * reads its row. */
static void check_order(const struct ilut_lines *l, uint32_t b, uint32_t n)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, *at_l = room(n, 4), *at_u = room(n, 4), *read = room(n, 4);
    for (uint32_t p = l->first[b] * pitch; p < l->first[b + 1] * pitch; p++) {
        uint32_t i = l->row[p], step = p / pitch + 1;
        if (i == ILUT_NONE) {
            cr_assert_eq(l->at[p], l->at[p + 1]);
            continue;
        }
        bool of_l = !at_l[i];
        cr_assert(of_l || !at_u[i], "a third line of row %u", i);
        cr_assert(of_l ? l->scale[p] == 1 : at_l[i] < step && read[i] < step, "row %u", i);
        for (uint32_t k = l->at[p]; k < l->at[p + 1]; k++) {
            uint32_t j = l->col[k], before = of_l ? at_l[j] : at_u[j];
            cr_assert(j != i && before && before < step, "row %u reads %u too early", i, j);
            read[j] = of_l ? step : read[j];
        }
        (of_l ? at_l : at_u)[i] = step;
    }
    for (uint32_t i = 0; i < n; i++)
        cr_assert(at_l[i] && at_u[i], "row %u has no line", i);
    free(at_l);
    free(at_u);
    free(read);
}

/* The loop iterations of a lane in steps begin .. end - 1: one for each step, its entries plus one, and the
 * lanes of a sum plus one. llvmpipe ends all loops after 65,535 iterations. */
static void check_turns(const struct ilut_lines *l, uint32_t begin, uint32_t end)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, turns = 0;
    for (uint32_t s = begin; s < end; s++) {
        uint32_t longest = 0;
        for (uint32_t p = s * pitch; p < (s + 1) * pitch; p++)
            longest = l->at[p + 1] - l->at[p] > longest ? l->at[p + 1] - l->at[p] : longest;
        turns += 3 + longest / l->lanes;
        for (uint32_t lanes = l->lanes; lanes > 1; lanes /= 2)
            turns++;
    }
    cr_assert_leq(turns, 50000, "%u turns in steps %u to %u", turns, begin, end);
}

/* Together the runs are all steps, in order. A wide run reads nothing that it writes, and the others are
 * short. */
static void check_runs(const struct ilut_lines *l)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, end = 0;
    for (uint32_t k = 0; k < l->runs; k++) {
        cr_assert(l->run[k].begin == end && l->run[k].end > end);
        end = l->run[k].end;
        if (!l->run[k].is_wide) {
            check_turns(l, l->run[k].begin, end);
            continue;
        }
        for (uint32_t p = l->run[k].begin * pitch; p < end * pitch; p++)
            for (uint32_t e = l->at[p]; e < l->at[p + 1]; e++)
                for (uint32_t q = l->run[k].begin * pitch; q < end * pitch; q++)
                    cr_assert_neq(l->row[q], l->col[e], "a wide run reads row %u, which it writes",
                                  l->col[e]);
    }
    cr_assert_eq(end, l->steps);
}

/* Returns whether some runs are wide. */
static bool check_lines(const struct host_csr *A, struct ilut_options o)
{
    struct message m = {0};
    OWNED_STRUCT(ilut_lines) l;
    o.rows = o.rows < A->rows ? o.rows : A->rows;
    uint32_t *order = room(A->rows, 4), entries = 0;
    cr_assert_eq(rcm_order(&m, A, order), VKS_OK);
    OWNED_STRUCT(factored) f = factor(A, order, &o);
    cr_assert_eq(ilut_lines_make(&m, f.of, f.blocks, &l), VKS_OK, "%s", m.text);
    cr_assert(l.lanes && l.lanes <= 32 && (l.lanes & (l.lanes - 1)) == 0, "%u lanes", l.lanes);
    for (uint32_t b = 0; b < f.blocks; b++) {
        check_order(&l, b, f.of[b].n);
        if (o.rows <= ILUT_BLOCK)
            check_turns(&l, l.first[b], l.first[b + 1]);
        entries += f.of[b].at[2 * f.of[b].n];
    }
    cr_assert(entries == l.entries && entries == l.at[ilut_line_count(&l)]);
    bool wide = false;
    for (uint32_t k = 0; k < l.runs; k++)
        wide |= l.run[k].is_wide;
    if (l.run)
        check_runs(&l);
    free(order);
    return wide;
}

Test(ilut_lines, lines_follow_what_they_read)
{
    static const uint32_t sizes[] = {1, 2, 33, 257, 1025, 2600};
    for (int i = 0; i < 6; i++) {
        OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, sizes[i], 3);
        check_lines(&A, (struct ilut_options){10, 1024, 1e-3});
        check_lines(&A, (struct ilut_options){2, 100, 1e-2});
        check_lines(&A, (struct ilut_options){10, sizes[i], 1e-3});
    }
}

/* Rows that read only the last one: levels of all the others. */
Test(ilut_lines, large_levels_are_runs_of_their_own)
{
    uint32_t n = 3000;
    OWNED_STRUCT(host_csr) A = new_csr(n, n, 2 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = A.row[i + 1] = 2 * i + 2 - (i == n - 1);
        A.col[2 * i] = i;
        A.val[2 * i] = 2;
        if (k == 2 * i + 2) {
            A.col[2 * i + 1] = n - 1;
            A.val[2 * i + 1] = 1;
        }
    }
    cr_expect(check_lines(&A, (struct ilut_options){10, n, 1e-3}));
}

/* Each row is a step, too many for one run. */
Test(ilut_lines, long_chains_are_several_runs)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(40000, -1, 3, -1);
    cr_expect_not(check_lines(&A, (struct ilut_options){10, A.rows, 1e-3}));
}

/* Hundreds of levels of long lines among many short ones, which alone would get few lanes. */
Test(ilut_lines, blocks_have_the_lanes_that_their_longest_chain_needs)
{
    OWNED_STRUCT(host_csr) A = banded_and_diagonal(2048, 200, 72000);
    check_lines(&A, (struct ilut_options){256, 1024, 1e-300});
}
