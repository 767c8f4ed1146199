/* Ctrl-C and SIGTERM: the first asks for an orderly exit, the second kills. */
#ifndef VKS_COMMAND_SHARED_INTERRUPT_H
#define VKS_COMMAND_SHARED_INTERRUPT_H

#include <stdbool.h>

/* A signal that is ignored (nohup, a job in the background) stays ignored. */
void interrupt_catch(void);
/* Whether a signal has arrived since signals were last caught. */
bool interrupted(void);
/* Afterwards a signal kills again. */
void interrupt_release(void);

/* Afterwards a signal that kills the process first removes this file, if it exists. There is room for about
 * eight files. */
void interrupt_removes(const char *path);

#endif
