/* Numbers of the ordered product of COO, shared by kernel, twin and verb. */
#define COO_SHARE 768u /* entries of a workgroup; it sums the rows that begin among them */
#define COO_TAIL 256u  /* entries behind them that it takes along, for the last of these rows: LONG_ROW or more */
