#include "market/pages.h"
#include "market/output.h"
#include "team/team.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_ITEMS = 16384,
    LANES = 32, /* pages in flight */
    TEXT_ROOM = HEAD_ROOM + PAGE_ITEMS * ITEM_ROOM,
    PACKED_ROOM = TEXT_ROOM + TEXT_ROOM / 1024 + 64 /* must equal gzip_room */
};

/* A page's buffers, and the part to write; NULL after a failure. */
struct lane {
    char text[TEXT_ROOM];
    char packed[PACKED_ROOM];
    const char *begin;
    size_t size;
};

static void pack(struct lane *l)
{
    l->size = gzip_pack(l->text, l->size, l->packed, sizeof l->packed);
    l->begin = l->size ? l->packed : NULL;
}

static void fill(const struct pages *p, size_t page, bool packed, struct lane *l)
{
    size_t from = page * PAGE_ITEMS, to = from + PAGE_ITEMS < p->items ? from + PAGE_ITEMS : p->items;
    char *end = l->text;
    if (page == 0) {
        size_t length = strlen(p->head);
        memcpy(end, p->head, length);
        end += length;
    }
    end = p->print(p, from, to, end);
    l->begin = l->text;
    l->size = (size_t)(end - l->text);
    if (packed)
        pack(l);
}

/* Pages that are made in parallel. */
struct batch {
    const struct pages *p;
    size_t first, count;
    bool packed;
    struct lane *lane;
};

static void fill_lanes(const void *batch, struct member *me)
{
    const struct batch *b = batch;
    TEAM_FOR(me, i, (uint32_t)b->count, 2, 1)
    fill(b->p, b->first + i, b->packed, &b->lane[i]);
}

static vks_status write_all(struct message *m, struct team *team, const struct pages *p, bool packed,
                            size_t pages, size_t lanes, struct lane *lane, struct output *o)
{
    for (size_t first = 0; first < pages; first += lanes) {
        size_t count = pages - first < lanes ? pages - first : lanes;
        team_run(team, fill_lanes, &(struct batch){p, first, count, packed, lane});
        for (size_t i = 0; i < count; i++) {
            if (!lane[i].begin)
                return fail_memory(m, "compressing a page", sizeof *lane);
            TRY(output_put(m, o, lane[i].begin, lane[i].size));
        }
    }
    return VKS_OK;
}

vks_status pages_write(struct message *m, const char *path, const struct pages *p)
{
    size_t pages = p->items ? (p->items - 1) / PAGE_ITEMS + 1 : 1, lanes = pages < LANES ? pages : LANES;
    struct output o;
    struct lane *lane = malloc(lanes * sizeof *lane);
    if (!lane)
        return fail_memory(m, path, lanes * sizeof *lane);
    struct team *team = team_for(team_of(m), 16 * (uint64_t)p->items);
    vks_status status = output_open(m, path, &o);
    IF_OK(status, output_close(m, &o, write_all(m, team, p, o.packed, pages, lanes, lane, &o)));
    team_done(team_of(m), team);
    free(lane);
    return status;
}
