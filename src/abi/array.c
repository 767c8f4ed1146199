#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"
#include "primitive/array.h"

vks_status vks_sort_2(uint32_t header, vks_array *keys, const vks_sort_options *options)
{
    vks_sort_options ours;
    vks_status s = header_begin(keys->context, header);
    return s ? s : vks_sort_now(keys, vks_sort_options_in(header, options, &ours));
}

vks_status vks_sort_pairs_2(uint32_t header, vks_array *keys, vks_array *payload,
                            const vks_sort_options *options)
{
    vks_sort_options ours;
    vks_status s = header_begin(keys->context, header);
    return s ? s : vks_sort_pairs_now(keys, payload, vks_sort_options_in(header, options, &ours));
}

vks_status vks_invert_blocks_2(uint32_t header, uint32_t count, uint32_t size, const vks_array *in,
                               vks_array *out, vks_block_report *report)
{
    vks_block_report ours, *to = vks_block_report_room(header, report, &ours);
    vks_status s = header_begin(in->context, header);
    if (s)
        return s;
    s = vks_invert_blocks_now(count, size, in, out, to);
    vks_block_report_out(header, to, report);
    return s;
}

vks_status vks_invert_blocks_of_sizes_2(uint32_t header, const vks_array *rows, const vks_array *in,
                                        vks_array *out, vks_block_report *report)
{
    vks_block_report ours, *to = vks_block_report_room(header, report, &ours);
    vks_status s = header_begin(in->context, header);
    if (s)
        return s;
    s = vks_invert_blocks_of_sizes_now(rows, in, out, to);
    vks_block_report_out(header, to, report);
    return s;
}
