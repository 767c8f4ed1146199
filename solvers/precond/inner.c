/* The inner preconditioner: z is the result of some steps of a method on A z = r from z = 0. A method with
 * apply_from_zero_guess takes them without residual checks, which is a linear map. Any other method runs as
 * under the driver, on a state of its own whose limit is the number of steps. It adapts its steps to r, so
 * its map is not linear.
 *
 * That state is started under the guard of the recording, and ended after the last step, even if it ended
 * earlier. Kernels check only this state, so they do nothing once the outer solve has ended. */
#include "primitive/verbs.h"
#include "solvers/method.h"

#include <math.h>

enum { STEPS = 4 };

struct inner {
    const struct method *method;
    vks_solve_options options;
    uint32_t steps;
    struct state state;
    struct memory ended; /* the state's words after the last step */
    struct precond *M;   /* of the method */
    struct krylov krylov;
};

/* Options of the method. The default weight is `auto`, if the method supports that. */
static vks_solve_options method_options(const vks_precond_options *o)
{
    vks_solve_options to = {.method = o->method ? o->method : VKS_METHOD_JACOBI,
                            .weight = o->weight,
                            .precond_options = o->inner};
    if (to.weight == 0 && method_of(&(struct equation){0}, &to)->weights & WEIGHT_BY_ENTRIES)
        to.weight = VKS_WEIGHT_AUTO;
    return to;
}

bool precond_takes_steps_of(vks_method method)
{
    const struct method *m = method_of(&(struct equation){0}, &(vks_solve_options){.method = method});
    return !m->solve_direct && !m->corrects && !m->least_squares;
}

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    const struct equation q = {.A = A};
    if ((unsigned)o->method >= VKS_METHOD_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "inner: unknown method %d", (int)o->method);
    if (o->steps > VKS_LARGEST_STEPS)
        return fail(m, VKS_INVALID_ARGUMENT, "inner with %u steps; 1 to %u are allowed", o->steps,
                    VKS_LARGEST_STEPS);
    vks_solve_options options = method_options(o);
    const struct method *method = method_of(&q, &options);
    const char *name = vks_method_name(options.method);
    if (method->solve_direct)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "inner takes steps of a method that iterates, and %s does not; dense is the inverse of A",
                    name);
    if (method->least_squares)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "inner takes steps of a method for square systems, and %s is for least squares", name);
    if (method->corrects) /* in a solve, the driver adds the correction of each cycle */
        return fail(
            m, VKS_INVALID_ARGUMENT,
            "inner takes steps of a method that changes x in each; %s corrects x only at the end of a cycle",
            name);
    if (o->inner && !method->preconditioned)
        return fail(m, VKS_INVALID_ARGUMENT, "inner with %s takes no preconditioner, but %s was given", name,
                    vks_precond_name(o->inner->kind));
    return method_check(m, &q, &options);
}

static void end_state(struct rec *r, const struct inner *own)
{
    copy_words(r, words_of(&own->ended), words_of(&own->state.words),
               sizeof(struct control_words) / sizeof(uint32_t));
}

/* Prepares the inbox for a start, writes the numbers, and ends the state. */
static vks_status set_state(struct inner *own)
{
    const struct krylov *k = &own->krylov;
    struct snapshot to = {.control = {.state = STATE_RUNNING, .limit = own->steps},
                          .numbers = {.ceiling = INFINITY, .scale = 1, .ratio = 1}};
    if (own->method->numbers_at_start)
        own->method->numbers_at_start(k, to.method);
    state_set(&own->state, &to);
    struct rec r = rec_once(k->device, k->r.precision);
    state_record_put(&r, &own->state);
    end_state(&r, own);
    return rec_run_once(&r, VKS_OK);
}

/* Keeps the first refusal. Warnings that concern a solve by this method do not apply here. */
static vks_status update_values(struct precond *M, struct diagnosis *f)
{
    struct inner *own = M->own;
    struct diagnosis found = {.order = f->order};
    diagnosis_clear(&found);
    vks_status s = own->method->update_values ? own->method->update_values(&own->krylov, &found) : VKS_OK;
    if (!s && diagnosis_refuses(&found) && !diagnosis_refuses(f))
        diagnosis_refuse(f, found.reason, found.row, "%s", found.detail);
    M->layout = own->M->layout;
    M->levels = own->M->levels;
    M->hierarchy = own->M->hierarchy;
    M->bytes = precond_bytes(own->M);
    return s ? s : set_state(own);
}

static vks_status make_precond(struct precond *M, struct diagnosis *f)
{
    struct inner *own = M->own;
    vks_precond_options o = method_precond(own->method, &own->options);
    enum precond_use use = own->method->use > M->use ? own->method->use : M->use;
    vks_status s = precond_create(M->A, M->precision, use, &o, f, &own->M);
    own->krylov.M = own->M;
    if (s)
        return s;
    M->linear = own->method->apply_from_zero_guess && own->M->linear;
    M->symmetric = own->method->apply_from_zero_guess && own->M->symmetric;
    return own->method->use ? precond_must_be_symmetric(own->M, M->method) : VKS_OK;
}

static void make_krylov(struct precond *M)
{
    struct inner *own = M->own;
    struct room *w = &M->room;
    uint32_t n = M->A->csr.n;
    struct vec r = vecs_at(0, n, 1, M->precision);
    const struct control_words ended = {.state = STATE_LIMIT, .iteration = own->steps, .limit = own->steps};
    own->state = state_in(w, M->precision, own->method->numbers);
    own->ended = room_copy(w, &ended, sizeof ended, "an ended state");
    own->krylov = (struct krylov){
        .device = M->device,
        .message = M->message,
        .A = M->A,
        .r = own->method->apply_from_zero_guess ? r : room_vec(w, n, r.precision, "a residual"),
        .state = &own->state,
        .history = {.precision = M->precision},
        .sums = room_reduction(w, n, own->method->rows),
        .options = &own->options,
        .room = w};
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct inner *own = M->own = room_host(&M->room, sizeof *own, "an inner method");
    if (!own)
        return M->room.status;
    own->options = method_options(o);
    own->steps = o->steps ? o->steps : STEPS;
    own->method = method_of(&(struct equation){.A = M->A}, &own->options);
    M->method = vks_method_name(own->options.method);
    make_krylov(M);
    vks_status s = M->room.status ? M->room.status : make_precond(M, f);
    own->options.precond_options = NULL; /* read only during the call */
    if (!s && own->method->room)
        own->method->room(&own->krylov);
    IF_OK(s, M->room.status);
    return s ? s : update_values(M, f);
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    const struct inner *own = M->own;
    TRY(precond_refresh(own->M, f));
    return update_values(M, f);
}

static void run_units(struct rec *r, const struct inner *own, const struct krylov *k)
{
    uint32_t unit = method_unit(own->method);
    state_record_put(r, k->state);
    fill(r, state_zero(k->state), k->x);
    copy(r, k->b, k->r);
    method_record_start(r, own->method, k);
    for (uint32_t done = 0; done < own->steps; done += unit)
        method_record_unit(r, own->method, k);
    end_state(r, own);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct inner *own = M->own;
    struct krylov k = own->krylov;
    k.b = in;
    k.x = out;
    if (own->method->apply_from_zero_guess)
        own->method->apply_from_zero_guess(r, &k, own->steps);
    else
        run_units(r, own, &k);
}

static void solved(const struct precond *M, uint32_t iterations, double digits)
{
    const struct inner *own = M->own;
    precond_solved(own->M, iterations, digits);
}

static void release(struct precond *M)
{
    const struct inner *own = M->own;
    if (own)
        precond_destroy(own->M);
}

const struct precond_ops precond_inner = {.options =
                                              OPTION_METHOD | OPTION_STEPS | OPTION_WEIGHT | OPTION_INNER,
                                          .check = check,
                                          .setup = setup,
                                          .refresh = refresh,
                                          .solved = solved,
                                          .apply = apply,
                                          .release = release};
