/* What crosses between the processes of a solve (vksolve/partners.h). Verbs record it: each has a pause, in
 * which the program's functions are called.
 *
 * Between two recordings the next call of all processes is a gathering, and its size never changes. So a
 * process that leaves the solve alone tells the others by one more gathering, and all end by one. An exchange
 * always follows a gathering that has found all processes well, and ends in the same recording. */
#ifndef VKS_SOLVERS_PARTNERS_H
#define VKS_SOLVERS_PARTNERS_H

#include "vector/vec.h"
#include "vksolve/matrix.h"
#include "vksolve/partners.h"

/* The sums of a verb, in up to two rows. */
struct meeting {
    struct pause pause;
    struct partners *partners;
    enum precision precision;
    uint32_t rows;
    bool begins;                 /* an exchange of what is in partners->outgoing by then */
    struct memory parts, totals; /* sums of chunks; one sum of each row */
};

/* What a meeting finds in rows of sums. */
enum sums_of { OF_STRIPES, OF_TILES, OF_CHUNKS_BEHIND_TILES };

struct partners {
    const vks_partners *with;
    struct device *device;
    uint32_t rows, chunks;            /* of this process */
    enum precision precision;         /* of what is exchanged */
    u32s index;                       /* of the elements that are sent */
    uint32_t sends;                   /* how many */
    struct memory outgoing, incoming; /* elements that the host sees */
    struct meeting exchange;          /* about no sums */
    struct pause arrival;
    double *own, *all, *line; /* what is gathered */
    bool told;                /* all know how this process has left the solve */
};

/* Checks that the ranges fit A, and takes memory from w. */
vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w);

/* All processes have come to the end of the solve, unless one of them tells otherwise. */
vks_status partners_end(struct partners *p);
/* This process leaves the solve: tells the others, unless they know, of a failure, or of a matrix that does
 * not suit. */
void partners_leave(struct partners *p, vks_status status);
void partners_refuse(struct partners *p, vks_reason reason);

/* A vector of this process's rows, with room before and behind it for elements of others. */
struct vec partners_vec(const struct partners *p, enum precision precision, struct room *w);
/* The same with those elements: as many as A has columns. */
struct vec partners_wide(const struct partners *p, struct vec v);
/* Records that v, of partners_vec, gets the elements of others. */
void partners_exchange(struct rec *r, struct partners *p, struct vec v);
/* Records the end of an exchange that a meeting has begun, while what was recorded before runs. Then
 * p->incoming has the elements. */
void partners_await(struct rec *r, struct partners *p);

/* What is done in the pause of a meeting. */
bool partners_meet(struct pause *pause, vks_status *status);

/* Takes memory for a meeting about sums in `rows` rows. */
void meeting_open(struct meeting *m, struct partners *p, enum precision precision, uint32_t rows,
                  struct room *w);
/* Records that what is in rows `row` on, of this process, becomes sums of all, one for each row. */
void meeting_about(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row,
                   enum sums_of of);
/* Where these are, for kernels. */
reals meeting_sums(const struct meeting *m);

#endif
