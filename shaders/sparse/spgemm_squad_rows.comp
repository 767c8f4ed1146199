#version 460
#include "kernel.glsl"
#define TEAM 32
#define ROOM 256u
#define HASH_SHIFT 24
#define MOST SPGEMM_SQUAD_MOST
#include "sparse/spgemm_rows.glsl"

/* The columns of the listed rows of C = A B: how many, into c_row[i]; or where `fill` is 1, these, ascending, into
 * c_col from c_row[i] on. Where a row turns out to have more than 192 entries its number becomes SPGEMM_UNKNOWN.
 * Traffic: row offsets, and the columns of A and of the rows of B that they meet, once more for each entry of A that
 * does. */
