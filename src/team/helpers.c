#include "team/helpers.h"
#include "team/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_HELPERS = 15 };
/* Suffices for drivers' compilers. */
static const size_t stack_bytes = (size_t)8 << 20;

struct helpers {
    pthread_mutex_t lock;
    pthread_cond_t added, rests;
    struct errand *first, **last;
    uint32_t errands, resting, threads, most;
    bool ends, leaves;
    pthread_t thread[MOST_HELPERS];
};

struct helpers *helpers_create(uint32_t most)
{
    struct helpers *h = most ? calloc(1, sizeof *h) : NULL;
    pthread_condattr_t monotonic;
    if (!h)
        return NULL;
    h->most = most < MOST_HELPERS ? most : MOST_HELPERS;
    h->last = &h->first;
    pthread_condattr_init(&monotonic); /* none of these fails on Linux */
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->added, NULL);
    pthread_cond_init(&h->rests, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return h;
}

static struct errand *take(struct helpers *h)
{
    struct errand *j = h->first;
    if (j && !(h->first = j->next))
        h->last = &h->first;
    h->errands -= j != NULL;
    return j;
}

static void rest(struct helpers *h)
{
    h->resting++;
    pthread_cond_signal(&h->rests);
    pthread_cond_wait(&h->added, &h->lock);
    h->resting--;
}

static void *help(void *of)
{
    struct helpers *h = of;
    pthread_mutex_lock(&h->lock);
    while (!h->leaves) {
        struct errand *j = take(h);
        if (!j) {
            rest(h);
            continue;
        }
        pthread_mutex_unlock(&h->lock);
        j->run(j);
        pthread_mutex_lock(&h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void drop(struct errand *j)
{
    if (j && j->drop)
        j->drop(j);
}

static void push(struct helpers *h, struct errand *j, bool is_next)
{
    struct errand **at = is_next ? &h->first : h->last;
    j->next = *at;
    *at = j;
    if (!j->next)
        h->last = &j->next;
    h->errands++;
}

void helpers_add(struct helpers *h, struct errand *j, bool is_next)
{
    pthread_mutex_lock(&h->lock);
    bool is_late = h->ends;
    if (!is_late)
        push(h, j, is_next);
    if (h->errands > h->resting && h->threads < h->most)
        h->threads += thread_start(&h->thread[h->threads], stack_bytes, help, h);
    pthread_cond_signal(&h->added);
    pthread_mutex_unlock(&h->lock);
    if (is_late)
        drop(j);
}

bool helpers_rest(struct helpers *h, double seconds)
{
    struct timespec until;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds + 1;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    for (struct errand *j; (j = take(h));)
        drop(j);
    while (h->resting < h->threads && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&h->rests, &h->lock, &until);
    bool all_rest = h->resting == h->threads;
    pthread_mutex_unlock(&h->lock);
    return all_rest;
}

void helpers_destroy(struct helpers *h)
{
    if (!h)
        return;
    pthread_mutex_lock(&h->lock);
    h->leaves = true;
    pthread_cond_broadcast(&h->added);
    pthread_mutex_unlock(&h->lock);
    for (uint32_t i = 0; i < h->threads; i++)
        pthread_join(h->thread[i], NULL);
    pthread_cond_destroy(&h->rests);
    pthread_cond_destroy(&h->added);
    pthread_mutex_destroy(&h->lock);
    free(h);
}
