#include "kernel.glsl"
#define TEAM 256
#define ROOM 2048u
#define HASH_SHIFT 21
#define MOST SPGEMM_GROUP_MOST
#include "sparse/spgemm_rows.glsl"

/* As spgemm_squad_rows, for rows of more entries, with a workgroup for each. If one turns out to have more than 1,536,
 * its number becomes SPGEMM_UNKNOWN. */
