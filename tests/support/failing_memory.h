/* Makes an allocation of host memory fail on demand. Only allocations by vksolve's own code count, not those
 * of the C library, threads and drivers. Needs glibc, whose allocator remains reachable under other names,
 * and no sanitizer, which brings its own allocator. A suite includes this file once. */
#ifndef VKS_TESTS_FAILING_MEMORY_H
#define VKS_TESTS_FAILING_MEMORY_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h> /* defines whether it is glibc */

#if defined(__GLIBC__) && !SANITIZED
#define MEMORY_CAN_FAIL 1
#include <errno.h>
#include <pthread.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

extern char __executable_start, etext; /* from the linker: the address range of this program's own code */

enum { MOST_BLOCKS = 1000 };

/* Whether failures are armed, and counts since then; `block` lists our allocations that are not freed. */
static struct {
    bool armed;
    uint32_t calls, fail_call, failures, live;
    void *block[MOST_BLOCKS];
} memory;
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool memory_spares; /* exempts this thread's allocations */

static bool ours(const void *caller)
{
    return memory.armed && !memory_spares && (const char *)caller >= &__executable_start &&
           (const char *)caller < &etext;
}

/* Whether this allocation is the one to fail. */
static bool fails(const void *caller)
{
    if (!ours(caller))
        return false;
    pthread_mutex_lock(&memory_lock);
    bool now = ++memory.calls == memory.fail_call;
    memory.failures += now;
    pthread_mutex_unlock(&memory_lock);
    return now;
}

static void *remembered(void *p, const void *caller)
{
    if (p && ours(caller)) {
        pthread_mutex_lock(&memory_lock);
        memory.block[memory.live++ % MOST_BLOCKS] = p;
        pthread_mutex_unlock(&memory_lock);
    }
    return p;
}

static void forget(const void *p)
{
    if (!p || !memory.armed)
        return;
    pthread_mutex_lock(&memory_lock);
    for (uint32_t i = 0; i < memory.live && i < MOST_BLOCKS; i++)
        if (memory.block[i] == p) {
            memory.block[i] = memory.block[--memory.live];
            break;
        }
    pthread_mutex_unlock(&memory_lock);
}

void *malloc(size_t size)
{
    const void *caller = __builtin_return_address(0);
    return fails(caller) ? NULL : remembered(__libc_malloc(size), caller);
}

void *calloc(size_t count, size_t size)
{
    const void *caller = __builtin_return_address(0);
    return fails(caller) ? NULL : remembered(__libc_calloc(count, size), caller);
}

void *realloc(void *p, size_t size)
{
    const void *caller = __builtin_return_address(0);
    if (fails(caller))
        return NULL;
    forget(p);
    return remembered(__libc_realloc(p, size), caller);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    const void *caller = __builtin_return_address(0);
    *p = fails(caller) ? NULL : remembered(__libc_memalign(alignment, size), caller);
    return *p ? 0 : ENOMEM;
}

void free(void *p)
{
    forget(p);
    __libc_free(p);
}

/* Makes the k-th allocation from now on fail. */
static void arm(uint32_t k)
{
    memory.calls = memory.failures = memory.live = 0;
    memory.fail_call = k;
    memory.armed = true;
}

static void disarm(void)
{
    memory.armed = false;
    cr_assert_eq(memory.live, 0, "%u blocks were left behind after allocation %u failed", memory.live,
                 memory.fail_call);
}

#endif
#endif
