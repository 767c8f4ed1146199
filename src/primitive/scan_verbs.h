/* The verbs of prefix sums, and their workspace. */
#ifndef VKS_PRIMITIVE_SCAN_VERBS_H
#define VKS_PRIMITIVE_SCAN_VERBS_H

#include "device/room.h"
#include "primitive/verbs.h"

/* Must agree with shaders/primitive/scan.glsl. */
enum { SCAN_TILE = 4096 /* elements */, SCAN_GROUP = 32 /* tiles */ };

/* Polls of a workgroup for the sum of another tile before it computes that sum itself: about ten
 * microseconds, within which a tile in progress completes. */
enum { SCAN_POLLS = 64 };

/* Workspace for prefix sums over n elements: a sum for each tile; with segments also a bit for each element,
 * followed by a word for each tile. */
struct scan_space {
    struct memory sums, heads;
    uint32_t n;
};

struct scan_space room_scan(struct room *w, uint32_t n, uint32_t item_bytes, bool segmented);

static inline uint32_t scan_tiles(uint32_t n)
{
    return n / SCAN_TILE + (n % SCAN_TILE != 0);
}

/* `words` rounded up to a permitted start of a scanned array or of the sums of a scan: kernels read four
 * words at once. (Software devices accept any address; a GPU hangs.) */
static inline uint64_t scan_aligned(uint64_t words)
{
    return (words + 3) / 4 * 4;
}

static inline void scan_check(struct rec *r, const struct scan_space *w, parts x, parts y)
{
    if (!r->status && ((uintptr_t)x | (uintptr_t)y | w->sums.address) % 16 != 0)
        r->status = fail(r->device->message, VKS_INVALID_ARGUMENT,
                         "what is scanned, and the sums of a scan, begin at multiples of 16 bytes");
}

/* Words that hold n bits. */
static inline uint32_t head_words(uint32_t n)
{
    return n / 32 + (n % 32 != 0);
}

static inline parts scan_sums_of(const struct scan_space *w)
{
    return (parts)(uintptr_t)w->sums.address;
}

static inline u32s head_bits_of(const struct scan_space *w)
{
    return (u32s)(uintptr_t)w->heads.address;
}

static inline u32s tile_heads_of(const struct scan_space *w)
{
    return (u32s)(uintptr_t)(w->heads.address + 4 * (uint64_t)head_words(w->n));
}

/* Marks the beginning of a segment at each of the `count` offsets below the workspace's n. */
static inline void mark_heads(struct rec *r, const struct scan_space *w, u32s offset, uint32_t count)
{
    fill_words(r, head_bits_of(w), 0, 0, head_words(w->n), 1);
    run(r, mark_heads, groups_each(count), .offset = offset, .bits = head_bits_of(w), .count = count,
        .n = w->n);
    bill(r, 8 * (uint64_t)count);
}

/* y = the prefix sums of x, in the precision of the recording; restarts at each head if `segmented`. x and y
 * may be the same. */
static inline void scan_real(struct rec *r, const struct scan_space *w, reals x, reals y, bool segmented,
                             bool exclusive)
{
    uint32_t n = w->n, tiles = scan_tiles(n);
    parts from = (parts)(uintptr_t)x, to = (parts)(uintptr_t)y, sums = scan_sums_of(w);
    scan_check(r, w, from, to);
    run(r, scan_sums_real, tiles, .x = from, .bits = head_bits_of(w), .sums = sums, .heads = tile_heads_of(w),
        .n = n, .segmented = segmented);
    run(r, scan_tops_real, 1, .sums = sums, .heads = tile_heads_of(w), .n = tiles, .segmented = segmented);
    run(r, scan_real, tiles, .x = from, .y = to, .bits = head_bits_of(w), .sums = sums, .n = n,
        .segmented = segmented, .exclusive = exclusive);
    bill(r, 3 * vector_bytes(r, n) + (segmented ? n / 4 : 0));
}

/* scan_real for words. */
static inline void scan_u32(struct rec *r, const struct scan_space *w, u32s x, u32s y, bool segmented,
                            bool exclusive)
{
    uint32_t n = w->n, tiles = scan_tiles(n);
    parts from = (parts)(uintptr_t)x, to = (parts)(uintptr_t)y, sums = scan_sums_of(w);
    scan_check(r, w, from, to);
    run(r, scan_sums_u32, tiles, .x = from, .bits = head_bits_of(w), .sums = sums, .heads = tile_heads_of(w),
        .n = n, .segmented = segmented);
    run(r, scan_tops_u32, 1, .sums = sums, .heads = tile_heads_of(w), .n = tiles, .segmented = segmented);
    run(r, scan_u32, tiles, .x = from, .y = to, .bits = head_bits_of(w), .sums = sums, .n = n,
        .segmented = segmented, .exclusive = exclusive);
    bill(r, 12 * (uint64_t)n + (segmented ? n / 4 : 0));
}

/* Words published by the tiles of scan_once_u32. */
static inline uint32_t scan_once_words(uint32_t n)
{
    return 2 + 2 * scan_tiles(n);
}

/* Words published by scan_once_real, whose states have a word for each two bytes of a value: the tile
 * counter, the tiles, and their groups. */
static inline uint32_t scan_once_real_words(uint32_t n, uint32_t item_bytes)
{
    uint32_t tiles = scan_tiles(n);
    return item_bytes / 2 * (1 + tiles + tiles / SCAN_GROUP);
}

/* y = the prefix sums of x in one pass. x and y must differ; `space` has scan_once_words words. */
static inline void scan_once_u32(struct rec *r, u32s space, u32s x, u32s y, uint32_t n, bool exclusive,
                                 uint32_t polls)
{
    fill_words(r, space, 0, 0, scan_once_words(n), 1);
    run(r, scan_once_u32, scan_tiles(n), .x = (parts)(uintptr_t)x, .y = (parts)(uintptr_t)y,
        .p = (published)(uintptr_t)space, .n = n, .exclusive = exclusive, .polls = polls);
    bill(r, 8 * (uint64_t)n);
}

/* scan_once_u32 in the precision of the recording; `space` has scan_once_real_words words. */
static inline void scan_once_real(struct rec *r, u32s space, reals x, reals y, uint32_t n, bool exclusive,
                                  uint32_t polls)
{
    fill_words(r, space, 0, 0, scan_once_real_words(n, real_bytes(r->precision)), 1);
    run(r, scan_once_real, scan_tiles(n), .x = (parts)(uintptr_t)x, .y = (parts)(uintptr_t)y,
        .p = (published)(uintptr_t)space, .n = n, .exclusive = exclusive, .polls = polls);
    bill(r, 2 * vector_bytes(r, n));
}

#endif
