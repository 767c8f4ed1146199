/* Vulkan's loader is opened, called first and closed by one thread at a time. The functions of <dlfcn.h> are
 * replaced by this program's own, and open a loader that only detects a second thread. */
#include "device/vulkan/api.h"
#include "tests/support/own.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#if !defined(__SANITIZE_ADDRESS__)
enum { THREADS = 4, TIMES = 5 };
static atomic_int inside, overlaps, opened;

static void stay(void)
{
    const struct timespec a_while = {.tv_nsec = 2000000};
    atomic_fetch_add(&overlaps, atomic_fetch_add(&inside, 1));
    nanosleep(&a_while, NULL);
    atomic_fetch_sub(&inside, 1);
}

static VkResult VKAPI_PTR enumerate_version(uint32_t *version)
{
    stay();
    *version = VK_API_VERSION_1_2;
    return VK_SUCCESS;
}

static PFN_vkVoidFunction VKAPI_PTR find(VkInstance instance, const char *name)
{
    (void)instance, (void)name;
    return (PFN_vkVoidFunction)enumerate_version;
}

void *dlopen(const char *name, int flags)
{
    (void)flags;
    if (!name || strcmp(name, "pretended"))
        return NULL;
    stay();
    atomic_fetch_add(&opened, 1);
    return &opened;
}

void *dlsym(void *library, const char *name)
{
    PFN_vkGetInstanceProcAddr function = find;
    void *symbol = NULL;
    if (library == &opened && !strcmp(name, "vkGetInstanceProcAddr"))
        memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}

int dlclose(void *library)
{
    (void)library;
    stay();
    atomic_fetch_sub(&opened, 1);
    return 0;
}

static void *open_and_close(void *unused)
{
    for (int k = 0; k < TIMES; k++) {
        struct message m = {0};
        OWNED_BY(vulkan_api_close) struct vulkan_api vk = {0};
        cr_expect_eq(vulkan_api_open(&m, "pretended", &vk), VKS_OK, "%s", m.text);
    }
    return unused;
}

Test(vulkan_loader, is_opened_by_one_thread_at_a_time)
{
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++)
        cr_assert_eq(pthread_create(&thread[k], NULL, open_and_close, NULL), 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
    cr_expect_eq(overlaps, 0, "%d times two threads were in the loader", overlaps);
    cr_expect_eq(opened, 0);
}
#endif
