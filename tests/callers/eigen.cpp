// vksolve/eigen.h: matrices of each kind, new values, several right-hand sides, failures, memory. Eigen's
// assertions are off: what they would catch must end as InvalidInput.
#define EIGEN_NO_DEBUG
#include <Eigen/Core>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vksolve/eigen.h>

using Eigen::Index;
typedef Eigen::SparseMatrix<double, Eigen::RowMajor> ByRows;
typedef Eigen::SparseMatrix<double> ByColumns;

static int failures;
#define EXPECT(condition) \
    (void)((condition) || (failures++, std::printf("line %d: %s\n", __LINE__, #condition)))

extern "C" {
extern std::size_t largest_request; // allocations.c
extern long until_failure;
}

void *operator new(std::size_t bytes)
{
    void *memory = std::malloc(bytes);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}
void *operator new[](std::size_t bytes)
{
    return operator new(bytes);
}
void operator delete(void *memory) noexcept
{
    std::free(memory);
}
void operator delete[](void *memory) noexcept
{
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void *memory, std::size_t) noexcept
{
    std::free(memory);
}

// A grid of m x m points; `wind` makes it unsymmetric.
template <class Matrix> static Matrix grid(int m, double wind)
{
    typedef typename Matrix::Scalar Scalar;
    std::vector<Eigen::Triplet<Scalar>> entries;
    for (int i = 0; i < m * m; i++) {
        entries.emplace_back(i, i, Scalar(4));
        if (i % m) {
            entries.emplace_back(i, i - 1, Scalar(-1 - wind));
            entries.emplace_back(i - 1, i, Scalar(-1 + wind));
        }
        if (i >= m) {
            entries.emplace_back(i, i - m, Scalar(-1));
            entries.emplace_back(i - m, i, Scalar(-1));
        }
    }
    Matrix A(m * m, m * m);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
}

template <class Solver> static Solver &on_host(Solver &solver)
{
    solver.deviceOptions().device = "host";
    solver.deviceOptions().threads = 1;
    return solver;
}

// The attempts that do not depend on whether UMFPACK is there.
template <class Solver> static Solver &without_factors(Solver &solver)
{
    solver.options().any_device = solver.options().no_direct = 1;
    return solver;
}

template <class Matrix, class Given> static void solves(const Given &A, double tolerance, double error)
{
    typedef Eigen::Matrix<typename Matrix::Scalar, Eigen::Dynamic, 1> Vector;
    vksolve::Solver<Matrix> solver;
    without_factors(on_host(solver)).setTolerance(typename Matrix::Scalar(tolerance)).compute(A);
    EXPECT(solver.info() == Eigen::Success && solver.message().empty());
    const Vector expected = Vector::LinSpaced(A.cols(), 1, 2);
    const Vector b = Matrix(A) * expected;
    const Vector x = solver.solve(b);
    EXPECT(solver.info() == Eigen::Success && solver.message().empty());
    EXPECT((x - expected).cwiseAbs().maxCoeff() <= error);
    EXPECT(solver.iterations() > 0 && solver.error() <= tolerance);
    EXPECT(solver.report().reason == VKS_REASON_CONVERGED && solver.reports().size() == 1);
}

static void matrices_of_each_kind()
{
    const ByRows A = grid<ByRows>(20, 0), windy = grid<ByRows>(20, 0.4);
    solves<ByRows>(A, 1e-10, 1e-7);
    solves<ByRows>(windy, 1e-10, 1e-7);
    solves<ByColumns>(ByColumns(windy), 1e-10, 1e-7);
    solves<Eigen::SparseMatrix<float, Eigen::RowMajor>>(
        grid<Eigen::SparseMatrix<float, Eigen::RowMajor>>(20, 0), 1e-5, 1e-2);
    solves<Eigen::SparseMatrix<float>>(grid<Eigen::SparseMatrix<float>>(20, 0.4), 1e-5, 1e-2);
    ByRows loose = windy;
    loose.uncompress();
    solves<ByRows>(loose, 1e-10, 1e-7);
    const ByRows half = A.triangularView<Eigen::Lower>();
    solves<ByRows>(ByRows(half.selfadjointView<Eigen::Lower>()), 1e-10, 1e-7);
    ByRows two(800, 400); // A below another matrix: its rows do not begin at entry 0
    two.topRows(400) = windy;
    two.bottomRows(400) = A;
    solves<ByRows>(two.bottomRows(400), 1e-10, 1e-7);
    solves<ByRows>(Eigen::Map<const ByRows>(A.rows(), A.cols(), A.nonZeros(), A.outerIndexPtr(),
                                            A.innerIndexPtr(), A.valuePtr()),
                   1e-10, 1e-7);
    solves<ByRows>(ByRows(2 * A), 1e-10, 1e-7);
    solves<ByRows>(2 * A, 1e-10, 1e-7);
}

// Rows with more room than entries, which holds old columns: rows and columns of each type of index.
template <class Matrix> static void gaps_are_no_entries()
{
    const int n = 40;
    Matrix A(n, n);
    A.reserve(Eigen::VectorXi::Constant(n, 4));
    std::fill_n(A.innerIndexPtr(), 4 * n, typename Matrix::StorageIndex(n - 1));
    std::fill_n(A.valuePtr(), 4 * n, 7.0);
    for (int i = 0; i < n; i++)
        A.insert(i, i) = 4;
    for (int i = 1; i < n; i++) {
        A.insert(i, i - 1) = -1 - 1.0 / i;
        A.insert(i - 1, i) = -1 - 1.0 / i;
    }
    EXPECT(!A.isCompressed());
    Matrix compressed = A;
    compressed.makeCompressed();
    const Eigen::VectorXd expected = Eigen::VectorXd::LinSpaced(n, 1, 2), b = compressed * expected;
    vksolve::Solver<Matrix> solver;
    Eigen::VectorXd x = on_host(solver).setTolerance(1e-12).compute(A).solve(b);
    EXPECT(solver.info() == Eigen::Success && (x - expected).norm() <= 1e-10);
    x = solver.factorize(A).solve(b);
    EXPECT(solver.info() == Eigen::Success && (x - expected).norm() <= 1e-10);
    EXPECT(solver.factorize(compressed).info() == Eigen::Success); // the same pattern
    x = solver.compute(A.middleRows(0, n)).solve(b);
    EXPECT(solver.info() == Eigen::Success && (x - expected).norm() <= 1e-10);
}

static int cancel(void *, const vks_progress *)
{
    return 1;
}

// Rounding keeps the true residual above epsilon; a tolerance that can be met is asked for in full.
static void tolerance_of_epsilon_is_met()
{
    for (double wind : {0.0, 0.4}) {
        const ByRows A = grid<ByRows>(30, wind);
        const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(A.rows(), 1, 2);
        vksolve::Solver<> solver;
        without_factors(on_host(solver)).setTolerance(Eigen::NumTraits<double>::epsilon()).compute(A);
        Eigen::VectorXd x = solver.solve(b);
        EXPECT(solver.info() == Eigen::Success && solver.message().empty() && solver.error() > 1e-15);
        EXPECT(solver.error() <= 1e-13 && (b - A * x).norm() <= 1e-13 * b.norm());
        const Eigen::VectorXd solution = x;
        x = solver.setMaxIterations(20).solve(b);
        EXPECT(solver.info() == Eigen::NoConvergence);
        solver.options().progress = cancel;
        x = solver.compute(A).solveWithGuess(b, solution);
        EXPECT(solver.report().reason == VKS_REASON_CANCELLED && solver.info() == Eigen::NoConvergence);
        EXPECT(solver.error() <= 1e-13);
    }
    typedef Eigen::SparseMatrix<float, Eigen::RowMajor> Narrow;
    vksolve::Solver<Narrow> solver;
    without_factors(on_host(solver))
        .setTolerance(Eigen::NumTraits<float>::epsilon())
        .compute(grid<Narrow>(20, 0));
    const Eigen::VectorXf x = solver.solve(Eigen::VectorXf::Ones(400));
    EXPECT(solver.info() == Eigen::Success && solver.error() <= 1e-4f);
}

// What compute allocates is less than the indices of A where it makes no copy.
static void no_copy_where_none_is_needed()
{
    const ByRows rows = grid<ByRows>(30, 0.4);
    const ByColumns columns = grid<ByColumns>(30, 0);
    const std::size_t copy = std::size_t(rows.nonZeros()) * sizeof(int);
    vksolve::Solver<> solver;
    on_host(solver);
    largest_request = 0;
    solver.compute(rows);
    solver.factorize(rows);
    EXPECT(largest_request < copy);
    solver.compute(columns.transpose());
    EXPECT(largest_request < copy);
    solver.compute(columns);
    EXPECT(largest_request >= copy);
}

static void several_columns()
{
    const ByRows A = grid<ByRows>(16, 0.4);
    vksolve::Solver<> solver;
    without_factors(on_host(solver)).setTolerance(1e-12).compute(A);
    const Eigen::MatrixXd expected = Eigen::MatrixXd::Random(A.rows(), 3), b = A * expected;
    Eigen::MatrixXd x = solver.solve(b);
    EXPECT((x - expected).norm() <= 1e-9 * expected.norm());
    EXPECT(solver.reports().size() == 3);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = b;
    by_rows = solver.solve(by_rows); // x is b, too
    EXPECT((by_rows - expected).norm() <= 1e-9 * expected.norm());
    Eigen::MatrixXd wide = Eigen::MatrixXd::Constant(A.rows(), 4, 7);
    wide.middleCols(1, 2) = solver.solve(b.rightCols(2) + b.rightCols(2));
    EXPECT((wide.middleCols(1, 2) - 2 * expected.rightCols(2)).norm() <= 1e-9 * expected.norm());
    EXPECT((wide.col(0).array() == 7).all() && (wide.col(3).array() == 7).all());
    x = solver.solveWithGuess(b, expected);
    EXPECT(solver.info() == Eigen::Success && solver.iterations() == 0 && x == expected);
    ByColumns sparse(A.rows(), 2);
    sparse.insert(3, 1) = 1;
    const ByColumns solution = solver.solve(sparse);
    EXPECT((A * solution - sparse).norm() <= 1e-9 && solution.col(0).nonZeros() == 0);

    // The second column of three cannot be solved in so few iterations, the others are zero.
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(A.rows(), 3);
    c.col(1) = b.col(0);
    x = solver.setMaxIterations(2).solve(c);
    EXPECT(solver.info() == Eigen::NoConvergence && solver.maxIterations() == 2);
    EXPECT(solver.reports().size() == 3 && solver.report().reason != VKS_REASON_CONVERGED);
    EXPECT(solver.reports()[2].reason == VKS_REASON_CONVERGED && solver.error() > 1e-12 &&
           x.col(2).norm() == 0);
    EXPECT(!solver.message().empty());

    // Of two columns that cannot be solved, info() tells the first; error() has the NaN of either.
    c.col(2).setConstant(std::numeric_limits<double>::quiet_NaN());
    x = solver.solve(c);
    EXPECT(solver.info() == Eigen::NoConvergence && solver.reports()[2].reason == VKS_REASON_NOT_FINITE);
    EXPECT(solver.report().reason == solver.reports()[1].reason && std::isnan(solver.error()));
    c.col(0) = c.col(2);
    x = solver.solve(c.leftCols(2));
    EXPECT(solver.info() == Eigen::NumericalIssue && std::isnan(solver.error()));
}

static void new_values()
{
    const ByRows A = grid<ByRows>(16, 0);
    ByRows B = grid<ByRows>(16, 0.3);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(A.rows());
    vksolve::Solver<> solver;
    on_host(solver);
    EXPECT(solver.factorize(A).info() == Eigen::InvalidInput &&
           solver.message().find("analyzePattern") != std::string::npos);
    EXPECT(solver.analyzePattern(A).info() == Eigen::Success);
    EXPECT(solver.factorize(B).info() == Eigen::Success);
    Eigen::VectorXd x = solver.solve(B * ones);
    EXPECT((x - ones).norm() <= 1e-6);
    ByRows two(512, 256); // its last rows do not begin at entry 0
    two.topRows(256) = B;
    two.bottomRows(256) = A;
    EXPECT(solver.factorize(two.bottomRows(256)).info() == Eigen::Success);
    x = solver.solve(A * ones);
    EXPECT(solver.info() == Eigen::Success && (x - ones).norm() <= 1e-6);

    ByRows other = A; // as many entries, one in another place
    other.prune([](int row, int col, double) { return row != 5 || col != 4; });
    other.insert(5, 100) = -1;
    other.makeCompressed();
    EXPECT(other.nonZeros() == A.nonZeros());
    EXPECT(solver.factorize(other).info() == Eigen::InvalidInput &&
           solver.message().find("another pattern") != std::string::npos);
    x = solver.solve(A * ones); // the solver is as it was
    EXPECT(solver.info() == Eigen::Success && (x - ones).norm() <= 1e-6);
    EXPECT(solver.compute(grid<ByRows>(9, 0)).info() == Eigen::Success && solver.rows() == 81);
    x = solver.solve(Eigen::VectorXd::Ones(81));
    EXPECT(solver.info() == Eigen::Success && x.size() == 81);
}

static void least_squares()
{
    Eigen::MatrixXd dense = Eigen::MatrixXd::Random(30, 12);
    const ByRows A = dense.sparseView();
    const Eigen::VectorXd b = Eigen::VectorXd::Random(30);
    vksolve::Solver<> solver;
    const Eigen::VectorXd x = on_host(solver).compute(A).solve(b);
    EXPECT(solver.info() == Eigen::Success && solver.report().least_squares);
    EXPECT((A.transpose() * (b - A * x)).norm() <= 1e-6 && (b - A * x).norm() > 0.1);
}

static bool all_nan(const Eigen::VectorXd &x)
{
    return x.size() && (x.array() != x.array()).all();
}

static void failures_are_reported()
{
    const ByRows A = grid<ByRows>(10, 0);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(100);
    vksolve::Solver<> none;
    Eigen::VectorXd x = none.solve(b);
    EXPECT(none.info() == Eigen::InvalidInput && !none.message().empty());

    vksolve::Solver<> nowhere;
    nowhere.deviceOptions().device = "no such device";
    EXPECT(nowhere.compute(A).info() == Eigen::InvalidInput &&
           nowhere.message().find("no such device") != std::string::npos);
    x = nowhere.solve(b);
    EXPECT(all_nan(x) && x.size() == 100 && nowhere.info() == Eigen::InvalidInput);

    vksolve::Solver<> solver;
    on_host(solver).setTolerance(-1);
    EXPECT(solver.compute(A).info() == Eigen::InvalidInput &&
           solver.message().find("rtol") != std::string::npos);
    solver.setTolerance(0).setMaxIterations(-3).compute(A);
    x = solver.solve(b);
    EXPECT(solver.info() == Eigen::Success);
    solver.setTolerance(-1);
    x = solver.solve(b);
    EXPECT(solver.info() == Eigen::InvalidInput && all_nan(x) && solver.reports().empty());
    solver.setTolerance(0);
    x = solver.solve(Eigen::VectorXd::Ones(99));
    EXPECT(solver.info() == Eigen::InvalidInput && solver.message().find("rows") != std::string::npos &&
           all_nan(x));
    solver.options().method = VKS_METHOD_CG;
    solver.options().no_direct = 1; // of the automatic method
    EXPECT(solver.compute(A).info() == Eigen::InvalidInput && !solver.message().empty());
    solver.options().no_direct = 0;

    ByRows hole = A;
    hole.coeffRef(7, 7) = 0;
    solver.options().method = VKS_METHOD_CG;
    x = solver.compute(hole).solve(b);
    EXPECT(solver.info() == Eigen::NumericalIssue && solver.report().reason == VKS_REASON_ZERO_DIAGONAL);
    EXPECT(solver.message().find("8") != std::string::npos); // the row, counted from 1

    vksolve::Solver<> from_matrix(A);
    x = from_matrix.solve(b);
    EXPECT(from_matrix.info() == Eigen::Success);
}

static void lack_of_memory_is_thrown()
{
    const ByColumns A = grid<ByColumns>(10, 0.2);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(100);
    vksolve::Solver<ByColumns> solver;
    on_host(solver);
    long requests = 0;
    for (bool failed = true; failed; requests++) {
        until_failure = requests;
        Eigen::VectorXd x;
        try {
            x = solver.compute(A).solve(b);
            failed = until_failure < 0;
        } catch (const std::bad_alloc &) {
        }
        until_failure = -1;
        x = solver.compute(A).solve(b);
        EXPECT(solver.info() == Eigen::Success && (A * x - b).norm() <= 1e-6);
    }
    EXPECT(requests >= 6);
}

// With traps throughout, as OpenFOAM sets them.
int main()
{
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    matrices_of_each_kind();
    gaps_are_no_entries<ByRows>();
    gaps_are_no_entries<ByColumns>();
    gaps_are_no_entries<Eigen::SparseMatrix<double, Eigen::RowMajor, long>>();
    gaps_are_no_entries<Eigen::SparseMatrix<double, Eigen::ColMajor, long long>>();
    gaps_are_no_entries<Eigen::SparseMatrix<double, Eigen::RowMajor, short>>();
    tolerance_of_epsilon_is_met();
    no_copy_where_none_is_needed();
    several_columns();
    new_values();
    least_squares();
    failures_are_reported();
    lack_of_memory_is_thrown();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
