/* Constants shared by the kernels of ILUT and their callers. */
#ifndef VKS_SHADERS_ILUT_H
#define VKS_SHADERS_ILUT_H

#define ILUT_BLOCK 1024u      /* most rows of a block, whose x is in shared memory */
#define ILUT_GROUP 256u       /* lanes of a step: all of a workgroup */
#define ILUT_NONE 0xFFFFFFFFu /* row of a line that only pads its step */

#endif
