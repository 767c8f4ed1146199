/* Prefix sums by tiles of 4,096 elements, in the order of shaders/primitive/scan.glsl, its twin. Define the
 * type `item` first. */
#ifndef VKS_HOST_PRIMITIVE_SCAN_H
#define VKS_HOST_PRIMITIVE_SCAN_H

#include "host/kernel.h"

#include <string.h>

enum { RUN = 4, RUNS = 32 /* in a row */, ROWS = 4, SQUADS = 8, SCAN_TILE = RUN * RUNS * ROWS * SQUADS };
enum { GROUP = 32 /* tiles */ };

/* The sum since the last head, and whether there is a head. */
typedef struct part {
    item sum;
    bool head;
} part;

/* A tile: its elements (then prefix sums in their runs), its heads, and the sum before each run. */
struct tile {
    uint32_t length;
    item v[SCAN_TILE];
    bool head[SCAN_TILE];
    part before[SCAN_TILE / RUN];
};

static inline part follow(part a, part b)
{
    return (part){b.head ? b.sum : a.sum + b.sum, a.head || b.head};
}

static inline uint32_t scan_tiles(uint32_t n)
{
    return n / SCAN_TILE + (n % SCAN_TILE != 0);
}

/* Loads tile `t` of the n elements at x; `bits` marks heads, or is NULL. */
static inline void load_tile(struct tile *tile, const item *x, const uint32_t *bits, uint32_t t, uint32_t n)
{
    uint32_t first = t * SCAN_TILE;
    tile->length = n - first < SCAN_TILE ? n - first : SCAN_TILE;
    memset(tile->v + tile->length, 0, (SCAN_TILE - tile->length) * sizeof *tile->v);
    memcpy(tile->v, x + first, tile->length * sizeof *x);
    memset(tile->head, 0, sizeof tile->head);
    for (uint32_t j = 0; bits && j < tile->length; j++)
        tile->head[j] = bits[(first + j) / 32] >> (first + j) % 32 & 1;
}

/* Scans the runs of a row: before[l] becomes the sum before run l. Returns the sum of the row. */
static inline part row_scan(item *v, const bool *head, part *before)
{
    part runs[RUNS];
    for (int l = 0; l < RUNS; l++, v += RUN, head += RUN) {
        for (int j = 1; j < RUN; j++)
            v[j] = head[j] ? v[j] : v[j - 1] + v[j];
        runs[l] = (part){v[RUN - 1], head[0] || head[1] || head[2] || head[3]};
    }
    for (int apart = 1; apart < RUNS; apart *= 2)
        for (int l = RUNS - 1; l >= apart; l--)
            runs[l] = follow(runs[l - apart], runs[l]);
    before[0] = (part){0, false};
    for (int l = 1; l < RUNS; l++)
        before[l] = runs[l - 1];
    return runs[RUNS - 1];
}

/* Scans a tile and returns its sum. */
static inline part tile_scan(struct tile *tile)
{
    part all = {0, false};
    for (int s = 0; s < SQUADS; s++) {
        part squad = {0, false}, *before = tile->before + s * ROWS * RUNS;
        for (int row = 0; row < ROWS; row++) {
            int first = (s * ROWS + row) * RUNS;
            part whole = row_scan(tile->v + first * RUN, tile->head + first * RUN, before + row * RUNS);
            for (int l = 0; l < RUNS; l++)
                before[row * RUNS + l] = follow(squad, before[row * RUNS + l]);
            squad = follow(squad, whole);
        }
        for (int l = 0; l < ROWS * RUNS; l++)
            before[l] = follow(all, before[l]);
        all = follow(all, squad);
    }
    return all;
}

/* Writes the results of a tile, with `offset` as the sum before it. At a head the sum restarts with the
 * head's value or, if exclusive, with zero. */
static inline void tile_result(const struct tile *tile, item offset, bool exclusive, item *y)
{
    for (uint32_t run = 0; run * RUN < tile->length; run++) {
        item before = follow((part){offset, false}, tile->before[run]).sum, last = before;
        bool restarts = false;
        for (uint32_t i = run * RUN; i < tile->length && i < (run + 1) * RUN; i++) {
            restarts = restarts || tile->head[i];
            item with = restarts ? tile->v[i] : before + tile->v[i];
            y[i] = !exclusive ? with : tile->head[i] ? 0 : last;
            last = with;
        }
    }
}

/* The three steps of a scan; each is the body of a kernel. */
static inline void scan_sums(const item *x, const uint32_t *bits, uint32_t n, item *sums, uint32_t *heads,
                             struct member *me)
{
    uint32_t tiles = scan_tiles(n);
    TEAM_FOR(me, t, tiles, 2, 1)
    {
        struct tile tile;
        load_tile(&tile, x, bits, t, n);
        part all = tile_scan(&tile);
        sums[t] = all.sum;
        if (bits)
            heads[t] = all.head;
    }
}

/* Turns the sums of n tiles into the sums before them. */
static inline void scan_tops(item *sums, const uint32_t *heads, uint32_t n)
{
    part before = {0, false}; /* sum before the group */
    for (uint32_t first = 0; first < n; first += GROUP) {
        part inside = {0, false}; /* sum in the group before the tile */
        for (uint32_t t = first; t < n && t < first + GROUP; t++) {
            part own = {sums[t], heads && heads[t]};
            sums[t] = follow(before, inside).sum;
            inside = follow(inside, own);
        }
        before = follow(before, inside);
    }
}

static inline void scan_results(const item *x, const uint32_t *bits, const item *sums, uint32_t n,
                                bool exclusive, item *y, struct member *me)
{
    uint32_t tiles = scan_tiles(n);
    TEAM_FOR(me, t, tiles, 2, 1)
    {
        struct tile tile;
        load_tile(&tile, x, bits, t, n);
        tile_scan(&tile);
        tile_result(&tile, sums[t], exclusive, y + t * SCAN_TILE);
    }
}

#endif
