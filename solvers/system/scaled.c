#include "solvers/system/scaled.h"
#include "entries/matching.h"
#include "primitive/pack_verbs.h"
#include "solvers/system/ordinary.h"
#include "sparse/narrow.h"
#include "sparse/ruiz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of exponents: for rows, and for columns scaled by matching. */
static const uint32_t most_of_rows[REAL_PRECISIONS] = {50, 400}, most_of_cols[REAL_PRECISIONS] = {126, 1022};

static enum precision precision_in(const struct scaled *s)
{
    return precision_of(s->A->precision);
}

/* Computes the scales of Ruiz, as logarithms, and counts weak diagonal entries. A is held wide. */
static vks_status find_ruiz(const vks_matrix *A, struct memory *left, struct memory *right, uint32_t *weak)
{
    struct device *d = A->context->device;
    struct room w = {.device = d};
    struct rec r = rec_once(d, precision_of(A->precision));
    struct memory row_most = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.n, "row maxima"),
                  col_most = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.cols, "column maxima"),
                  count = room_memory(&w, MEMORY_SHARED, 4, "a count");
    ruiz_scales(&r, &A->csr, words_of(left), words_of(right), words_of(&row_most), words_of(&col_most));
    fill_words(&r, words_of(&count), 0, 0, 1, 1);
    weak_diagonal(&r, &A->csr, words_of(left), words_of(right), words_of(&count));
    vks_status status = rec_run_once(&r, w.status);
    IF_OK(status, device_read(d, &count, 0, weak, 4));
    room_close(&w);
    return status;
}

/* Makes a copy of A on the host, and its matching. */
static vks_status find_matching(const vks_matrix *A, const struct caller *caller, struct host_csr *a,
                                struct matching *match)
{
    *match = (struct matching){0};
    vks_status status = matrix_to_host(A, a);
    IF_OK(status, matching_find(&A->context->message, a, caller, match));
    if (status)
        host_csr_free(a);
    return status;
}

vks_status scaled_inspect(const vks_matrix *A, bool ranks, struct scaled_structure *structure)
{
    struct host_csr a;
    struct matching match;
    struct room w = {.device = A->context->device};
    struct memory left = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.n, "row scales"),
                  right = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.cols, "column scales");
    vks_status held = csr_acquire_wide(A), status = w.status ? w.status : held;
    IF_OK(status, find_ruiz(A, &left, &right, &structure->weak));
    csr_release_wide(A);
    room_close(&w);
    structure->rank = status || structure->weak ? UINT32_MAX : A->csr.n;
    if (status || !structure->weak || !ranks)
        return status;
    status = find_matching(A, &(struct caller){0}, &a, &match);
    if (!status && match.complete)
        structure->rank = match.rank;
    if (!status)
        host_csr_free(&a);
    matching_free(&match);
    return status;
}

static void bound(int32_t *exponent, uint32_t n, uint32_t most)
{
    int32_t e = (int32_t)most;
    for (uint32_t i = 0; i < n; i++)
        exponent[i] = exponent[i] < -e ? -e : exponent[i] > e ? e : exponent[i];
}

static vks_status upload_match(struct scaled *s, struct matching *match)
{
    struct device *d = s->A->context->device;
    uint32_t n = s->A->csr.n;
    bound(match->left, n, most_of_rows[magnitude_precision(precision_in(s))]);
    bound(match->right, n, most_of_cols[magnitude_precision(precision_in(s))]);
    vks_status status = device_write(d, &s->left, 0, match->left, 4 * (uint64_t)n);
    IF_OK(status, device_write(d, &s->right, 0, match->right, 4 * (uint64_t)n));
    return status ? status : device_write(d, &s->place, 0, match->row_of, 4 * (uint64_t)n);
}

/* Computes the caller's numbers of the rows of B, for a diagnosis. */
static void order_rows(struct scaled *s)
{
    for (uint32_t i = 0; i < s->A->csr.n; i++)
        s->order[i] = s->order_of_A ? s->order_of_A[s->host_place[i]] : s->host_place[i];
}

static vks_status room_to_match(struct scaled *s)
{
    uint64_t bytes = 4 * (uint64_t)s->A->csr.n;
    s->host_place = room_host(&s->room, bytes, "a permutation");
    s->order = room_host(&s->room, bytes, "the order of rows");
    s->place = room_memory(&s->room, MEMORY_DEVICE, bytes, "a permutation");
    return s->room.status;
}

/* Computes exponents, and rows in s->host_place, by matching. If the matching is incomplete, s->kind becomes
 * RUIZ. f records a cancellation, or an entry that is not finite. *a becomes a copy of A, whose row offsets
 * are used the first time. */
static vks_status take_match(struct scaled *s, struct diagnosis *f, struct host_csr *a)
{
    struct matching match;
    vks_status status = find_matching(s->A, &f->caller, a, &match);
    if (status)
        return status;
    s->kind = match.complete ? VKS_SCALING_MATCH : VKS_SCALING_RUIZ;
    if (match.unwanted)
        diagnosis_cancel(f);
    else if (match.bad_row != UINT32_MAX) {
        uint32_t row = s->order_of_A ? s->order_of_A[match.bad_row] : match.bad_row;
        diagnosis_refuse(f, VKS_REASON_NOT_FINITE, row, "row %u has an entry that is not finite", row + 1);
    }
    if (match.complete) {
        s->structure.rank = match.rank;
        status = s->host_place ? VKS_OK : room_to_match(s);
        IF_OK(status, upload_match(s, &match));
        if (!status) {
            memcpy(s->host_place, match.row_of, 4 * (size_t)s->A->csr.n);
            order_rows(s);
        }
    }
    matching_free(&match);
    return status;
}

static vks_status add_to(const struct memory *exponents, struct device *d, uint32_t n, int32_t add)
{
    struct memory m = *exponents;
    int32_t *e = malloc(4 * (size_t)n + 1);
    vks_status status =
        e ? device_read(d, &m, 0, e, 4 * (uint64_t)n) : fail_memory(d->message, "exponents", 4 * (uint64_t)n);
    for (uint32_t i = 0; i < n && !status; i++)
        e[i] += add;
    IF_OK(status, device_write(d, &m, 0, e, 4 * (uint64_t)n));
    free(e);
    return status;
}

/* If the magnitudes of A are not ordinary, moves their power of two from the rows to the columns: residuals
 * times row scales then stay in range for a preconditioner in f32. B is unchanged. */
static vks_status move_to_columns(struct scaled *s)
{
    int shift;
    struct device *d = s->A->context->device;
    TRY(ordinary_shift(s->A, &shift));
    if (!shift)
        return VKS_OK;
    TRY(add_to(&s->left, d, s->A->csr.n, -shift / 2));
    return add_to(&s->right, d, s->A->csr.cols, shift / 2);
}

/* Computes the exponents of Ruiz, unless *matches becomes true: AUTO selects matching for a weak diagonal. */
static vks_status take_ruiz(struct scaled *s, bool fall_back, bool *matches)
{
    const vks_matrix *A = s->A;
    uint32_t most = most_of_rows[magnitude_precision(precision_in(s))];
    vks_status status = csr_acquire_wide(A);
    IF_OK(status, find_ruiz(A, &s->left, &s->right, &s->structure.weak));
    csr_release_wide(A);
    if (!s->structure.weak)
        s->structure.rank = A->csr.n;
    *matches = !fall_back && s->asked == VKS_SCALING_AUTO && s->may_match && s->structure.weak;
    if (status || *matches)
        return status;
    s->kind = VKS_SCALING_RUIZ;
    struct rec r = rec_once(A->context->device, precision_in(s));
    ruiz_round(&r, words_of(&s->left), words_of(&s->left), most, A->csr.n);
    ruiz_round(&r, words_of(&s->right), words_of(&s->right), most, A->csr.cols);
    status = rec_run_once(&r, status);
    return status ? status : move_to_columns(s);
}

/* Computes all exponents, and the permutation of rows. */
static vks_status take_scales(struct scaled *s, struct diagnosis *f, struct host_csr *a)
{
    bool matches = s->asked == VKS_SCALING_MATCH;
    vks_status status = VKS_OK;
    s->structure = (struct scaled_structure){.rank = UINT32_MAX};
    if (!matches)
        status = take_ruiz(s, false, &matches);
    if (status || !matches)
        return status;
    status = take_match(s, f, a);
    bool is_there = s->kind == VKS_SCALING_MATCH || f->reason == VKS_REASON_CANCELLED;
    return status || is_there ? status : take_ruiz(s, true, &matches);
}

static u32s place_of(const struct scaled *s)
{
    return s->kind == VKS_SCALING_MATCH ? words_of(&s->place) : NULL;
}

/* Records the values of B and the three vectors; A and B are held wide. */
static void record_values(struct rec *r, const struct scaled *s)
{
    u32s place = place_of(s);
    scaled_values(r, &s->A->csr, place, words_of(&s->left), words_of(&s->right), &s->B->csr);
    powers_of_two(r, words_of(&s->left), place, s->rows, s->weight);
    powers_of_two(r, words_of(&s->right), NULL, s->cols, (struct vec){0});
}

/* Writes the row offsets of B. */
static vks_status write_offsets(const struct scaled *s, const struct host_csr *a)
{
    uint32_t n = s->A->csr.n, *row = malloc(4 * ((size_t)n + 1));
    if (!row)
        return fail_memory(&s->A->context->message, "row offsets", 4 * ((size_t)n + 1));
    row[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        row[i + 1] = row[i] + (a->row[s->host_place[i] + 1] - a->row[s->host_place[i]]);
    vks_status status = device_write(s->A->context->device, &s->B->row, 0, row, 4 * ((uint64_t)n + 1));
    free(row);
    return status;
}

static vks_status fill_matrix(const struct scaled *s, const struct host_csr *a)
{
    const vks_matrix *A = s->A;
    bool moves = place_of(s) != NULL;
    vks_status status = moves ? write_offsets(s, a) : VKS_OK;
    struct rec r = rec_once(A->context->device, precision_in(s));
    if (moves)
        permuted_columns(&r, &A->csr, place_of(s), &s->B->csr);
    else
        csr_copy_structure(&r, &A->csr, &s->B->csr);
    record_values(&r, s);
    return rec_run_once(&r, status);
}

static vks_status make_matrix(struct scaled *s, const struct host_csr *a)
{
    const vks_matrix *A = s->A;
    vks_matrix *B = NULL;
    vks_status status = csr_acquire_wide(A);
    IF_OK(status, matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, &B));
    if (!status) {
        B->lanes = A->lanes;
        status = matrix_room(B, A->csr.entries);
    }
    s->B = B;
    IF_OK(status, fill_matrix(s, a));
    csr_release_wide(A);
    status = matrix_end(B, status, VKS_FORMAT_AUTO, &s->B);
    return status ? status : csr_acquire(s->B);
}

vks_status scaled_open(const vks_matrix *A, vks_scaling kind, bool may_match, struct diagnosis *f,
                       struct scaled *s)
{
    struct host_csr a = {0};
    uint32_t n = A->csr.n;
    enum precision p = precision_of(A->precision);
    *s = (struct scaled){.A = A, .asked = kind, .may_match = may_match, .order_of_A = f->order};
    room_open(&s->room, A->context->device);
    s->left = room_memory(&s->room, MEMORY_DEVICE, 4 * (uint64_t)n, "row scales");
    s->right = room_memory(&s->room, MEMORY_DEVICE, 4 * (uint64_t)n, "column scales");
    s->rows = room_vec(&s->room, n, p, "row scales");
    s->cols = room_vec(&s->room, n, p, "column scales");
    s->weight = room_vec(&s->room, n, p, "inverse row scales");
    vks_status status = s->room.status;
    IF_OK(status, take_scales(s, f, &a));
    if (!status && f->reason != VKS_REASON_CANCELLED)
        status = make_matrix(s, &a);
    host_csr_free(&a);
    s->diagnosis = *f;
    if (!status && s->kind == VKS_SCALING_MATCH)
        f->order = s->order;
    scaled_warn(s, f);
    return status;
}

/* Updates the values of B; its rows are unchanged. */
static vks_status refresh_matrix(struct scaled *s)
{
    vks_status status = csr_acquire_wide_two(s->A, s->B);
    struct rec r = rec_once(s->A->context->device, precision_in(s));
    record_values(&r, s);
    status = rec_run_once(&r, status);
    csr_release_wide(s->A);
    return values_end(s->B, status);
}

vks_status scaled_refresh(struct scaled *s, struct diagnosis *f, bool *moved)
{
    struct host_csr a = {0};
    size_t bytes = 4 * (size_t)s->A->csr.n;
    vks_scaling before = s->kind;
    uint32_t *place = before == VKS_SCALING_MATCH ? malloc(bytes + 1) : NULL;
    *moved = false;
    if (before == VKS_SCALING_MATCH && !place)
        return fail_memory(&s->A->context->message, "a permutation", bytes);
    if (place)
        memcpy(place, s->host_place, bytes);
    vks_status status = take_scales(s, f, &a);
    host_csr_free(&a);
    s->diagnosis = *f;
    *moved = !status && (s->kind != before || (place && memcmp(place, s->host_place, bytes) != 0));
    free(place);
    if (status || *moved)
        return status;
    return refresh_matrix(s);
}

bool scaled_refuses(const struct scaled *s)
{
    return s->A && diagnosis_refuses(&s->diagnosis);
}

bool scaled_gave_up(const struct scaled *s)
{
    return s->asked == VKS_SCALING_MATCH && s->kind == VKS_SCALING_RUIZ;
}

bool scaled_is_singular(const struct scaled *s)
{
    return s->B && s->structure.rank < s->A->csr.n;
}

void scaled_describe_rank(const struct scaled *s, char *text, size_t size)
{
    snprintf(text, size, "structural rank %u of %u", s->structure.rank, s->A->csr.n);
}

void scaled_warn(const struct scaled *s, struct diagnosis *f)
{
    char rank[64];
    scaled_describe_rank(s, rank, sizeof rank);
    if (scaled_is_singular(s))
        diagnosis_warn(f, "%s: %s", vks_reason_name(VKS_REASON_STRUCTURALLY_SINGULAR), rank);
    else if (scaled_gave_up(s))
        diagnosis_warn(f, "matching was too expensive: rows stay in their order, and the scaling is %s",
                       vks_scaling_name(s->kind));
}

void scaled_close(struct scaled *s)
{
    if (s->B)
        csr_release(s->B);
    vks_matrix_destroy(s->B);
    room_close(&s->room);
    *s = (struct scaled){0};
}

void scaled_hand_over(struct rec *rec, const struct scaled *s, struct vec handed, struct vec r)
{
    struct vec from = handed;
    if (s->kind == VKS_SCALING_MATCH) {
        enum precision before = rec_precision(rec, r.precision);
        gather_reals(rec, vec_reals(handed), words_of(&s->place), vec_reals(r), r.n);
        rec->precision = before;
        from = r;
    }
    multiply_each(rec, s->rows, from, r);
}

void scaled_gather(struct rec *rec, const struct scaled *s, struct vec y, struct vec out)
{
    multiply_each(rec, s->cols, y, out);
}
