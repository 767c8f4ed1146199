#include "each.glsl"
#include "exact.glsl"

/* error[i] = |r[i]| / y[i], 0 for 0 / 0: W. Oettli, W. Prager (1964), where y = |A| |x| + |b|. Traffic: r and y read,
 * error written. */
ARGS {
    reals r;
    reals y;
    reals error;
    uint  n;
};

void main()
{
    FOR_EACH(i, n) {
        real magnitude = abs(r.at[i]);
        error.at[i] = magnitude == real(0) ? magnitude : divide(magnitude, y.at[i]);
    }
}
