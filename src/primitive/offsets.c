#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"

#include <assert.h>

struct work {
    struct room room;
    struct memory sum, out; /* two words for each list; out: host-visible copy */
    struct scan_space scan[MOST_COUNTS];
};

static void record(struct rec *r, const struct work *w, const struct counts *lists, uint32_t number)
{
    enum precision before = rec_precision(r, PRECISION_F32); /* words only */
    for (uint32_t i = 0; i < number; i++) {
        total_words(r, lists[i].at, words_in(&w->sum, 2 * i), lists[i].n);
        scan_u32(r, &w->scan[i], lists[i].at, lists[i].at, false, true);
    }
    copy_words(r, words_of(&w->sum), words_of(&w->out), 2 * number);
    rec_precision(r, before);
}

static vks_status take(struct message *m, const struct counts *list, const uint32_t *words)
{
    *list->total = words[0];
    if (!words[1] && words[0] <= VKS_LARGEST_INDEX)
        return VKS_OK;
    return fail(m, VKS_LIMIT, "%s would have %llu entries; the most is %u", list->what,
                (unsigned long long)words[1] << 32 | words[0], VKS_LARGEST_INDEX);
}

vks_status offsets_after(struct rec *r, const struct counts *lists, uint32_t number)
{
    struct device *d = r->device;
    struct work w = {0};
    uint32_t words[2 * MOST_COUNTS] = {0};
    assert(number <= MOST_COUNTS);
    room_open(&w.room, d);
    w.sum = room_memory(&w.room, MEMORY_DEVICE, sizeof words, "sums");
    w.out = room_memory(&w.room, MEMORY_SHARED, sizeof words, "sums to be read");
    for (uint32_t i = 0; i < number; i++)
        w.scan[i] = room_scan(&w.room, lists[i].n + 1, 4, false);
    record(r, &w, lists, number);
    vks_status s = w.room.status;
    IF_OK(s, rec_run(r));
    IF_OK(s, device_read(d, &w.out, 0, words, sizeof words));
    for (uint32_t i = 0; i < number && !s; i++)
        s = take(d->message, &lists[i], words + 2 * i);
    rec_clear(r);
    room_close(&w.room);
    return s;
}

vks_status offsets_from_counts(struct device *d, u32s count, uint32_t n, const char *what, uint32_t *total)
{
    struct rec r = rec_once(d, PRECISION_F32);
    vks_status s = offsets_after(&r, &(struct counts){count, n, what, total}, 1);
    rec_destroy(&r);
    return s;
}
