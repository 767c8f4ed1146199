#include "kernel.glsl"
#define TEAM 32
#define ROOM 256u
#define HASH_SHIFT 24
#define MOST SPGEMM_SQUAD_MOST
#include "sparse/spgemm_rows.glsl"

/* The columns of the listed rows of C = A B: their number, into c_row[i]; or with `fill` 1 the columns, ascending,
 * into c_col from c_row[i] on. If a row turns out to have more than 192 entries its number becomes SPGEMM_UNKNOWN.
 * Traffic: row offsets, the columns of A and, for each entry of A, the columns of its row of B. */
