/* Constants shared by the kernels of sparse products, their twins and their verbs. */
#define SPGEMM_UNKNOWN 0xFFFFFFFFu /* number of entries of a row not yet known */

/* Classes of rows: no products; an invocation merges the rows of B; a lane group gathers the row in a table
 * that is large enough, or that may overflow; a workgroup gathers it, in a table that is large enough, or
 * that may overflow; columns are marked window by window; products are sorted. */
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

#define SPGEMM_LANE_MOST 9u       /* entries of A, as in a 9-point stencil */
#define SPGEMM_LANE_PRODUCTS 128u /* more would delay other invocations */
#define SPGEMM_SQUAD_MOST 192u    /* entries in the table of a lane group */
#define SPGEMM_GROUP_MOST 1536u   /* entries in the table of a workgroup */
#define SPGEMM_PIECE 64u          /* entries of C that a lane group sums together */
#define SPGEMM_LANE_ENTRIES 16u   /* entries of C that an invocation sums */
#define SPGEMM_OCTET_ENTRIES 32u  /* entries of C that eight lanes sum, one row of B after another */

/* Whether an invocation, or eight lanes, sum the values of a row of C. */
#define SPGEMM_BY_LANE(a_entries, c_entries) \
    ((a_entries) <= SPGEMM_LANE_MOST && (c_entries) <= SPGEMM_LANE_ENTRIES)
#define SPGEMM_BY_OCTET(a_entries, c_entries)                                \
    ((a_entries) <= SPGEMM_LANE_MOST && (c_entries) > SPGEMM_LANE_ENTRIES && \
     (c_entries) <= SPGEMM_OCTET_ENTRIES)

/* Cost of a window, in the time of a product: SPGEMM_WINDOW_COST to clear and count its bits, and 1 for each
 * SPGEMM_WINDOW_ENTRIES entries of A that search the window for their entries of B. Windows are used if they
 * cost no more than the row's products. If they cost at most 1 / SPGEMM_WINDOW_SHARE of that, no table is
 * tried first, because such a row would mostly overflow it. */
#define SPGEMM_WINDOW_COST 64u
#define SPGEMM_WINDOW_ENTRIES 4u
#define SPGEMM_WINDOW_SHARE 16u
#define SPGEMM_WINDOW_BITS 16u /* a window has 2^16 columns: 8 KiB of shared memory */

/* Memory per thread of the twin: a word for each column, and bits in a tree; a thread takes so many rows at a
 * time. */
#define SPGEMM_ROOM_BYTES(shift) ((((uint64_t)5 << (shift)) / 8 + 8) * 8)
#define SPGEMM_HOST_ROWS 8u
#define SPGEMM_HOST_BITS 24u /* in the twin: 80 MiB, touched if columns need it */
