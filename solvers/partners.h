/* What crosses between the processes of a solve (vksolve/partners.h). Verbs record it: each has a pause, in
 * which the program's functions are called. */
#ifndef VKS_SOLVERS_PARTNERS_H
#define VKS_SOLVERS_PARTNERS_H

#include "vector/vec.h"
#include "vksolve/matrix.h"
#include "vksolve/partners.h"

struct partners {
    const vks_partners *with;
    struct device *device;
    struct room *room;
    uint32_t rows;                    /* of this process */
    enum precision precision;         /* of what is exchanged */
    u32s index;                       /* of the elements that are sent */
    uint32_t sends;                   /* how many */
    struct memory outgoing, incoming; /* elements that the host sees */
    struct pause exchange, arrival;
};

/* The sums of a verb, in `rows` rows. */
struct meeting {
    struct pause pause;
    const struct partners *partners;
    enum precision precision;
    uint32_t rows, chunks;
    uint64_t all_chunks;
    bool begins;                 /* an exchange of what is in partners->outgoing by then */
    uint32_t count;              /* of sums at the level that the next kernel adds up */
    struct memory parts, totals; /* sums of chunks; totals, each with zeros behind it */
    double *own, *all, *line;
};

/* Checks that the ranges fit A, and takes memory from w. */
vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w);

/* A vector of this process's rows, with room before and behind it for elements of others. */
struct vec partners_vec(const struct partners *p, enum precision precision, struct room *w);
/* The same with those elements: as many as A has columns. */
struct vec partners_wide(const struct partners *p, struct vec v);
/* Records that v, of partners_vec, gets the elements of others. */
void partners_exchange(struct rec *r, const struct partners *p, struct vec v);
/* Records the end of an exchange that a meeting has begun, while what was recorded before runs. Then
 * p->incoming has the elements. */
void partners_await(struct rec *r, const struct partners *p);

/* Takes memory for a meeting about sums over n elements in `rows` rows. */
void meeting_open(struct meeting *m, const struct partners *p, enum precision precision, uint32_t rows,
                  struct room *w);
/* Record that stripe sums in rows `row` on become those of all processes, for a kernel that adds them up, or
 * one number each; and that the sums of chunks that a dot product has left become one number. */
void meeting_of_stripes(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row);
void meeting_of_tiles(struct rec *r, struct meeting *m, const struct reduction *w, uint32_t row);

#endif
