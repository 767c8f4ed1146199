// From C++ with Eigen: the steps of a diffusion whose conductivity changes, by a solver that stays, from the
// step before.
#include <iostream>
#include <vector>
#include <vksolve/eigen.h>

typedef Eigen::SparseMatrix<double, Eigen::RowMajor> Matrix;

// A rod of n pieces in one time step, insulated at both ends.
static Matrix rod(int n, double conductivity)
{
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; i++)
        entries.emplace_back(i, i, 1);
    for (int i = 1; i < n; i++) {
        entries.emplace_back(i, i, conductivity);
        entries.emplace_back(i - 1, i - 1, conductivity);
        entries.emplace_back(i, i - 1, -conductivity);
        entries.emplace_back(i - 1, i, -conductivity);
    }
    Matrix A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
}

int main()
{
    const int n = 1000;
    vksolve::Solver<Matrix> solver;
    solver.setTolerance(1e-10).analyzePattern(rod(n, 1));
    Eigen::VectorXd heat = Eigen::VectorXd::Zero(n);
    heat(n / 2) = 100;
    for (int step = 1; step <= 5; step++) {
        solver.factorize(rod(n, 10.0 * step)); // new values in the places that stay
        const Eigen::VectorXd before = heat;
        heat = solver.solveWithGuess(before, before);
        if (solver.info() != Eigen::Success) {
            std::cerr << solver.message() << '\n';
            return 1;
        }
        std::cout << "step " << step << ": " << solver.iterations() << " iterations, in the middle "
                  << heat(n / 2) << ", in all " << heat.sum() << '\n';
    }
    return std::abs(heat.sum() - 100) > 1e-6; // no heat is lost
}
