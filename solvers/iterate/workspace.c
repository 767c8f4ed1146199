/* Vectors, state and recordings of iterations. */
#include "solvers/iterate/iterate.h"

enum { MOST_HISTORY = 1 << 22 };

static void make_krylov(struct iteration *it, enum precision p)
{
    const struct equation *q = &it->equation;
    const vks_solve_options *o = it->options;
    struct room *w = &it->room;
    bool scales = it->scaled->B != NULL;
    uint32_t rows = q->b->n, cols = q->x->n, kept = o->history ? o->history_capacity : 0;
    uint64_t bytes = rows * (uint64_t)real_bytes(p);
    kept = kept > MOST_HISTORY ? MOST_HISTORY : kept; /* the iteration limit may rise */
    it->r = room_memory(w, MEMORY_DEVICE, bytes, "a work vector");
    if (scales)
        it->handed = room_memory(w, MEMORY_DEVICE, bytes, "the residual of A");
    it->history = room_memory(w, MEMORY_DEVICE, kept * (uint64_t)real_bytes(p), "the residual history");
    it->krylov =
        (struct krylov){.device = it->device,
                        .message = it->message,
                        .A = it->krylov.A,
                        .b = vec_of(q->b),
                        .x = it->refinement.is ? room_vec(w, cols, p, "a work vector") : vec_of(q->x),
                        .r = vec_in(&it->r, rows, p),
                        .weight = it->scaled->weight,
                        .state = &it->column.state,
                        .history = vec_in(&it->history, kept, p),
                        .sums = room_reduction(w, rows > cols ? rows : cols, it->method->rows),
                        .options = o,
                        .room = w,
                        .partners = o->partners ? &it->partners : NULL};
    it->residual.r = scales ? vec_in(&it->handed, rows, p) : it->krylov.r;
    it->residual.r_memory = scales ? &it->handed : &it->r;
    it->residual.partners = it->krylov.partners;
    it->column.state = state_in(w, p, it->method->numbers);
    for (int i = 0; i < 2; i++)
        it->batches.slot[i].mailbox = state_mailbox(w, &it->column.state);
}

static void create_recordings(struct iteration *it, enum precision p)
{
    struct rec *all[] = {&it->put, &it->start, &it->refinement.gather, &it->refinement.resume};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rec_create(all[i], it->device, p);
    rec_create(&it->batches.unit, it->device, p);
    it->batches.unit.is_unit = true;
    rec_create(&it->clear, it->device, it->residual.ops == &residual_in_pairs ? p : it->krylov.b.precision);
    for (int i = 0; i < 2; i++)
        for (int length = 0; length < BATCH_LENGTHS; length++)
            rec_create(&it->batches.slot[i].batch[length].rec, it->device, p);
}

vks_status iteration_open(struct iteration *it, enum precision p)
{
    make_krylov(it, p);
    create_recordings(it, p);
    return it->room.status;
}

static vks_status record_start(struct iteration *it)
{
    rec_clear(&it->start);
    backup_record(&it->start, it);
    state_record_put(&it->start, &it->column.state);
    if (it->refinement.is)
        fill(&it->start, state_zero(&it->column.state), it->krylov.x);
    it->residual.ops->hand_over(&it->start, &it->residual);
    if (it->scaled->B)
        scaled_hand_over(&it->start, it->scaled, it->residual.r, it->krylov.r);
    method_record_start(&it->start, it->method, &it->krylov);
    TRY(rec_prepare(&it->start));
    return it->refinement.is ? refinement_record(it) : VKS_OK;
}

vks_status iteration_record(struct iteration *it)
{
    state_record_put(&it->put, &it->column.state);
    state_record_put(&it->clear, &it->column.state);
    it->residual.ops->clear(&it->clear, &it->residual, state_zero(&it->column.state));
    TRY(rec_prepare(&it->put));
    TRY(rec_prepare(&it->clear));
    return record_start(it);
}

vks_status iteration_record_again(struct iteration *it)
{
    batches_forget(it);
    return record_start(it);
}

vks_status iteration_prepare_fused(struct iteration *it)
{
    vks_status status = VKS_OK;
    if (it->method->fused)
        status = it->method->fused->prepare(&it->krylov, &it->batches.groups);
    it->column.report->together = it->batches.groups;
    return status;
}

void iteration_close(struct iteration *it)
{
    residual_close(&it->residual);
    refinement_release(it);
    rec_destroy(&it->put);
    rec_destroy(&it->clear);
    rec_destroy(&it->start);
    batches_release(it);
    backup_close(it);
    room_close(&it->room);
}
