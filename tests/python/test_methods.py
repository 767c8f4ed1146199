"""The calls of scipy's shape, against scipy on real matrices."""

import scipy.sparse.linalg
from support import *

SPD = ["nos4", "bcsstk14", "bodyy4", "1138_bus"]
OTHER = ["orsirr_1", "sherman5", "west0067"]


def lacks_umfpack():
    try:
        vksolve.solve(scipy.sparse.eye(3), np.ones(3), method="direct")
    except vksolve.UnsupportedError as error:
        return "UMFPACK is not installed" in str(error)
    return False


class Methods(Case):
    def test_cg_takes_the_iterations_of_scipy(self):
        for name in SPD:
            A = matrix(name)
            b, done = A @ random(A.shape[0]), []
            M = scipy.sparse.diags(1 / A.diagonal())
            want, info = scipy.sparse.linalg.cg(A, b, **{RTOL: 1e-8}, M=M, callback=done.append, maxiter=10000)
            x, info = vksolve.cg(A, b, rtol=1e-8, M="jacobi", norm="plain")  # as SciPy measures
            with self.subTest(name):
                self.assertEqual(info, 0)
                self.assert_solves(A, x, b, 1e-8)
                self.assertLess(abs(info.report.iterations - len(done)), 2 + len(done) / 10)
                self.assertEqual((info.report.method, info.report.precond), ("cg", "jacobi"))

    def test_every_method_solves_what_it_is_for(self):
        A, S, N = matrix("bodyy4"), matrix("jagmesh7"), matrix("orsirr_1")
        for method, of in [("solve", A), ("solve", S), ("solve", N), ("cg", A), ("minres", S), ("idrs", N), ("bicgstab", N),
                           ("gmres", N)]:
            b = of @ random(of.shape[0])
            M = "fsai" if of is N and method != "solve" else None
            x, info = getattr(vksolve, method)(of, b, rtol=1e-6, M=M, maxiter=None if method == "solve" else 20000)
            with self.subTest(method):
                self.assertEqual(info, 0, info.report)
                self.assert_solves(of, x, b, 1e-6)

    def test_solve_reaches_every_method_of_the_command(self):
        n, B = 200, random(200, 2)
        A = scipy.sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(n, n)).tocsr()
        self.assertIn("gauss-jordan", vksolve.precond.METHODS)
        for method in set(vksolve.precond.METHODS) - ({"direct"} if lacks_umfpack() else set()):
            for b in (B[:, 0], B):
                x, info = vksolve.solve(A, b, method=method)
                self.assertEqual((info, info.report.method), (0, info.report.method if method == "auto" else method))
                self.assert_solves(A, x, b, 1e-8)
            solver = vksolve.Solver(A, method)
            solver.update(2 * A)
            self.assert_solves(2 * A, solver.solve(B), B, 1e-8)
            self.assertIn(repr(method) if method != "auto" else '"auto"', vksolve.solve.__doc__)
        x, info = vksolve.solve(matrix("ash219"), np.ones(219), method="lsmr")
        self.assertEqual((x.shape, info), ((85,), 0))

    def test_auto_takes_options_in_brackets(self):
        A = matrix("nos4")
        b = A @ random(100)
        for method, factors in (("auto", not lacks_umfpack()), ("auto(direct=no)", False), ("auto(device=any)", False),
                                ("auto(device=any, direct=no)", False)):
            x, info = vksolve.solve(A, b, method=method)
            self.assertEqual((info, info.report.method), (0, "direct" if factors else "cg"), method)
            self.assert_solves(A, x, b, 1e-8)

    @unittest.skipIf(lacks_umfpack(), "UMFPACK is not installed")
    def test_direct_keeps_its_factors(self):
        A, B = matrix("bodyy4"), random(17546, 3)
        solver = vksolve.Solver(A, "direct")
        x = solver.solve(B)
        self.assert_solves(A, x, B, 1e-12)
        factored, again = solver.reports[0].seconds_setup, [r.seconds_setup for r in solver.reports[1:]]
        self.assertLess(max(again), factored / 4, "columns after the first need no factors")
        solver.update(2 * A)
        self.assert_solves(2 * A, solver.solve(B), B, 1e-12)

    def test_weights_make_jacobi_converge(self):
        A = matrix("nos4")
        b = A @ random(100)
        self.assertEqual(vksolve.solve(A, b, method="jacobi", rtol=1e-3)[1].report.reason, "DIVERGED")
        for method, weight in (("jacobi", "auto"), ("jacobi", 0.6), ("richardson", 0.6)):
            x, info = vksolve.solve(A, b, method=method, weight=weight, rtol=1e-3, maxiter=20000)
            self.assertEqual(info, 0)
            self.assert_solves(A, x, b, 1e-3)
            if weight != "auto":
                self.assertEqual(info.report.weight, weight)

    def test_auto_solves_what_is_not_symmetric(self):
        for name in OTHER:
            A = matrix(name)
            b = A @ random(A.shape[0])
            x, info = vksolve.solve(A, b)
            with self.subTest(name):
                self.assertEqual(info, 0)
                self.assert_solves(A, x, b, 1e-8)
                self.assertTrue(info.report.attempts)

    def test_lsmr_tells_what_scipy_tells(self):
        A, b = matrix("ash219"), random(219)
        want = scipy.sparse.linalg.lsmr(A, b, atol=1e-12, btol=1e-12)
        got = vksolve.lsmr(A, b, atol=1e-12, btol=1e-12)
        self.assertEqual((got[0].shape, got[1], len(got)), (want[0].shape, 2, len(want)))
        np.testing.assert_allclose(got[0], want[0], rtol=1e-8)
        np.testing.assert_allclose(got[3], want[3], rtol=1e-8)  # ||r||
        np.testing.assert_allclose([got[5], got[7]], [np.linalg.norm(A.toarray()), want[7]], rtol=1e-8)
        self.assertLess(got[4], 1e-10 * got[5] * got[3])
        x, istop = vksolve.lsmr(A, A @ np.ones(85), btol=1e-10)[:2]
        self.assertEqual(istop, 1)
        np.testing.assert_allclose(x, 1, rtol=1e-6)
        self.assertEqual(vksolve.lsmr(A, b, maxiter=1)[1], 7)
        self.assertEqual(vksolve.lsmr(A, np.zeros(219))[1], 0)

    def test_lsmr_damps_as_scipy_does(self):
        A, b = matrix("ash219"), random(219)
        want = scipy.sparse.linalg.lsmr(A, b, 0.5, atol=1e-12, btol=1e-12)
        for matrix_ in (A, A.toarray()):
            got = vksolve.lsmr(matrix_, b, 0.5, atol=1e-12, btol=1e-12)
            np.testing.assert_allclose(got[0], want[0], atol=1e-9)
            np.testing.assert_allclose(got[3], want[3])

    def test_info_is_as_scipy_has_it(self):
        A = matrix("bcsstk14")
        b = np.ones(A.shape[0])
        x, info = vksolve.cg(A, b, maxiter=7, rtol=1e-12)
        self.assertEqual((info, info.report.reason), (7, "ITERATION_LIMIT"))
        x, info = vksolve.cg(matrix("jagmesh7"), np.ones(1138), M="none")
        self.assertLess(info, 0)
        self.assertEqual(info.report.reason, "NOT_POSITIVE_DEFINITE")

    def test_tolerances_and_starts_are_taken_over(self):
        A = matrix("bodyy4")
        b = A @ random(A.shape[0])
        loose, tight = vksolve.cg(A, b, tol=1e-3)[1], vksolve.cg(A, b, rtol=1e-10)[1]
        self.assertLess(loose.report.iterations, tight.report.iterations)
        self.assertLessEqual(loose.report.true_residual, 1e-3)
        self.assertGreater(loose.report.true_residual, 1e-5)
        x, info = vksolve.cg(A, b, rtol=1e-14, atol=1e-4 * np.linalg.norm(b))
        self.assertEqual(info, 0)
        x, info = vksolve.cg(A, b, rtol=0, atol=1e-3 * np.linalg.norm(b))
        self.assertEqual(info, 0)
        self.assertLess(1e-5, info.report.true_residual)
        x, info = vksolve.cg(A, b, rtol=1e-8)
        self.assertEqual(vksolve.cg(A, b, x, rtol=1e-8)[1].report.iterations, 0)
        for rtol, atol in ((0, 1e-11 * np.linalg.norm(b)), (1e-30, 1e-11 * np.linalg.norm(b))):
            x, info = vksolve.cg(A, b, rtol=rtol, atol=atol)
            self.assertEqual(info, 0)
            self.assert_solves(A, x, b, 1e-11)
        info = vksolve.cg(A, b, rtol=0, atol=0)[1]
        self.assertGreater(info, 0)
        self.assertEqual(info.report.reason, "STAGNATED")

    def test_what_a_solve_is_given_stays_as_it_is(self):
        A = matrix("nos4")
        b, x0 = random(100), random(100, seed=2)
        before = [a.copy() for a in (A.data, A.indices, A.indptr, b, x0)]
        vksolve.cg(A, b, x0)
        for old, new in zip(before, (A.data, A.indices, A.indptr, b, x0)):
            np.testing.assert_array_equal(old, new)

    def test_matrices_of_every_kind_give_the_same_bits(self):
        A = matrix("nos4")
        b = random(100)
        want = vksolve.cg(A, b)[0]
        shuffled = A.tocsr(copy=True)
        for i in range(100):
            here = slice(shuffled.indptr[i], shuffled.indptr[i + 1])
            shuffled.indices[here], shuffled.data[here] = shuffled.indices[here][::-1].copy(), shuffled.data[here][::-1].copy()
        shuffled.has_sorted_indices = shuffled.has_canonical_format = False
        halves = scipy.sparse.coo_matrix((np.r_[A.tocoo().data / 2, A.tocoo().data / 2], (np.r_[A.tocoo().row, A.tocoo().row],
                                                                                           np.r_[A.tocoo().col, A.tocoo().col])))
        wide = A.copy()
        wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
        for other in (A.tocsc(), A.tocoo(), A.tobsr(), A.todense(), A.toarray(), A.toarray(order="F"), shuffled, halves, wide,
                      scipy.sparse.csr_array(A), vksolve.Matrix(A)):
            np.testing.assert_array_equal(vksolve.cg(other, b)[0], want, err_msg=type(other).__name__)
        self.assertFalse(shuffled.has_sorted_indices)

    def test_numbers_of_every_kind_are_taken(self):
        A = scipy.sparse.csr_matrix(np.array([[4, 1], [1, 3]]))
        for b in ([1, 2], np.array([1, 2], np.int8), np.array([1, 2], np.float32), np.array([1, 9, 2, 9.0])[::2]):
            np.testing.assert_allclose(vksolve.solve(A, b)[0], [1 / 11, 7 / 11], rtol=1e-7)
        np.testing.assert_allclose(vksolve.solve(A.astype(np.float32), [1, 2])[0], [1 / 11, 7 / 11], rtol=1e-7)

    def test_x_has_the_type_that_scipy_gives_it(self):
        A = matrix("nos4")
        for of_A in (np.float32, np.float64, np.int64):
            for of_b in (np.float32, np.float64, np.int64, np.float16):
                S, b = A.astype(of_A), np.ones(100, of_b)
                if of_A == np.int64:
                    S = scipy.sparse.identity(100, of_A, "csr") * 3
                for name in ("cg", "gmres"):  # scipy's minres has not the same type in all versions
                    want = getattr(scipy.sparse.linalg, name)(S, b)[0]
                    got, info = getattr(vksolve, name)(S, b)
                    self.assertEqual((got.dtype, info), (want.dtype, 0), (name, of_A, of_b))
                    self.assertEqual(info.report.iterated_in, "f32" if got.dtype == np.float32 else "f64")
                    self.assert_solves(S, np.float64(got), np.float64(b), 1e-5)
                self.assertEqual(vksolve.lsmr(S, b)[0].dtype, scipy.sparse.linalg.lsmr(S, b)[0].dtype)

    def test_precision_decides_the_type_of_x(self):
        A, b = matrix("nos4"), random(100)
        single, few = A.astype(np.float32), b.astype(np.float32)
        for A_, b_, options, want in [(A, b, dict(precision="f32"), "f4"), (single, few, dict(precision="f64"), "f8"),
                                      (single, few, dict(precision="mixed"), "f8"), (single, few, dict(in_f32=True), "f8"),
                                      (vksolve.Matrix(single), b, {}, "f4"), (vksolve.Matrix(A), few, {}, "f8"),
                                      (single, few, dict(M=vksolve.precond.Jacobi().setup(A)), "f8"),
                                      (single, b, dict(M=vksolve.precond.Jacobi().setup(single)), "f4")]:
            x, info = vksolve.cg(A_, b_, **options)
            self.assertEqual((x.dtype, info), (np.dtype(want), 0), options)
        x, info = vksolve.solve(single, few)
        self.assertEqual((x.dtype, info), (np.float32, 0))
        self.assertLessEqual(info.report.true_residual, 1e-5)
        solver = vksolve.Solver(single, "cg")
        self.assertEqual((solver.solve(b).dtype, solver.solve(random(100, 2)).dtype, solver.matrix.dtype), ("f4", "f4", "f4"))
        self.assertEqual((solver.matrix @ b).dtype, np.float32)
        back = solver.matrix.tocsr()
        self.assertEqual((back.dtype, abs(back - single).max()), (np.float32, 0))

    def test_a_column_stays_a_column(self):  # scipy's ravel it: then A @ x - b is n x n
        A, b = matrix("nos4"), random(100, 1)
        self.assertEqual(scipy.sparse.linalg.cg(A, b)[0].shape, (100,))
        for method in (vksolve.solve, vksolve.cg, vksolve.idrs, vksolve.lsmr):
            flat, x = method(A, b[:, 0])[0], method(A, b)[0]
            self.assertEqual((flat.shape, x.shape), ((100,), (100, 1)), method)
            np.testing.assert_array_equal(x[:, 0], flat)
        for b_, x0 in ((b, flat), (b[:, 0], flat[:, None])):
            x, info = vksolve.cg(A, b_, x0, rtol=1e-4)
            self.assertEqual((x.shape, info, info.report.iterations), (b_.shape, 0, 0))
        damped = vksolve.lsmr(A, b, 0.5)[0]
        np.testing.assert_array_equal(damped[:, 0], vksolve.lsmr(A, b[:, 0], 0.5)[0])

    def test_single_and_mixed_precision_and_formats(self):
        A = matrix("bodyy4")
        b = A @ random(A.shape[0])
        for options, rtol in [(dict(precision="f32", rtol=1e-4), 1e-4), (dict(precision="mixed", in_f32=True, rtol=1e-8), 1e-8),
                              (dict(format="sell", rtol=1e-8), 1e-8)]:
            x, info = vksolve.cg(A, b, **options)
            self.assertEqual(info, 0, options)
            self.assert_solves(A, x, b, rtol)

    def test_a_singular_system_has_its_null_space(self):
        n = 40
        A = scipy.sparse.diags([-np.ones(n - 1), np.r_[1, 2 * np.ones(n - 2), 1], -np.ones(n - 1)], [-1, 0, 1]).tocsr()
        b = random(n)
        b -= b.mean()
        for null_space in ("constants", np.ones(n), np.ones((1, n))):
            x, info = vksolve.cg(A, b, null_space=null_space, rtol=1e-8)
            self.assertEqual(info, 0)
            self.assert_solves(A, x, b, 1e-8)
            self.assertLess(abs(x.sum()), 1e-8 * n)

    def test_the_same_bits_on_a_vulkan_device(self):
        gpu = os.environ["GPU"]
        try:
            vksolve.Context(gpu)
        except vksolve.Error as e:
            self.skipTest(str(e))
        A = matrix("nos4")
        b = random(100)
        np.testing.assert_array_equal(vksolve.cg(A, b, context=gpu)[0], vksolve.cg(A, b, context="host")[0])


if __name__ == "__main__":
    unittest.main()
