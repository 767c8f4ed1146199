"""The kept solver, matrices and preconditioners as objects."""

import gc
import copy
import pickle
import subprocess
import sys
import warnings

import scipy.sparse.linalg
from support import *


class Kept(Case):
    def test_columns_are_solves_of_their_own(self):
        A, B = matrix("nos4"), random(100, 4)
        solver = vksolve.Solver(A, "cg", "jacobi")
        X = solver.solve(B)
        self.assertEqual((X.shape, len(solver.reports)), ((100, 4), 4))
        for k in range(4):
            np.testing.assert_array_equal(X[:, k], vksolve.cg(A, B[:, k], rtol=1e-8, M="jacobi")[0])
        self.assertEqual(solver.solve(B[:, :1]).shape, (100, 1))
        self.assertEqual(solver.solve(B[:, :0]).shape, (100, 0))
        np.testing.assert_array_equal(vksolve.cg(A, B, rtol=1e-8, M="jacobi")[0], X)

    def test_new_values_are_taken_in_place(self):
        A, b = matrix("bodyy4"), random(17546)
        solver = vksolve.Solver(A, "cg")
        solver.solve(b)
        for B, values in ((2 * A, 2 * A), (3 * A, 3 * A.data)):
            solver.update(values)
            self.assert_solves(B, solver.solve(b), b, 1e-8)
        self.refuses(ValueError, "another pattern", solver.update, matrix("nos4"))
        self.refuses(ValueError, "has another pattern", solver.update, A + scipy.sparse.eye(17546, k=9000))
        self.refuses(ValueError, "new values", solver.update, A.data[:-1])

    def test_values_come_in_the_order_of_the_matrix_that_was_given(self):
        A, b = matrix("nos4"), random(100)
        rows, order = A.nonzero()[0], np.random.default_rng(1).permutation(A.nnz)
        order = order[np.argsort(rows[order], kind="stable")]
        unsorted = scipy.sparse.csr_matrix((A.data[order], A.indices[order], A.indptr), A.shape)
        self.assertFalse(unsorted.has_sorted_indices)
        solver = vksolve.Solver(unsorted, "cg")
        self.assert_solves(A, solver.solve(b), b, 1e-8)
        for values in (2 * unsorted.data, 2 * unsorted):
            solver.update(unsorted)
            solver.update(values)
            self.assert_solves(2 * A, solver.solve(b), b, 1e-8)
        unsorted.sort_indices()  # in place: its values are in another order now
        self.refuses(ValueError, "another order", solver.update, unsorted)

    def test_duplicates_are_summed(self):
        A, b = matrix("nos4"), random(100)
        double = scipy.sparse.csr_matrix((np.repeat(A.data / 2, 2), np.repeat(A.indices, 2), 2 * A.indptr), A.shape)
        solver = vksolve.Solver(double, "cg")
        self.assert_solves(A, solver.solve(b), b, 1e-8)
        for values in (3 * double, 3 * A.data):
            solver.update(double)
            solver.update(values)
            self.assert_solves(3 * A, solver.solve(b), b, 1e-8)
        self.assertEqual(double.nnz, 2 * A.nnz)

    def test_a_pattern_that_was_changed_in_place_is_refused(self):
        A = matrix("nos4")
        solver = vksolve.Solver(A, "cg")
        begin, end = A.indptr[50], A.indptr[51]
        A.indices[begin:end] = np.linspace(0, 99, end - begin)
        self.refuses(ValueError, "has another pattern", solver.update, A)

    def test_a_large_pattern_differs_from_another(self):
        """By each of its pieces: one column moves by one at the beginning, in the middle and at the end."""
        n = 1_500_000
        A = scipy.sparse.csr_matrix((np.ones(n), np.arange(n) * 2, np.arange(n + 1)), shape=(n, 2 * n))
        M = vksolve.Matrix(A)
        M.update(A * 3)
        for entry in (0, n // 2, n - 1):
            other = A.copy()
            other.indices[entry] += 1
            self.refuses(ValueError, "has another pattern", M.update, other)
        np.testing.assert_array_equal(M.values()[[0, -1]], [3, 3])

    def test_arrays_of_scipy_are_not_copied(self):
        from vksolve import _matrix

        A = matrix("nos4")
        for ours, its in zip(_matrix.compressed(A)[1:], (A.indptr, A.indices, A.data)):
            self.assertTrue(np.shares_memory(ours, its))
        for its in (A.indptr, A.indices):
            self.assertEqual(vksolve._vksolve.ffi.cast("uintptr_t", _matrix.indices(its, "")), its.ctypes.data)

    def test_the_report_has_every_member_of_the_library_s(self):
        solver = vksolve.Solver(matrix("1138_bus"), "auto(direct=no)")
        solver.solve(random(1138))
        for name, _ in vksolve._vksolve.ffi.typeof("vks_solve_report").fields:
            if name not in ("attempt", "history_count", "cycle_count"):
                self.assertTrue(hasattr(solver.report, name), name)
        r = solver.report
        self.assertEqual((r.iterated_in, r.rounded, r.row), ("f64", False, None))
        self.assertEqual([a["reason"] for a in r.attempts], ["ITERATION_LIMIT"] * (len(r.attempts) - 1) + ["CONVERGED"])
        self.assertEqual((r.cycles[0]["iteration"], r.cycles[0]["true_residual"]), (0, 1.0))
        self.assertEqual(sum(a["iterations"] for a in r.attempts), r.iterations)
        self.assertEqual(pickle.loads(pickle.dumps(r)).__dict__.keys(), r.__dict__.keys())

    def test_later_columns_begin_with_what_the_first_one_has_shown(self):
        n = 200
        path = scipy.sparse.diags([-1, 1, -1], [-1, 0, 1], shape=(n, n)).tocsr()  # indefinite: cg fails, minres solves
        for in_f32 in (False, True):
            solver = vksolve.Solver(path, in_f32=in_f32, rtol=1e-6)
            b = path @ random(n, 3)
            x = solver.solve(b)
            first, *later = solver.reports
            self.assertGreater(len(first.attempts), 1)
            for k, r in enumerate(later, 1):
                self.assertEqual([a["method"] for a in r.attempts], [first.attempts[-1]["method"]])
                self.assertEqual(r.choice, "as in the solve before")
                self.assert_solves(path, x[:, k], b[:, k], 1e-6)
            solver.solve(b[:, 0], x0=x[:, 0])
            self.assertEqual((solver.report.iterations, solver.report.reason), (0, "CONVERGED"))

    def test_the_report_tells(self):
        A, b = matrix("bodyy4"), random(17546)
        solver = vksolve.Solver(A, "cg", history=True)
        x = solver.solve(b)
        r = solver.report
        self.assertEqual(len(r.history), r.iterations + 1)
        self.assertEqual((r.history[0], r.history[-1]), (1, r.residual))
        self.assertAlmostEqual(r.true_residual, np.linalg.norm(b - A @ x) / np.linalg.norm(b), delta=1e-12)
        self.assertRegex(repr(r), r"CONVERGED after \d+ iterations of cg with jacobi on .*, true residual \d")
        self.assertRegex(repr(solver), r"Solver: cg, <vksolve.Matrix: 17,546 x 17,546, 121,938 entries, f64, ")
        self.assertGreater(r.seconds_solve, 0)

    def test_objects_may_die_in_any_order(self):
        for order in ("cAMs", "scAM", "MAsc", "AcsM"):
            c = vksolve.Context("host")
            A = vksolve.Matrix(matrix("nos4"), context=c)
            M = vksolve.precond.Jacobi().setup(A)
            s = vksolve.Solver(A, "cg", M)
            s.solve(np.ones(100))
            alive = dict(c=c, A=A, M=M, s=s)
            del c, A, M, s
            for name in order:
                del alive[name]
                gc.collect()

    def test_values_that_f32_cannot_hold_are_refused(self):
        A, b = scipy.sparse.eye(3, format="csr"), np.array([1.0, 0, 1e-60])
        x, info = vksolve.cg(A, b, precision="f32")
        self.assertEqual((info, x.tolist()), (0, [1, 0, 0]))
        solver = vksolve.Solver(vksolve.Matrix(A, precision="f32"), method="cg")
        self.refuses(ValueError, "b has the value 1e-60, which is beyond the range of f32", solver.solve, b * [0, 0, 1])
        self.refuses(ValueError, "b has the value -1e+60", solver.solve, np.array([1, -1e60, np.inf]))
        self.refuses(ValueError, "A has the value 1e-60", vksolve.solve, A * 1e-60, b, precision="f32")
        self.refuses(ValueError, "A has the value 1e+60", solver.update, A * 1e60)

    def test_a_tolerance_that_zero_meets_is_refused(self):
        A = scipy.sparse.eye(3, format="csr")
        self.refuses(ValueError, "rtol is 1.5; it must be 1 or less", vksolve.cg, A, np.ones(3), rtol=1.5)

    def test_a_matrix_multiplies(self):
        A = matrix("ash219")
        M, x, y = vksolve.Matrix(A), random(85), random(219)
        np.testing.assert_allclose(M @ x, A @ x, atol=1e-13)
        np.testing.assert_allclose(M.rmatvec(y), A.T @ y, atol=1e-13)
        operator = scipy.sparse.linalg.aslinearoperator(M)
        np.testing.assert_array_equal(operator @ x, M @ x)
        self.assertEqual(abs(M.tocsr() - A).max(), 0)
        self.refuses(ValueError, "x has shape (219,); (85,) or (85, k) is expected", M.matvec, y)
        for shape in ((1, 85), (85, 1, 1), ()):
            self.refuses(ValueError, "is expected", M.matvec, np.ones(shape))
        for X in (random(85, 1), random(85, 3), np.ones((85, 0))):
            np.testing.assert_allclose(M @ X, A @ X, atol=1e-13)


class Preconditioners(Case):
    def test_each_solves(self):
        p = vksolve.precond
        A, S = matrix("bcsstk14"), matrix("bodyy4")
        for M, of in [(p.Identity(), S), (p.Jacobi(), A), (p.Jacobi(f32=True), A), (p.BlockJacobi(6), A), (p.BlockJacobi(), A),
                      (p.Chebyshev(3, inner=p.BlockJacobi(6)), A), (p.FSAI(4, add=4), A), (p.AMG(), S), (p.AMG(f32=True, keep=True), S),
                      (p.Inner("jacobi", 3), S), (p.Dense(), matrix("nos4"))]:
            b = of @ random(of.shape[0])
            x, info = vksolve.cg(of, b, rtol=1e-7, M=M)
            with self.subTest(repr(M)):
                self.assertEqual(info, 0, info.report)
                self.assert_solves(of, x, b, 1e-7)
                self.assertEqual(info.report.precond, M.kind)
        N = matrix("orsirr_1")
        b = N @ random(1030)
        for M in (p.ILUT(20, drop=1e-4, rows="all"), p.FSAI(8, add=4)):
            self.assertEqual(vksolve.idrs(N, b, M=M)[1], 0)
        self.assertEqual(vksolve.minres(matrix("jagmesh7"), np.ones(1138), M=p.RowSum())[1].report.precond, "row-sum")

    def test_every_kind_of_the_library_has_its_class(self):
        self.assertEqual(set(vksolve.precond.CLASSES), set(vksolve.precond.KINDS) - {"auto"})

    def test_scipy_takes_a_prepared_one(self):
        A = matrix("bcsstk14")
        b, done = A @ random(A.shape[0]), []
        P = vksolve.precond.BlockJacobi(6).setup(A)
        x, info = scipy.sparse.linalg.cg(A, b, M=P, **{RTOL: 1e-8}, callback=done.append)
        self.assertEqual(info, 0)
        self.assert_solves(A, x, b, 1e-8)
        ours = vksolve.cg(A, b, rtol=1e-8, M=P, norm="plain")[1]
        self.assertEqual(ours, 0)
        self.assertLess(abs(ours.report.iterations - len(done)), 5)
        self.assertEqual((P.report["kind"], P.report["reason"]), ("block-jacobi", "NOT_RUN"))

    def test_coordinates_help_elasticity(self):
        nodes = np.array([[i, j, k] for i in range(6) for j in range(4) for k in range(4)], float)
        rng = np.random.default_rng(3)
        links = [(a, c) for a in range(96) for c in range(a) if 0 < np.linalg.norm(nodes[a] - nodes[c]) < 1.5]
        A = scipy.sparse.lil_matrix((288, 288))
        for a, c in links:
            d = (nodes[a] - nodes[c]) / np.linalg.norm(nodes[a] - nodes[c])
            K = np.outer(d, d) * (1 + rng.random())
            for p, q, sign in ((a, a, 1), (c, c, 1), (a, c, -1), (c, a, -1)):
                A[3 * p : 3 * p + 3, 3 * q : 3 * q + 3] += sign * K
        A = (A + scipy.sparse.eye(288) * 1e-3).tocsr()
        b = random(288)
        x, info = vksolve.cg(A, b, rtol=1e-8, M=vksolve.precond.AMG(coordinates=nodes))
        self.assertEqual(info, 0, info.report)
        self.assert_solves(A, x, b, 1e-8)
        self.refuses(ValueError, "coordinates of 95 nodes", vksolve.cg, A, b, M=vksolve.precond.AMG(coordinates=nodes[1:]))
        nested = vksolve.precond.Chebyshev(inner=vksolve.precond.AMG(near_null=np.ones((2, 287))))
        self.refuses(ValueError, "vectors of 287 elements", vksolve.cg, A, b, M=nested)

    def test_update_takes_new_values(self):
        A = matrix("nos4")
        M = vksolve.Matrix(A)
        P = vksolve.precond.Jacobi().setup(M)
        np.testing.assert_array_equal(P @ np.ones(100), 1 / A.diagonal())
        M.update(4 * A)
        P.update()
        np.testing.assert_array_equal(P @ np.ones(100), 1 / (4 * A.diagonal()))

    def test_what_is_not_ours_is_refused(self):
        A, b = matrix("nos4"), np.ones(100)
        self.refuses(TypeError, "take one of vksolve.precond (Identity, Jacobi", vksolve.cg, A, b, M=scipy.sparse.eye(100))
        self.refuses(TypeError, "LinearOperator", vksolve.cg, A, b, M=scipy.sparse.linalg.aslinearoperator(A))
        self.refuses(ValueError, "unknown preconditioner 'ilu'; expected none, jacobi", vksolve.cg, A, b, M="ilu")
        self.refuses(TypeError, "block_size", vksolve.precond.Jacobi, block_size=3)
        self.refuses(ValueError, "unknown method 'sor'", vksolve.precond.Inner, "sor")
        P = vksolve.precond.Jacobi().setup(A)
        self.refuses(TypeError, "cannot be nested", vksolve.cg, A, b, M=vksolve.precond.Chebyshev(inner=P))


class Copies(Case):
    """What owns memory of C is neither copied nor pickled; what a solve returns is."""

    def test_owners_refuse(self):
        A = matrix("nos4")
        owners = (vksolve.Context("host"), vksolve.Matrix(A), vksolve.Solver(A, "cg"), vksolve.precond.FSAI().setup(A))
        for owner in owners:
            for call in (copy.copy, copy.deepcopy, pickle.dumps, lambda o: copy.deepcopy([o]), lambda o: o.__reduce_ex__(2)):
                self.refuses(TypeError, f"a vksolve.{type(owner).__name__} owns memory", call, owner)
        with_pointers = [c for m in list(sys.modules.values()) if getattr(m, "__name__", "").startswith("vksolve")
                         for c in vars(m).values() if isinstance(c, type) and "__del__" in vars(c) and c.__name__ != "_Shelf"]
        self.assertEqual({c.__name__ for c in with_pointers}, {"Batch", "Context", "Matrix", "Vector", "Solver", "Prepared"})
        for c in with_pointers:
            self.assertEqual(c.__mro__[1].__name__, "Owner", c)

    def test_results_copy(self):
        A = matrix("nos4")
        infos = [vksolve.solve(A, np.ones(100), history=True)[1], vksolve.cg(A, np.ones(100), maxiter=2)[1], vksolve.lsmr(A, np.ones(100))[1]]
        for info in infos:
            for same in (copy.copy(info), copy.deepcopy(info), *(pickle.loads(pickle.dumps(info, p)) for p in range(6))):
                self.assertEqual((type(same), same, str(same.report), same.report, same.hint), (type(info), info, str(info.report), info.report, info.hint))
        self.assertNotEqual(infos[0].report, infos[1].report)
        precond = vksolve.precond.Chebyshev(degree=3, inner=vksolve.precond.BlockJacobi(3))
        self.assertEqual(repr(pickle.loads(pickle.dumps(precond))), repr(precond))

    def test_errors_copy(self):
        A = matrix("nos4")
        for call in (lambda: vksolve.gmres(A, np.ones(100), restart=1000), lambda: vksolve.Context("nonsense")):
            with self.assertRaises(vksolve.Error) as caught:
                call()
            same = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual((type(same), str(same), same.status), (type(caught.exception), str(caught.exception), same.status))
        with warnings.catch_warnings():
            warnings.simplefilter("error", vksolve.SolveWarning)
            with self.assertRaises(vksolve.SolveWarning) as caught:
                vksolve.cg(A, np.ones(100), maxiter=2)
        self.assertEqual(str(pickle.loads(pickle.dumps(caught.exception))), str(caught.exception))

    def test_a_pool_returns_what_a_solve_returns(self):
        program = """
import multiprocessing, numpy, scipy.sparse
def solve(k):
    import vksolve
    A = scipy.sparse.diags([-1, 2.1, -1], [-1, 0, 1], shape=(100, 100)).tocsr()
    return vksolve.cg(A, k * numpy.ones(100))
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        print([int(info) for x, info in pool.map(solve, range(3))])
"""
        done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, timeout=60, check=True)
        self.assertEqual(done.stdout, b"[0, 0, 0]\n")


if __name__ == "__main__":
    unittest.main()
