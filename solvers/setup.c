/* The workspace and the recordings of a solve. */
#include "operator/operator.h"
#include "solvers/options.h"
#include "solvers/report.h"
#include "solvers/residual/projection.h"
#include "solvers/rounded.h"
#include "solvers/shared.h"
#include "solvers/solve.h"

enum { MOST_HISTORY = 1 << 22 };

/* A cycle asks the recurrence for no more than this: beyond it, rounding errors lead it astray. */
static const double cycle_reduction[REAL_PRECISIONS] = {1e-5, 1e-13};
/* Iterations in f32 for an x in f64: what costs fewest iterations in all (docs/measurements/solves.md), where
 * directions stay from cycle to cycle and where each begins anew. */
static const double resuming_reduction = 0.1, starting_reduction = 1e-3;
/* The share of ||A|| ||r|| that rounding may leave of A^T r where A x = b has no solution. */
static const double singular_share[REAL_PRECISIONS] = {0x1p-20, 0x1p-40};
/* The exponents of the powers of two by which the residual is divided: they and their inverses must be
 * ordinary in the precision of b - A x. */
static const int largest_exponent[REAL_PRECISIONS] = {100, 1000};

/* The scaled system, if there is one. */
static vks_status find_scaled(struct solve *s)
{
    bool may_match = options_may_match(s->method, &s->options);
    s->report->scaling = s->options.scaling;
    if (s->options.scaling == VKS_SCALING_NONE)
        return VKS_OK;
    vks_status status = scaled_open(s->krylov.A, s->options.scaling, may_match, &s->finding, &s->scaled);
    if (s->scaled.B)
        s->krylov.A = s->scaled.B;
    return status;
}

/* The matrix of the iterations. */
static vks_status find_matrix(struct solve *s)
{
    const vks_matrix *A = s->krylov.A = s->equation.A;
    bool scales = s->options.scaling != VKS_SCALING_NONE;
    s->report->rounded = s->outer.widens && rounded_is_needed(A);
    vks_status status = s->outer.widens ? rounded_open(A, scales, &s->rounded, &s->krylov.A) : VKS_OK;
    return status ? status : find_scaled(s);
}

static void make_krylov(struct solve *s, enum precision p)
{
    const struct equation *q = &s->equation;
    struct room *w = &s->room;
    struct krylov *k = &s->krylov;
    uint32_t rows = q->b->n, cols = q->x->n, kept = s->options.history ? s->options.history_capacity : 0;
    kept = kept > MOST_HISTORY ? MOST_HISTORY : kept; /* (limits may change) */
    s->r = room_memory(w, MEMORY_DEVICE, rows * (uint64_t)real_bytes(p), "a work vector");
    if (s->scaled.B)
        s->handed = room_memory(w, MEMORY_DEVICE, rows * (uint64_t)real_bytes(p), "the residual of A");
    s->history = room_memory(w, MEMORY_DEVICE, kept * (uint64_t)real_bytes(p), "the residual history");
    *k = (struct krylov){.device = s->device,
                         .message = s->message,
                         .A = k->A,
                         .b = vec_of(q->b),
                         .x = s->outer.is ? room_vec(w, cols, p, "a work vector") : vec_of(q->x),
                         .r = vec_in(&s->r, rows, p),
                         .weight = s->scaled.weight,
                         .state = &s->state,
                         .history = vec_in(&s->history, kept, p),
                         .sums = room_reduction(w, rows > cols ? rows : cols, s->method->rows),
                         .options = &s->options,
                         .room = w,
                         .partners = s->options.partners ? &s->partners : NULL};
    s->state = state_in(w, p, s->method->numbers);
    for (int i = 0; i < 2; i++)
        s->batches.slot[i].mailbox = state_mailbox(w, &s->state);
}

static void create_recordings(struct solve *s, enum precision p)
{
    struct rec *all[] = {&s->put, &s->start, &s->outer.gather, &s->outer.resume};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rec_create(all[i], s->device, p);
    rec_create(&s->batches.unit, s->device, p);
    s->batches.unit.is_unit = true;
    rec_create(&s->clear, s->device, s->residual.ops == &residual_in_pairs ? p : s->krylov.b.precision);
    for (int i = 0; i < 2; i++)
        for (int length = 0; length < BATCH_LENGTHS; length++)
            rec_create(&s->batches.slot[i].batch[length].rec, s->device, p);
}

/* The moves so far of arrays that are recorded. Each count only grows while its M exists. */
static struct layouts layouts_of(const struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    return (struct layouts){.M = s->krylov.M,
                            .arrays = s->krylov.A->layout + precond_layout(s->krylov.M),
                            .remade = shared ? shared->remade : 0};
}

/* The recordings that apply A or M, but for the batches. */
static vks_status record_start(struct solve *s)
{
    s->recorded.M = NULL;
    rec_clear(&s->start);
    best_record(&s->start, s);
    state_record_put(&s->start, &s->state);
    if (s->outer.is)
        fill(&s->start, state_zero(&s->state), s->krylov.x);
    s->residual.ops->hand_over(&s->start, &s->residual);
    if (s->scaled.B)
        scaled_hand_over(&s->start, &s->scaled, s->residual.r, s->krylov.r);
    method_record_start(&s->start, s->method, &s->krylov);
    vks_status status = rec_prepare(&s->start);
    if (!status && s->outer.is)
        status = outer_record(s);
    if (!status)
        s->recorded = layouts_of(s);
    return status;
}

vks_status solve_record_again(struct solve *s)
{
    batches_forget(s);
    return record_start(s);
}

static vks_status record(struct solve *s)
{
    state_record_put(&s->put, &s->state);
    state_record_put(&s->clear, &s->state);
    s->residual.ops->clear(&s->clear, &s->residual, state_zero(&s->state));
    vks_status status = rec_prepare(&s->put);
    if (!status)
        status = rec_prepare(&s->clear);
    return status ? status : record_start(s);
}

/* It may have been made anew. */
static vks_status take_shared(struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    struct krylov *k = &s->krylov;
    const uint32_t *order = s->finding.order;
    vks_status status = shared_for(shared, s->equation.A->context, k->r.n, k->r.precision, &k->M);
    if (status)
        return status;
    s->finding = shared->finding;
    s->finding.order = order;
    s->shared_version = shared->version;
    return VKS_OK;
}

void solve_tell_precond(struct solve *s)
{
    const struct precond *M = s->krylov.M;
    vks_solve_report *r = s->report;
    if (!scaled_refuses(&s->scaled)) /* else it stands for the one that is not made */
        r->precond = M->kind;
    r->blocks = M->blocks;
    r->largest_block = M->largest_block;
    r->precond_bytes = precond_bytes(M);
    r->hierarchy = M->hierarchy ? *M->hierarchy : (vks_hierarchy){0};
}

static vks_status take_precond(struct solve *s)
{
    bool first = !s->krylov.M;
    vks_status status = s->options.shared_precond ? take_shared(s) : attempts_take_first(s);
    if (!status && first && s->method->use)
        status = precond_must_be_symmetric(s->krylov.M, vks_method_name(s->options.method));
    if (!status && first && s->method->needs_linear)
        status = precond_must_be_linear(s->krylov.M, vks_method_name(s->options.method));
    if (status)
        return status;
    solve_tell_precond(s);
    if (first && s->method->room)
        s->method->room(&s->krylov);
    return s->room.status;
}

static bool recordings_hold(const struct solve *s)
{
    struct layouts now = layouts_of(s);
    return s->recorded.M == now.M && s->recorded.arrays == now.arrays && s->recorded.remade == now.remade;
}

/* A new version comes first: with it krylov.M may be gone. */
bool solve_is_stale(const struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    return shared &&
           (shared->version != s->shared_version || shared_is_outdated(shared) || !recordings_hold(s));
}

void solve_tell_scaling(struct solve *s)
{
    const struct scaled *w = &s->scaled;
    struct finding *f = &s->finding;
    char rank[64];
    if (scaled_refuses(w))
        finding_refuse(f, w->finding.reason, w->finding.row, "%s", w->finding.detail);
    if (!w->B)
        return;
    s->report->scaling = w->kind;
    if (w->look.rank != UINT32_MAX || !s->chain.is) /* else an attempt before may have found it */
        s->report->structural_rank = w->look.rank == UINT32_MAX ? 0 : w->look.rank;
    if (scaled_is_singular(w) && f->reason == VKS_REASON_ZERO_DIAGONAL) {
        scaled_tell_rank(w, rank, sizeof rank);
        finding_refuse(f, VKS_REASON_STRUCTURALLY_SINGULAR, f->row, "%s", rank);
    }
    if (!f->warning[0])
        scaled_warn(w, f);
}

/* What depends on the values of A. */
static vks_status take_values(struct solve *s)
{
    s->doubts = (struct doubts){0};
    vks_status status = s->options.shared_precond ? VKS_OK : attempts_plan(s);
    if (!status)
        status = take_precond(s);
    if (!status && s->projection)
        status = projection_check(s->projection, !s->options.null_space);
    if (!status && s->method->take_values)
        status = s->method->take_values(&s->krylov, &s->finding);
    solve_tell_scaling(s);
    report_finding(s->report, &s->finding);
    if (!status && s->method->weight && !finding_refuses(&s->finding))
        s->report->weight = s->method->weight(&s->krylov);
    return status;
}

static vks_status make_projection(struct solve *s)
{
    if (!s->options.singular)
        return VKS_OK;
    s->projection = room_host(&s->room, sizeof *s->projection, "the null space");
    if (!s->projection)
        return s->room.status;
    return projection_open(s->projection, s->equation.A, vec_of(s->equation.x), &s->options);
}

static vks_status open_residual(struct solve *s)
{
    if (s->method->least_squares)
        s->residual.T = s->krylov.A->transposed.T;
    bool scaled = s->scaled.B != NULL;
    s->residual.r = scaled ? vec_in(&s->handed, s->krylov.r.n, s->krylov.r.precision) : s->krylov.r;
    s->residual.r_memory = scaled ? &s->handed : &s->r;
    s->residual.projection = s->projection;
    s->residual.partners = s->krylov.partners;
    return residual_open(&s->residual);
}

vks_status solve_prepare_fused(struct solve *s)
{
    s->attempts.of_diagonal = s->krylov.M && s->krylov.M->is_diagonal;
    vks_status status = VKS_OK;
    if (s->method->fused)
        status = s->method->fused->prepare(&s->krylov, &s->batches.groups);
    s->report->together = s->batches.groups;
    return status;
}

static vks_status hold_matrix(struct solve *s)
{
    const vks_matrix *A = s->equation.A;
    room_open(&s->room, s->device);
    vks_status status = VKS_OK;
    if (s->options.partners) /* first of all: with its memory other failures can be told */
        status = partners_open(&s->partners, s->options.partners, A, &s->room);
    if (status)
        return status;
    s->holds = !matrix_in_pairs(A) && !operator_of(A);
    return s->holds ? csr_acquire(A) : VKS_OK;
}

vks_status solve_setup_whole(struct solve *s)
{
    const vks_vector *x = s->equation.x;
    struct rec keep;
    vks_status status = hold_matrix(s);
    if (!status)
        status = residual_open(&s->residual);
    if (!status)
        status = best_open(s);
    if (status)
        return status;
    rec_create(&keep, s->device, moving_precision(s->device, x->precision));
    copy_elements(&keep, x, s->best.x);
    status = rec_run(&keep);
    rec_destroy(&keep);
    s->progress.norm_at_start = s->progress.norm;
    chain_note_setup(s);
    return status;
}

vks_status solve_setup(struct solve *s)
{
    const vks_matrix *A = s->equation.A;
    enum precision p = s->outer.widens ? PRECISION_F32 : real_precision(matrix_precision(A));
    enum precision of_b = matrix_in_pairs(A) ? PRECISION_F32 : real_precision(matrix_precision(A));
    s->limits.reduction = !s->outer.widens    ? cycle_reduction[p]
                          : s->method->resume ? resuming_reduction
                                              : starting_reduction;
    s->limits.largest_exponent = largest_exponent[of_b];
    s->limits.singular = singular_share[p];
    vks_status status = hold_matrix(s);
    if (!status)
        status = find_matrix(s);
    if (status)
        return status;
    make_krylov(s, p);
    create_recordings(s, p);
    status = s->room.status;
    if (!status && (s->method->corrects || s->method->least_squares || s->chain.is))
        status = best_open(s);
    if (!status)
        status = make_projection(s);
    if (!status)
        status = take_values(s);
    if (!status)
        status = solve_prepare_fused(s);
    if (!status)
        status = open_residual(s);
    if (!status)
        status = record(s);
    if (!status && s->chain.is)
        chain_note_setup(s);
    return status;
}

vks_status solve_take_values(struct solve *s, bool *anew)
{
    *anew = scaled_refuses(&s->scaled); /* nothing was made of the values before */
    if (*anew)
        return VKS_OK;
    finding_clear(&s->finding);
    attempts_leave(s);
    vks_status status = rounded_refresh(s->equation.A, s->rounded);
    if (!status && s->scaled.B)
        status = scaled_refresh(&s->scaled, &s->finding, anew);
    if (status || *anew)
        return status;
    status = take_values(s);
    if (!status)
        status = residual_take_values(&s->residual);
    return status || recordings_hold(s) ? status : attempts_arrive(s);
}

void solve_clear(struct solve *s)
{
    struct solve kept = {.device = s->device,
                         .message = s->message,
                         .equation = s->equation,
                         .report = s->report,
                         .chain = s->chain,
                         .progress = s->progress,
                         .batches.spanned = s->batches.spanned,
                         .hand_back = s->hand_back,
                         .finding.caller = s->finding.caller};
    s->chain.aside = NULL; /* which goes on */
    solve_release(s);
    *s = kept;
}

void solve_release(struct solve *s)
{
    if (s->holds)
        csr_release(s->equation.A);
    s->holds = false;
    vks_vector_destroy(s->chain.aside);
    s->chain.aside = NULL;
    residual_close(&s->residual);
    outer_release(s);
    if (s->projection)
        projection_close(s->projection);
    rec_destroy(&s->put);
    rec_destroy(&s->clear);
    rec_destroy(&s->start);
    batches_release(s);
    attempts_release(s);
    best_close(s);
    const vks_matrix *found = s->scaled.B ? s->scaled.A : s->krylov.A;
    scaled_close(&s->scaled);
    rounded_close(s->equation.A, &s->rounded, found);
    room_close(&s->room);
    s->partners = (struct partners){0};
}
