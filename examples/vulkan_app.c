/* A program with a Vulkan device of its own, such as a renderer, in whose buffers vksolve solves. A plate
 * cools: vksolve makes steps of the implicit Euler method, (I + dt K) x = b, while the program draws frames
 * of the temperatures b (here it copies them to where the host sees them). When a step is done the program
 * makes x the next b. A timeline semaphore orders that on the device; no frame waits for a step, and nothing
 * goes through the host. Ends with 77 where there is no Vulkan device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vksolve/vksolve.h>
#include <vksolve/vulkan.h>
#include <vulkan/vulkan.h>

enum { SIDE = 31, N = SIDE * SIDE, BYTES = N * sizeof(float), STEPS = 10, NO_DEVICE = 77 };
enum { DT = 10 }; /* a step, in squares of the distance of two nodes */

/* What the program makes of Vulkan for itself. */
static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;
static VkCommandPool pool;
static VkCommandBuffer next, draw;
static VkQueryPool clock_pool; /* timestamps before and after a copy */
static VkFence drawn;          /* the last frame */
static VkSemaphore timeline;   /* 2 k: x is there after k steps; 2 k + 1: it is the next b */

static struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
} b, x, screen;
static float *shown; /* what is in `screen` */

static void must(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "%s (%d)\n", what, failed);
        exit(1);
    }
}

/* A device that vksolve can use, with the features that it wants; a program adds its own to them. */
static vks_context *open_device(void)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VkPhysicalDevice list[16];
    uint32_t count = 16;
    if (vkCreateInstance(&info, NULL, &instance) || vkEnumeratePhysicalDevices(instance, &count, list) < 0)
        exit(NO_DEVICE);

    vks_vulkan_device own = {.instance = instance, .api_version = application.apiVersion};
    vks_vulkan_features features;
    char message[1024] = "there is no Vulkan device";
    for (uint32_t i = 0; i < count && !physical; i++) {
        own.physical_device = list[i];
        if (!vks_vulkan_choose_features(&own, &features, message, sizeof message))
            physical = list[i];
    }
    if (!physical) {
        fprintf(stderr, "%s\n", message);
        exit(NO_DEVICE);
    }

    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    while (family < count &&
           (!(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) || !families[family].timestampValidBits))
        family++;
    must(family == count, "finding a queue that computes and tells the time");
    float priority = 1;
    VkDeviceQueueCreateInfo queues = {
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, family, 1, &priority};
    VkDeviceCreateInfo created_with = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features.core,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queues,
                                       .enabledExtensionCount = features.extension_count,
                                       .ppEnabledExtensionNames = features.extensions};
    must(vkCreateDevice(physical, &created_with, NULL, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);

    own.device = device;
    own.created_with = &created_with;
    own.queue = queue;
    own.queue_family = family;
    vks_context_options options = {.message = message, .message_size = sizeof message};
    vks_context *context;
    must(vks_context_create_vulkan(&own, &options, &context), message);
    return context;
}

static struct buffer new_buffer(VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted)
{
    struct buffer made;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = BYTES,
                               .usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    must(vkCreateBuffer(device, &info, NULL, &made.handle), "vkCreateBuffer");
    VkMemoryRequirements needs;
    VkPhysicalDeviceMemoryProperties has;
    vkGetBufferMemoryRequirements(device, made.handle, &needs);
    vkGetPhysicalDeviceMemoryProperties(physical, &has);
    uint32_t type = 0;
    while (type < has.memoryTypeCount &&
           (!(needs.memoryTypeBits >> type & 1) || (has.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    must(type == has.memoryTypeCount, "finding a type of memory");
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, needs.size, type};
    must(vkAllocateMemory(device, &allocate, NULL, &made.memory), "vkAllocateMemory");
    must(vkBindBufferMemory(device, made.handle, made.memory, 0), "vkBindBufferMemory");
    return made;
}

static void make_objects(void)
{
    VkBufferUsageFlags of_vectors =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    b = new_buffer(of_vectors, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    x = new_buffer(of_vectors, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    screen = new_buffer(0, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(vkMapMemory(device, screen.memory, 0, VK_WHOLE_SIZE, 0, (void **)&shown), "vkMapMemory");

    VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL,
                                      VK_SEMAPHORE_TYPE_TIMELINE, 0};
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkQueryPoolCreateInfo query = {
        VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, NULL, 0, VK_QUERY_TYPE_TIMESTAMP, 2, 0};
    VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = family};
    must(vkCreateSemaphore(device, &semaphore, NULL, &timeline), "vkCreateSemaphore");
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    must(vkCreateFence(device, &fence, NULL, &drawn), "vkCreateFence");
    must(vkCreateQueryPool(device, &query, NULL, &clock_pool), "vkCreateQueryPool");
    must(vkCreateCommandPool(device, &commands, NULL, &pool), "vkCreateCommandPool");
}

/* What is recorded sees what was submitted to the queue before, and is seen by the host. */
static void separate(VkCommandBuffer commands)
{
    VkMemoryBarrier all = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                           VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL,
                         0, NULL);
}

static VkCommandBuffer record_copy(VkBuffer from, VkBuffer to)
{
    VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool,
                                        VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    separate(commands);
    vkCmdResetQueryPool(commands, clock_pool, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock_pool, 0);
    vkCmdCopyBuffer(commands, from, to, 1, &(VkBufferCopy){.size = BYTES});
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock_pool, 1);
    separate(commands);
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/* The commands run when the timeline has reached `from`, and bring it to `to`; 0: they leave it. */
static void submit(VkCommandBuffer commands, uint64_t from, uint64_t to, VkFence fence)
{
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, NULL, 1, &from, to != 0, &to};
    VkSubmitInfo info = {
        VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &timeline, &stage, 1, &commands, to != 0, &timeline};
    must(vkQueueSubmit(queue, 1, &info, fence), "vkQueueSubmit");
}

/* Shows what b holds at the timeline's value; returns the ticks of the clock that it took the device. */
static uint64_t draw_frame(uint64_t value)
{
    uint64_t time[2];
    submit(draw, value, 0, drawn);
    must(vkWaitForFences(device, 1, &drawn, 1, 60000000000u), "vkWaitForFences");
    must(vkResetFences(device, 1, &drawn), "vkResetFences");
    must(vkGetQueryPoolResults(device, clock_pool, 0, 2, sizeof time, time, sizeof time[0],
                               VK_QUERY_RESULT_64_BIT),
         "vkGetQueryPoolResults");
    return time[1] - time[0];
}

/* I + dt K: five points, and 0 along the border. */
static vks_status assemble(vks_context *context, vks_matrix **A)
{
    static uint32_t row[N + 1], col[5 * N];
    static float val[5 * N];
    static const int step[5] = {-SIDE, -1, 0, 1, SIDE};
    uint32_t entries = 0;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 5; k++) {
            int j = i + step[k];
            if (j < 0 || j >= N || (abs(step[k]) == 1 && j / SIDE != i / SIDE))
                continue;
            col[entries] = (uint32_t)j;
            val[entries++] = j == i ? 1 + 4 * DT : -DT;
        }
        row[i + 1] = entries;
    }
    vks_matrix_options f32 = {.precision = VKS_F32, .of_values = VKS_F32};
    return vks_matrix_from_csr(context, N, N, row, col, val, &f32, A);
}

/* The temperature of a node after some steps: three modes of the plate, which decay by a factor each. */
static double temperature(int node, int steps)
{
    static const int waves[] = {1, 2, 5};
    double angle = acos(-1) / (SIDE + 1), sum = 0;
    for (int k = 0; k < 3; k++) {
        double s = sin(waves[k] * angle / 2), decay = pow(1 + DT * 8 * s * s, -steps);
        sum += decay * sin(waves[k] * angle * (node % SIDE + 1)) * sin(waves[k] * angle * (node / SIDE + 1));
    }
    return sum;
}

/* Steps, and frames while they are made. */
static void run(vks_context *context, vks_solver *solver, const vks_vector *of_b, vks_vector *of_x)
{
    uint32_t iterations = 0, frames = 0;
    uint64_t ticks = 0;
    for (uint64_t k = 0; k < STEPS; k++) {
        vks_solve_report report;
        submit(next, 2 * k, 2 * k + 1, VK_NULL_HANDLE);
        must(vks_context_wait_semaphore(context, timeline, 2 * k + 1), vks_context_message(context));
        must(vks_solver_submit(solver, of_b, of_x), vks_context_message(context));
        for (int ended = 0; !ended; frames++) {
            ticks += draw_frame(2 * k + 1);
            must(vks_solver_poll(solver, &ended, &report), vks_context_message(context));
        }
        must(vks_context_signal_semaphore(context, timeline, 2 * k + 2), vks_context_message(context));
        must(report.reason != VKS_REASON_CONVERGED, vks_reason_name(report.reason));
        iterations += report.iterations;
    }
    submit(next, 2 * STEPS, 2 * STEPS + 1, VK_NULL_HANDLE);
    draw_frame(2 * STEPS + 1);
    VkPhysicalDeviceProperties has;
    vkGetPhysicalDeviceProperties(physical, &has);
    printf("%d steps of %d unknowns, %u iterations in all; %u frames meanwhile, of %.0f us\n", STEPS, N,
           iterations, frames, 1e-3 * has.limits.timestampPeriod * (double)ticks / frames);
}

static void destroy_objects(void)
{
    struct buffer list[] = {b, x, screen};
    for (int i = 0; i < 3; i++) {
        vkDestroyBuffer(device, list[i].handle, NULL);
        vkFreeMemory(device, list[i].memory, NULL);
    }
    vkDestroyQueryPool(device, clock_pool, NULL);
    vkDestroyFence(device, drawn, NULL);
    vkDestroySemaphore(device, timeline, NULL);
    vkDestroyCommandPool(device, pool, NULL);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
}

int main(void)
{
    vks_context *context = open_device();
    make_objects();
    next = record_copy(x.handle, b.handle);
    draw = record_copy(b.handle, screen.handle);
    for (int i = 0; i < N; i++)
        shown[i] = (float)temperature(i, 0);
    submit(record_copy(screen.handle, x.handle), 0, 0, VK_NULL_HANDLE);

    vks_matrix *A;
    vks_solver *solver;
    vks_vector *of_b, *of_x;
    must(assemble(context, &A), vks_context_message(context));
    must(vks_solver_create(A, NULL, &solver), vks_context_message(context));
    must(vks_vector_wrap_buffer(context, b.handle, 0, N, VKS_F32, &of_b), vks_context_message(context));
    must(vks_vector_wrap_buffer(context, x.handle, 0, N, VKS_F32, &of_x), vks_context_message(context));
    run(context, solver, of_b, of_x);
    vks_vector_destroy(of_x);
    vks_vector_destroy(of_b);
    vks_solver_destroy(solver);
    vks_matrix_destroy(A);
    vks_context_destroy(context); /* the device, the queue and the buffers stay */

    double error = 0;
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs((double)shown[i] - temperature(i, STEPS)));
    printf("the temperatures shown are off by %.1e at most\n", error);
    destroy_objects();
    return error > 1e-4;
}
