/* Conjugate gradients with many iterations per dispatch: in small systems an iteration of three dispatches
 * takes longer to start than to run. The workgroups synchronise three times per iteration
 * (shaders/solver/cg_together.glsl), so their number is limited to the number that ran at once in a trial on
 * this device. If some time out, the solve continues with one dispatch per step, and the same bits. */
#include "shaders/solver/together.h"
#include "solvers/method/cg.h"
#include "sparse/coded.h"

#include <stdlib.h>

/* A trial polls for some milliseconds. */
enum { TRIAL_POLLS = 1 << 13 };
/* A lane sums its rows one after another: on an H200, elasticity of 331,776 unknowns in f32, with four rows
 * of 78 entries per lane, takes 51 us in one dispatch and 48 in several; of 98,304 in f64, with two rows per
 * lane, 25 and 29. */
enum { MOST_TERMS = 256 };
/* Short rows: on an H200, 512 groups take 16.2 us while 256 take 14.5 (poisson3d 64 in f32: 28 terms per
 * lane), and 256 take 10.3 while 128 take 9.4 (poisson2d 256); but 162 take 16.5 while 128 take 23.5
 * (elasticity3d 24, 74 terms a row). */
enum { FEW_TERMS = 32 };

/* The kernel for A; KERNEL_COUNT: none. */
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
    return B->coded.code      ? KERNEL_cg_together_coded
           : sell_is_plain(B) ? KERNEL_cg_together_sell
                              : KERNEL_COUNT;
}

/* Arguments common to the three kernels. */
#define COMMON_ARGS(k, own, units)                                                                           \
    .c = krylov_control(k), .w = (own)->w, .sync_words = words_of(&(own)->sync_words),                       \
    .x = vec_reals((k)->x), .p = vec_reals((own)->p), .q = vec_reals((own)->q), .r = vec_reals((k)->r),      \
    .d = vec_reals((k)->M->diagonal.d), .history = vec_reals((k)->history), .s = reduction_sums(&(k)->sums), \
    .n = (k)->r.n, .stride = (k)->sums.stride, .count = (units), .form = cg_plain_form(own),                 \
    .spread = (own)->spread

/* Records the kernel, and returns the bytes of a pass over the matrix. */
static uint64_t run_kernel(struct rec *r, const struct krylov *k, uint32_t count)
{
    const struct cg *own = cg_of(k);
    const struct csr *C = &k->A->csr;
    if (k->A->ops == &format_csr) {
        run_always(r, cg_together_csr, own->groups, COMMON_ARGS(k, own, count), .row = C->row, .col = C->col,
                   .val = C->val);
        return csr_bytes(r, C);
    }
    const struct sell *A = sell_of(k->A);
    if (A->coded.code) {
        run_always(r, cg_together_coded, own->groups, COMMON_ARGS(k, own, count), .slice = A->slice,
                   .code = A->coded.code, .apart = A->coded.apart, .value = A->coded.value,
                   .units = A->coded.units, .lanes = A->lanes, .wide = A->coded.wide, .few = coded_few(A));
        return coded_pass(A);
    }
    run_always(r, cg_together_sell, own->groups, COMMON_ARGS(k, own, count), .slice = A->slice, .col = A->col,
               .base = A->base, .val = A->val, .lanes = A->lanes, .compact = A->base != NULL);
    return sell_bytes(r, A);
}

/* All vectors except p stay in registers. */
static void units(struct rec *r, const struct krylov *k, uint32_t count)
{
    enum precision before = rec_precision(r, product_precision(k->A, k->r.precision));
    uint64_t pass = run_kernel(r, k, count);
    bill(r, count * (pass + 2 * vec_bytes(k->r)));
    r->precision = before;
}

/* Clears the words for synchronisation. A workgroup times out after `polls` polls. */
static vks_status clear_words(struct krylov *k, uint32_t polls)
{
    struct cg *own = k->own;
    uint32_t *words = calloc(RENDEZVOUS_WORDS, sizeof *words);
    if (!words)
        return fail_memory(k->message, "words to synchronise by", RENDEZVOUS_WORDS * sizeof *words);
    words[RENDEZVOUS_POLLS] = polls;
    words[RENDEZVOUS_KEPT] = k->history.n;
    vks_status status = device_write(k->device, &own->sync_words, 0, words, RENDEZVOUS_WORDS * sizeof *words);
    free(words);
    return status;
}

/* Tries to run `groups` workgroups at once. */
static vks_status try_groups(struct krylov *k, uint32_t groups, bool *ok)
{
    struct cg *own = k->own;
    struct rec r;
    uint32_t words[RENDEZVOUS_MISSED + 1] = {0};
    rec_create(&r, k->device, k->r.precision);
    vks_status status = clear_words(k, TRIAL_POLLS);
    own->groups = groups;
    units(&r, k, 0);
    IF_OK(status, rec_run(&r));
    IF_OK(status, device_read(k->device, &own->sync_words, 0, words, sizeof words));
    *ok = words[RENDEZVOUS_MISSED] == 0;
    rec_destroy(&r);
    return status;
}

/* Finds the most workgroups that run at once, up to `wanted`, to within 1 / 16. The device remembers it. */
static vks_status most_at_once(struct krylov *k, uint32_t wanted, uint32_t *groups)
{
    struct co_residency *known = ((struct cg *)k->own)->known;
    vks_status status = VKS_OK;
    while (!status && k->device->info.polls && known->max_ok < wanted) {
        bool far = !known->min_failed || known->min_failed > wanted, ok;
        uint32_t next = far ? wanted : known->max_ok + (known->min_failed - known->max_ok) / 2;
        if (!far && known->min_failed - known->max_ok <= 1 + known->max_ok / 16)
            break;
        status = try_groups(k, next, &ok);
        if (!status && ok)
            known->max_ok = next;
        else if (!status)
            co_residency_failed(known, next);
    }
    *groups = known->max_ok < wanted ? known->max_ok : wanted;
    return status;
}

/* Number of workgroups for `tiles` tiles, up to 1 << spread of them in each. */
static uint32_t groups_of_tiles(uint32_t tiles, uint32_t spread)
{
    uint32_t per = 256u >> spread, rest = tiles % 256;
    return tiles / 256 * per + (rest < per ? rest : per);
}

/* Terms that a lane sums in an iteration, for an average row. */
static uint64_t terms_each(const struct krylov *k, uint32_t spread)
{
    return ((uint64_t)k->A->csr.entries << spread) / (k->r.n ? k->r.n : 1);
}

/* Whether twice as many tiles per group leave at most three fifths of the groups, and few terms per lane. */
static bool pays_to_spread(const struct krylov *k, uint32_t tiles, uint32_t spread)
{
    uint64_t groups = groups_of_tiles(tiles, spread), fewer = groups_of_tiles(tiles, spread + 1);
    return 5 * fewer <= 3 * groups && terms_each(k, spread + 1) <= FEW_TERMS;
}

/* Tiles per group. More of them shorten the synchronisation if rows are short, until there is at most one
 * group per multiprocessor. For longer rows: one tile, so that a lane has fewer rows. */
static uint32_t spread_of_rows(const struct krylov *k, uint32_t tiles)
{
    uint32_t spread = 0, most = k->device->info.multiprocessors;
    while (most && spread < TOGETHER_SPREAD && groups_of_tiles(tiles, spread) > most &&
           pays_to_spread(k, tiles, spread))
        spread++;
    return spread;
}

/* Chooses the fewest groups that suit the rows, and no more than run at once. */
static vks_status choose_groups(struct krylov *k, uint32_t tiles)
{
    struct cg *own = k->own;
    uint32_t most = k->device->info.max_groups < TOGETHER_MOST ? k->device->info.max_groups : TOGETHER_MOST;
    own->spread = spread_of_rows(k, tiles);
    uint32_t groups = groups_of_tiles(tiles, own->spread);
    vks_status status = most_at_once(k, groups < most ? groups : most, &most);
    while (groups > most && own->spread < TOGETHER_SPREAD)
        groups = groups_of_tiles(tiles, ++own->spread);
    own->groups = groups > most || terms_each(k, own->spread) > MOST_TERMS ? 0 : groups;
    return status;
}

static vks_status prepare(struct krylov *k, uint32_t *groups)
{
    struct device *d = k->device;
    struct cg *own = k->own;
    enum kernel_id kernel = kernel_for(k->A);
    uint32_t tiles = k->r.n ? (k->r.n - 1) / 256 + 1 : 1;
    *groups = 0;
    if (k->partners || kernel == KERNEL_COUNT || !k->M->is_diagonal || !d->info.memory_model ||
        k->r.n > TOGETHER_MOST_ROWS)
        return VKS_OK;
    own->known = &d->co_residency[kernel][product_precision(k->A, k->r.precision)];
    if (!d->info.polls && !own->known->max_ok)
        return VKS_OK;
    own->sync_words =
        room_memory(k->room, MEMORY_DEVICE, RENDEZVOUS_WORDS * sizeof(uint32_t), "words to synchronise by");
    vks_status status = k->room->status;
    IF_OK(status, choose_groups(k, tiles));
    *groups = own->groups;
    return status ? status : clear_words(k, d->info.polls);
}

static void missed(const struct krylov *k)
{
    const struct cg *own = k->own;
    co_residency_failed(own->known, own->groups);
}

const struct fused cg_fused = {prepare, units, missed};
