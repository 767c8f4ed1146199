"""Many small systems in one call."""

import warnings

from support import *


def dense(batch, n, symmetric=True, seed=1):
    """Diagonally dominant matrices with some zeros."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((batch, n, n)) * (rng.random((n, n)) < 0.3)
    A = A + A.transpose(0, 2, 1) if symmetric else A
    return A + np.eye(n) * (1 + abs(A).sum(axis=2).max())


class Batch(Case):
    def assert_all_solve(self, A, x, b, rtol):
        for one in zip(A, x, b):
            self.assert_solves(*one, rtol)

    def test_arrays_are_solved_as_by_numpy(self):
        A, b = dense(7, 30), np.random.default_rng(2).standard_normal((7, 30))
        x, report = vksolve.solve_batch(A, b)
        self.assertEqual((x.shape, x.dtype, len(report.reason)), ((7, 30), np.float64, 7))
        self.assertTrue(report.converged.all() and (report.iterations > 0).all() and (report.row == -1).all())
        np.testing.assert_allclose(x, np.linalg.solve(A, b[..., None])[..., 0], rtol=1e-6, atol=1e-6)
        self.assert_all_solve(A, x, b, 1e-8)

    def test_systems_that_are_not_symmetric_are_solved(self):
        A, b = dense(5, 40, symmetric=False), np.random.default_rng(2).standard_normal((5, 40))
        x, report = vksolve.solve_batch(A, b, rtol=1e-10)
        self.assertTrue(report.converged.all())
        self.assert_all_solve(A, x, b, 1e-10)
        with warnings.catch_warnings():
            warnings.simplefilter("error", vksolve.SolveWarning)
            vksolve.solve_batch(A, b, method="bicgstab", precond="none")

    def test_direct_methods_take_one_step(self):
        full, b = np.random.default_rng(3).standard_normal((6, 30, 30)), np.random.default_rng(2).standard_normal((6, 30))
        x, report = vksolve.solve_batch(full, b, method="direct")
        self.assertTrue(report.converged.all() and (report.iterations == 1).all())
        self.assert_all_solve(full, x, b, 1e-8)
        lines = scipy.sparse.diags([1, -4, 2], [-1, 0, 1], shape=(500, 500)).tocsr()
        values = lines.data * np.arange(1, 7)[:, None]
        x, report = vksolve.solve_batch((lines, values), np.ones((6, 500)), method="direct")
        self.assertTrue(report.converged.all() and (report.iterations == 1).all())
        self.assert_solves(3 * lines, x[2], np.ones(500), 1e-8)
        self.refuses(ValueError, "elimination takes at most 64 rows", vksolve.solve_batch, dense(2, 65), np.ones((2, 65)), method="direct")

    def test_a_list_a_pattern_and_an_array_give_the_same_bits(self):
        A, b = dense(4, 25), np.random.default_rng(2).standard_normal((4, 25))
        pattern = scipy.sparse.csr_matrix((A != 0).any(axis=0))
        values = A[:, pattern.nonzero()[0], pattern.nonzero()[1]]
        x, _ = vksolve.solve_batch(A, b)
        np.testing.assert_array_equal(vksolve.solve_batch((pattern, values), b)[0], x)
        listed, _ = vksolve.solve_batch([scipy.sparse.csr_matrix((v, pattern.indices, pattern.indptr)) for v in values], list(b))
        np.testing.assert_array_equal(np.array(listed), x)

    def test_a_list_may_have_systems_of_different_sizes(self):
        A = [scipy.sparse.csr_matrix(dense(1, n, seed=n)[0]) for n in (1, 300, 20, 77)]
        b = [random(one.shape[0]) for one in A]
        x, report = vksolve.solve_batch(A, b)
        self.assertTrue(report.converged.all())
        self.assert_all_solve(A, x, b, 1e-8)
        again, report = vksolve.solve_batch(A, b, x)
        self.assertTrue((report.iterations == 0).all() and np.isnan(report.residual).all())

    def test_float32_stays_float32(self):
        A, b = dense(3, 20).astype(np.float32), np.ones((3, 20), np.float32)
        x, report = vksolve.solve_batch(A, b)
        self.assertEqual(x.dtype, np.float32)
        self.assertTrue(report.converged.all())
        self.assert_all_solve(A.astype(float), x.astype(float), b, 1e-5)
        self.assertEqual(vksolve.solve_batch(A, b, precision="f64")[0].dtype, np.float64)

    def test_a_system_that_fails_is_named(self):
        A, b = dense(4, 10), np.ones((4, 10))
        A[2, 5], b[1, 1] = 0, np.nan
        with self.assertWarnsRegex(vksolve.SolveWarning, "2 of 4 systems have not converged; the first is 1: NOT_FINITE"):
            x, report = vksolve.solve_batch(A, b, method="cg")
        self.assertEqual(report.reason, ["CONVERGED", "NOT_FINITE", "ZERO_DIAGONAL", "CONVERGED"])
        self.assertEqual(list(report.row), [-1, -1, 5, -1])
        self.assertEqual(repr(report), "<vksolve.BatchReport: 2 of 4 systems converged>")
        np.testing.assert_array_equal(x[0], vksolve.solve_batch(A[:1], b[:1], method="cg")[0][0])

    def test_no_systems_have_no_solutions(self):
        x, report = vksolve.solve_batch(np.empty((0, 3, 3)), np.empty((0, 3)))
        self.assertEqual((x.shape, report.reason), ((0, 3), []))

    def test_what_does_not_fit_is_refused(self):
        A, b = dense(2, 3), np.ones((2, 3))
        self.refuses(ValueError, "(batch, n, n) is wanted", vksolve.solve_batch, A[0], b)
        self.refuses(ValueError, "b of system 0 has shape (2,)", vksolve.solve_batch, A, b[:, :2])
        self.refuses(ValueError, "b has 1 systems, and A has 2", vksolve.solve_batch, A, b[:1])
        self.refuses(ValueError, "unknown method 'gmres'; expected auto, cg, bicgstab, direct", vksolve.solve_batch, A, b, method="gmres")
        self.refuses(ValueError, "unknown precision 'mixed'; expected f64, f32", vksolve.solve_batch, A, b, precision="mixed")
        self.refuses(ValueError, "unknown precond 'amg'; expected none, jacobi", vksolve.solve_batch, A, b, precond="amg")
        self.refuses(ValueError, "rtol is 1.5; it must be 1 or less", vksolve.solve_batch, A, b, rtol=1.5)
        self.refuses(ValueError, "b has the value 1e-60", vksolve.solve_batch, A, b * 1e-60, precision="f32")
        self.refuses(ValueError, "A has the value 3e+60", vksolve.solve_batch, A / A[0, 0, 0] * 3e60, b, precision="f32")
        self.refuses(ValueError, "a system of 1025 rows", vksolve.solve_batch, [scipy.sparse.eye(1025, format="csr")], [np.ones(1025)])
        self.refuses(TypeError, "system 1 is a ndarray", vksolve.solve_batch, [scipy.sparse.eye(3, format="csr"), A[0]], b)
        self.refuses(ValueError, "(batch, 3) is wanted", vksolve.solve_batch, (scipy.sparse.eye(3, format="csr"), np.ones((2, 4))), b)


if __name__ == "__main__":
    unittest.main()
