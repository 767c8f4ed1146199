/* Workgroups of one dispatch that wait for each other. Read by kernels (GLSL) and by the solver (C). */
#ifndef VKS_SOLVER_TOGETHER_H
#define VKS_SOLVER_TOGETHER_H

#define TOGETHER_MOST 512u /* workgroups */
#define TOGETHER_SPREAD 2u
#define TOGETHER_TILES (1u << TOGETHER_SPREAD) /* of 256 elements, that a workgroup has at most */

#define TOGETHER_MOST_ROWS (256u * TOGETHER_TILES * TOGETHER_MOST)

/* Words by which they meet: */
#define MEETING_MISSED 0u /* not 0: one has waited in vain */
#define MEETING_POLLS 1u  /* looks for the others before a workgroup gives up */
#define MEETING_KEPT 2u   /* residuals to be kept */
#define MEETING_ROUND 3u  /* meetings of all dispatches before */
#define MEETING_HEAD 32u  /* from there on what workgroups tell each other */
#define MEETING_WORDS (MEETING_HEAD + 16u * TOGETHER_MOST)

#endif
