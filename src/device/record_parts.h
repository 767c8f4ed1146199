/* The parts of a recording with pauses, each a recording of its own on a piece of the list. */
#ifndef VKS_DEVICE_RECORD_PARTS_H
#define VKS_DEVICE_RECORD_PARTS_H

#include "device/record.h"

/* Prepares each part. A unit has none: those who include it copy its list. */
vks_status parts_prepare(struct rec *r);
/* Submits the parts one after the other, with the pauses between them. The ticket is that of the last one. */
vks_status parts_submit(struct rec *r, uint64_t *ticket);
void parts_release(struct rec *r);

#endif
