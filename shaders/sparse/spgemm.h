/* Numbers that the kernels of sparse products, their twins and their verbs share. */
#define SPGEMM_UNKNOWN 0xFFFFFFFFu /* entries of a row that were not found out */

/* A row's class: it has no products; an invocation merges the rows of B; a squad gathers its columns; a workgroup; its
 * products are sorted. */
#define SPGEMM_NONE 0u
#define SPGEMM_LANE 1u
#define SPGEMM_SQUAD 2u
#define SPGEMM_GROUP 3u
#define SPGEMM_SORT 4u
#define SPGEMM_CLASSES 5u
#define SPGEMM_CLASS_BITS 3

#define SPGEMM_LANE_MOST 9u       /* entries of A: the neighbours in a grid of two dimensions */
#define SPGEMM_LANE_PRODUCTS 128u /* beyond, others would wait for this invocation */
#define SPGEMM_SQUAD_MOST 96u     /* entries in the table of a squad */
#define SPGEMM_GROUP_MOST 1536u   /* of a workgroup */
#define SPGEMM_GROUP_PRODUCTS 262144u /* beyond, a workgroup is not tried: it would take milliseconds */
#define SPGEMM_PIECE 64u          /* entries of C that a squad sums at a time */
#define SPGEMM_OCTET_ENTRIES 32u  /* that eight lanes sum, one row of B after the other, */
#define SPGEMM_OCTET_ROWS 64u     /* if these are not too many */

/* Whether eight lanes sum the values of a row of C. */
#define SPGEMM_BY_OCTET(a_entries, c_entries) \
    ((a_entries) <= SPGEMM_OCTET_ROWS && (c_entries) <= SPGEMM_OCTET_ENTRIES)
