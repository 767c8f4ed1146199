#include "solvers/residual/wide.h"

vks_status residual_open(struct residual *e)
{
    room_open(&e->room, e->device);
    e->factor = room_memory(&e->room, MEMORY_DEVICE, sizeof(struct factor), "the solver's numbers");
    e->factor_box = room_memory(&e->room, MEMORY_SHARED, sizeof(struct factor), "an inbox");
    return e->room.status ? e->room.status : e->ops->open(e);
}

void residual_close(struct residual *e)
{
    if (!e->ops)
        return;
    if (e->ops->close)
        e->ops->close(e);
    wide_close(e);
    if (e->room.device)
        room_close(&e->room);
}

vks_status residual_update_values(struct residual *e)
{
    TRY(e->ops->update_values ? e->ops->update_values(e) : VKS_OK);
    return wide_update_values(e);
}

vks_status residual_take_b(struct residual *e)
{
    return e->ops->take_b ? e->ops->take_b(e) : VKS_OK;
}
