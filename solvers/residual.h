/* The true residual b - A x, in double precision, and its norm. Where the solve's device has 64-bit floats it
 * is computed there; elsewhere by the host, from copies of A and b that are made once, and of x each time. In
 * pairs of floats it is computed on the device, and confirmed by the host. */
#ifndef VKS_SOLVERS_RESIDUAL_H
#define VKS_SOLVERS_RESIDUAL_H

#include "solvers/method.h"

struct residual;
struct projection;

struct residual_ops {
    /* Makes what it needs beside the residual in doubles, before its recordings. NULL: nothing. */
    vks_status (*open)(struct residual *e);
    /* A, or b, has new values. NULL: nothing to do. */
    vks_status (*take_values)(struct residual *e);
    vks_status (*take_b)(struct residual *e);
    /* Submits what finds the norm of b - A x; it can be had once the ticket has ended. `scale` is about its
     * inverse. */
    vks_status (*measure)(struct residual *e, double scale, uint64_t *ticket);
    /* The norm, in doubles if it is `target` or less. */
    vks_status (*norm)(struct residual *e, double target, double *norm);
    /* The norm in doubles where `norm` may have been less exact. NULL: it never is. */
    vks_status (*confirm)(struct residual *e, double *norm);
    /* Prepares for a recording of hand_over: b - A x times `scale`. */
    vks_status (*set_hand_over)(struct residual *e, double scale);
    /* Records r = b - A x as it was measured, times that scale. */
    void (*hand_over)(struct rec *r, const struct residual *e);
    /* Records x = 0, where `zero` is a number 0 of the recording. */
    void (*clear)(struct rec *r, const struct residual *e, number zero);
    /* Sets the factor of `gather`, which records x += factor y, and y = 0. */
    void (*set_gather)(struct residual *e, double factor);
    void (*gather)(struct rec *r, const struct residual *e, struct vec y);
    /* Frees what is not in e->room. NULL: nothing. */
    void (*close)(struct residual *e);
};

extern const struct residual_ops residual_on_device, residual_on_host, residual_in_pairs;

struct residual {
    const struct residual_ops *ops;
    struct device *device; /* of the solve */
    struct message *message;
    struct equation equation;
    struct vec r; /* where it is handed over */
    struct memory *r_memory;
    struct projection *projection; /* of a singular A; NULL: none */
    struct room room;              /* on `device` */

    /* In doubles (wide.c), on the device where it is computed: */
    struct device *where;
    struct room wide_room;
    struct csr A;
    struct user_operator *product; /* of an operator; NULL: A has entries */
    struct vec b, x;
    struct vec wide, wide_x; /* b - A x; x, where it is in f32 and A x is computed by itself */
    struct memory numbers, box;
    struct reduction sums;
    struct rec measure, measure_b;

    void *copies; /* of on_host.c */
    void *pairs;  /* of in_pairs.c */
    struct memory factor, factor_box;
};

/* Opens it for an equation on a device: e is zeroed but for ops, device, message, equation, r, r_memory and
 * projection. Its CSR, if it has one, is held. residual_close frees all, also after a failure. */
vks_status residual_open(struct residual *e);
void residual_close(struct residual *e);

vks_status residual_take_values(struct residual *e);
vks_status residual_take_b(struct residual *e);

/* The norm of b; where a null space is left out, without what b has in it. */
vks_status residual_measure_b(struct residual *e, uint64_t *ticket);
vks_status residual_norm_of_b(struct residual *e, double *norm);

/* With a null space, else 0: the norm of what b has in it, and of what A x has in it. */
double residual_part_of_b(const struct residual *e);
double residual_part_of_image(const struct residual *e);

#endif
