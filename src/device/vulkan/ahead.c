/* Pipelines ahead of use. A driver takes 10 to 300 ms to compile one, so those that will be needed are made
 * by threads, as many at once as the host has cores. Whoever needs one that no thread has begun makes it
 * himself. */
#include "device/vulkan/vulkan.h"
#include "team/team.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

vks_status vulkan_ahead_open(struct vulkan *v)
{
    struct ahead *a = &v->ahead;
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic))
        return fail_memory(v->device.message, "the pipelines", sizeof *a);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&a->lock, NULL); /* none of these three fails on Linux */
    pthread_cond_init(&a->wanted, NULL);
    pthread_cond_init(&a->made, &monotonic);
    pthread_condattr_destroy(&monotonic);
    a->is_open = true;
    return VKS_OK;
}

static struct pipeline *find(struct pipeline *list, const uint32_t *constants, uint32_t count)
{
    while (list && memcmp(list->constants, constants, count * sizeof *constants) != 0)
        list = list->next;
    return list;
}

/* There are as many as combinations in use. A kernel bounds what its constants can be, so a list stays short.
 * NULL: out of memory. */
static struct pipeline *find_or_add(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                                    const void *args, bool *is_new)
{
    const struct kernel *k = &kernels[kernel];
    bool wide = vulkan_wide(v);
    struct pipeline **list = &v->pipelines[wide][kernel][precision];
    uint32_t constants[MAX_CONSTANTS] = {0};
    if (k->constants)
        memcpy(constants, (const char *)args + k->push_bytes, k->constants * sizeof *constants);
    struct pipeline *p = find(*list, constants, k->constants);
    *is_new = !p;
    if (p || !(p = malloc(sizeof *p)))
        return p;
    *p = (struct pipeline){.kernel = k, .precision = precision, .wide = wide, .next = *list};
    memcpy(p->constants, constants, sizeof constants);
    *list = p;
    return p;
}

/* Makes p, unlocked meanwhile. After a failure it is wanted still. */
static VkResult make_locked(struct vulkan *v, struct pipeline *p)
{
    struct ahead *a = &v->ahead;
    p->state = PIPELINE_IN_WORK;
    pthread_mutex_unlock(&a->lock);
    VkResult r = vulkan_pipeline_make(v, p);
    pthread_mutex_lock(&a->lock);
    p->state = r ? PIPELINE_WANTED : PIPELINE_MADE;
    pthread_cond_broadcast(&a->made);
    return r;
}

static struct pipeline *next_wanted(struct ahead *a)
{
    struct pipeline *p = a->first;
    if (p && !(a->first = p->later))
        a->last = NULL;
    return p;
}

static void *make_pipelines(void *of)
{
    struct vulkan *v = of;
    struct ahead *a = &v->ahead;
    pthread_mutex_lock(&a->lock);
    while (!a->ends) {
        struct pipeline *p = next_wanted(a);
        if (p && p->state == PIPELINE_WANTED)
            make_locked(v, p);
        if (p)
            continue;
        a->idle++;
        pthread_cond_wait(&a->wanted, &a->lock);
        a->idle--;
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Starts another thread, where the team may have one; without signals, which are the program's. */
static void start_maker(struct vulkan *v)
{
    struct ahead *a = &v->ahead;
    sigset_t all, before;
    if (a->threads == MOST_MAKERS || a->threads + 1 >= team_size(v->device.team))
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->threads += !pthread_create(&a->thread[a->threads], NULL, make_pipelines, v);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void vulkan_want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args)
{
    struct vulkan *v = vulkan_of(d);
    struct ahead *a = &v->ahead;
    bool is_new;
    pthread_mutex_lock(&a->lock);
    struct pipeline *p = find_or_add(v, kernel, precision, args, &is_new);
    if (p && is_new) {
        *(a->last ? &a->last->later : &a->first) = p;
        a->last = p;
        if (a->idle)
            pthread_cond_signal(&a->wanted);
        else
            start_maker(v);
    }
    pthread_mutex_unlock(&a->lock);
}

/* Waits while another thread makes p. */
static bool await(struct ahead *a, const struct pipeline *p)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)DEVICE_WAIT_SECONDS;
    int error = 0;
    while (p->state == PIPELINE_IN_WORK && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&a->made, &a->lock, &until);
    return p->state != PIPELINE_IN_WORK;
}

vks_status vulkan_ahead_take(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                             const void *args, struct pipeline **out, VkResult *made)
{
    struct ahead *a = &v->ahead;
    bool is_new, is_there = false;
    *made = VK_SUCCESS;
    pthread_mutex_lock(&a->lock);
    struct pipeline *p = *out = find_or_add(v, kernel, precision, args, &is_new);
    if (p)
        is_there = await(a, p);
    if (is_there && p->state == PIPELINE_WANTED)
        *made = make_locked(v, p);
    pthread_mutex_unlock(&a->lock);
    if (!p)
        return fail_memory(v->device.message, "a pipeline", sizeof *p);
    return is_there
               ? VKS_OK
               : fail(v->device.message, VKS_TIMEOUT, "the driver has compiled kernel %s for %.0f seconds",
                      p->kernel->name, DEVICE_WAIT_SECONDS);
}

void vulkan_ahead_close(struct vulkan *v)
{
    struct ahead *a = &v->ahead;
    if (!a->is_open)
        return;
    pthread_mutex_lock(&a->lock);
    a->ends = true;
    pthread_cond_broadcast(&a->wanted);
    pthread_mutex_unlock(&a->lock);
    for (uint32_t i = 0; i < a->threads; i++)
        pthread_join(a->thread[i], NULL);
    pthread_cond_destroy(&a->made);
    pthread_cond_destroy(&a->wanted);
    pthread_mutex_destroy(&a->lock);
    a->is_open = false;
}
