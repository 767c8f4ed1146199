/* Several processes of a solve, played by threads of one: each has a context, and rows of a matrix. What
 * crosses is copied behind barriers. */
#ifndef VKS_TESTS_PARTNERS_H
#define VKS_TESTS_PARTNERS_H

#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "vksolve/vksolve.h"

#include <pthread.h>

enum { MOST_PARTNERS = 8 };

struct play;

/* One of them, with its share of A x = b. */
struct actor {
    struct play *play;
    uint32_t process;
    struct host_csr A, D; /* its rows, with the columns renumbered; its diagonal */
    uint32_t *sent, sends;
    uint64_t *ghosts; /* rows of others, ascending */
    uint32_t before, after;
    const void *offers; /* what it sends at the moment */
    const double *brings;
    size_t count;
    uint32_t exchanges, gathers, fails_at; /* fails_at: the gathering that fails, from 1; 0: none */
    vks_status status;
    vks_solve_report report;
    char message[512];
    uint32_t messages; /* of the validation layer */
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
    bool jacobi;
    pthread_barrier_t barrier;
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

/* The rows of a that any other one needs, ascending. */
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
    a->D.col = malloc((rows + 1) * sizeof *a->D.col);
    a->D.val = malloc((rows + 1) * sizeof *a->D.val);
    for (uint32_t i = 0; i <= rows; i++)
        a->A.row[i] = (uint32_t)(A->row[from + i] - first), a->D.row[i] = i;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = A->row[from + i]; k < A->row[from + i + 1]; k++) {
            uint64_t j = A->col[k];
            bool own = j >= from && j < from + rows;
            uint32_t place = own ? 0 : place_of(a->ghosts, a->before + a->after, j);
            a->A.col[k - first] = (uint32_t)(own                 ? a->before + j - from
                                             : place < a->before ? place
                                                                 : place + rows);
            a->A.val[k - first] = A->val[k];
            if (j == from + i)
                a->D.col[i] = (uint32_t)i, a->D.val[i] = A->val[k];
        }
}

static inline int exchange(void *user, const void *sent, void *received)
{
    struct actor *a = user;
    struct play *p = a->play;
    size_t bytes = p->precision == VKS_F32 ? 4 : 8;
    a->exchanges++;
    a->offers = sent;
    pthread_barrier_wait(&p->barrier);
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
    pthread_barrier_wait(&((struct actor *)user)->play->barrier);
    return 0;
}

static inline int gather(void *user, uint32_t width, const double *own, size_t count, double *all)
{
    struct actor *a = user;
    struct play *p = a->play;
    bool fails = ++a->gathers == a->fails_at;
    double failing[1] = {VKS_DEVICE_LOST};
    (void)width;
    a->brings = own;
    a->count = count;
    pthread_barrier_wait(&p->barrier);
    for (uint32_t q = 0; q < p->processes; q++) {
        memcpy(all, p->actor[q].brings, p->actor[q].count * sizeof *all);
        if (p->actor[q].gathers == p->actor[q].fails_at)
            all[0] = failing[0];
        all += p->actor[q].count;
    }
    pthread_barrier_wait(&p->barrier);
    return fails ? 7 : 0;
}

/* Makes the objects of an actor and solves. */
static inline vks_status act_in(struct actor *a, vks_context *c)
{
    struct play *p = a->play;
    uint32_t n = (uint32_t)rows_of(a);
    vks_matrix *A = NULL, *D = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_array *sent = NULL;
    vks_precond *M = NULL;
    const vks_matrix_options o = {.precision = p->precision};
    const vks_precond_options diagonal = {.kind = VKS_PRECOND_JACOBI};
    vks_status s = vks_matrix_from_csr(c, n, a->A.cols, a->A.row, a->A.col, a->A.val, &o, &A);
    if (!s)
        s = vks_matrix_from_csr(c, n, n, a->D.row, a->D.col, a->D.val, &o, &D);
    if (!s && p->jacobi)
        s = vks_precond_create(D, &diagonal, &M);
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
    if (!s)
        s = vks_solve(A, b, x, &options, &a->report);
    if (!s)
        s = vks_vector_read(x, 0, n, VKS_F64, p->x + p->first[a->process]);
    snprintf(a->message, sizeof a->message, "%s", vks_context_message(c));
    vks_array_destroy(sent);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_precond_destroy(M);
    vks_matrix_destroy(A);
    vks_matrix_destroy(D);
    return s;
}

static inline void *act(void *actor)
{
    struct actor *a = actor;
    struct message m = {0};
    bool host = !strcmp(a->play->device, "host");
    struct device_options o = {.validate = !host && !getenv("VKSOLVE_TEST_DEVICE"), .threads = 1};
    vks_context *c = NULL;
    a->status = context_open(&m, a->play->device, &o, &c);
    if (!a->status)
        a->status = act_in(a, c);
    if (!host && c)
        a->messages = device_vulkan_messages(c->device);
    vks_context_destroy(c);
    return NULL;
}

/* All processes solve. The caller frees nothing: play_end does. */
static inline void play(struct play *p)
{
    pthread_t thread[MOST_PARTNERS];
    pthread_barrier_init(&p->barrier, NULL, p->processes);
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
    pthread_barrier_destroy(&p->barrier);
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
