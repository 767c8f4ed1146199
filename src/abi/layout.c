#include "abi/layout.h"

#include <stdbool.h>
#include <string.h>

static size_t end_of(const struct layout *l, uint32_t header)
{
    for (const struct layout_end *e = l->older; e->before; e++)
        if (header < e->before)
            return e->end;
    return l->end;
}

size_t layout_stride(const struct layout *l, uint32_t header)
{
    size_t end = end_of(l, header), size = end;
    for (const struct layout_part *p = l->parts; p->of && p->at < end; p++)
        size -= p->count * (p->of->size - layout_stride(p->of, header));
    return (size + l->alignment - 1) / l->alignment * l->alignment;
}

static bool is_todays(const struct layout *l, uint32_t header)
{
    for (const struct layout_part *p = l->parts; p->of; p++)
        if (!is_todays(p->of, header))
            return false;
    return end_of(l, header) == l->end;
}

/* A copy from the caller's struct into ours, or back. */
struct copy {
    uint32_t header;
    bool in;
    const char *from;
    char *to;
};

static void copy_bytes(const struct copy *c, size_t theirs, size_t ours, size_t bytes)
{
    memcpy(c->to + (c->in ? ours : theirs), c->from + (c->in ? theirs : ours), bytes);
}

static void copy_struct(const struct copy *c, const struct layout *l, size_t theirs, size_t ours)
{
    size_t end = end_of(l, c->header), at = 0, moved = 0;
    for (const struct layout_part *p = l->parts; p->of && p->at < end; p++) {
        size_t stride = layout_stride(p->of, c->header);
        copy_bytes(c, theirs + at - moved, ours + at, p->at - at);
        for (size_t i = 0; i < p->count; i++)
            copy_struct(c, p->of, theirs + p->at - moved + i * stride, ours + p->at + i * p->of->size);
        at = p->at + p->count * p->of->size;
        moved += p->count * (p->of->size - stride);
    }
    copy_bytes(c, theirs + at - moved, ours + at, end - at);
}

const void *layout_in(const struct layout *l, uint32_t header, const void *theirs, void *ours)
{
    if (!theirs || is_todays(l, header))
        return theirs;
    memset(ours, 0, l->size);
    copy_struct(&(struct copy){.header = header, .in = true, .from = theirs, .to = ours}, l, 0, 0);
    return ours;
}

void *layout_room(const struct layout *l, uint32_t header, void *theirs, void *ours)
{
    return layout_in(l, header, theirs, ours) == theirs ? theirs : ours;
}

void layout_out(const struct layout *l, uint32_t header, const void *ours, void *theirs)
{
    if (theirs && theirs != ours)
        copy_struct(&(struct copy){.header = header, .from = ours, .to = theirs}, l, 0, 0);
}
