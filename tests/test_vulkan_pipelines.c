/* Pipelines of a Vulkan device: one for each combination of a kernel's specialisation constants, and failures
 * to create one. */
#include "vulkan_device.h"

#include "tests/support/failing_memory.h"

static PFN_vkCreateComputePipelines real_make;
static VkResult answer; /* returned by the next calls, unless it is VK_SUCCESS */
static uint32_t made;
static VkSpecializationInfo given; /* and what it points to: */
static VkSpecializationMapEntry entry[1 + MAX_CONSTANTS];
static uint32_t value[1 + MAX_CONSTANTS];

static VKAPI_ATTR VkResult VKAPI_CALL pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkPipeline *list)
{
    given = *info->stage.pSpecializationInfo;
    cr_assert(given.mapEntryCount <= 1 + MAX_CONSTANTS && given.dataSize <= sizeof value);
    memcpy(entry, given.pMapEntries, given.mapEntryCount * sizeof *entry);
    memcpy(value, given.pData, given.dataSize);
    made++;
    return answer ? answer : real_make(device, cache, count, info, callbacks, list);
}

/* With one thread, no pipelines are made in advance by others. */
static struct vulkan *open_watched(void)
{
    struct vulkan *v = vulkan_of(open_tested((struct device_options){.threads = 1}));
    real_make = v->instance.vk.CreateComputePipelines;
    v->instance.vk.CreateComputePipelines = pipelines;
    return v;
}

static vks_status find(struct vulkan *v, uint32_t lanes, VkPipeline *out)
{
    return vulkan_pipeline(v, KERNEL_spmv_csr, PRECISION_F32, &(struct spmv_csr_args){.lanes = lanes}, out);
}

/* A row of four entries, whose sum depends on the number of lanes. */
static void sum_row(struct rec *r, struct memory A, struct memory x, struct memory y, uint32_t lanes)
{
    run(r, spmv_csr, 1, .row = words_in(&A, 0), .col = words_in(&A, 2), .val = (values)words_in(&A, 6),
        .x = reals_at(x), .y = reals_at(y), .n = 1, .lanes = lanes);
}

static float only(struct device *d, struct memory m)
{
    float got;
    must(device_read(d, &m, 0, &got, sizeof got));
    return got;
}

Test(vulkan_pipelines, are_one_for_each_combination_of_specialisation_constants)
{
    struct vulkan *v = open_watched();
    OWNED_BY(clean_end) struct device *d = &v->device;
    OWNED_BY(rec_destroy) struct rec r;
    const struct {
        uint32_t row[2], col[4];
        float val[4];
    } words = {{0, 4}, {0, 1, 2, 3}, {0x1p24f, 1, -0x1p24f, 1}};
    struct memory A = new_array(d, MEMORY_DEVICE, sizeof words), x = new_floats(d, 4, 1);
    struct memory one = new_array(d, MEMORY_DEVICE, 4), two = new_array(d, MEMORY_DEVICE, 4);
    rec_create(&r, d, PRECISION_F32);
    must(device_write(d, &A, 0, &words, sizeof words));
    made = 0;
    sum_row(&r, A, x, one, 1);
    sum_row(&r, A, x, two, 2);
    sum_row(&r, A, x, one, 1);
    must(rec_run(&r));
    cr_expect_eq(only(d, one), 1);
    cr_expect_eq(only(d, two), 2);
    cr_expect_eq(made, 2);

    rec_clear(&r);
    answer = VK_ERROR_OUT_OF_HOST_MEMORY;
    sum_row(&r, A, x, two, 2);
    must(rec_run(&r));
    sum_row(&r, A, x, one, 4);
    must_fail(rec_run(&r), VKS_OUT_OF_MEMORY, "compiling kernel spmv_csr (lanes 4)");
    struct memory *all[] = {&A, &x, &one, &two};
    for (int i = 0; i < 4; i++)
        device_release(d, all[i]);
}

/* Four bytes each, the first FUSES or, with subgroups, HALVES, without any gap. */
Test(vulkan_pipelines, are_given_the_constants_of_the_arguments_and_no_byte_more)
{
    struct vulkan *v = open_watched();
    VkPipeline p;
    must(vulkan_pipeline(v, KERNEL_spmv_coded, PRECISION_F32,
                         &(struct spmv_coded_args){.wide = 1, .lanes = 8, .longs = 0, .few = 3}, &p));
    bool subgroups = v->device.info.subgroups;
    uint32_t first = subgroups ? v->profile.subgroups.width == 64 : v->device.info.fuses;
    const uint32_t want[] = {first, 1, 8, 0, 3};
    cr_expect_eq(given.mapEntryCount, 5);
    cr_expect_eq(given.dataSize, sizeof want);
    cr_expect_arr_eq(value, want, sizeof want);
    for (uint32_t i = 0; i < given.mapEntryCount; i++)
        cr_expect(entry[i].constantID == i && entry[i].offset == 4 * i && entry[i].size == 4);
    must(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p));
    cr_expect(given.mapEntryCount == 1 && given.dataSize == 4);
    close_clean(&v->device);
}

Test(vulkan_pipelines, that_differ_in_the_last_constant_alone_are_distinguished)
{
    struct vulkan *v = open_watched();
    VkPipeline one, two, again;
    struct spmv_coded_args a = {.lanes = 1, .few = 1}, b = {.lanes = 1, .few = 2};
    must(vulkan_pipeline(v, KERNEL_spmv_coded, PRECISION_F32, &a, &one));
    must(vulkan_pipeline(v, KERNEL_spmv_coded, PRECISION_F32, &b, &two));
    must(vulkan_pipeline(v, KERNEL_spmv_coded, PRECISION_F32, &a, &again));
    cr_expect(one != two && again == one);
    close_clean(&v->device);
}

/* The first pipeline of the kernel is kept, and the second is made once that succeeds. */
Test(vulkan_pipelines, that_cannot_be_made_are_reported_by_their_constants_and_made_later)
{
    struct vulkan *v = open_watched();
    VkPipeline one, two, again;
    must(find(v, 1, &one));
    answer = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    must_fail(find(v, 2, &two), VKS_DEVICE_MEMORY, "compiling kernel spmv_csr (lanes 2)");
    cr_expect_eq(two, VK_NULL_HANDLE);
    must(find(v, 1, &again));
    cr_expect_eq(again, one);
    answer = VK_SUCCESS;
    must(find(v, 2, &two));
    cr_expect_neq(two, one);
    close_clean(&v->device);
}

#if MEMORY_CAN_FAIL
Test(vulkan_pipelines, that_find_no_host_memory_are_reported_and_made_later)
{
    struct vulkan *v = open_watched();
    VkPipeline one, two;
    must(find(v, 1, &one));
    arm(1);
    vks_status failed = find(v, 2, &two);
    disarm();
    must_fail(failed, VKS_OUT_OF_MEMORY, "bytes for a pipeline");
    cr_expect_eq(two, VK_NULL_HANDLE);
    must(find(v, 2, &two));
    cr_expect_neq(two, one);
    close_clean(&v->device);
}
#endif
