/* The device of this process. */
#ifndef VKS_PETSC_CONTEXT_H
#define VKS_PETSC_CONTEXT_H

#include "petsc/plugin.h"

/* Opens the device, unless it is open. No call is collective: under PCTELESCOPE one rank does it alone. */
PetscErrorCode plugin_open(void);
/* Closes it when PETSc ends, after printing what crossed (-vks_view). */
PetscErrorCode plugin_close(void);

#endif
