/* Constants of the set-up of multigrid, shared by kernels, twins and verbs. */
#define POSITIVE_SHARE 0.2   /* up to this share, positive entries are never strong on the finest level */
#define LEAST_STRENGTH 1e-6f /* of a strong entry */
#define LEAST_FILTERED 0.3   /* of the diagonal: a smaller filtered one is not used */

/* States of a row. */
#define ROW_UNDECIDED 0u
#define ROW_ROOT 1u
#define ROW_OUT 2u
#define KEY_ROOT 0xFFFFFFFFu

#define NO_AGGREGATE 0xFFFFFFFFu
#define JOIN_MOST 256u /* strong neighbours that are compared when a row joins an aggregate */
