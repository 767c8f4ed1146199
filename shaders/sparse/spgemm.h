/* Numbers that the kernels of sparse products, their twins and their verbs share. */
#define SPGEMM_UNKNOWN 0xFFFFFFFFu /* entries of a row that were not found out */

/* A row's class: it has no products; an invocation merges the rows of B; a squad gathers it in its table,
 * which holds it; which may run over; a workgroup in its own, which holds it; which may run over; its columns
 * are marked, window by window; its products are sorted. */
#define SPGEMM_NONE 0u
#define SPGEMM_LANE 1u
#define SPGEMM_SQUAD 2u
#define SPGEMM_SQUAD_TRY 3u
#define SPGEMM_GROUP 4u
#define SPGEMM_TRY 5u
#define SPGEMM_WINDOW 6u
#define SPGEMM_SORT 7u
#define SPGEMM_CLASSES 8u
#define SPGEMM_CLASS_BITS 3

#define SPGEMM_LANE_MOST 9u       /* entries of A: the neighbours in a grid of two dimensions */
#define SPGEMM_LANE_PRODUCTS 128u /* beyond, others would wait for this invocation */
#define SPGEMM_SQUAD_MOST 192u    /* entries in the table of a squad */
#define SPGEMM_GROUP_MOST 1536u   /* of a workgroup */
#define SPGEMM_PIECE 64u          /* entries of C that a squad sums at a time */
#define SPGEMM_LANE_ENTRIES 16u   /* of C that an invocation sums */
#define SPGEMM_OCTET_ENTRIES 32u  /* that eight lanes sum, one row of B after the other */

/* Whether an invocation sums the values of a row of C, or eight lanes do. */
#define SPGEMM_BY_LANE(a_entries, c_entries) \
    ((a_entries) <= SPGEMM_LANE_MOST && (c_entries) <= SPGEMM_LANE_ENTRIES)
#define SPGEMM_BY_OCTET(a_entries, c_entries)                                \
    ((a_entries) <= SPGEMM_LANE_MOST && (c_entries) > SPGEMM_LANE_ENTRIES && \
     (c_entries) <= SPGEMM_OCTET_ENTRIES)

/* What a window costs, in products: its bits are cleared and counted, and an entry of A looks for those that
 * it meets in the window, SPGEMM_WINDOW_ENTRIES of them in the time of a product. Windows are taken where
 * their cost is not more than that of the row's products. Where it is less than a share of them, a table,
 * which such a row mostly runs over, is not tried first. */
#define SPGEMM_WINDOW_COST 64u
#define SPGEMM_WINDOW_ENTRIES 4u
#define SPGEMM_WINDOW_SHARE 16u
#define SPGEMM_WINDOW_BITS 16u /* a window has 2^16 columns: 8 KiB of shared memory */

/* Of a thread of the twin: a word for each column, and bits in a tree; a thread takes so many rows at a time.
 */
#define SPGEMM_ROOM_BYTES(shift) ((((uint64_t)5 << (shift)) / 8 + 8) * 8)
#define SPGEMM_HOST_ROWS 8u
#define SPGEMM_HOST_BITS 24u /* of a window there: 80 MiB, touched where there are so many columns */
