/* Batches of small systems: read by the kernels (GLSL), their twins and solvers/batch/ (C). */
#ifndef VKS_BATCH_BATCH_H
#define VKS_BATCH_BATCH_H

#define BATCH_ROWS 1024u /* most rows of a system */
#define BATCH_FEW 128u   /* most rows of a system that one lane group solves; a workgroup has eight */
#define BATCH_DENSE 64u  /* most rows of a system that is eliminated as a dense matrix */

/* Words that locate a system. Its entries are in ELL: entry k of row i is number k rows + i; missing ones are
 * zero, in the column of their row. */
#define PLACE_ROWS 0u
#define PLACE_WIDTH 1u   /* entries of the longest row */
#define PLACE_AT 2u      /* the number of its first element in vectors */
#define PLACE_VALUES 3u  /* the number of its first value */
#define PLACE_COLUMNS 4u /* the number of its first column */
#define PLACE_DENSE 5u   /* the number of its first element in dense matrices */
#define PLACE_WORDS 6u

#define NO_ENTRY 0xFFFFFFFFu /* in the map of values: a missing entry */

/* Words of the state of a system. */
#define WORD_STATE 0u     /* STATE_... or UNFIT_...; STATE_MET at the end: solved */
#define WORD_ENDED 1u     /* 1: STATE is how the solve ended */
#define WORD_ITERATION 2u /* iterations so far */
#define WORD_CYCLE 3u     /* cycles begun */
#define WORD_FRESH 4u     /* 1: the method begins with the residual that is stored */
#define WORD_ROW 5u       /* the row of UNFIT_...; NO_ENTRY: none */
#define BATCH_WORDS 6u

/* States of a system with a row that does not suit the method; of several the row has the least. */
#define UNFIT_ZERO_DIAGONAL 16u
#define UNFIT_NOT_POSITIVE 17u
#define UNFIT_SINGULAR 18u /* the row is zero, and its element of b is not; or its column has no pivot */
#define UNFIT_FAULTS 3u

/* Numbers of the state of a system. Norms are not scaled; RR and STOP are divided by SCALE^2. */
#define NUMBER_RR 0u     /* the recurrence's r . r */
#define NUMBER_STOP 1u   /* the RR at which a cycle ends */
#define NUMBER_SCALE 2u  /* the power of two that r is divided by */
#define NUMBER_B 3u      /* ||b|| */
#define NUMBER_GOAL 4u   /* the norm that meets the tolerance */
#define NUMBER_BEFORE 5u /* the true residual's norm at the start of the cycle */
#define NUMBER_BEST 6u   /* the true residual's norm of the best x */
#define BATCH_NUMBERS 7u

/* The ratio of rr to its value at the start of a cycle that counts as divergence. */
#define BATCH_CEILING 1e20

#endif
