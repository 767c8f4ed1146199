#version 460
#include "kernel.glsl"
#define TEAM 32
#define ROOM 128u
#define HASH_SHIFT 25
#define MOST SPGEMM_SQUAD_MOST
#include "sparse/spgemm_rows.glsl"

/* The columns of the listed rows of C = A B: how many, into c_row[i]; or where `fill` is 1, these, ascending, into
 * c_col from c_row[i] on. No row has more than 96 entries. Traffic: row offsets, and the columns of A and of the rows
 * of B that they meet, once more for each entry of A that does. */
