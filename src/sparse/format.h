/* What a format has to offer. One module each, format_NAME.c, exports a table of these operations as
 * format_NAME; VKS_FORMATS of vksolve/matrix.h is the list. What a format keeps is its own: A->stored.
 *
 * Formats give the bits of CSR, but for those of an order of their own: a row is summed in ascending column
 * order by A->csr.lanes lanes. Long rows (sparse/long.h) are not theirs: they need not store them, do not
 * write their y, and where a kernel wants y it is there already. long_bits tells kernels which they are; a
 * row that is not long has at most LONG_ROW entries. Of a lean matrix their entries are kept elsewhere. */
#ifndef VKS_SPARSE_FORMAT_H
#define VKS_SPARSE_FORMAT_H

#include "device/record.h"
#include "vksolve/matrix.h"

struct product_then;

struct format_ops {
    /* What `create` takes from A->known, beside the lengths of rows: KNOW_SLICES ... of sparse/statistics.h.
     */
    unsigned wants;
    /* Makes A->stored from A->csr, which is on the device with its columns and values, as A->storage has it
     * (with the defaults filled in), and the values with it. VKS_LIMIT: the format does not suit A; the
     * message has the figures. After a failure `release` is called. NULL: nothing beside CSR. */
    vks_status (*create)(vks_matrix *A);
    /* Records, in values_precision: takes over the values of A->csr anew. NULL: as above. */
    void (*refresh)(struct rec *r, const vks_matrix *A);
    /* Takes over the values of A->csr anew by submissions of its own, where what is stored depends on them;
     * else it is not `done`, and refresh does. After a failure A can be used, but its values mean nothing.
     * NULL: never. */
    vks_status (*retake)(vks_matrix *A, bool *done);
    /* Makes room for values as wide as A's are now, in place of what there was, which stays after a failure;
     * what is in it is for `refresh`. NULL: it has none of its own. */
    vks_status (*values_room)(vks_matrix *A);
    /* Records y = A x for rows that are not long, or where `long_rows` for all. It bills what it moves. */
    void (*spmv)(struct rec *r, const vks_matrix *A, reals x, reals y);
    /* Records y = A x and the tile sums of own . y in one kernel, and returns true; or records nothing where
     * spmv and then a dot product are faster. `own` are the elements of x that belong to the rows: x itself
     * where A is square. NULL: always so. */
    bool (*spmv_dot)(struct rec *r, const vks_matrix *A, reals x, reals own, reals y, sums s);
    /* Records A x and what becomes of its rows (sparse/then.h), by one kernel; A has no long rows. NULL: spmv
     * and then a kernel of its own. */
    void (*spmv_then)(struct rec *r, const vks_matrix *A, const struct product_then *t);
    /* Fills the columns and values of A->csr, for which there is room, from A->stored, long rows aside; the
     * row offsets are there. NULL: they are always there. */
    vks_status (*to_csr)(const vks_matrix *A);
    /* Bytes of device memory of the representation alone; where there is a to_csr, without long rows. */
    uint64_t (*bytes)(const vks_matrix *A);
    bool long_rows;
    /* Its sums are not those of CSR to the last bits. */
    bool own_order;
    /* Frees A->stored, which may be NULL or half made. NULL: there is nothing to free. */
    void (*release)(vks_matrix *A);
};

#define X(NAME, module, name, text) extern const struct format_ops format_##module;
VKS_FORMATS(X)
#undef X

/* The operations of a format; NULL for VKS_FORMAT_AUTO. */
const struct format_ops *format_of(vks_format format);

/* VKS_INVALID_ARGUMENT where there is no such format, or an option is out of range. */
vks_status format_check(struct message *m, vks_format format);
vks_status storage_check(struct message *m, const vks_format_options *o);

/* The members of `wanted`, with the defaults for those that are zero. */
vks_format_options storage_resolved(const vks_format_options *wanted);

/* storage.c: makes the list of long rows and the format of A, whose CSR is on the device: the one that is
 * asked for, or one that is chosen. VKS_LIMIT: it does not suit A; VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status format_set_up(vks_matrix *A, const vks_format_options *wanted);
/* Takes over new values of A->csr. */
vks_status format_refresh(vks_matrix *A);
/* Frees what the format of A stores. */
void format_release(vks_matrix *A);

/* The reason for the format, as printf has it. */
__attribute__((format(printf, 2, 3))) void format_because(vks_matrix *A, const char *text, ...);

#endif
