/* What the kernels of ILUT and their callers share. */
#ifndef VKS_SHADERS_ILUT_H
#define VKS_SHADERS_ILUT_H

#define ILUT_BLOCK 1024u     /* most rows of a block, whose x lies in shared memory */
#define ILUT_GROUP 256u      /* lanes of a step: those of a workgroup */
#define ILUT_NONE 0xFFFFFFFFu /* the row of a line that is there to fill its step */

#endif
