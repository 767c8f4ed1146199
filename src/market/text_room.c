#include "market/text.h"
#include "report/memory.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1 << 20, SQUEEZED_FROM = 1 << 26 };
static const size_t doubled_until = (size_t)1 << 30;

vks_status text_resize(struct message *m, struct text *t, size_t room)
{
    TRY(memory_check(m, t->name, "its text", room - t->room));
    char *begin = room < SIZE_MAX ? realloc(t->begin, room + 1) : NULL;
    if (!begin)
        return memory_lacks(m, t->name, "its text", room);
    t->begin = begin;
    t->room = room;
    return VKS_OK;
}

vks_status text_grow(struct message *m, struct text *t)
{
    if (t->room == FIRST_ROOM)
        TRY(text_find_kind(m, t));
    if ((t->kind == TEXT_MARKET || t->kind == TEXT_COLUMNS) && t->room >= SQUEEZED_FROM) {
        vks_status status = text_squeeze(m, t);
        if (status || t->size <= t->room / 2)
            return status;
    }
    size_t more = t->room < doubled_until ? t->room : t->room / 4;
    return text_resize(m, t, t->room ? t->room + more : FIRST_ROOM);
}

void text_free(struct text *t)
{
    free(t->begin);
    free(t->gap);
    *t = (struct text){.name = t->name};
}
