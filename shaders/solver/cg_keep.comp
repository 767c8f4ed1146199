#include "each.glsl"
#include "solver/cg.h"

/* q = p - M^-1 r: the part of the direction p that does not come from the residual r. M is a diagonal or the identity;
 * or r is z. Traffic: p, r and d read, q written: 4n (3n without a preconditioner). */
ARGS {
    reals p;
    reals r;
    reals d; /* 1 / diagonal */
    reals q;
    uint  n;
    uint  form; /* FORM_...; for FORM_GIVEN, r is z */
};

void main()
{
    FOR_EACH(i, n) {
        real z = form == FORM_EACH ? d.at[i] * r.at[i] : r.at[i];
        q.at[i] = p.at[i] - z;
    }
}
