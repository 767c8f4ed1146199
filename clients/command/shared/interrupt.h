/* Ctrl-C and SIGTERM: the first asks for an orderly end, the second one kills. */
#ifndef VKS_COMMAND_SHARED_INTERRUPT_H
#define VKS_COMMAND_SHARED_INTERRUPT_H

#include <stdbool.h>

/* A signal that is ignored (nohup, a job in the background) stays ignored. */
void interrupt_catch(void);
/* Since signals were last caught. */
bool interrupted(void);
/* From here on a signal kills again. */
void interrupt_release(void);

/* From here on a signal that kills the process first removes this file, if it exists. About eight files can
 * be named. */
void interrupt_removes(const char *path);

#endif
