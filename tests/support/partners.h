/* Several processes of a solve, simulated by threads of one process: each has a context, and rows of a
 * matrix. Exchanged data are copied behind barriers with a timeout of some seconds. */
#ifndef VKS_TESTS_PARTNERS_H
#define VKS_TESTS_PARTNERS_H

#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vksolve/vksolve.h"

#include <pthread.h>

enum { MOST_PARTNERS = 8, PATIENCE = 20 /* seconds at a barrier */ };

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t all;
    uint32_t members, here;
    uint64_t turn;
    bool broken; /* a thread has waited too long */
};

struct play;

/* One process, with its share of A x = b. */
struct actor {
    struct play *play;
    uint32_t process;
    struct host_csr A, D; /* its rows, with columns renumbered; the part in its own columns */
    uint32_t *sent, sends;
    uint64_t *ghosts; /* rows of other processes, ascending */
    uint32_t before, after;
    const void *offers; /* the data that it currently offers to others */
    const double *brings;
    size_t count;
    uint32_t gathers, exchanges;
    bool watched;               /* its last solve is in progress */
    uint32_t submits, fails_at; /* submissions of that solve; all fail from this one on, from 1; 0: none */
    vks_status status;
    vks_solve_report report;
    char message[512];
    uint32_t messages; /* of the validation layer */
    vks_context *context;
};

struct play {
    const char *device;
    const struct host_csr *A;
    const double *b;
    double *x, *history; /* of the whole; the history of process 0 */
    uint32_t processes;
    const uint64_t *first; /* processes + 1 */
    vks_precision precision;
    vks_solve_options options;
    const vks_precond_options *M; /* made of the own columns of a process; NULL for none */
    struct barrier barrier;
    void (*begins)(struct actor *a); /* NULL, or called right before and right after a solve */
    void (*ended)(struct actor *a, vks_status s);
    bool keeps; /* uses a solver, which sets the same values again and solves twice */
    uint32_t lanes;
    struct actor actor[MOST_PARTNERS];
};

static inline uint64_t rows_of(const struct actor *a)
{
    return a->play->first[a->process + 1] - a->play->first[a->process];
}

static inline struct actor *owner_of(struct play *p, uint64_t row)
{
    uint32_t q = 0;
    while (row >= p->first[q + 1])
        q++;
    return &p->actor[q];
}

static inline int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline int by_row(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline uint32_t place_of(const uint64_t *list, uint32_t count, uint64_t row)
{
    const uint64_t *at = bsearch(&row, list, count, sizeof *list, by_number);
    return (uint32_t)(at - list);
}

static inline void find_ghosts(struct actor *a)
{
    const struct host_csr *A = a->play->A;
    uint64_t from = a->play->first[a->process], to = from + rows_of(a), found = 0, kept = 0;
    a->ghosts = malloc((A->row[to] - A->row[from] + 1) * sizeof *a->ghosts);
    for (uint32_t k = A->row[from]; k < A->row[to]; k++)
        if (A->col[k] < from || A->col[k] >= to)
            a->ghosts[found++] = A->col[k];
    qsort(a->ghosts, found, sizeof *a->ghosts, by_number);
    for (uint64_t i = 0; i < found; i++)
        if (!i || a->ghosts[i] != a->ghosts[i - 1])
            a->ghosts[kept++] = a->ghosts[i];
    for (uint64_t i = 0; i < kept; i++)
        *(a->ghosts[i] < from ? &a->before : &a->after) += 1;
}

/* The rows that other processes need, ascending. */
static inline void find_sent(struct actor *a)
{
    struct play *p = a->play;
    uint64_t from = p->first[a->process], rows = rows_of(a);
    bool *wanted = calloc(rows + 1, 1);
    for (uint32_t q = 0; q < p->processes; q++)
        for (uint32_t i = 0; i < p->actor[q].before + p->actor[q].after; i++)
            if (p->actor[q].ghosts[i] >= from && p->actor[q].ghosts[i] < from + rows)
                wanted[p->actor[q].ghosts[i] - from] = true;
    a->sent = malloc((rows + 1) * sizeof *a->sent);
    for (uint32_t i = 0; i < rows; i++)
        if (wanted[i])
            a->sent[a->sends++] = i;
    free(wanted);
}

static inline void take_rows(struct actor *a)
{
    const struct host_csr *A = a->play->A;
    uint64_t from = a->play->first[a->process], rows = rows_of(a), first = A->row[from];
    uint64_t entries = A->row[from + rows] - first;
    a->A = (struct host_csr){.rows = (uint32_t)rows, .cols = (uint32_t)rows + a->before + a->after};
    a->A.row = malloc((rows + 1) * sizeof *a->A.row);
    a->A.col = malloc((entries + 1) * sizeof *a->A.col);
    a->A.val = malloc((entries + 1) * sizeof *a->A.val);
    a->D = (struct host_csr){.rows = (uint32_t)rows, .cols = (uint32_t)rows};
    a->D.row = malloc((rows + 1) * sizeof *a->D.row);
    a->D.col = malloc((entries + 1) * sizeof *a->D.col);
    a->D.val = malloc((entries + 1) * sizeof *a->D.val);
    uint32_t in_D = a->A.row[0] = a->D.row[0] = 0;
    for (uint64_t i = 0; i < rows; i++) {
        a->A.row[i + 1] = (uint32_t)(A->row[from + i + 1] - first);
        for (uint64_t k = A->row[from + i]; k < A->row[from + i + 1]; k++) {
            uint64_t j = A->col[k];
            bool own = j >= from && j < from + rows;
            uint32_t place = own ? 0 : place_of(a->ghosts, a->before + a->after, j);
            a->A.col[k - first] = (uint32_t)(own                 ? a->before + j - from
                                             : place < a->before ? place
                                                                 : place + rows);
            a->A.val[k - first] = A->val[k];
            if (own)
                a->D.col[in_D] = (uint32_t)(j - from), a->D.val[in_D++] = A->val[k];
        }
        a->D.row[i + 1] = in_D;
    }
}

/* False if the barrier is broken. */
static inline bool meet_at(struct barrier *b)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&b->lock);
    uint64_t turn = b->turn;
    if (++b->here == b->members) {
        b->here = 0;
        b->turn++;
        pthread_cond_broadcast(&b->all);
    }
    while (b->turn == turn && !b->broken)
        b->broken = pthread_cond_timedwait(&b->all, &b->lock, &until) != 0;
    bool good = !b->broken;
    pthread_cond_broadcast(&b->all);
    pthread_mutex_unlock(&b->lock);
    return good;
}

/* Releases all threads from the barrier. */
static inline void break_barrier(struct barrier *b)
{
    pthread_mutex_lock(&b->lock);
    b->broken = true;
    pthread_cond_broadcast(&b->all);
    pthread_mutex_unlock(&b->lock);
}

static inline int exchange(void *user, const void *sent, void *received)
{
    struct actor *a = user;
    struct play *p = a->play;
    size_t bytes = p->precision == VKS_F32 ? 4 : 8;
    a->exchanges++;
    a->offers = sent;
    if (!meet_at(&p->barrier))
        return 1;
    for (uint32_t i = 0; i < a->before + a->after; i++) {
        const struct actor *of = owner_of(p, a->ghosts[i]);
        uint32_t row = (uint32_t)(a->ghosts[i] - p->first[of->process]);
        const uint32_t *found = bsearch(&row, of->sent, of->sends, sizeof row, by_row);
        size_t at = (size_t)(found - of->sent);
        memcpy((char *)received + i * bytes, (const char *)of->offers + at * bytes, bytes);
    }
    return 0;
}

static inline int exchanged(void *user)
{
    return !meet_at(&((struct actor *)user)->play->barrier);
}

static inline int gather(void *user, const double *own, size_t count, double *all)
{
    struct actor *a = user;
    struct play *p = a->play;
    a->gathers++;
    a->brings = own;
    a->count = count;
    if (!meet_at(&p->barrier))
        return 1;
    for (uint32_t q = 0; q < p->processes; q++) {
        memcpy(all, p->actor[q].brings, p->actor[q].count * sizeof *all);
        all += p->actor[q].count;
    }
    return !meet_at(&p->barrier);
}

/* Intercepts submissions to the devices of actors: those of one may fail. */
static const struct device_ops *actors_ops;
static _Thread_local struct actor *acting;

static inline vks_status submit_or_fail(struct rec *r, uint64_t *ticket)
{
    if (acting->watched && acting->fails_at && ++acting->submits >= acting->fails_at)
        return fail(r->device->message, VKS_DEVICE_LOST, "lost on purpose");
    return actors_ops->submit(r, ticket);
}

static inline vks_status solve_twice(vks_matrix *A, const double *values, const vks_vector *b, vks_vector *x,
                                     const vks_solve_options *options, vks_solve_report *report)
{
    OWNED(vks_solver) *solver = NULL;
    vks_status s = vks_solver_create(A, options, &solver);
    if (!s)
        s = vks_solver_solve(solver, b, x, report);
    if (!s)
        s = vks_matrix_set_values(A, VKS_F64, values);
    if (!s)
        s = vks_vector_fill(x, 0);
    acting->watched = true;
    if (!s)
        s = vks_solver_solve(solver, b, x, report);
    return s;
}

/* Makes the objects of an actor and solves. */
static inline vks_status act_in(struct actor *a, vks_context *c)
{
    struct play *p = a->play;
    uint32_t n = (uint32_t)rows_of(a);
    OWNED(vks_matrix) *A = NULL, *D = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    OWNED(vks_array) *sent = NULL;
    OWNED(vks_precond) *M = NULL;
    const vks_matrix_options o = {.precision = p->precision, .lanes = p->lanes};
    vks_status s = vks_matrix_from_csr(c, n, a->A.cols, a->A.row, a->A.col, a->A.val, &o, &A);
    if (!s)
        s = vks_matrix_from_csr(c, n, n, a->D.row, a->D.col, a->D.val, &o, &D);
    if (!s && p->M)
        s = vks_precond_create(D, p->M, &M);
    if (!s)
        s = vks_array_create(c, a->sends, VKS_TYPE_U32, &sent);
    if (!s)
        s = vks_array_write(sent, 0, a->sends, a->sent);
    if (!s)
        s = vks_vector_create(c, n, p->precision, &b);
    if (!s)
        s = vks_vector_create(c, n, p->precision, &x);
    if (!s)
        s = vks_vector_write(b, 0, n, VKS_F64, p->b + p->first[a->process]);
    vks_partners with = {.processes = p->processes,
                         .process = a->process,
                         .first = p->first,
                         .before = a->before,
                         .after = a->after,
                         .sent = sent,
                         .user = a,
                         .exchange = exchange,
                         .exchanged = exchanged,
                         .gather = gather};
    vks_solve_options options = p->options;
    options.partners = &with;
    options.shared_precond = M;
    options.history = a->process ? NULL : p->history;
    options.history_capacity = a->process ? 0 : options.history_capacity;
    struct device_ops failing = *c->device->ops;
    const struct device_ops *ops = c->device->ops;
    actors_ops = ops;
    acting = a;
    a->watched = !p->keeps;
    failing.submit = submit_or_fail;
    c->device->ops = &failing;
    if (!s && p->begins)
        p->begins(a);
    if (!s)
        s = p->keeps ? solve_twice(A, a->A.val, b, x, &options, &a->report)
                     : vks_solve(A, b, x, &options, &a->report);
    if (p->ended)
        p->ended(a, s);
    c->device->ops = ops;
    if (!s)
        s = vks_vector_read(x, 0, n, VKS_F64, p->x + p->first[a->process]);
    snprintf(a->message, sizeof a->message, "%s", vks_context_message(c));
    return s;
}

static inline void *act(void *actor)
{
    struct actor *a = actor;
    struct message m = {0};
    bool host = !strcmp(a->play->device, "host");
    struct device_options o = {.validate = !host && on_lavapipe(), .threads = 1};
    a->status = context_open(&m, a->play->device, &o, &a->context);
    if (!a->status)
        a->status = act_in(a, a->context);
    if (!host && a->context)
        a->messages = device_vulkan_messages(a->context->device);
    return NULL;
}

/* All processes solve. play_end frees everything. Contexts are closed after all threads have ended: NVIDIA's
 * driver 580 hangs if a thread ends while another closes a device. */
static inline void play(struct play *p)
{
    pthread_t thread[MOST_PARTNERS];
    p->barrier.members = p->processes;
    pthread_mutex_init(&p->barrier.lock, NULL);
    pthread_cond_init(&p->barrier.all, NULL);
    for (uint32_t q = 0; q < p->processes; q++) {
        p->actor[q].play = p;
        p->actor[q].process = q;
        find_ghosts(&p->actor[q]);
    }
    for (uint32_t q = 0; q < p->processes; q++) {
        find_sent(&p->actor[q]);
        take_rows(&p->actor[q]);
    }
    for (uint32_t q = 0; q < p->processes; q++)
        cr_assert_eq(pthread_create(&thread[q], NULL, act, &p->actor[q]), 0);
    for (uint32_t q = 0; q < p->processes; q++)
        pthread_join(thread[q], NULL);
    for (uint32_t q = 0; q < p->processes; q++) {
        vks_context_destroy(p->actor[q].context);
        p->actor[q].context = NULL;
    }
    pthread_mutex_destroy(&p->barrier.lock);
    pthread_cond_destroy(&p->barrier.all);
}

static inline void play_end(struct play *p)
{
    for (uint32_t q = 0; q < p->processes; q++) {
        struct actor *a = &p->actor[q];
        free(a->ghosts);
        free(a->sent);
        free(a->A.row), free(a->A.col), free(a->A.val);
        free(a->D.row), free(a->D.col), free(a->D.val);
    }
}

#endif
