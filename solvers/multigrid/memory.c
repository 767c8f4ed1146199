/* Memory estimate of a set-up, before it begins: from the rows and entries of A alone, since the strong
 * entries are not known yet. The factors are taken from the peaks on model problems and structures. The
 * products of the finest level dominate, above all R (A P); or the data kept for new values, mostly A P and
 * the scratch memory of Lanczos' method. */
#include "solvers/multigrid/multigrid.h"

/* Stored entries at the peak, per entry of A and per row, and vectors. If few entries of A are strong, the
 * products are small. */
static const double an_entry = 1.4, an_entry_at_least = 0.4, a_row = 8, vectors = 3;
/* The same for a hierarchy that is kept for new values. Blocks have more entries in A P, and all entries of
 * A. Rounded matrices are stored twice, including rows of P, R and the next matrix. */
static const double kept_row = 25, kept_entry = 0.15, kept_in_blocks = 2.4, kept_rounded_row = 7.5;

/* Additional bytes for a matrix that is not symmetric: its transpose with positions, its symmetric part, and
 * the second prolongator. */
static double transpose_bytes(double rows, double entries, double stored, double value)
{
    static const double a_row_of_two = 4;
    return (stored + 4 + value) * entries + a_row_of_two * stored * rows;
}

static double kept_bytes(double rows, double entries, double stored, double stored_rounded, bool blocks)
{
    double an_entry_kept = blocks ? kept_entry + kept_in_blocks : kept_entry;
    return stored * (kept_row * rows + an_entry_kept * entries) +
           stored_rounded * (kept_rounded_row * rows + entries);
}

struct multigrid_needs multigrid_needs(const vks_matrix *A, enum precision p, bool blocks, bool symmetric,
                                       bool keeps)
{
    enum precision wide = real_precision(precision_of(A->precision));
    double rows = A->csr.n, entries = A->csr.entries, value = real_bytes(wide), stored = 4 + value;
    double of_rows = (a_row * stored + vectors * value) * rows, copies = blocks ? value * entries : 0;
    double stored_rounded = p == wide ? 0 : 4 + (double)real_bytes(p);
    double expected = of_rows + an_entry * stored * entries + copies + stored_rounded * entries;
    expected += symmetric ? 0 : transpose_bytes(rows, entries, stored, value);
    double kept = keeps ? kept_bytes(rows, entries, stored, stored_rounded, blocks) : 0;
    if (rows <= MULTIGRID_COARSEST) {
        uint64_t inverse = (uint64_t)(value * rows * rows);
        return (struct multigrid_needs){inverse, 3 * inverse};
    }
    return (struct multigrid_needs){
        (uint64_t)(of_rows + an_entry_at_least * stored * entries + copies),
        (uint64_t)(kept > expected ? kept : expected),
    };
}

vks_status multigrid_check_memory(struct device *d, struct multigrid_needs needs)
{
    uint64_t room = device_room(d);
    if (needs.least <= room)
        return VKS_OK;
    return fail(d->message, VKS_DEVICE_MEMORY,
                "amg needs about %.3g GB to set up its levels, at least %.3g GB; %s has %.3g GB left",
                1e-9 * (double)needs.expected, 1e-9 * (double)needs.least, d->info.name, 1e-9 * (double)room);
}
