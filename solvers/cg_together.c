/* Conjugate gradients, many iterations to a dispatch: in small systems an iteration of three dispatches takes
 * longer to start than to run. Its workgroups wait for each other three times an iteration
 * (shaders/solver/cg_together.glsl), so no more are taken than have been seen to run at once on this device;
 * where they do not come after all, the solve goes on with a dispatch for each step, and the same bits. */
#include "shaders/solver/together.h"
#include "solvers/cg.h"
#include "solvers/together.h"
#include "sparse/coded.h"

#include <stdlib.h>

/* Looks for the others in a trial: some milliseconds. Tiles: eight groups of 256, whose sums a squad each
 * adds up. */
enum { TRIAL_POLLS = 1 << 13, MOST_TILES = 2048 };
/* A lane sums one row after the other: on an H200, elasticity of 331,776 unknowns in f32, with four rows of
 * 78 entries each, takes 51 us together and 48 apart; of 98,304 in f64, with two rows each, 25 and 29. */
enum { MOST_TERMS = 256 };
/* Short rows: on an H200, 512 groups take 16.2 us where 256 take 14.5 (poisson3d 64 in f32: 28 terms each),
 * 256 take 10.3 where 128 take 9.4 (poisson2d 256), but 162 take 16.5 where 128 take 23.5 (elasticity3d 24,
 * 74 terms a row). */
enum { FEW_TERMS = 32 };

/* The kernel for A, or KERNEL_COUNT. */
static enum kernel_id kernel_for(const vks_matrix *A)
{
    if (A->csr.longs)
        return KERNEL_COUNT;
    if (A->ops == &format_csr)
        return A->csr.lanes == 1 ? KERNEL_cg_together_csr : KERNEL_COUNT;
    if (A->ops != &format_sell)
        return KERNEL_COUNT;
    const struct sell *B = sell_of(A);
    if (B->order || B->lanes > SELL_FEW_LANES)
        return KERNEL_COUNT;
    if (B->coded.code)
        return KERNEL_cg_together_coded;
    return sell_is_plain(B) ? KERNEL_cg_together_sell : KERNEL_COUNT;
}

/* What all three kernels take, and the bytes of a pass over the matrix: vectors stay in registers, but for p.
 */
#define RUN_TOGETHER(kernel, bytes, ...)                                                                  \
    do {                                                                                                  \
        run(r, kernel, w->groups, .c = w->control, .w = cg_scalars(w), .met = w->met, .x = s->x,          \
            .p = w->vector[P], .q = w->vector[Q], .r = w->vector[R], .d = s->d, .history = w->history,    \
            .s = reduction_sums(&w->reduction), .n = s->n, .stride = w->reduction.stride, .count = count, \
            .jacobi = s->jacobi, .spread = w->spread, __VA_ARGS__);                                       \
        bill(r, count *((bytes) + 2 * vector_bytes(r, s->n)));                                            \
    } while (0)

void cg_together(struct rec *r, const struct system *s, const struct workspace *w, uint32_t count)
{
    const struct csr *C = &s->A->csr;
    if (s->A->ops == &format_csr) {
        RUN_TOGETHER(cg_together_csr, csr_bytes(r, C), .row = C->row, .col = C->col, .val = C->val);
        return;
    }
    const struct sell *A = sell_of(s->A);
    if (A->coded.code)
        RUN_TOGETHER(cg_together_coded, coded_pass(A), .slice = A->slice, .code = A->coded.code,
                     .apart = A->coded.apart, .value = A->coded.value, .units = A->coded.units,
                     .lanes = A->lanes, .wide = A->coded.wide, .few = coded_few(A));
    else
        RUN_TOGETHER(cg_together_sell, sell_bytes(r, A), .slice = A->slice, .col = A->col, .base = A->base,
                     .val = A->val, .lanes = A->lanes, .compact = A->base != NULL);
}

/* Nobody has met yet, and nothing been told; `polls` looks are waited for others. */
static vks_status set_meeting(struct solve *s, uint32_t polls)
{
    uint32_t *words = calloc(MEETING_WORDS, sizeof *words);
    if (!words)
        return fail_memory(s->message, "words to meet by", MEETING_WORDS * sizeof *words);
    words[MEETING_POLLS] = polls;
    words[MEETING_KEPT] = s->workspace.history_kept;
    vks_status status = device_write(s->device, &s->meeting, 0, words, MEETING_WORDS * sizeof *words);
    free(words);
    return status;
}

/* Whether so many meet. */
static vks_status try_to_meet(struct solve *s, uint32_t groups, bool *met)
{
    struct rec r;
    uint32_t words[MEETING_MISSED + 1] = {0};
    rec_create(&r, s->device, s->precision);
    vks_status status = set_meeting(s, TRIAL_POLLS);
    s->workspace.groups = groups;
    cg_together(&r, &s->system, &s->workspace, 0);
    if (!status)
        status = rec_run(&r);
    if (!status)
        status = device_read(s->device, &s->meeting, 0, words, sizeof words);
    *met = words[MEETING_MISSED] == 0;
    rec_destroy(&r);
    return status;
}

/* The most that meet, up to `wanted`, within a sixteenth; what has been seen is remembered for the device. */
static vks_status most_that_meet(struct solve *s, struct meetings *m, uint32_t wanted, uint32_t *groups)
{
    vks_status status = VKS_OK;
    while (!status && s->device->info.polls && m->met < wanted) {
        bool far = !m->missed || m->missed > wanted, met;
        uint32_t next = far ? wanted : m->met + (m->missed - m->met) / 2;
        if (!far && m->missed - m->met <= 1 + m->met / 16)
            break;
        status = try_to_meet(s, next, &met);
        if (!status && met)
            m->met = next;
        else if (!status)
            meetings_missed(m, next);
    }
    *groups = m->met < wanted ? m->met : wanted;
    return status;
}

/* Workgroups for so many tiles, of which each has up to 1 << spread. */
static uint32_t groups_of_tiles(uint32_t tiles, uint32_t spread)
{
    uint32_t per = 256u >> spread, rest = tiles % 256;
    return tiles / 256 * per + (rest < per ? rest : per);
}

/* Terms that a lane sums in an iteration, of an average row. */
static uint64_t terms_each(const struct solve *s, uint32_t spread)
{
    return ((uint64_t)s->system.A->csr.entries << spread) / (s->n ? s->n : 1);
}

/* Whether twice as many tiles in a group make at most three fifths of the groups, and few terms for a lane.
 */
static bool pays_to_spread(const struct solve *s, uint32_t tiles, uint32_t spread)
{
    uint64_t groups = groups_of_tiles(tiles, spread), fewer = groups_of_tiles(tiles, spread + 1);
    return 5 * fewer <= 3 * groups && terms_each(s, spread + 1) <= FEW_TERMS;
}

/* Tiles that a group takes for the sake of shorter meetings: more where rows are short, until there is one
 * group or fewer for each multiprocessor; else one, since a lane then has fewer rows. */
static uint32_t spread_of_rows(const struct solve *s, uint32_t tiles)
{
    uint32_t spread = 0, most = s->device->info.multiprocessors;
    while (most && spread < TOGETHER_SPREAD && groups_of_tiles(tiles, spread) > most &&
           pays_to_spread(s, tiles, spread))
        spread++;
    return spread;
}

/* As few groups as suit the rows, and no more than meet. */
static vks_status choose_groups(struct solve *s, uint32_t tiles)
{
    struct workspace *w = &s->workspace;
    uint32_t most = s->device->info.max_groups < TOGETHER_MOST ? s->device->info.max_groups : TOGETHER_MOST;
    w->spread = spread_of_rows(s, tiles);
    uint32_t groups = groups_of_tiles(tiles, w->spread);
    vks_status status = most_that_meet(s, s->meetings, groups < most ? groups : most, &most);
    while (groups > most && w->spread < TOGETHER_SPREAD)
        groups = groups_of_tiles(tiles, ++w->spread);
    s->report->together = w->groups = groups > most || terms_each(s, w->spread) > MOST_TERMS ? 0 : groups;
    return status;
}

vks_status cg_together_prepare(struct solve *s)
{
    struct device *d = s->device;
    enum kernel_id kernel = kernel_for(s->system.A);
    uint32_t tiles = s->n ? (s->n - 1) / 256 + 1 : 1;
    if (kernel == KERNEL_COUNT || s->system.blocks || !d->info.memory_model || tiles > MOST_TILES)
        return VKS_OK;
    s->meetings = &d->meetings[kernel][s->precision];
    if (!d->info.polls && !s->meetings->met)
        return VKS_OK;
    vks_status status =
        device_allocate(d, MEMORY_DEVICE, MEETING_WORDS * sizeof(uint32_t), "words to meet by", &s->meeting);
    s->workspace.met = words_of(&s->meeting);
    if (!status)
        status = choose_groups(s, tiles);
    return status ? status : set_meeting(s, d->info.polls);
}
