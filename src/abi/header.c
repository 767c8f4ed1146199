#include "abi/header.h"
#include "abi/structs.h"

vks_status header_check(struct message *m, uint32_t header)
{
    if (header < HEADER_0_1)
        return fail(
            m, VKS_INVALID_ARGUMENT,
            "%u is no version of vksolve's headers; the first argument of a numbered call is one, such as %u",
            header, VKS_HEADER);
    if (header / 100 > VKS_HEADER / 100)
        return fail(
            m, VKS_UNSUPPORTED,
            "the program was compiled with the headers of vksolve %u.%u.%u; this library is %s, and must "
            "not be older",
            header / 10000, header / 100 % 100, header % 100, vks_version());
    return VKS_OK;
}

vks_status header_begin(vks_context *context, uint32_t header)
{
    return header_check(context_begin(context), header);
}
