/* Loop in which a workgroup takes 256 / width rows at a time: i is the row of this lane, and may be n or more. */
#define FOR_ROWS(i, n, width)                                                                                          \
    for (uint i##_first = gl_WorkGroupID.x * (256u / (width)), i = i##_first + ME / (width); i##_first < (n);          \
         i##_first += gl_NumWorkGroups.x * (256u / (width)), i += gl_NumWorkGroups.x * (256u / (width)))
