/* The cases of the kernels that choose how to process rows of a sparse product, and of those that mark
 * columns. */
#ifndef VKS_TESTS_WINDOW_CASES_H
#define VKS_TESTS_WINDOW_CASES_H

#include "tests/support/cases/spgemm.h"

/* Bounds, known numbers of entries and lengths of rows of A on both sides of every limit. */
static inline uint32_t bound_for(const struct job *j, uint32_t i)
{
    static const uint32_t bounds[] = {0,    1,    96,    97,     128,    129,    1536,   1537,      3071,
                                      3072, 8000, 17023, 262144, 262145, 786434, 786435, UINT32_MAX};
    return bounds[j->words[i] % 17];
}

static inline uint32_t entries_for(const struct job *j, uint32_t i)
{
    static const uint32_t entries[] = {1, 96, 97, 1536, SPGEMM_UNKNOWN, SPGEMM_UNKNOWN, SPGEMM_UNKNOWN};
    return bound_for(j, i) ? entries[j->words[i] / 17 % 7] : 0;
}

static inline uint32_t length_for(const struct job *j, uint32_t i)
{
    static const uint32_t lengths[] = {1, 3, 4, 9, 10, 1000, 8000};
    return lengths[j->words[i] / 119 % 7];
}

static const uint32_t numbers_of_windows[] = {0, 1, 3, 65536};

static inline void record_spgemm_class(struct job *j)
{
    uint32_t *a = room(j->n + (size_t)1, 4), *b = room(j->n, 4), *e = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++) {
        a[i + 1] = a[i] + length_for(j, i);
        b[i] = bound_for(j, i);
        e[i] = entries_for(j, i);
    }
    const struct memory *row = put_words(j, a, j->n + (uint64_t)1, "offsets"),
                        *bound = put_words(j, b, j->n, "bounds"), *entries = put_words(j, e, j->n, "entries");
    for (uint32_t turn = 0; turn < 8; turn++) {
        const struct memory *class_of = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "classes"), j->n);
        run(&j->r, spgemm_class, groups_each(j->n), .a_row = words_at(row), .bound = words_at(bound),
            .entries = words_at(entries), .class_of = words_at(class_of), .n = j->n,
            .windows = numbers_of_windows[turn / 2], .most = 262144, .tried = turn % 2);
    }
    free(a);
    free(b);
    free(e);
}

static inline uint32_t class_wanted(const struct job *j, uint32_t i, uint64_t windows, bool tried)
{
    uint32_t b = bound_for(j, i), e = entries_for(j, i);
    uint64_t cost = windows * (64 + length_for(j, i) / 4);
    bool known = e != SPGEMM_UNKNOWN;
    if (b == 0)
        return SPGEMM_NONE;
    if (b <= 128 && length_for(j, i) <= 9)
        return SPGEMM_LANE;
    if (b <= 192 || (known && e <= 192))
        return b > 192 && b <= 1536 ? SPGEMM_SQUAD_TRY : SPGEMM_SQUAD;
    if (b <= 1536 || known)
        return !tried ? SPGEMM_SQUAD_TRY : known ? SPGEMM_GROUP : SPGEMM_TRY;
    bool eligible = windows && b / windows <= 262144;
    if (eligible && 16 * cost <= b)
        return SPGEMM_WINDOW;
    if (!tried && b <= 262144)
        return SPGEMM_TRY;
    return eligible && cost <= b ? SPGEMM_WINDOW : SPGEMM_SORT;
}

static inline void expect_spgemm_class(const struct job *j, double *want)
{
    for (int turn = 0; turn < 8; turn++)
        for (uint32_t i = 0; i < j->n; i++)
            *want++ = class_wanted(j, i, numbers_of_windows[turn / 2], turn % 2);
}

/* Rows of C processed in windows, 3 to 5 if there are enough columns: one workgroup for each. */
static inline uint32_t rows_in_windows(const struct job *j)
{
    return j->n < 60 ? j->n : 60;
}

static inline uint32_t window_bits(const struct job *j)
{
    uint32_t bits = 0;
    while (j->n > (uint64_t)5 << bits)
        bits++;
    return bits;
}

/* Columns of each listed row and window. */
static inline uint32_t *count_in_windows(const struct job *j, const struct host_csr *C, uint32_t windows)
{
    uint32_t rows = rows_in_windows(j), *count = room((uint64_t)rows * windows + 1, 4);
    for (uint32_t s = 0; s < rows; s++)
        for (uint32_t e = C->row[j->n - 1 - s]; e < C->row[j->n - s]; e++)
            count[s * windows + C->col[e] / ((uint32_t)1 << window_bits(j))]++;
    return count;
}

static inline uint32_t windows_in(const struct job *j)
{
    uint32_t width = (uint32_t)1 << window_bits(j);
    return (j->n + width - 1) / width;
}

static inline void record_spgemm_window_rows(struct job *j)
{
    struct host_csr C = product_oracle(j->p, j->A, j->A);
    uint32_t rows = rows_in_windows(j), windows = windows_in(j), items = rows * windows, sum = 0;
    uint32_t entries = C.row[j->n] - C.row[j->n - listed_rows(j)], shift = window_bits(j);
    uint32_t *begins = count_in_windows(j, &C, windows);
    for (uint32_t k = 0; k <= items; k++) {
        uint32_t count = begins[k];
        begins[k] = sum;
        sum += count;
    }
    const struct csr *A = put_matrix(j);
    const struct memory *list = put_list(j), *offsets = put_offsets(j, &C),
                        *begin = put_words(j, begins, items + (uint64_t)1, "beginnings"),
                        *count = compared_words(j, new_bytes(j, 4 * (uint64_t)items, "counts"), items),
                        *col = compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "columns"), sum),
                        *space = new_bytes(j, j->d->info.threads * SPGEMM_ROOM_BYTES(shift), "marks");
    j->outputs[j->output_count - 1].first = entries - sum;
    for (uint32_t fill = 0; fill < 2; fill++)
        run(&j->r, spgemm_window_rows, items, .list = words_at(list), .a_row = A->row, .a_col = A->col,
            .b_row = A->row, .b_col = A->col, .begin = words_at(fill ? begin : count),
            .c_row = words_at(offsets), .c_col = words_at(col), .room = words_at(space),
            .rooms = j->d->info.threads, .rows = rows, .windows = windows, .shift = shift, .fill = fill);
    free(begins);
    host_csr_free(&C);
}

static inline void expect_spgemm_window_rows(const struct job *j, double *want)
{
    struct host_csr C = product_oracle(j->p, j->A, j->A);
    uint32_t rows = rows_in_windows(j), windows = windows_in(j), *count = count_in_windows(j, &C, windows);
    for (uint32_t k = 0; k < rows * windows; k++)
        *want++ = count[k];
    for (uint32_t e = C.row[j->n - rows]; e < C.row[j->n]; e++)
        *want++ = C.col[e];
    free(count);
    host_csr_free(&C);
}

/* X(verb, further members) */
#define WINDOW_CASES(X)                            \
    X(spgemm_class, .sparse = true, .words = true) \
    X(spgemm_window_rows, .sizes = &sizes_of_slow, .sparse = true, .words = true)

#endif
