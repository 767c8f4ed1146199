/* Arrays and recordings for work that is repeated in the same way.
 *
 *     scratch_begin(&s, device);
 *     ... the work: it allocates, records, releases ...
 *     status = scratch_end(&s);
 *
 * The scratch keeps items that the work allocates and releases in a round, for the next round: its first
 * array of a given kind and size is the first such array of the previous round. A repeated round thus
 * allocates no array and no memory for a recording. Each item is used once in a round, so a reused recording
 * has ended, and arrays may be released while the device still uses them. The work owns unreleased items. */
#ifndef VKS_DEVICE_SCRATCH_H
#define VKS_DEVICE_SCRATCH_H

#include "device/record.h"

struct scratch_array {
    struct memory memory;
    enum memory_kind kind;
    bool used, lent; /* used: in this round; lent: now */
};

struct scratch_rec {
    struct rec rec;
    uint64_t loan; /* 0: not lent */
    bool used;     /* in this round */
};

struct scratch {
    struct device *device;
    vks_status status; /* of this round: a failure if a list could not grow */
    uint64_t bytes;    /* of device memory kept */
    struct scratch_array *arrays;
    struct scratch_rec *recs;
    uint32_t array_count, array_room, rec_count, rec_room;
};

/* A zeroed struct is empty. No other round may be open on the device. */
void scratch_begin(struct scratch *s, struct device *d);
/* VKS_OUT_OF_MEMORY: some items could not be kept. */
vks_status scratch_end(struct scratch *s);
/* Releases everything kept, and zeroes the struct. A zeroed struct is fine. */
void scratch_close(struct scratch *s);

/* scratch_lend.c, for device.c and record.c: lends a kept array, if one fits. */
bool scratch_lend(struct scratch *s, enum memory_kind kind, uint64_t bytes, struct memory *out);
/* Notes an array allocated in this round. */
void scratch_note(struct scratch *s, enum memory_kind kind, const struct memory *m);
/* Keeps a released array. False: the array is not lent in this round. */
bool scratch_keep(struct scratch *s, const struct memory *m);
/* The same for recordings: gives r the memory of a kept recording; keeps r's memory. */
void scratch_lend_rec(struct scratch *s, struct rec *r);
bool scratch_keep_rec(struct scratch *s, struct rec *r);

#endif
