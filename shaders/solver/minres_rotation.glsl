/* Column entries of the tridiagonal matrix after the two earlier rotations, and after the new one. */
STRUCT(rotation) {
    real alpha_0, alpha_1, alpha_2, alpha_3;
    real gamma, c, s;
    real slope, size;
};

INLINE rotation rotate(minres_turn t, real delta, real vz)
{
    rotation o;
    o.gamma = square_root(vz);
    o.alpha_0 = t.c * delta - (t.c_old * t.s) * t.gamma;
    o.alpha_1 = square_root(o.alpha_0 * o.alpha_0 + vz);
    o.alpha_2 = t.s * delta + (t.c_old * t.c) * t.gamma;
    o.alpha_3 = t.s_old * t.gamma;
    o.c = divide(o.alpha_0, o.alpha_1);
    o.s = divide(o.gamma, o.alpha_1);
    real below = t.c * o.gamma, size = square_root(delta * delta + vz);
    o.slope = square_root(o.alpha_0 * o.alpha_0 + below * below);
    o.size = size > t.size ? size : t.size;
    return o;
}
