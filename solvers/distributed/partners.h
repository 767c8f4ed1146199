/* Exchange of data between the processes of a solve (vksolve/partners.h). Verbs record the exchange; each has
 * a pause, in which the program's functions are called.
 *
 * Between two recordings, the next call of every process gathers sums, always of the same size. So a process
 * that leaves the solve alone reports this in one more gathering, after which all processes end. An exchange
 * always follows a gathering in which no process has failed, and ends in the same recording. */
#ifndef VKS_SOLVERS_DISTRIBUTED_PARTNERS_H
#define VKS_SOLVERS_DISTRIBUTED_PARTNERS_H

#include "solvers/distributed/allreduce.h"
#include "vksolve/matrix.h"
#include "vksolve/partners.h"

struct partners {
    const vks_partners *with;
    struct device *device;
    uint32_t rows, chunks;            /* of this process */
    enum precision precision;         /* of the exchanged elements */
    u32s index;                       /* numbers of the elements that are sent */
    uint32_t sends;                   /* number of these elements */
    struct memory outgoing, incoming; /* host-visible elements */
    struct allreduce departure;       /* without sums: begins an exchange */
    struct pause arrival;             /* ends it */
    double *own, *all, *line;         /* buffers of a gathering */
    bool reported;                    /* all processes have been notified how this one left the solve */
};

/* Checks that the ranges fit A, and allocates memory from w. */
vks_status partners_open(struct partners *p, const vks_partners *with, const vks_matrix *A, struct room *w);

/* Sets two[] to the maxima over all processes that have rows; neither is NaN. */
vks_status partners_largest(struct partners *p, double two[2]);

/* Ends the solve in all processes. Fails if one of them reports a failure. */
vks_status partners_end(struct partners *p);
/* Leave the solve: report a failure, or an unsuitable matrix, unless the other processes know. */
void partners_report_failure(struct partners *p, vks_status status);
void partners_report_refusal(struct partners *p, vks_reason reason);

/* A vector of this process's rows, with space before and after it for elements of other processes. */
struct vec partners_vec(const struct partners *p, enum precision precision, struct room *w);
/* The same vector including those elements: one for each column of A. */
struct vec partners_wide(const struct partners *p, struct vec v);
/* Records that v, from partners_vec, receives the elements of other processes. */
void partners_exchange(struct rec *r, struct partners *p, struct vec v);
/* Records the end of an exchange that an all-reduce has begun; the wait overlaps with earlier commands.
 * Afterwards p->incoming has the elements. */
void partners_await(struct rec *r, struct partners *p);

#endif
