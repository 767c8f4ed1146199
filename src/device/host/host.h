/* The host device, also used as a stand-in. */
#ifndef VKS_DEVICE_HOST_HOST_H
#define VKS_DEVICE_HOST_HOST_H

#include "device/host/isa.h"
#include "device/record.h"

struct host_device {
    struct device base;
    const struct host_isa *isa;
    struct device *real; /* of a stand-in */
    const atomic_bool *ended;
    struct device_ops ops;
};

extern const struct device_ops host_ops;

vks_status host_submit(struct rec *r, uint64_t *ticket);

#endif
