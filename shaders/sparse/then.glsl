/* Operation on a row of A x before it is written (sparse/then.h). Included after the arguments and constants of a
 * kernel, whose names it uses: weight, d, x, b, y, z, form and varies. b may be y: the same invocation reads a row
 * before it writes it. */
#include "algebra.glsl"
#include "sparse/then.h"

/* Operands of a row besides its sum. */
struct row_takes {
    scalar_t x, b, d;
};

bool takes_diagonal()
{
    return form == PRODUCT_STEP || form == PRODUCT_SCALED;
}

real weight_of_all()
{
    return takes_diagonal() ? weight.value : real(0);
}

/* Loads the operands of row i, zeros if it is not `mine`; a kernel loads them together with those of the sum. */
row_takes takes_of(uint i, bool mine)
{
    row_takes t = row_takes(scalar_t(0), scalar_t(0), scalar_t(0));
    if (mine && form == PRODUCT_STEP)
        t.x = x.at[i];
    if (mine && form != PRODUCT_SCALED)
        t.b = b.at[i];
    if (mine && takes_diagonal())
        t.d = d.at[varies != 0 ? i : 0];
    return t;
}

/* Writes row i. w is weight_of_all(). */
void leave_row(uint i, row_takes t, real w, scalar_t sum)
{
    if (form == PRODUCT_STEP) {
        y.at[i] = t.x + w * mul(t.d, t.b - sum);
    } else if (form == PRODUCT_RESIDUAL) {
        y.at[i] = t.b - sum;
    } else if (form == PRODUCT_ADD) {
        y.at[i] = t.b + sum;
    } else {
        y.at[i] = sum;
        z.at[i] = w * mul(t.d, sum);
    }
}
