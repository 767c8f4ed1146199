#include "kernel.glsl"
#include "sparse/csc.glsl"

/* Columns and values of CSR from CSC. Traffic: 4 bytes and a value for each entry, and a random write of both. */
ARGS {
    u32s    start; /* cols + 1 offsets into place and val */
    u32s    place; /* of each entry in CSR */
    scalars val;
    u32s    to_col;
    scalars to_val;
    uint    cols;
    uint    entries;
};

void main()
{
    for (uint first = CSC_SHARE * gl_WorkGroupID.x; first < entries; first += CSC_SHARE * gl_NumWorkGroups.x) {
        uvec2 columns = share_columns(start, cols, first, entries);
        for (uint k = first + ME; k < min(first + CSC_SHARE, entries); k += 256u) {
            to_col.at[place.at[k]] = column_of(start, columns, k);
            to_val.at[place.at[k]] = val.at[k];
        }
    }
}
