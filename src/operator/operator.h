/* Internals of an operator: the data in `stored` of a vks_matrix with operator_ops, and its verbs. */
#ifndef VKS_OPERATOR_OPERATOR_H
#define VKS_OPERATOR_OPERATOR_H

#include "host/operator/call.h"
#include "operator/code.h"
#include "sparse/matrix.h"

struct user_operator {
    struct operator_code code; /* code of the kernels of `program` */
    struct program program[OPERATOR_KERNEL_COUNT];
    vks_record_product record; /* replaces the kernels, or NULL */
    void *user;
    struct operator_call call;
    const vks_array *array[VKS_OPERATOR_ARRAYS];
    const vks_vector *diagonal;
    uint64_t bytes;
};

extern const struct format_ops operator_ops;

/* The operator of A; NULL if A is not an operator. */
static inline struct user_operator *operator_of(const vks_matrix *A)
{
    return A->ops == &operator_ops ? A->stored : NULL;
}

/* y = A x, in the precision of the recording. A product that a program records itself ignores the guard. */
void operator_product(struct rec *r, struct user_operator *o, struct vec x, struct vec y);

#endif
