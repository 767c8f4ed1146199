#include "each.glsl"
#include "multigrid/strength.h"

/* root[i] = whether row i is a root; member[i] = whether it is in an aggregate. Traffic: 12n bytes. */
ARGS {
    u32s owner;
    u32s root;
    u32s member;
    uint n;
};

void main()
{
    FOR_EACH(i, n) {
        uint own = owner.at[i];
        root.at[i] = own == i ? 1u : 0u;
        member.at[i] = own != NO_AGGREGATE ? 1u : 0u;
    }
}
