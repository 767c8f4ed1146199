/* Workgroups of one dispatch that synchronise. Read by kernels (GLSL) and by the solver (C). */
#ifndef VKS_SOLVER_TOGETHER_H
#define VKS_SOLVER_TOGETHER_H

#define TOGETHER_MOST 512u /* workgroups */
#define TOGETHER_SPREAD 2u
#define TOGETHER_TILES (1u << TOGETHER_SPREAD) /* most tiles of 256 elements per workgroup */

#define TOGETHER_MOST_ROWS (256u * TOGETHER_TILES * TOGETHER_MOST)

/* Words for synchronisation: */
#define RENDEZVOUS_MISSED 0u /* not 0: a workgroup has timed out */
#define RENDEZVOUS_POLLS 1u  /* polls for the others before a workgroup gives up */
#define RENDEZVOUS_KEPT 2u   /* number of residuals to keep */
#define RENDEZVOUS_ROUND 3u  /* rendezvous in all previous dispatches */
#define RENDEZVOUS_HEAD 32u  /* start of the data that workgroups exchange */
#define RENDEZVOUS_WORDS (RENDEZVOUS_HEAD + 16u * TOGETHER_MOST)

#endif
