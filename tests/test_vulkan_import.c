#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* Pages of the program as arrays of a Vulkan device: refusals, and every driver call that may fail. Transfers
 * (test_transfer.c) use them. */
#include "vulkan_device.h"

#include <sys/mman.h>

enum { BYTES = 4 * 4096 };

static void *new_pages(void)
{
    void *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    return pages;
}

static void must_not_take(struct device *d, void *pages, uint64_t bytes, vks_status status, const char *why)
{
    struct memory m = {.bytes = 1};
    uint64_t before = d->bytes;
    must_fail(device_import(d, pages, bytes, &m), status, why);
    cr_expect(!m.handle && !m.bytes);
    cr_expect_eq(d->bytes, before);
}

static void must_take(struct device *d, void *pages)
{
    struct memory m, array = new_array(d, MEMORY_DEVICE, BYTES);
    unsigned char sent[BYTES];
    for (int i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(i * 7 + i / 256);
    must(device_import(d, pages, BYTES, &m));
    cr_expect(m.mapped == pages && m.bytes == BYTES);
    memset(pages, 0, BYTES);
    must(device_write(d, &m, 0, sent, BYTES));
    cr_expect_arr_eq((unsigned char *)pages, sent, BYTES);
    device_release(d, &m);
    device_release(d, &array);
}

Test(vulkan_import, takes_whole_units_of_pages_alone)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.largest_array = 3 * 4096});
    struct vulkan *v = vulkan_of(d);
    unsigned char *pages = new_pages();
    const char *why = "cannot import these pages";
    cr_assert(v->imports, "lavapipe is without VK_EXT_external_memory_host");
    cr_expect_geq(v->profile.import_alignment, 1);
    must_not_take(d, pages + 64, 4096, VKS_UNSUPPORTED, why);
    must_not_take(d, pages, 4096 - 64, VKS_UNSUPPORTED, why);
    must_not_take(d, pages, 4 * 4096, VKS_UNSUPPORTED, why); /* larger than an array may be */
    v->imports = false;
    must_not_take(d, pages, 4096, VKS_UNSUPPORTED, why);
    v->imports = true;
    munmap(pages, BYTES);
}

static VkResult result;

static VkResult VKAPI_CALL no_buffer(VkDevice d, const VkBufferCreateInfo *i, const VkAllocationCallbacks *a,
                                     VkBuffer *b)
{
    (void)d, (void)i, (void)a, (void)b;
    return result;
}

static VkResult VKAPI_CALL no_pointer(VkDevice d, VkExternalMemoryHandleTypeFlagBits t, const void *p,
                                      VkMemoryHostPointerPropertiesEXT *q)
{
    (void)d, (void)t, (void)p, (void)q;
    return result;
}

static VkResult VKAPI_CALL no_type(VkDevice d, VkExternalMemoryHandleTypeFlagBits t, const void *p,
                                   VkMemoryHostPointerPropertiesEXT *q)
{
    (void)d, (void)t, (void)p;
    q->memoryTypeBits = 0;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL no_memory(VkDevice d, const VkMemoryAllocateInfo *i,
                                     const VkAllocationCallbacks *a, VkDeviceMemory *m)
{
    (void)d, (void)i, (void)a, (void)m;
    return result;
}

static VkResult VKAPI_CALL no_binding(VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o)
{
    (void)d, (void)b, (void)m, (void)o;
    return result;
}

/* Replaces one function of the driver at a time; afterwards all works as before. */
static void fail_in_turn(struct device *d, void *pages, vks_status status, const char *why)
{
    struct vulkan_api *vk = &vulkan_of(d)->instance.vk, plain = *vk;
    vk->CreateBuffer = no_buffer;
    must_not_take(d, pages, BYTES, status, why);
    *vk = plain;
    vk->GetMemoryHostPointerPropertiesEXT = no_pointer;
    must_not_take(d, pages, BYTES, status, why);
    *vk = plain;
    vk->AllocateMemory = no_memory;
    must_not_take(d, pages, BYTES, status, why);
    *vk = plain;
    vk->BindBufferMemory = no_binding;
    must_not_take(d, pages, BYTES, status, why);
    *vk = plain;
    must_take(d, pages);
}

Test(vulkan_import, cleans_up_whichever_call_of_the_driver_fails)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct vulkan_api *vk = &vulkan_of(d)->instance.vk, plain = *vk;
    void *pages = new_pages();
    result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    fail_in_turn(d, pages, VKS_UNSUPPORTED, "cannot import these pages");
    result = VK_ERROR_OUT_OF_HOST_MEMORY;
    fail_in_turn(d, pages, VKS_OUT_OF_MEMORY, "importing pages");
    vk->GetMemoryHostPointerPropertiesEXT = no_type;
    must_not_take(d, pages, BYTES, VKS_UNSUPPORTED, "cannot import these pages");
    vk->GetMemoryHostPointerPropertiesEXT = NULL;
    must_not_take(d, pages, BYTES, VKS_UNSUPPORTED, "cannot import these pages");
    *vk = plain;
    munmap(pages, BYTES);
}
