/* Arrays and recordings for work that is repeated in the same way.
 *
 *     scratch_begin(&s, device);
 *     ... the work: it allocates, records, releases ...
 *     status = scratch_end(&s);
 *
 * What the work allocates and releases in between is kept for the next round: the first array of some kind
 * and size is then the first one of the round before. So a repeated round allocates no array, and no memory
 * for a recording. Each thing serves once in a round. So a recording that is used again has ended, and arrays
 * may be released while the device still uses them. What the work does not release is its own. */
#ifndef VKS_DEVICE_SCRATCH_H
#define VKS_DEVICE_SCRATCH_H

#include "device/record.h"

struct scratch_array {
    struct memory memory;
    enum memory_kind kind;
    bool used, lent; /* in this round; now */
};

struct scratch_rec {
    struct rec rec;
    const struct rec *lent_to; /* NULL: it is here */
    bool used;                 /* in this round */
};

struct scratch {
    struct device *device;
    vks_status status; /* of this round: a list could not grow */
    uint64_t bytes;    /* of device memory that is kept */
    struct scratch_array *arrays;
    struct scratch_rec *recs;
    uint32_t array_count, array_room, rec_count, rec_room;
};

/* A zeroed struct has nothing yet. No other round may be open on the device. */
void scratch_begin(struct scratch *s, struct device *d);
/* VKS_OUT_OF_MEMORY: not all could be kept. */
vks_status scratch_end(struct scratch *s);
/* Releases what is kept. A zeroed struct is fine, and is left. */
void scratch_close(struct scratch *s);

/* scratch_lend.c, for device.c and record.c: lends an array that was kept, if there is one. */
bool scratch_lend(struct scratch *s, enum memory_kind kind, uint64_t bytes, struct memory *out);
/* Notes an array that was allocated in this round. */
void scratch_note(struct scratch *s, enum memory_kind kind, const struct memory *m);
/* Keeps an array that is released. False: it is not of this round. */
bool scratch_keep(struct scratch *s, const struct memory *m);
/* The same for recordings: gives r the memory of one that was kept; keeps that of r. */
void scratch_lend_rec(struct scratch *s, struct rec *r);
bool scratch_keep_rec(struct scratch *s, struct rec *r);

#endif
