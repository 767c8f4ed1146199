#include "command/shared/exit_code.h"

#include <stdio.h>

int exit_code_of(vks_status status)
{
    switch (status) {
    case VKS_OK:
        return EXIT_DONE;
    case VKS_INVALID_ARGUMENT:
    case VKS_FILE:
    case VKS_FORMAT:
    case VKS_UNSUPPORTED:
    case VKS_LIMIT:
        return EXIT_USAGE;
    default:
        return EXIT_DEVICE;
    }
}

int complain(vks_status status, const char *message)
{
    fprintf(stderr, "vksolve: %s\n", message[0] ? message : vks_status_text(status));
    return exit_code_of(status);
}
