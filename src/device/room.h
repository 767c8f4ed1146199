/* Memory that is released together, with one sticky status: allocate everything, then test once.
 *
 *     struct room w = {.device = device};
 *     struct memory a = room_memory(&w, MEMORY_DEVICE, bytes, "partial sums");
 *     struct own *own = room_host(&w, sizeof *own, "a table");
 *     if (w.status) ...
 *     room_close(&w);
 */
#ifndef VKS_DEVICE_ROOM_H
#define VKS_DEVICE_ROOM_H

#include "device/device.h"

enum { ROOM_FEW = 16 };

struct room {
    struct device *device;
    vks_status status;                  /* the first failure: nothing is allocated after it */
    uint64_t bytes;                     /* of device memory */
    struct memory few[ROOM_FEW], *many; /* the arrays: in `many` if there are more than ROOM_FEW */
    uint32_t count, capacity;           /* capacity: of many */
    void *host;                         /* a list of the blocks of host memory */
};

/* For a room that is a member. */
void room_open(struct room *w, struct device *d);
/* Releases everything, and zeroes the struct except the device. A zeroed struct is fine. */
void room_close(struct room *w);

/* Device memory; a zeroed struct after a failure. `what` names it in the message. */
struct memory room_memory(struct room *w, enum memory_kind kind, uint64_t bytes, const char *what);
/* Device memory with a copy of `bytes` bytes in it. */
struct memory room_copy(struct room *w, const void *from, uint64_t bytes, const char *what);
/* Zeroed host memory; NULL after a failure. */
void *room_host(struct room *w, uint64_t bytes, const char *what);
/* Takes ownership of memory allocated on the room's device. It is released with the room, or at once after a
 * failure. A zeroed struct is fine. */
void room_keep(struct room *w, struct memory *m);
/* Releases one array before the others. */
void room_drop(struct room *w, struct memory *m);

#endif
