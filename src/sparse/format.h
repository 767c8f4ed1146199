/* The interface of a format. A module format_NAME.c exports a table of these operations as format_NAME;
 * VKS_FORMATS of vksolve/matrix.h is the list. The data of a format are A->stored.
 *
 * Products are bitwise equal to CSR unless `own_order` is set: A->csr.lanes lanes sum a row in ascending
 * column order. Formats skip long rows (sparse/long.h), which have more than LONG_ROW entries: they neither
 * store them nor write their y. Other kernels compute y of long rows first. long_bits marks them. */
#ifndef VKS_SPARSE_FORMAT_H
#define VKS_SPARSE_FORMAT_H

#include "vector/vec.h"
#include "vksolve/matrix.h"

struct product_then;

struct format_ops {
    /* The statistics that `create` reads in A->known, in addition to row lengths: KNOW_... of
     * sparse/statistics.h. */
    unsigned wants;
    /* Makes A->stored, including values, from A->csr with the options A->storage, in which defaults are
     * resolved. VKS_LIMIT: the format cannot store A; the message has the figures. After a failure `release`
     * is called. NULL: only CSR is stored. */
    vks_status (*create)(vks_matrix *A);
    /* Records a copy of the values of A->csr to the format, in values_precision. NULL: only CSR is stored. */
    void (*refresh)(struct rec *r, const vks_matrix *A);
    /* Copies the values of A->csr with its own submissions if the structure of A->stored depends on them.
     * Otherwise *done becomes false, and the caller records `refresh`. After a failure the values of A are
     * undefined. NULL: the structure never depends on them. */
    vks_status (*retake)(vks_matrix *A, bool *done);
    /* Replaces the arrays of values by arrays for the present width of A's values, which `refresh` fills.
     * After a failure the old arrays remain. NULL: the format has no values of its own. */
    vks_status (*values_room)(vks_matrix *A);
    /* Records y = A x, for long rows only if `long_rows` is set, and bills the traffic. */
    void (*spmv)(struct rec *r, const vks_matrix *A, struct vec x, struct vec y);
    /* Records y = A x and the tile sums of own . y in one kernel, and returns true. Returns false, and
     * records nothing, if spmv and a separate dot product are faster. `own` holds the elements of x that
     * belong to the rows: x itself if A is square. NULL: as if it returned false. */
    bool (*spmv_dot)(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y, sums s);
    /* Records A x and an operation on its rows (sparse/then.h) in one kernel; A has no long rows. NULL: spmv
     * and a separate kernel do this. */
    void (*spmv_then)(struct rec *r, const vks_matrix *A, const struct product_then *t);
    /* Fills the allocated columns and values of A->csr from A->stored, except long rows. NULL: A always keeps
     * them. */
    vks_status (*to_csr)(const vks_matrix *A);
    /* Bytes of device memory of the representation; without long rows if to_csr exists. */
    uint64_t (*bytes)(const vks_matrix *A);
    bool long_rows; /* spmv also computes long rows */
    bool own_order; /* the order of sums differs from CSR */
    /* Frees A->stored, which may be NULL or incomplete. NULL: there is nothing to free. */
    void (*release)(vks_matrix *A);
};

#define X(NAME, module, name, text) extern const struct format_ops format_##module;
VKS_FORMATS(X)
#undef X

/* The operations of a format; NULL for VKS_FORMAT_AUTO. */
const struct format_ops *format_of(vks_format format);

/* VKS_INVALID_ARGUMENT: no such format, or an option out of range. */
vks_status format_check(struct message *m, vks_format format);
vks_status storage_check(struct message *m, const vks_format_options *o);

/* `wanted`, with defaults for zero members. */
vks_format_options storage_resolved(const vks_format_options *wanted);

/* storage.c: makes the list of long rows and the format of A, requested or automatic. The CSR of A is on the
 * device. VKS_LIMIT: it does not suit A; VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status format_set_up(vks_matrix *A, const vks_format_options *wanted);
/* Updates the format from new values of A->csr. */
vks_status format_refresh(vks_matrix *A);
/* Frees the data stored by A's format. */
void format_release(vks_matrix *A);

/* Sets the reason for the format, like printf. */
__attribute__((format(printf, 2, 3))) void format_because(vks_matrix *A, const char *text, ...);

#endif
