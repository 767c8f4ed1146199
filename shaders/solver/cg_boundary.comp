#include "each.glsl"
#include "solver/cg.h"

/* The elements of z = M^-1 r that other processes need. Traffic: three words for each of n, or five. */
ARGS {
    reals r; /* z for FORM_GIVEN */
    reals d; /* 1 / diagonal */
    u32s  index;
    reals to;
    uint  n;
    uint  form; /* FORM_... */
};

void main()
{
    FOR_EACH(i, n) {
        uint at = index.at[i];
        real scale = form == FORM_EACH ? d.at[at] : form == FORM_ONE ? d.at[0] : real(1);
        real ri = r.at[at];
        to.at[i] = form == FORM_EACH || form == FORM_ONE ? scale * ri : ri;
    }
}
