/* A program with its own Vulkan device, such as a renderer, in whose buffers vksolve solves. A plate of SIDE
 * x SIDE nodes cools: vksolve computes steps of the implicit Euler method, (I + dt K) x = b, while the
 * program draws frames of the temperatures b (here it copies them to memory that the host can read). When a
 * step is done, the program makes x the next b. A timeline semaphore orders these on the device; no frame
 * waits for a step, which the times printed at the end show, and no data pass through the host.
 *
 *     vulkan_app [SIDE]     exits with 77 if there is no Vulkan device */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vksolve/vksolve.h>
#include <vksolve/vulkan.h>
#include <vulkan/vulkan.h>

enum { STEPS = 10, NO_DEVICE = 77 };
enum { DT = 10 };             /* a time step, in squares of the distance between neighbouring nodes */
static uint32_t side = 31, n; /* nodes along an edge, and in all */
static VkDeviceSize bytes;    /* of their temperatures */

/* The program's own Vulkan objects. */
static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue, solver_queue;
static uint32_t family, solver_family; /* of the queues; the queues are the same if these are */
static double tick;                    /* of the device's clock, in nanoseconds */
static uint64_t ticks;                 /* all valid bits of a timestamp */
static VkCommandPool pool;
static VkCommandBuffer next, draw;
static VkQueryPool clock_pool; /* timestamps before and after a copy */
static VkFence drawn;          /* the last frame */
static VkSemaphore timeline;   /* 2 k: x holds the result of step k; 2 k + 1: it is the next b */

static struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
} b, x, screen;
static float *shown; /* the contents of `screen` */

static void must(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "%s (%d)\n", what, failed);
        exit(1);
    }
}

/* Frames use the first family that computes, usually the one that draws. vksolve uses another that computes,
 * if there is one: work of two families runs concurrently, that of two queues of one family in turns. */
static void choose_families(void)
{
    VkQueueFamilyProperties has[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, has);
    while (family < count &&
           (!(has[family].queueFlags & VK_QUEUE_COMPUTE_BIT) || !has[family].timestampValidBits))
        family++;
    must(family == count, "finding a queue that computes and tells the time");
    solver_family = family + 1;
    while (solver_family < count && !(has[solver_family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        solver_family++;
    if (solver_family == count)
        solver_family = family;

    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    tick = properties.limits.timestampPeriod;
    ticks = UINT64_MAX >> (64 - has[family].timestampValidBits);
}

/* A device with the features that vksolve needs; a program adds its own to them. */
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

    choose_families();
    float priority = 1;
    VkDeviceQueueCreateInfo queues[] = {
        {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, family, 1, &priority},
        {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, solver_family, 1, &priority}};
    VkDeviceCreateInfo created_with = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features.core,
                                       .queueCreateInfoCount = family == solver_family ? 1 : 2,
                                       .pQueueCreateInfos = queues,
                                       .enabledExtensionCount = features.extension_count,
                                       .ppEnabledExtensionNames = features.extensions};
    must(vkCreateDevice(physical, &created_with, NULL, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
    vkGetDeviceQueue(device, solver_family, 0, &solver_queue);

    own.device = device;
    own.created_with = &created_with;
    own.queue = solver_queue;
    own.queue_family = solver_family;
    vks_context_options options = {.message = message, .message_size = sizeof message};
    vks_context *context;
    must(vks_context_create_vulkan(&own, &options, &context), message);
    return context;
}

static struct buffer new_buffer(VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted)
{
    struct buffer made;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .sharingMode = family == solver_family ? VK_SHARING_MODE_EXCLUSIVE : VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = 2,
        .pQueueFamilyIndices = (uint32_t[]){family, solver_family},
        .size = bytes,
        .usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
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

/* Recorded commands see what was submitted to the queue earlier, and the host sees their results. */
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
    vkCmdCopyBuffer(commands, from, to, 1, &(VkBufferCopy){.size = bytes});
    separate(commands);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, clock_pool, 1);
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/* Runs the commands when the timeline has reached `from`, and sets it to `to`; 0 leaves it. */
static void submit(VkCommandBuffer commands, uint64_t from, uint64_t to, VkFence fence)
{
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values = {
        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, NULL, 1, &from, to != 0, &to};
    VkSubmitInfo info = {
        VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &timeline, &stage, 1, &commands, to != 0, &timeline};
    must(vkQueueSubmit(queue, 1, &info, fence), "vkQueueSubmit");
}

/* Seconds of a repeated operation. */
struct times {
    double sum, longest;
    uint32_t count;
};

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_time(struct times *t, double seconds)
{
    t->sum += seconds;
    t->longest = fmax(t->longest, seconds);
    t->count++;
}

static void print_times(const char *what, const struct times *t)
{
    printf("  %-24s %8.0f us, at most %8.0f\n", what, 1e6 * t->sum / t->count, 1e6 * t->longest);
}

/* The time of a frame on the device, and by the program's clock, which includes waiting. */
struct frames {
    struct times on_device, by_clock;
};

/* Shows the contents of b at the timeline's value. */
static void draw_frame(uint64_t value, struct frames *frames)
{
    uint64_t time[2];
    double begun = now();
    submit(draw, value, 0, drawn);
    must(vkWaitForFences(device, 1, &drawn, 1, 60000000000u), "vkWaitForFences");
    must(vkResetFences(device, 1, &drawn), "vkResetFences");
    must(vkGetQueryPoolResults(device, clock_pool, 0, 2, sizeof time, time, sizeof time[0],
                               VK_QUERY_RESULT_64_BIT),
         "vkGetQueryPoolResults");
    add_time(&frames->by_clock, now() - begun);
    add_time(&frames->on_device, 1e-9 * tick * (double)((time[1] - time[0]) & ticks));
}

/* I + dt K: five points, and 0 along the border. */
static vks_status assemble(vks_context *context, vks_matrix **A)
{
    uint32_t *row = calloc(n + 1, sizeof *row), *col = calloc(n + 1, 5 * sizeof *col), entries = 0;
    float *val = calloc(n + 1, 5 * sizeof *val);
    must(!row || !col || !val, "allocating a matrix");
    const int64_t step[5] = {-(int64_t)side, -1, 0, 1, side};
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 5; k++) {
            int64_t j = i + step[k];
            if (j < 0 || j >= n || (k % 2 == 1 && j / side != i / side))
                continue;
            col[entries] = (uint32_t)j;
            val[entries++] = j == i ? 1 + 4 * DT : -DT;
        }
        row[i + 1] = entries;
    }
    vks_matrix_options f32 = {.precision = VKS_F32, .of_values = VKS_F32};
    vks_status status = vks_matrix_from_csr(context, n, n, row, col, val, &f32, A);
    free(row);
    free(col);
    free(val);
    return status;
}

/* The exact temperature of a node after some steps: three modes of the plate, each decaying by a constant
 * factor. */
static double temperature(uint32_t node, int steps)
{
    static const int waves[] = {1, 2, 5};
    uint32_t column = node % side + 1, line = node / side + 1;
    double angle = acos(-1) / (side + 1), sum = 0;
    for (int k = 0; k < 3; k++) {
        double s = sin(waves[k] * angle / 2), decay = pow(1 + DT * 8 * s * s, -steps);
        sum += decay * sin(waves[k] * angle * column) * sin(waves[k] * angle * line);
    }
    return sum;
}

/* Runs steps, and draws frames meanwhile. */
static void run(vks_context *context, vks_solver *solver, const vks_vector *of_b, vks_vector *of_x)
{
    uint32_t iterations = 0;
    struct frames alone = {0}, meanwhile = {0}, last = {0};
    struct times polls = {0};
    for (uint64_t k = 0; k < STEPS; k++) {
        vks_solve_report report;
        submit(next, 2 * k, 2 * k + 1, VK_NULL_HANDLE);
        must(vks_context_wait_semaphore(context, timeline, 2 * k + 1), vks_context_message(context));
        must(vks_solver_submit(solver, of_b, of_x), vks_context_message(context));
        for (int ended = 0; !ended;) {
            draw_frame(2 * k + 1, &meanwhile);
            double begun = now();
            must(vks_solver_poll(solver, &ended, &report), vks_context_message(context));
            add_time(&polls, now() - begun);
        }
        must(vks_context_signal_semaphore(context, timeline, 2 * k + 2), vks_context_message(context));
        must(report.reason != VKS_REASON_CONVERGED, vks_reason_name(report.reason));
        iterations += report.iterations;
    }
    submit(next, 2 * STEPS, 2 * STEPS + 1, VK_NULL_HANDLE);
    draw_frame(2 * STEPS + 1, &last);
    for (int i = 0; i < 100; i++)
        draw_frame(2 * STEPS + 1, &alone);
    printf("%d steps of %u unknowns, %u iterations in all; %u frames meanwhile, in %s\n", STEPS, n,
           iterations, polls.count, queue == solver_queue ? "the same queue" : "a family of their own");
    print_times("frame, on the device", &meanwhile.on_device);
    print_times("frame, by the clock", &meanwhile.by_clock);
    print_times("  while nothing solves", &alone.by_clock);
    print_times("poll", &polls);
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

int main(int argc, char **argv)
{
    if (argc > 1)
        side = (uint32_t)strtoul(argv[1], NULL, 10);
    must(side < 1 || side > 4000, "a side has 1 to 4000 nodes");
    n = side * side;
    bytes = n * sizeof(float);
    vks_context *context = open_device();
    make_objects();
    next = record_copy(x.handle, b.handle);
    draw = record_copy(b.handle, screen.handle);
    for (uint32_t i = 0; i < n; i++)
        shown[i] = (float)temperature(i, 0);
    submit(record_copy(screen.handle, x.handle), 0, 0, VK_NULL_HANDLE);

    vks_matrix *A;
    vks_solver *solver;
    vks_vector *of_b, *of_x;
    must(assemble(context, &A), vks_context_message(context));
    /* In a shared queue a frame waits for the batches of iterations that are in progress. */
    vks_solve_options options = {.batch_seconds = queue == solver_queue ? 1e-3 : 0};
    must(vks_solver_create(A, &options, &solver), vks_context_message(context));
    must(vks_vector_wrap_buffer(context, b.handle, 0, n, VKS_F32, &of_b), vks_context_message(context));
    must(vks_vector_wrap_buffer(context, x.handle, 0, n, VKS_F32, &of_x), vks_context_message(context));
    run(context, solver, of_b, of_x);
    vks_vector_destroy(of_x);
    vks_vector_destroy(of_b);
    vks_solver_destroy(solver);
    vks_matrix_destroy(A);
    vks_context_destroy(context); /* the device, the queue and the buffers remain */

    double error = 0;
    for (uint32_t i = 0; i < n; i++)
        error = fmax(error, fabs((double)shown[i] - temperature(i, STEPS)));
    printf("the temperatures shown are off by %.1e at most\n", error);
    destroy_objects();
    return error > 1e-4;
}
