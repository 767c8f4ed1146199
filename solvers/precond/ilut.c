/* ILUT: incomplete factors of A in reverse Cuthill-McKee order, computed by the host (solvers/ilut/factor.h)
 * and applied by the device (shaders/precond/ilut.glsl).
 *
 * A is cut into blocks of `rows` rows, consecutive in that order. Entries outside the blocks are dropped, and
 * one workgroup solves with one block. A single block that is too large for a workgroup is solved in memory,
 * by levels of its factors; large levels get their own dispatches.
 *
 * Traffic, bytes: 12 (in f32 8) an entry of L and U, 16 (12) a line, r and z in random order. */
#include "shaders/precond/ilut.h"
#include "entries/rcm.h"
#include "primitive/pack_verbs.h"
#include "solvers/ilut/lines.h"
#include "solvers/precond.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double default_drop = 1e-3;
enum { DEFAULT_FILL = 10 };

static inline reals reals_in(const struct memory *m)
{
    return (reals)(uintptr_t)m->address;
}

struct ilut {
    struct ilut_options options;
    bool in_memory;         /* a single block, whose x does not fit in shared memory */
    uint32_t *order;        /* order[new] = old, on the host */
    uint32_t *place;        /* place[old] = new */
    struct memory order_at; /* the same on the device */
    struct memory place_at;
    struct vec x; /* if in_memory */
    /* For the current values: */
    struct room room; /* of the lines on the device */
    struct ilut_lines lines;
    struct memory first, row, at, scale, col, val;
};

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    (void)A;
    if (o->fill > VKS_LARGEST_FILL)
        return fail(m, VKS_INVALID_ARGUMENT, "a fill of %u; 1 to %u are allowed", o->fill, VKS_LARGEST_FILL);
    if (!(o->drop >= 0 && o->drop < 1))
        return fail(m, VKS_INVALID_ARGUMENT, "a drop of %g; it must be above 0 and below 1", o->drop);
    if (o->rows > ILUT_BLOCK && o->rows != VKS_ALL_ROWS)
        return fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows; 1 to %u, or all, are allowed", o->rows,
                    ILUT_BLOCK);
    return VKS_OK;
}

/* Copies A to the host, values as double. */
static vks_status fetch(const struct precond *M, struct host_csr *to)
{
    const vks_matrix *A = M->A;
    uint64_t rows = A->csr.n, entries = A->csr.entries, bytes = 4 * (rows + 1) + 12 * entries;
    *to = (struct host_csr){.rows = A->csr.n, .cols = A->csr.cols};
    to->row = malloc(4 * (rows + 1));
    to->col = malloc(4 * entries + 1);
    to->val = malloc(8 * entries + 1);
    if (!to->row || !to->col || !to->val)
        return fail_memory(M->message, "a copy of A", bytes);
    TRY(device_read(M->device, &A->row, 0, to->row, 4 * (rows + 1)));
    TRY(device_read(M->device, &A->col, 0, to->col, 4 * entries));
    return download_values(M->device, &A->val, public_precision(values_precision(A)), 0, entries, VKS_F64,
                           to->val);
}

static void refuse_infinite(const struct host_csr *A, struct diagnosis *f)
{
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (!isfinite(A->val[k])) {
                uint32_t row = diagnosis_row(f, i);
                diagnosis_refuse(f, VKS_REASON_NOT_FINITE, row, "row %u of A has a NaN or an infinity",
                                 row + 1);
                return;
            }
}

/* Refuses row i of block b. */
static void refuse_row(const struct ilut *own, uint32_t b, uint32_t i, const char *what, struct diagnosis *f)
{
    uint32_t row = diagnosis_row(f, own->order[b * own->options.rows + i]);
    diagnosis_refuse(f, VKS_REASON_NOT_FINITE, row, "the incomplete factors %s in row %u", what, row + 1);
}

/* Warns if over a hundredth of the pivots were set; refuses factors that overflow or were cancelled. */
static void diagnose(struct precond *M, const struct factors *of, uint32_t blocks, struct diagnosis *f)
{
    const struct ilut *own = M->own;
    uint32_t n = M->A->csr.n;
    M->pivots_set = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        M->pivots_set += of[b].pivots_set;
        if (of[b].unwanted && !diagnosis_refuses(f))
            diagnosis_cancel(f);
        if (of[b].fault != UINT32_MAX && !diagnosis_refuses(f))
            refuse_row(own, b, of[b].fault, "overflow", f);
    }
    if (M->pivots_set > n / 100)
        diagnosis_warn(
            f, "ilut: %u of %u pivots were too small and were set to %g of the largest entry of their row",
            M->pivots_set, n, ILUT_PIVOT);
}

/* Refuses reciprocals of pivots that are not normal numbers in f32: a device may flush them to zero, and z
 * then loses the row. */
static void refuse_scales(const struct ilut *own, const struct ilut_lines *l, struct diagnosis *f)
{
    uint32_t pitch = ILUT_GROUP / l->lanes;
    for (uint32_t b = 0; b < l->blocks; b++)
        for (uint32_t p = l->first[b] * pitch; p < l->first[b + 1] * pitch; p++) {
            float scale = fabsf((float)l->scale[p]);
            if (l->row[p] == ILUT_NONE || (scale >= FLT_MIN && isfinite(scale)))
                continue;
            refuse_row(own, b, l->row[p], scale < FLT_MIN ? "underflow" : "overflow", f);
            return;
        }
}

/* Copies `count` numbers in M's precision to the device. Refuses those that overflow. */
static struct memory put_reals(struct precond *M, struct room *w, const double *v, uint64_t count,
                               struct diagnosis *f)
{
    uint32_t bytes = real_bytes(M->precision);
    struct memory to = room_memory(w, MEMORY_DEVICE, count * bytes, "incomplete factors");
    for (uint64_t k = 0; k < count && M->precision == PRECISION_F32; k++)
        if (!isfinite((float)v[k]) && !diagnosis_refuses(f))
            diagnosis_refuse(f, VKS_REASON_NOT_FINITE, UINT32_MAX, "the incomplete factors overflow");
    IF_OK(w->status, upload_values(M->device, &to, public_precision(M->precision), 0, count, VKS_F64, v));
    return to;
}

/* Copies the lines to the device, replacing the previous ones. */
static vks_status put(struct precond *M, struct ilut_lines *l, struct diagnosis *f)
{
    struct ilut *own = M->own;
    struct ilut to = *own;
    uint64_t lines = ilut_line_count(l);
    if (M->precision == PRECISION_F32)
        refuse_scales(own, l, f);
    room_open(&to.room, M->device);
    to.first = room_copy(&to.room, l->first, 4 * ((uint64_t)l->blocks + 1), "the steps of ilut");
    to.row = room_copy(&to.room, l->row, 4 * lines, "the lines of ilut");
    to.at = room_copy(&to.room, l->at, 4 * (lines + 1), "the lines of ilut");
    to.col = room_copy(&to.room, l->col, 4 * (uint64_t)l->entries, "incomplete factors");
    to.scale = put_reals(M, &to.room, l->scale, lines, f);
    to.val = put_reals(M, &to.room, l->val, l->entries, f);
    if (to.room.status) {
        vks_status s = to.room.status;
        room_close(&to.room);
        return s;
    }
    room_close(&own->room);
    ilut_lines_free(&own->lines);
    *own = to;
    ilut_lines_drop(l);
    own->lines = *l;
    *l = (struct ilut_lines){0};
    M->bytes = own->room.bytes;
    M->steps = own->lines.most_steps;
    M->layout++;
    return VKS_OK;
}

static vks_status factor(struct precond *M, const struct host_csr *A, struct diagnosis *f)
{
    const struct ilut *own = M->own;
    uint32_t blocks = ilut_blocks_of(A->rows, own->options.rows);
    struct ilut_lines l = {0};
    struct factors *of = calloc((size_t)blocks + 1, sizeof *of);
    if (!of)
        return fail_memory(M->message, "the factors of ilut", blocks * sizeof *of);
    vks_status s =
        ilut_factor(M->message, M->device->team, A, own->order, own->place, &own->options, &f->caller, of);
    if (!s)
        diagnose(M, of, blocks, f);
    if (!s && !diagnosis_refuses(f))
        s = ilut_lines_make(M->message, of, blocks, &l);
    for (uint32_t b = 0; b < blocks; b++)
        factors_free(&of[b]);
    free(of);
    if (!s && !diagnosis_refuses(f))
        s = put(M, &l, f);
    ilut_lines_free(&l);
    return s;
}

/* Finds the order, and copies it to the device. */
static vks_status take_order(struct precond *M, const struct host_csr *A)
{
    struct ilut *own = M->own;
    uint64_t bytes = 4 * (uint64_t)A->rows;
    TRY(rcm_order(M->message, A, own->order));
    rcm_invert(A->rows, own->order, own->place);
    own->order_at = room_copy(&M->room, own->order, bytes, "the order of ilut");
    if (own->in_memory) {
        own->place_at = room_copy(&M->room, own->place, bytes, "the order of ilut");
        own->x = room_vec(&M->room, A->rows, M->precision, "a vector of ilut");
    }
    return M->room.status;
}

/* Updates the values of A and, the first time, computes its order. */
static vks_status take(struct precond *M, bool is_first, struct diagnosis *f)
{
    struct host_csr A;
    vks_status s = fetch(M, &A);
    if (!s && is_first)
        s = take_order(M, &A);
    if (!s)
        refuse_infinite(&A, f);
    if (!s && !diagnosis_refuses(f))
        s = factor(M, &A, f);
    M->entries = ((const struct ilut *)M->own)->lines.entries;
    host_csr_free(&A);
    return s;
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    return take(M, false, f);
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    uint32_t n = M->A->csr.n, rows = o->rows ? o->rows : ILUT_BLOCK;
    struct ilut *own = M->own = room_host(&M->room, sizeof *own, "ilut");
    if (!own)
        return M->room.status;
    own->options = (struct ilut_options){.fill = o->fill ? o->fill : DEFAULT_FILL,
                                         .rows = rows < n ? rows : n,
                                         .drop = o->drop > 0 ? o->drop : default_drop};
    own->in_memory = own->options.rows > ILUT_BLOCK;
    own->order = room_host(&M->room, 4 * (uint64_t)n, "the order of ilut");
    own->place = room_host(&M->room, 4 * (uint64_t)n, "the order of ilut");
    M->symmetric = false;
    M->blocks = ilut_blocks_of(n, own->options.rows);
    M->largest_block = own->options.rows;
    return M->room.status ? M->room.status : take(M, true, f);
}

static void record_steps(struct rec *r, const struct ilut *own)
{
    const struct ilut_lines *l = &own->lines;
    for (uint32_t k = 0; k < l->runs; k++) {
        const struct ilut_run *run = &l->run[k];
        run(r, ilut_steps, run->is_wide ? run->end - run->begin : 1, .row = words_of(&own->row),
            .at = words_of(&own->at), .scale = reals_in(&own->scale), .col = words_of(&own->col),
            .val = reals_in(&own->val), .x = (sums)(uintptr_t)own->x.at, .begin = run->begin, .end = run->end,
            .lanes = l->lanes);
    }
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct ilut *own = M->own;
    const struct ilut_lines *l = &own->lines;
    uint32_t real = real_bytes(M->precision);
    if (!l->blocks) /* A was refused, or has no rows */
        return;
    if (own->in_memory) {
        gather_reals(r, vec_reals(in), words_of(&own->order_at), vec_reals(own->x), in.n);
        record_steps(r, own);
        gather_reals(r, vec_reals(own->x), words_of(&own->place_at), vec_reals(out), in.n);
    } else {
        run(r, ilut_blocks, l->blocks, .order = words_of(&own->order_at), .first = words_of(&own->first),
            .row = words_of(&own->row), .at = words_of(&own->at), .scale = reals_in(&own->scale),
            .col = words_of(&own->col), .val = reals_in(&own->val), .r = vec_reals(in), .z = vec_reals(out),
            .n = in.n, .size = own->options.rows, .lanes = l->lanes);
        bill(r, 2 * vec_bytes(in) + 4 * (uint64_t)in.n);
    }
    bill(r, (4 + real) * (uint64_t)l->entries + (8 + real) * (uint64_t)ilut_line_count(l));
}

static void release(struct precond *M)
{
    struct ilut *own = M->own;
    if (!own)
        return;
    room_close(&own->room);
    ilut_lines_free(&own->lines);
}

const struct precond_ops precond_ilut = {.options = OPTION_FILL | OPTION_DROP | OPTION_ROWS,
                                         .needs_entries = true,
                                         .rounds_itself = true,
                                         .check = check,
                                         .setup = setup,
                                         .refresh = refresh,
                                         .apply = apply,
                                         .release = release};
