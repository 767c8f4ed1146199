/* The limits of a kernel's arguments: the generator refuses more, and the library reserves this much. */
#ifndef VKS_DEVICE_KERNEL_LIMITS_H
#define VKS_DEVICE_KERNEL_LIMITS_H

enum {
    MAX_PUSH_BYTES = 128, /* of ARGS: the push constants that every device has */
    MAX_CONSTANTS = 8,    /* specialisation constants */
    MAX_ARGS_BYTES = MAX_PUSH_BYTES + 4 * MAX_CONSTANTS, /* of struct NAME_args, which holds both */
    NO_GUARD = MAX_PUSH_BYTES                            /* guard_at of a kernel that takes no guard */
};

#endif
