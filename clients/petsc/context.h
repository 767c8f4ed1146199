/* The device of this process. */
#ifndef VKS_PETSC_CONTEXT_H
#define VKS_PETSC_CONTEXT_H

#include "petsc/plugin.h"

/* Opens the device, unless it is open. Not collective: under PCTELESCOPE one rank may call it alone. */
PetscErrorCode plugin_open(void);
/* Closes the device when PETSc ends, after printing the transfers (-vks_view). */
PetscErrorCode plugin_close(void);

#endif
