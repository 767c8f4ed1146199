/* Rehearsals. A driver takes long to compile a pipeline, and which ones a set-up or a solve uses is known
 * only as it goes on. So a helper does the same with a small example, on a stand-in: a device that computes
 * on the host, takes itself for the real one, and wants there each kernel that is recorded here. Meanwhile
 * the real work goes on. Only time depends on it. */
#ifndef VKS_DEVICE_REHEARSAL_H
#define VKS_DEVICE_REHEARSAL_H

#include "device/device.h"

/* What is rehearsed. `play` closes the stand-in, stops soon after *ended, and frees `of`. */
struct script {
    void (*play)(void *of, struct device *stand_in, const atomic_bool *ended, struct message *m);
    void *of;
};

/* Whether rehearsals of this device are worth it, and the one with this key is still to come. */
bool rehearsal_is_due(const struct device *d, uint64_t key);

/* Hands it to a helper; nothing is rehearsed twice. A script that cannot be played is played without a
 * stand-in, NULL. */
void rehearsal_start(struct device *d, uint64_t key, const struct script *s);

/* host/stand_in.c: the stand-in for d. Nothing is submitted there any more once *ended. */
vks_status device_stand_in_create(struct message *m, struct device *d, const atomic_bool *ended,
                                  struct device **out);

#endif
