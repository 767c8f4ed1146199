/* Constants of the ordered product of COO, shared by kernel, twin and verb. */
#define COO_SHARE 768u /* entries of a workgroup; it sums the rows that begin among them */
#define COO_TAIL 256u  /* further entries for its last row: a row has no more (LONG_ROW) */
