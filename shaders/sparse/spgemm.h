/* Numbers that the kernels of sparse products, their twins and their verbs share. */
#define SPGEMM_UNKNOWN 0xFFFFFFFFu /* entries of a row that were not found out */

/* A row's class: it has no products; a squad gathers it; a workgroup; its products are sorted. */
#define SPGEMM_NONE 0u
#define SPGEMM_SQUAD 1u
#define SPGEMM_GROUP 2u
#define SPGEMM_SORT 3u
#define SPGEMM_CLASSES 4u

#define SPGEMM_SQUAD_MOST 96u   /* entries in the table of a squad */
#define SPGEMM_GROUP_MOST 1536u /* of a workgroup */
#define SPGEMM_GROUP_PRODUCTS 262144u /* beyond, a workgroup is not tried: it would take milliseconds */
#define SPGEMM_PIECE 64u        /* entries that a squad sums at a time */
