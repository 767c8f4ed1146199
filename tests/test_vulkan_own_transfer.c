/* Transfers in pages of the program, in its own Vulkan device. */
#include "own_device.h"
#include "vksolve/transfer.h"
#include "vksolve/vector_algebra.h"

/* vksolve has not requested VK_EXT_external_memory_host there. */
Test(vulkan_own_transfer, in_pages_is_copied_by_the_host)
{
    static _Alignas(4096) double pages[4096 / 8] = {1, 2, 3};
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 64);
    vks_context *c = app_context(&a);
    vks_transfer *t;
    vks_vector *v;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, 3, VKS_F64, &v));
    must_work(c, vks_transfer_create_in(c, pages, sizeof pages, &t));
    cr_expect_not(vks_transfer_is_direct(t));
    must_work(c, vks_transfer_write(t, 0, v, 0, 3));
    must_work(c, vks_vector_scale(2, v));
    must_work(c, vks_transfer_read(t, 80, v, 1, 2));
    must_work(c, vks_transfer_wait(t));
    cr_expect(pages[10] == 4 && pages[11] == 6 && pages[12] == 0);
    vks_transfer_destroy(t);
    vks_vector_destroy(v);
    vks_context_destroy(c);
    app_buffer_free(&a, &there);
}
