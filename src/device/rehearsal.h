/* Rehearsals. Drivers are slow to compile pipelines, and the pipelines that a set-up or a solve uses become
 * known only as it proceeds. So a helper runs the same work on a small example, on a stand-in: a device that
 * computes on the host, chooses kernels like the real device, and announces each recorded kernel to it.
 * Meanwhile the real work proceeds. Rehearsals affect only time. */
#ifndef VKS_DEVICE_REHEARSAL_H
#define VKS_DEVICE_REHEARSAL_H

#include "device/device.h"

/* A rehearsal's work. `play` closes the stand-in, stops soon after *ended, and frees `of`. */
struct script {
    void (*play)(void *of, struct device *stand_in, const atomic_bool *ended, struct message *m);
    void *of;
};

/* Whether rehearsals for this device pay off and no rehearsal with this key has been started. */
bool rehearsal_is_due(const struct device *d, uint64_t key);

/* Passes the script to a helper; no key is rehearsed twice. A script that cannot be rehearsed is played at
 * once with NULL as the stand-in. */
void rehearsal_start(struct device *d, uint64_t key, const struct script *s);

/* host/stand_in.c: creates the stand-in for d. Its submissions fail once *ended. */
vks_status device_stand_in_create(struct message *m, struct device *d, const atomic_bool *ended,
                                  struct device **out);

#endif
