/* Devices by the names that a user gives. */
#ifndef VKS_COMMAND_SHARED_DEVICE_H
#define VKS_COMMAND_SHARED_DEVICE_H

#include "command/shared/options.h"
#include "device/choice.h"
#include "report/message.h"
#include "report/words.h"
#include "vksolve/context.h"
#include "vksolve/vector.h"

struct devices {
    vks_device_info host;
    vks_device_info *list; /* the Vulkan devices by index */
    uint32_t count;
};

/* devices_free is required even after a failure. */
vks_status devices_find(struct message *m, struct devices *d);
void devices_free(struct devices *d);

/* Opens and closes each Vulkan device in a separate process (devices_try.c). A device that fails is marked
 * unusable, with the reason in why_not. */
void devices_try(struct devices *d);

/* Opens and closes the device named as in vks_context_options.device, to describe it. */
vks_status device_describe(struct message *m, const char *name, vks_device_info *info);

/* Like device_open, but on VKS_OK m lists the devices that were skipped, if any. device_print_passed_over
 * prints m and clears it. */
vks_status device_open_quietly(struct message *m, const char *given, const vks_context_options *more,
                               vks_context **context, vks_device_info *device);
void device_print_passed_over(struct message *m);

/* Opens and describes the device that the user named (NULL: the one named by the environment, else auto);
 * `more` has the other options. Prints the skipped devices on standard error. After a failure *context may
 * exist; the caller destroys it. */
vks_status device_open(struct message *m, const char *given, const vks_context_options *more,
                       vks_context **context, vks_device_info *device);

/* Like device_open without other options; the default is the host. */
vks_status device_open_or_host(struct message *m, const char *given, vks_context **context,
                               vks_device_info *device);

/* The requested precision; -1: f64 if the device has it, else f32. */
static inline vks_precision device_precision(const vks_device_info *device, int asked)
{
    return asked >= 0 ? (vks_precision)asked : device->f64 ? VKS_F64 : VKS_F32;
}

/* VKS_UNSUPPORTED: the device lacks the requested precision. */
vks_status device_check_precision(struct message *m, const vks_device_info *device, int asked);

/* Last lines of the help text of an option that names a device. */
#define DEVICE_NAME                                                              \
    "NAME: an index, a part of a name, a UUID or a PCI address in the list of\n" \
    "vksolve devices (default: $VKSOLVE_DEVICE, else auto)"

/* Options for settings with a `device`, and with an int `precision` whose default is -1. */
#define DEVICE_OPTION(type)                                                   \
    {                                                                         \
        'd', "device", "auto|host|gpu|NAME",                                  \
            "auto: the first discrete, else integrated GPU, else the host;\n" \
            "gpu: the same without the host;\n" DEVICE_NAME,                  \
            TEXT(type, device)                                                \
    }
#define PRECISION_OPTION(type)                                                          \
    {                                                                                   \
        0, "precision", "f64|f32|mixed",                                                \
            "of the matrix and the vectors (default: f64; on a device without 64-bit\n" \
            "floats f32, but mixed for cg); mixed: f64, with the values of the\n"       \
            "matrix stored in f32 if that changes none of them",                        \
            CHOICE(type, precision, words_precisions)                                   \
    }

#endif
