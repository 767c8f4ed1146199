#include "abi/abi.h"

#include <stdbool.h>
#include <stdio.h>

vks_status abi_check(uint32_t header, char *text, size_t bytes)
{
    bool is_later = header / 100 > VKS_HEADER / 100;
    if (header >= 300 && !is_later)
        return VKS_OK;
    snprintf(text, bytes,
             "the program was compiled with the headers of vksolve %u.%u.%u; this library is %s, and %s",
             header / 10000, header / 100 % 100, header % 100, VKS_VERSION,
             is_later ? "must not be older" : "takes headers from 0.3.0 on");
    return is_later ? VKS_UNSUPPORTED : VKS_INVALID_ARGUMENT;
}

size_t abi_end(const struct abi_end *ends, size_t size, uint32_t header)
{
    for (const struct abi_end *e = ends; e->before; e++)
        if (header < e->before)
            return e->bytes;
    return size;
}
