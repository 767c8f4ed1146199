/* The parts of a recording with pauses. Each is a recording over a piece of the list. */
#ifndef VKS_DEVICE_RECORD_PARTS_H
#define VKS_DEVICE_RECORD_PARTS_H

#include "device/record.h"

/* Prepares each part. A unit has no parts: a recording that includes it copies its list. */
vks_status parts_prepare(struct rec *r);
/* Submits the parts in order, with the pauses between them. *ticket belongs to the last part. */
vks_status parts_submit(struct rec *r, uint64_t *ticket);
void parts_release(struct rec *r);

#endif
