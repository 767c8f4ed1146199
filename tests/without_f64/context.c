/* For programs that are linked with --wrap=vks_context_create_as: their devices act as ones without 64-bit
 * floats. */
#include "device/context.h"

vks_status __real_vks_context_create_as(uint32_t header, const vks_context_options *options,
                                        vks_context **context);
vks_status __wrap_vks_context_create_as(uint32_t header, const vks_context_options *options,
                                        vks_context **context);

vks_status __wrap_vks_context_create_as(uint32_t header, const vks_context_options *options,
                                        vks_context **context)
{
    vks_status s = __real_vks_context_create_as(header, options, context);
    if (!s)
        (*context)->device->info.f64 = false;
    return s;
}
