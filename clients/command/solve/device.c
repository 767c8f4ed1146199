#include "command/solve/device.h"
#include "command/solve/device_choice.h"
#include "device/context.h"
#include "report/clock.h"
#include "report/words.h"
#include "team/thread.h"

#include <string.h>
#include <sys/stat.h>

static bool is_auto(const struct solve_job *job)
{
    return !strcmp(device_choice(job->set.device), "auto");
}

static const char *device_reason(const struct solve_job *job)
{
    uint32_t count = 0;
    if (!is_auto(job))
        return job->set.device ? "as asked" : "by " DEVICE_VARIABLE;
    if (job->device.kind == VKS_DEVICE_DISCRETE)
        return "the first discrete GPU";
    if (job->device.kind == VKS_DEVICE_INTEGRATED)
        return "the first integrated GPU";
    vks_device_list(NULL, 0, &count);
    return count ? "no usable GPU among the Vulkan devices" : "there is no Vulkan device";
}

/* Opens the host, and keeps it if no GPU would be faster: opening a GPU takes longer than a small solve. */
static vks_status open_if_small(struct message *m, struct solve_job *job, const vks_context_options *options,
                                vks_context **context)
{
    TRY(device_open(m, "host", options, context, &job->device));
    if (job->set.method == VKS_METHOD_DIRECT) {
        snprintf(job->device_reason, sizeof job->device_reason, "UMFPACK works on the host");
        return VKS_OK;
    }
    struct solve_size size = {.rows = job->a.rows,
                              .entries = host_csr_entries(&job->a),
                              .precision = solve_precision(job),
                              .eliminates = job->set.method == VKS_METHOD_GAUSS_JORDAN};
    struct solve_costs costs = solve_expect(&size, (*context)->device->info.threads);
    if (costs.host <= costs.gpu) {
        snprintf(job->device_reason, sizeof job->device_reason, "%s takes about %s here, %s on a GPU",
                 size.eliminates ? "elimination" : "an iteration", words_seconds(costs.host).text,
                 words_seconds(costs.gpu).text);
        return VKS_OK;
    }
    vks_context_destroy(*context);
    *context = NULL;
    return VKS_OK;
}

static void *open_device(void *of)
{
    struct opening *o = of;
    o->status = device_open_quietly(&o->message, o->name, &o->options, &o->context, &o->device);
    return NULL;
}

/* The name of the device to open. With --validate an automatic choice is a GPU: the host has nothing to
 * validate. */
static const char *wanted_device(const struct solve_job *job)
{
    return is_auto(job) && job->set.validate ? "gpu" : job->set.device;
}

/* The least size of a file whose solve is usually too large for the host. */
static const off_t large_file = 8 << 20;

/* Whether a GPU is named, or likely, for the matrix of an existing file. */
static bool is_likely(const struct solve_job *job)
{
    struct stat file;
    const char *name = device_choice(wanted_device(job));
    if (stat(job->path, &file) || !S_ISREG(file.st_mode))
        return false;
    if (strcmp(name, "auto") != 0)
        return strcmp(name, "host") != 0;
    return job->set.method != VKS_METHOD_DIRECT && file.st_size >= large_file;
}

/* Stack that drivers need. */
static const size_t stack_bytes = (size_t)8 << 20;

void solve_begin_opening(const struct solve_job *job, struct opening *o)
{
    *o = (struct opening){.name = wanted_device(job), .options = {.validate = job->set.validate}};
    o->is_under_way = is_likely(job) && thread_start(&o->thread, stack_bytes, open_device, o);
}

static void await(struct opening *o)
{
    if (o->is_under_way)
        pthread_join(o->thread, NULL);
    o->is_under_way = false;
}

void solve_end_opening(struct opening *o)
{
    await(o);
    vks_context_destroy(o->context);
    o->context = NULL;
}

static vks_status take_opened(struct message *m, struct solve_job *job, struct opening *o,
                              vks_context **context)
{
    if (!o->is_under_way)
        open_device(o);
    await(o);
    *context = o->context;
    o->context = NULL;
    job->device = o->device;
    if (!o->status)
        device_print_passed_over(&o->message);
    return o->status ? fail(m, o->status, "%s", o->message.text) : VKS_OK;
}

vks_status solve_open_device(struct message *m, struct solve_job *job, struct opening *o,
                             vks_context **context)
{
    double begun = clock_seconds();
    bool may_be_small = is_auto(job) && !job->set.validate;
    vks_status status = may_be_small ? open_if_small(m, job, &o->options, context) : VKS_OK;
    if (!status && !*context) {
        status = take_opened(m, job, o, context);
        snprintf(job->device_reason, sizeof job->device_reason, "%s", status ? "" : device_reason(job));
    }
    job->seconds.open = clock_seconds() - begun;
    if (status)
        return status;
    if (job->set.rtol == 0)
        job->set.rtol = scalar_types[scalar_chosen(solve_precision(job))].rtol;
    return solve_refines(job) ? VKS_OK : device_check_precision(m, &job->device, job->set.precision);
}
