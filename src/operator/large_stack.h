/* Work that may need more stack than a thread of the program has. */
#ifndef VKS_OPERATOR_LARGE_STACK_H
#define VKS_OPERATOR_LARGE_STACK_H

#include "report/message.h"

/* Address space; memory is used only as the stack grows. */
enum { LARGE_STACK = 256 << 20 };

/* Calls work(of) in a separate thread, waits for it and returns its result. The thread blocks all signals,
 * which belong to the program. VKS_OUT_OF_MEMORY: the thread cannot be created. */
vks_status on_large_stack(struct message *m, vks_status (*work)(void *of), void *of);

#endif
