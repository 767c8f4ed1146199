/* vksolve/eigen.h -- vksolve behind the interface of Eigen's iterative solvers, for programs in C++14 or
 * later.
 *
 *     vksolve::Solver<Eigen::SparseMatrix<double, Eigen::RowMajor>> solver;
 *     solver.compute(A);
 *     x = solver.solve(b);
 *     if (solver.info() != Eigen::Success)
 *         std::cerr << solver.message() << '\n';
 *
 * The program finds Eigen 3.3 or 3.4 itself. No other header of vksolve includes this one.
 *
 * Matrices: entries are double or float, indices of any type. A compressed row-major matrix with indices of 4
 * bytes is used without a copy; compute makes a temporary copy of any other. For a symmetric column-major A,
 * compute(A.transpose()) needs no copy. Both triangles are used: for one triangle give
 * SparseMatrix(A.selfadjointView<Eigen::Lower>()). A rectangular A is solved in the least-squares sense, see
 * vks_solve.
 *
 * Ownership: the solver owns its device, and a copy of A there; it keeps nothing of A on the host. It can be
 * neither copied nor moved. The data behind the pointers of its options must exist as long as the solver.
 *
 * Errors: only std::bad_alloc is thrown, by Eigen or the standard library. info() says how the last compute,
 * factorize or solve ended, and message() has the library's text. If nothing was computed, x is filled with
 * NaN.
 *
 * Threads: a solver is used by one thread at a time, also by its const functions; different solvers are
 * independent. */
#ifndef VKSOLVE_EIGEN_H
#define VKSOLVE_EIGEN_H

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "vksolve/eigen_rows.h"
#include "vksolve/solver.h"

namespace vksolve
{

template <class MatrixType_ = Eigen::SparseMatrix<double, Eigen::RowMajor>>
class Solver : public Eigen::SparseSolverBase<Solver<MatrixType_>>
{
  public:
    typedef MatrixType_ MatrixType;
    typedef typename MatrixType::Scalar Scalar;
    typedef typename MatrixType::RealScalar RealScalar;
    typedef typename MatrixType::StorageIndex StorageIndex;
    enum {
        ColsAtCompileTime = MatrixType::ColsAtCompileTime,
        MaxColsAtCompileTime = MatrixType::MaxColsAtCompileTime
    };
    static_assert(std::is_same<Scalar, double>::value || std::is_same<Scalar, float>::value,
                  "vksolve solves systems in double or float");

    Solver()
    {
        m_storage.precision = values();
    }
    template <class Derived> explicit Solver(const Eigen::SparseMatrixBase<Derived> &A) : Solver()
    {
        compute(A);
    }

    /* Options, zero for default: of the device, read when the first compute opens it; of the matrix, and of
     * the solve, read by compute and analyzePattern. Tolerances and max_iterations are read by each solve.
     * `zero_guess`, `of_values` and `message` are the solver's own. */
    vks_context_options &deviceOptions()
    {
        return m_device;
    }
    vks_matrix_options &matrixOptions()
    {
        return m_storage;
    }
    vks_solve_options &options()
    {
        return m_options;
    }
    /* ||b - A x|| <= tolerance ||b||; 0: 1e-8, with float 1e-5. The residual is the true one; rounding keeps
     * it from falling as far as the residual that Eigen's solvers compare. So with a tolerance below the
     * rounding level of x, such as their default of epsilon, a residual at that level is Success, unless the
     * solve was cancelled. */
    Solver &setTolerance(RealScalar tolerance)
    {
        m_options.rtol = tolerance;
        return *this;
    }
    RealScalar tolerance() const
    {
        return RealScalar(m_options.rtol);
    }
    /* 0: as vks_solve_options.max_iterations. Negative: 0. */
    Solver &setMaxIterations(Eigen::Index iterations)
    {
        m_options.max_iterations =
            uint32_t(std::min(std::max(iterations, Eigen::Index(0)), Eigen::Index(INT32_MAX)));
        return *this;
    }
    Eigen::Index maxIterations() const
    {
        return m_options.max_iterations;
    }

    /* Uploads A, and sets up the solve. */
    template <class Derived> Solver &compute(const Eigen::SparseMatrixBase<Derived> &A)
    {
        if (upload(RowsOf<Derived>(A)))
            setUp();
        return *this;
    }
    /* Uploads the pattern of A and its current values. */
    template <class Derived> Solver &analyzePattern(const Eigen::SparseMatrixBase<Derived> &A)
    {
        upload(RowsOf<Derived>(A));
        return *this;
    }
    /* Updates the values in place, after analyzePattern, compute or factorize with the same pattern; another
     * pattern is Eigen::InvalidInput, and leaves the solver unchanged: check info() after factorize, because
     * solve continues with the previous values. */
    template <class Derived> Solver &factorize(const Eigen::SparseMatrixBase<Derived> &A)
    {
        const RowsOf<Derived> rows(A);
        if (!m_matrix)
            refuse("call analyzePattern or compute before factorize");
        else if (rows.pattern() != m_pattern)
            refuse("the matrix has another pattern than the one given to analyzePattern or compute");
        else if (check(vks_matrix_set_values(m_matrix.get(), values(), rows.val())) &&
                 (!m_solver ? setUp() : check(vks_solver_update(m_solver.get()))))
            succeed();
        return *this;
    }

    /* solve(b), from 0, is Eigen::SparseSolverBase's. b and x0 are vectors, or matrices whose columns are
     * solved one after the other. */
    template <class Rhs, class Guess>
    const Eigen::SolveWithGuess<Solver, Rhs, Guess> solveWithGuess(const Eigen::MatrixBase<Rhs> &b,
                                                                   const Guess &x0) const
    {
        return Eigen::SolveWithGuess<Solver, Rhs, Guess>(*this, b.derived(), x0);
    }

    Eigen::Index rows() const
    {
        return m_rows;
    }
    Eigen::Index cols() const
    {
        return m_cols;
    }
    /* Success; NoConvergence; NumericalIssue: a reason with exit code 3 in vksolve/status.h; InvalidInput: a
     * call of the library failed, for any reason. Of several columns: the first result except Success. */
    Eigen::ComputationInfo info() const
    {
        return m_info;
    }
    /* Explains info(); "" for Success. */
    const std::string &message() const
    {
        return m_message;
    }
    /* The most iterations of a column, and its largest ||b - A x|| / ||b||, of the last solve. */
    Eigen::Index iterations() const
    {
        uint32_t most = 0;
        for (const vks_solve_report &report : m_reports)
            most = std::max(most, report.iterations);
        return most;
    }
    RealScalar error() const
    {
        double largest = 0;
        for (const vks_solve_report &report : m_reports)
            if (largest == largest && !std::islessequal(report.true_residual, largest)) /* NaN stays */
                largest = report.true_residual;
        return RealScalar(largest);
    }
    /* The reports of the columns that the last solve ran; the one that info() describes, else the last. */
    const std::vector<vks_solve_report> &reports() const
    {
        return m_reports;
    }
    const vks_solve_report &report() const
    {
        return m_report;
    }

    /* Called by Eigen's expressions. */
    template <class Rhs, class Dest>
    void _solve_impl(const Eigen::MatrixBase<Rhs> &b, Eigen::MatrixBase<Dest> &x) const
    {
        solveColumns(b.derived(), x, false);
    }
    template <class Rhs, class Dest>
    void _solve_impl(const Eigen::SparseMatrixBase<Rhs> &b, Eigen::SparseMatrixBase<Dest> &x) const
    {
        Dense dense(m_cols, b.cols());
        solveColumns(Dense(b.derived()), dense, false);
        x.derived() = dense.sparseView();
    }
    template <class Rhs, class Dest>
    void _solve_with_guess_impl(const Eigen::MatrixBase<Rhs> &b, Eigen::MatrixBase<Dest> &x) const
    {
        solveColumns(b.derived(), x, true);
    }

  private:
    template <class Derived>
    using RowsOf = Rows<Scalar, typename Eigen::SparseMatrixBase<Derived>::StorageIndex>;
    typedef Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> Dense;
    template <class T, void (*destroy)(T *)> struct Destroy {
        void operator()(T *handle) const
        {
            destroy(handle);
        }
    };
    template <class T, void (*destroy)(T *)> using Owner = std::unique_ptr<T, Destroy<T, destroy>>;
    typedef Owner<vks_vector, vks_vector_destroy> Vector;

    static vks_precision values()
    {
        return std::is_same<Scalar, float>::value ? VKS_F32 : VKS_F64;
    }

    template <class Index> bool upload(const Rows<Scalar, Index> &A)
    {
        m_solver.reset();
        m_matrix.reset();
        m_reports.clear();
        m_report = vks_solve_report();
        m_rows = A.rows();
        m_cols = A.cols();
        this->m_isInitialized = true;
        if (!open())
            return false;
        if (!A.fits())
            return refuse("the matrix has more than 4,294,967,294 rows, columns or entries");
        vks_matrix_options options = m_storage;
        options.of_values = values();
        vks_matrix *matrix;
        const bool made = check(vks_matrix_from_csr(m_context.get(), uint32_t(m_rows), uint32_t(m_cols),
                                                    A.row(), A.col(), A.val(), &options, &matrix));
        m_matrix.reset(matrix);
        m_pattern = A.pattern();
        return made && succeed();
    }

    bool open()
    {
        if (m_context)
            return true;
        char message[1024] = "";
        vks_context_options options = m_device;
        options.message = message;
        options.message_size = sizeof message;
        vks_context *context;
        const vks_status status = vks_context_create(&options, &context);
        m_context.reset(context);
        return !status || refuse(std::string(vks_status_text(status)) + ": " + message);
    }

    bool setUp()
    {
        vks_solve_options options = m_options;
        options.zero_guess = 0;
        vks_solver *solver = nullptr;
        const bool made = check(vks_solver_create(m_matrix.get(), &options, &solver));
        m_solver.reset(solver);
        if (made && vector(m_rows, m_b) && vector(m_cols, m_x))
            return succeed();
        m_solver.reset();
        return false;
    }

    bool vector(Eigen::Index length, Vector &owner) const
    {
        const bool in_f32 = vks_matrix_precision(m_matrix.get()) == VKS_F32;
        vks_vector *made = nullptr;
        const bool done =
            check(vks_vector_create(m_context.get(), uint32_t(length), in_f32 ? VKS_F32 : VKS_F64, &made));
        owner.reset(made);
        return done;
    }

    template <class Dest>
    void solveColumns(const Eigen::Ref<const Dense> &b, Eigen::MatrixBase<Dest> &x, bool guess) const
    {
        m_reports.clear();
        m_report = vks_solve_report();
        Eigen::Matrix<Scalar, Eigen::Dynamic, 1> column(x.rows());
        Eigen::Index k = 0;
        if (!this->m_isInitialized)
            refuse("call compute before solve");
        else if (m_solver && (b.rows() != m_rows || x.rows() != m_cols || x.cols() != b.cols()))
            refuse("b does not have as many rows as the matrix, or x does not fit");
        else if (m_solver && succeed()) {
            m_reports.reserve(std::size_t(b.cols()));
            for (; k < b.cols(); k++) {
                if (guess)
                    column = x.col(k);
                if (!solveColumn(b.col(k).data(), guess, column.data()))
                    break;
                x.col(k) = column;
            }
        }
        x.rightCols(x.cols() - k).setConstant(std::numeric_limits<Scalar>::quiet_NaN());
    }

    bool solveColumn(const Scalar *b, bool guess, Scalar *x) const
    {
        vks_solve_report report = vks_solve_report();
        const bool ran = check(vks_solver_set_limits(m_solver.get(), m_options.rtol, m_options.atol,
                                                     m_options.max_iterations)) &&
                         check(vks_vector_write(m_b.get(), 0, uint32_t(m_rows), values(), b)) &&
                         check(guess ? vks_vector_write(m_x.get(), 0, uint32_t(m_cols), values(), x)
                                     : vks_vector_fill(m_x.get(), 0)) &&
                         check(vks_solver_solve(m_solver.get(), m_b.get(), m_x.get(), &report)) &&
                         check(vks_vector_read(m_x.get(), 0, uint32_t(m_cols), values(), x));
        if (ran)
            m_reports.push_back(report);
        if (m_info == Eigen::Success || !ran)
            m_report = report;
        if (ran && m_info == Eigen::Success && report.reason != VKS_REASON_CONVERGED &&
            !isAtRounding(report)) {
            m_info = vks_reason_exit_code(report.reason) == 2 ? Eigen::NoConvergence : Eigen::NumericalIssue;
            m_message =
                std::string(vks_reason_text(report.reason)) + (report.detail[0] ? ": " : "") + report.detail;
        }
        return ran;
    }

    /* Whether the residual is small, and at the rounding level: no better x can be distinguished. */
    static bool isAtRounding(const vks_solve_report &report)
    {
        return vks_reason_exit_code(report.reason) == 2 && report.reason != VKS_REASON_CANCELLED &&
               report.true_residual <= report.rounding_level &&
               report.rounding_level <= std::sqrt(double(std::numeric_limits<Scalar>::epsilon()));
    }

    bool check(vks_status status) const
    {
        return !status ||
               refuse(std::string(vks_status_text(status)) + ": " + vks_context_message(m_context.get()));
    }
    bool refuse(const std::string &message) const
    {
        m_info = Eigen::InvalidInput;
        m_message = message;
        return false;
    }
    bool succeed() const
    {
        m_info = Eigen::Success;
        m_message.clear();
        return true;
    }

    vks_context_options m_device = vks_context_options();
    vks_matrix_options m_storage = vks_matrix_options();
    vks_solve_options m_options = vks_solve_options();
    Owner<vks_context, vks_context_destroy> m_context;
    Owner<vks_matrix, vks_matrix_destroy> m_matrix;
    Owner<vks_solver, vks_solver_destroy> m_solver;
    Vector m_b, m_x;
    Eigen::Index m_rows = 0, m_cols = 0;
    uint64_t m_pattern = 0;
    mutable Eigen::ComputationInfo m_info = Eigen::InvalidInput;
    mutable std::string m_message = "call compute before solve";
    mutable vks_solve_report m_report = vks_solve_report();
    mutable std::vector<vks_solve_report> m_reports;
};

} // namespace vksolve

#endif
