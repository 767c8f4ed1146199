/* Makes pipelines ahead of use. A driver takes 10 to 500 ms to compile one, so helpers make the pipelines
 * that will be needed, in parallel. A caller makes a pipeline itself if no helper has begun it. */
#include "device/vulkan/vulkan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void vulkan_ahead_open(struct ahead *a)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic); /* none of these fails on Linux */
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->made, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static struct pipeline *find(struct pipeline *list, const uint32_t *constants, uint32_t count)
{
    while (list && memcmp(list->constants, constants, count * sizeof *constants) != 0)
        list = list->next;
    return list;
}

/* Makes p, and releases the lock while it does. After a failure the state of p is PIPELINE_WANTED again. */
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

/* A helper's work. */
static void make_ahead(struct errand *j)
{
    struct pipeline *p = (struct pipeline *)(void *)j;
    pthread_mutex_lock(&p->of->ahead.lock);
    if (p->state == PIPELINE_WANTED)
        make_locked(p->of, p);
    pthread_mutex_unlock(&p->of->ahead.lock);
}

/* A list has an element for each combination of constants in use. A kernel bounds the values of its
 * constants, so lists stay short. NULL: out of memory. */
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
    *p = (struct pipeline){.errand = {.run = make_ahead},
                           .of = v,
                           .kernel = k,
                           .precision = precision,
                           .wide = wide,
                           .next = *list};
    memcpy(p->constants, constants, sizeof constants);
    *list = p;
    return p;
}

void vulkan_want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args)
{
    struct vulkan *v = vulkan_of(d);
    bool is_new = false;
    if (!d->helpers)
        return;
    pthread_mutex_lock(&v->ahead.lock);
    struct pipeline *p = find_or_add(v, kernel, precision, args, &is_new);
    pthread_mutex_unlock(&v->ahead.lock);
    if (p && is_new)
        helpers_add(d->helpers, &p->errand, false);
}

/* Waits while another thread makes p. */
static bool await(struct vulkan *v, const struct pipeline *p)
{
    struct ahead *a = &v->ahead;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)v->device.patience + 1;
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
        is_there = await(v, p);
    if (is_there && p->state == PIPELINE_WANTED)
        *made = make_locked(v, p);
    pthread_mutex_unlock(&a->lock);
    if (!p)
        return fail_memory(v->device.message, "a pipeline", sizeof *p);
    return is_there ? VKS_OK
                    : fail(v->device.message, VKS_TIMEOUT,
                           "the driver has been compiling kernel %s for %.0f seconds", p->kernel->name,
                           v->device.patience);
}

bool vulkan_ahead_close(struct vulkan *v)
{
    struct helpers *h = v->device.helpers;
    atomic_store(&v->device.rehearsals.ended, true);
    if (h && !helpers_rest(h, v->device.patience))
        return false;
    bool locked = vulkan_lock();
    helpers_destroy(h);
    vulkan_unlock(locked);
    v->device.helpers = NULL;
    return true;
}

void vulkan_ahead_free(struct ahead *a)
{
    pthread_cond_destroy(&a->made);
    pthread_mutex_destroy(&a->lock);
}
