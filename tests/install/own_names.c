/* A program that uses the short names of the headers for its own functions. */
#define VKS_NO_SHORT_NAMES
#include <vksolve/vksolve.h>

int cg_solve(void);
int jacobi_solve(void);
int fixed_point_solve(void);
int gauss_jordan_solve(void);
int gauss_jordan_invert(void);

int cg_solve(void)
{
    return 1;
}
int jacobi_solve(void)
{
    return 2;
}
int fixed_point_solve(void)
{
    return 3;
}
int gauss_jordan_solve(void)
{
    return 4;
}
int gauss_jordan_invert(void)
{
    return 5;
}

int main(void)
{
    const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    const double val[] = {2, 4}, b[] = {1, 1};
    double x[] = {0, 0};
    vks_solve_options options = {.method = VKS_METHOD_CG};
    vks_solve_report report;
    if (vks_solve_csr(2, row, col, val, b, x, &options, &report) || x[0] != 0.5 || x[1] != 0.25)
        return 1;
    return cg_solve() + jacobi_solve() + fixed_point_solve() + gauss_jordan_solve() + gauss_jordan_invert() !=
           15;
}
