/* Work that may take more stack than a thread of the program has. */
#ifndef VKS_OPERATOR_LARGE_STACK_H
#define VKS_OPERATOR_LARGE_STACK_H

#include "report/message.h"

/* Of address space; memory is taken as the stack grows. */
enum { LARGE_STACK = 256 << 20 };

/* Calls work(of) in a thread of its own, waits for it and returns what it returns. The thread takes no
 * signals: these are the program's. VKS_OUT_OF_MEMORY: there is no place for the thread. */
vks_status on_large_stack(struct message *m, vks_status (*work)(void *of), void *of);

#endif
