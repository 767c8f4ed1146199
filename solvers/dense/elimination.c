/* Recordings of Gauss-Jordan elimination.
 *
 * The columns of a panel, PIVOT_WIDTH of them, are eliminated one after another; a strip of several panels is
 * eliminated by recursive halving. The effect on other columns C is one product: with R the pivot rows of C,
 * and W the contents of the eliminated columns, C becomes W R, and C + W R in rows other than these pivots'.
 * Each half is applied to the other, and a strip to all columns to its right or, to invert, to all others. */
#include "solvers/dense/elimination.h"
#include "primitive/verbs.h"
#include "solvers/dense/co_resident.h"

/* Leading dimensions are multiples of the vectors that products read. */
static uint32_t padded(uint32_t cols)
{
    return (cols + 3) / 4 * 4;
}

static vks_status allocate_all(struct elimination *e, uint32_t cols)
{
    struct room *w = &e->room;
    uint64_t n = e->n, real = real_bytes(e->precision), widest = padded(cols > e->n ? cols : e->n);
    uint64_t words = PIVOT_STATE_WORDS + 2 * n + 6 * (uint64_t)e->pivots.candidates;
    uint64_t posted = 4 * pivot_panel_words(e->precision, &e->pivots), factors = n * PIVOT_BLOCK * real;
    e->matrix = room_memory(w, MEMORY_DEVICE, n * padded(e->n) * real, "a copy of the matrix");
    e->words = room_memory(w, MEMORY_DEVICE, 4 * words, "the order of pivots");
    e->numbers = room_memory(w, MEMORY_DEVICE, (n + 1) * real, "pivots");
    e->panels = room_memory(w, MEMORY_DEVICE, 2 * n * PIVOT_WIDTH * real, "columns of a panel");
    e->rows = room_memory(w, MEMORY_DEVICE, (STRIP < n ? STRIP : n) * widest * real, "pivot rows");
    e->posted = room_memory(w, MEMORY_DEVICE, posted > factors ? posted : factors, "candidates for a pivot");
    for (int k = 0; k < 2; k++)
        e->mailbox[k] = room_memory(w, MEMORY_SHARED, 4 * PIVOT_STATE_WORDS, "a mailbox");
    e->row_of = room_host(w, 4 * n, "pivots");
    e->values = room_host(w, 8 * n, "pivots");
    return w->status;
}

/* Sets the addresses within the allocations. */
static void lay_out(struct elimination *e)
{
    struct pivots *p = &e->pivots;
    uint64_t n = e->n, at = 0;
    e->W = (struct block){e->matrix.address, e->n, e->n, padded(e->n)};
    p->state = words_in(&e->words, at);
    p->step = words_in(&e->words, at += PIVOT_STATE_WORDS);
    p->row_of = words_in(&e->words, at += n);
    p->list[0] = words_in(&e->words, at += n);
    p->list[1] = words_in(&e->words, at + 3 * (uint64_t)p->candidates);
    p->values = (reals)(uintptr_t)e->numbers.address;
    for (uint64_t k = 0; k < 2; k++)
        p->panel[k] = (reals)(uintptr_t)(e->panels.address + k * n * PIVOT_WIDTH * real_bytes(e->precision));
    p->posted = words_of(&e->posted); /* the twin stores its factors there */
    p->factors = (reals)(uintptr_t)e->posted.address;
    e->one = (number)(uintptr_t)(e->numbers.address + n * real_bytes(e->precision));
}

vks_status elimination_create(struct elimination *e, vks_context *context, vks_precision precision,
                              uint32_t n, uint32_t cols)
{
    struct device *d = context->device;
    double one = 1;
    *e = (struct elimination){.device = d, .precision = precision_of(precision), .n = n};
    e->pivots = pivots_sized(d, n);
    room_open(&e->room, d);
    for (int k = 0; k < 2; k++)
        rec_create(&e->rec[k], d, e->precision);
    TRY(allocate_all(e, cols));
    lay_out(e);
    TRY(upload_values(d, &e->numbers, precision, n, 1, VKS_F64, &one));
    return probe_co_residency(d, e->precision, &e->pivots, &e->mailbox[0]);
}

void elimination_release(struct elimination *e)
{
    for (int k = 0; k < 2; k++)
        rec_destroy(&e->rec[k]);
    room_close(&e->room);
}

/* The columns first .. end - 1 of the matrix. */
static struct block columns(const struct rec *r, const struct elimination *e, uint32_t first, uint32_t end)
{
    return block_part(r, e->W, 0, e->n, first, end - first);
}

/* Applies the elimination of the columns first .. end - 1 to C. */
static void apply(struct rec *r, const struct elimination *e, uint32_t first, uint32_t end, struct block C)
{
    struct block R = {e->rows.address, end - first, C.cols, padded(C.cols)};
    if (C.cols == 0)
        return;
    pivot_rows(r, &e->pivots, first, C, R);
    pivot_gemm(r, &e->pivots, first, columns(r, e, first, end), R, C);
}

static void eliminate_panel(struct rec *r, const struct elimination *e, uint32_t first, uint32_t end)
{
    struct block A = columns(r, e, first, end);
    if (e->pivots.co_resident) {
        pivot_panel(r, &e->pivots, A, first, e->device->info.polls);
        return;
    }
    pivot_begin(r, &e->pivots, A);
    for (uint32_t c = 0; c < A.cols; c++)
        pivot_column(r, &e->pivots, A, c, first + c);
}

static void eliminate(struct rec *r, const struct elimination *e, uint32_t first, uint32_t end)
{
    uint32_t panels = (end - first + PIVOT_WIDTH - 1) / PIVOT_WIDTH,
             middle = first + panels / 2 * PIVOT_WIDTH;
    if (panels == 1) {
        eliminate_panel(r, e, first, end);
        return;
    }
    eliminate(r, e, first, middle);
    apply(r, e, first, middle, columns(r, e, middle, end));
    eliminate(r, e, middle, end);
    apply(r, e, middle, end, columns(r, e, first, middle));
}

static uint32_t strip_end(const struct elimination *e, uint32_t first)
{
    return e->n - first > STRIP ? first + STRIP : e->n;
}

static void begin(struct rec *r, const struct elimination *e, struct block A, struct block B, struct block X)
{
    fill_words(r, e->pivots.state, 0, 0, PIVOT_STATE_WORDS, 1);
    fill_words(r, e->pivots.step, PIVOT_NONE, 0, e->n, 1);
    pivots_clear_posted(r, &e->pivots);
    dense_copy(r, A, e->W);
    if (X.cols)
        dense_copy(r, B, X);
}

/* Waits for the recording in slot `turn`, and reads its outcome. */
static vks_status read_outcome(struct elimination *e, uint32_t turn)
{
    vks_status s = rec_finish(&e->rec[turn], e->ticket[turn]);
    const uint32_t *state = e->mailbox[turn].mapped;
    if (!s && state[PIVOT_ENDING]) {
        e->ending = state[PIVOT_ENDING];
        e->column = state[PIVOT_COLUMN];
    }
    return s;
}

static vks_status submit_strip(struct elimination *e, uint32_t first, struct block X, bool whole)
{
    uint32_t end = strip_end(e, first), turn = first / STRIP % 2;
    struct rec *r = &e->rec[turn];
    eliminate(r, e, first, end);
    apply(r, e, first, end, columns(r, e, end, e->n));
    if (whole)
        apply(r, e, first, end, columns(r, e, 0, first));
    apply(r, e, first, end, X);
    copy_words(r, e->pivots.state, words_of(&e->mailbox[turn]), PIVOT_STATE_WORDS);
    return rec_start(r, &e->ticket[turn]);
}

static vks_status fetch_pivots(struct elimination *e)
{
    uint64_t at = 4 * (PIVOT_STATE_WORDS + (uint64_t)e->n);
    TRY(device_read(e->device, &e->words, at, e->row_of, 4 * (uint64_t)e->n));
    return download_values(e->device, &e->numbers, public_precision(e->precision), 0, e->n, VKS_F64,
                           e->values);
}

static vks_status run_strips(struct elimination *e, struct block A, struct block B, struct block X,
                             bool whole)
{
    uint32_t submitted = 0, finished = 0;
    vks_status s = VKS_OK;
    e->ending = 0;
    while (!s && !e->ending && (uint64_t)submitted * STRIP < e->n) {
        rec_clear(&e->rec[submitted % 2]);
        if (submitted == 0)
            begin(&e->rec[0], e, A, B, X);
        s = submit_strip(e, submitted * STRIP, X, whole);
        submitted += !s;
        if (!s && submitted - finished == 2)
            s = read_outcome(e, finished++ % 2);
    }
    while (finished < submitted) { /* also after a failure: nothing is in flight when this returns */
        vks_status t = read_outcome(e, finished++ % 2);
        s = s ? s : t;
    }
    return s;
}

vks_status elimination_run(struct elimination *e, struct block A, struct block B, struct block X, bool whole)
{
    vks_status s = run_strips(e, A, B, X, whole);
    if (!s && e->ending == PIVOT_ALONE) { /* restart without synchronisation between workgroups */
        pivots_timed_out(e->device, e->precision, &e->pivots);
        s = run_strips(e, A, B, X, whole);
    }
    return s || e->ending ? s : fetch_pivots(e);
}

void elimination_apply(struct rec *r, const struct elimination *e, struct block X)
{
    for (uint32_t first = 0; first < e->n; first = strip_end(e, first))
        apply(r, e, first, strip_end(e, first), X);
}

void elimination_apply_transposed(struct rec *r, const struct elimination *e, struct block x,
                                  struct block scratch)
{
    struct block in_column = {x.address, e->n, 1, 1};
    for (uint32_t end = e->n, first; end > 0; end = first) {
        first = (end - 1) / STRIP * STRIP;
        struct block W = columns(r, e, first, end), sums = {scratch.address, 1, end - first, end - first};
        struct block sums_in_column = {scratch.address, end - first, 1, 1};
        gemm(r, GEMM_SET, x, W, sums);
        dense_rows(r, sums_in_column,
                   (struct rows){.row_of = e->pivots.row_of, .first = first, .scatter = true}, in_column);
    }
}
