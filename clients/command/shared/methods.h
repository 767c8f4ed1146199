/* A method as the user writes it: "gmres", "auto(device=any,direct=no)". */
#ifndef VKS_COMMAND_SHARED_METHODS_H
#define VKS_COMMAND_SHARED_METHODS_H

#include "report/message.h"
#include "vksolve/methods.h"

#include <stdbool.h>

struct method_word {
    vks_method method;
    bool any_device, no_direct; /* as in vks_solve_options */
};

#define METHODS_HELP                                                                            \
    "\nauto takes options: auto(device=any) makes the attempts of a GPU on every device, and\n" \
    "auto(direct=no) none by sparse factors; with both, x has the same bits everywhere"

/* VKS_INVALID_ARGUMENT: the message says what was expected. */
vks_status method_read(struct message *m, const char *text, struct method_word *out);

#endif
