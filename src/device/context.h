/* Internals of a vks_context. */
#ifndef VKS_DEVICE_CONTEXT_H
#define VKS_DEVICE_CONTEXT_H

#include "device/device.h"
#include "vksolve/vector.h"

struct vks_context {
    struct device *device;
    struct message message;
    uint32_t references;   /* one for the caller and one for each object */
    double copy_bandwidth; /* bytes per second; 0: not measured yet */
    bool deferred;         /* calls that return no value do not wait */
    struct calls *calls;   /* device/call.h */
};

/* Opens a context with internal options that tests also need. */
vks_status context_open(struct message *m, const char *device, const struct device_options *o,
                        vks_context **context);

/* Creates the context of an open device. Closes the device if out of memory. */
vks_status context_of(struct message *m, struct device *device, vks_context **context);

/* Makes the context deferred if `wanted`. Each call still waits if the device works at submission or is
 * timed. */
void context_defer(vks_context *context, bool wanted);

/* context_device_options: the device options for the public options. context_check_threads: refuses more
 * threads than a team can have. context_leave_message: copies the message to the caller's buffer. */
struct device_options context_device_options(const vks_context_options *o);
vks_status context_check_threads(struct message *m, const vks_context_options *o);
void context_leave_message(const vks_context_options *o, const struct message *m);

static inline void context_forget_message(vks_context *context)
{
    context->message.text[0] = 0;
    context->message.error = 0;
}

/* Begins a public call: clears the last message and the time of the last kernels. */
static inline struct message *context_begin(vks_context *context)
{
    context_forget_message(context);
    context->device->kernel_seconds = 0;
    if (device_is_forked(context->device))
        context->message.team = NULL;
    return &context->message;
}

/* context_begin for a call that takes structs; `header` is the version of the caller's headers.
 * VKS_INVALID_ARGUMENT, VKS_UNSUPPORTED. */
vks_status context_begin_as(vks_context *context, uint32_t header);

void context_retain(vks_context *context);
void context_release(vks_context *context);

static inline enum precision precision_of(vks_precision p)
{
    return real_precision(scalar_chosen(p));
}

static inline vks_precision public_precision(enum precision p)
{
    return scalar_types[real_precision(p)].choice;
}

/* The precision of the vectors used with a matrix. */
static inline vks_precision vector_precision(vks_precision of_matrix)
{
    return public_precision(precision_of(of_matrix));
}

/* Whether values of p are stored as pairs of floats (device/pair.h) because the device lacks 64-bit floats.
 * Such objects are only moved: kernels compute with floats instead. */
static inline bool in_pairs(const struct device *d, vks_precision p)
{
    return p != VKS_F32 && !d->info.f64;
}

/* The precision of recordings that only move values of p. */
static inline enum precision moving_precision(const struct device *d, vks_precision p)
{
    return in_pairs(d, p) ? PRECISION_F32 : precision_of(p);
}

/* Checks a vector's precision. VKS_INVALID_ARGUMENT if p is not one. */
vks_status context_check_precision(vks_context *context, vks_precision p);
/* Checks a precision of arithmetic; also VKS_UNSUPPORTED if the device lacks 64-bit floats. */
vks_status context_check_arithmetic(vks_context *context, vks_precision p);
/* Fails with VKS_LIMIT: `what`, with the value `value`, does not fit into a pair. */
vks_status fail_range(vks_context *context, const char *what, double value);
/* Checks the precision of values in host memory. */
vks_status context_check_values(vks_context *context, vks_precision p);
/* VKS_INVALID_ARGUMENT unless the `count` elements from `first` on are all in `what` ("a vector"), which has
 * n. */
vks_status context_check_range(vks_context *context, uint32_t first, uint32_t count, const char *what,
                               uint32_t n);

#endif
