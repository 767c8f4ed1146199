"""What is wrong is reported."""

import doctest
import importlib
import pkgutil

from support import *


class Refusals(Case):
    def test_bad_systems(self):
        A, b = matrix("nos4"), np.ones(100)
        self.refuses(TypeError, "A has complex values", vksolve.solve, A.astype(complex), b)
        self.refuses(TypeError, "b has complex values", vksolve.solve, A, b * 1j)
        self.refuses(TypeError, "are not numbers", vksolve.solve, A, np.array(["a"] * 100))
        self.refuses(ValueError, "b has shape (99,), and A (100, 100)", vksolve.solve, A, b[1:])
        self.refuses(ValueError, "b has shape (100, 2, 1)", vksolve.solve, A, np.ones((100, 2, 1)))
        self.refuses(ValueError, "b has no columns", vksolve.solve, A, np.ones((100, 0)))
        self.refuses(ValueError, "x0 has shape (3,)", vksolve.solve, A, b, np.ones(3))
        self.refuses(ValueError, "x0 has shape (1, 100)", vksolve.solve, A, b, np.ones((1, 100)))
        self.refuses(ValueError, "lsmr takes one right-hand side", vksolve.lsmr, A, np.ones((100, 2)))
        self.refuses(ValueError, "A has 1 dimensions", vksolve.solve, b, b)
        self.refuses(TypeError, "which has no entries", vksolve.solve, scipy.sparse.linalg.aslinearoperator(A), b)
        self.refuses(vksolve.InvalidArgumentError, "square", vksolve.cg, matrix("ash219"), np.ones(219))

    def test_arrays_that_do_not_fit_together(self):
        def exchanged(**arrays):  # which scipy does not look at
            A = matrix("nos4")
            for name, array in arrays.items():
                setattr(A, name, array)
            return A

        A = matrix("nos4")
        beyond, descending = A.indices.copy(), A.indptr.copy()
        beyond[3], descending[1] = 100, 590
        for wrong in (dict(data=A.data[:-1]), dict(indices=A.indices[:-1]), dict(indptr=A.indptr[:-1]), dict(indptr=-A.indptr)):
            self.refuses(ValueError, "arrays of A do not fit together", vksolve.Matrix, exchanged(**wrong))
        self.refuses(ValueError, "column 100 is outside", vksolve.Matrix, exchanged(indices=beyond))
        self.refuses(ValueError, "the offsets descend", vksolve.Matrix, exchanged(indptr=descending))
        for shift in (-1, 2**32):
            far = A.indices.astype(np.int64) + shift
            self.refuses(ValueError, "columns are not all from 0", vksolve.Matrix, exchanged(indices=far))
        self.refuses(TypeError, "columns are of type float64", vksolve.Matrix, exchanged(indices=A.indices * 1.0))
        longer = exchanged(data=np.append(A.data, np.nan), indices=np.append(A.indices, 5))  # room behind is not part of A
        np.testing.assert_array_equal(vksolve.Matrix(longer).values(), A.data)

    def test_bad_limits(self):
        A, b = matrix("nos4"), np.ones(100)
        for options in (dict(maxiter=-5), dict(maxiter=2.5), dict(maxiter=2**32), dict(restart=0)):
            self.refuses(ValueError, "must be a whole number from 1 to", vksolve.gmres, A, b, **options)

    def test_bad_options(self):
        A, b = matrix("nos4"), np.ones(100)
        self.refuses(ValueError, "unknown precision 'f16'", vksolve.solve, A, b, precision="f16")
        self.refuses(ValueError, "unknown format 'csx'", vksolve.solve, A, b, format="csx")
        for call in (lambda: vksolve.Solver(A, "sor"), lambda: vksolve.solve(A, b, method="sor")):
            words = str(self.refuses(ValueError, "unknown method 'sor'; expected auto, cg, ", call))
            for method in ("gauss-jordan", "direct", "richardson", "gmres"):
                self.assertIn(method, words)
        for method in ("auto(", "auto()", "auto(device=gpu)", "auto(direct=no", "cg(direct=no)"):
            self.refuses(ValueError, "the options of auto are device=any, direct=no", vksolve.Solver, A, method)
        self.refuses(TypeError, "method", vksolve.cg, A, b, method="gmres")
        for weight in (0, -1, "best", float("nan")):
            self.refuses(ValueError, "weight is", vksolve.solve, A, b, method="jacobi", weight=weight)
        self.refuses(ValueError, "weight", vksolve.solve, A, b, method="cg", weight=0.5)
        self.refuses(ValueError, "unknown scaling", vksolve.Solver, A, scaling="max")
        self.refuses(ValueError, "null_space is 'constants'", vksolve.Solver, A, null_space="ones")
        self.refuses(TypeError, "restrat", vksolve.gmres, A, b, restrat=5)
        error = self.refuses(vksolve.InvalidArgumentError, "restart", vksolve.gmres, A, b, restart=1000)
        self.assertEqual(error.status, "INVALID_ARGUMENT")
        self.refuses(ValueError, "rtol -1", vksolve.cg, A, b, rtol=-1)
        self.refuses(ValueError, "maxiter is 0", vksolve.cg, A, b, maxiter=0)
        self.refuses(TypeError, "with damp", vksolve.lsmr, vksolve.Matrix(A), b, damp=1)
        for name in ("nonsense", 4711):  # without a driver the words are about that
            self.refuses(vksolve.NoDeviceError, str(name) if vksolve.devices() else "", vksolve.Context, name)
        self.assertIsInstance(error, vksolve.Error)

    def test_wrong_types_are_not_the_default(self):
        A, b = matrix("nos4"), np.ones(100)
        for context in (0, False, 1.5, b"host", [], np.int64(0)):
            self.refuses(TypeError, "context is ", vksolve.cg, A, b, context=context)
        for device in (1.5, b"host", [], True):
            self.refuses(TypeError, "device is ", vksolve.Context, device)
        self.refuses(ValueError, "null byte", vksolve.Context, "host\0x")
        for name in ("precision", "format", "method", "scaling", "norm"):
            for value in (0, False, []):
                self.refuses(TypeError, f"{name} is ", vksolve.solve, A, b, **{name: value})
        for name in ("rtol", "atol", "maxiter", "restart"):
            for value in ("", "1", [], [1]):
                self.refuses(TypeError, f"{name} is ", vksolve.solve, A, b, **{name: value})
        self.refuses(TypeError, "callback is 0", vksolve.solve, A, b, callback=0)
        self.refuses(TypeError, "b is sparse", vksolve.solve, A, scipy.sparse.csr_matrix(b))
        self.refuses(ValueError, "b has masked values", vksolve.solve, A, np.ma.array(b, mask=b > 0))
        self.refuses(ValueError, "b has shape ()", vksolve.solve, A[:1, :1], 5.0)

    def test_empty_systems(self):
        A = scipy.sparse.csr_matrix((0, 0))
        for method in ("auto", "cg", "gmres", "direct", "lsmr"):
            x, info = vksolve.solve(A, np.zeros(0), method=method)
            self.assertEqual((x.shape, info), ((0,), 0), method)
        self.assertEqual(vksolve.Solver(A).solve(np.zeros((0, 3))).shape, (0, 3))
        self.assertEqual(vksolve.Solver(matrix("nos4")).solve(np.zeros((100, 0))).shape, (100, 0))

    def test_values_that_are_not_finite_end_the_solve_with_their_row(self):
        A = matrix("nos4")
        A.data[A.indptr[7]] = np.nan
        x, info = vksolve.cg(A, np.ones(100))
        self.assertLess(info, 0)
        self.assertEqual(info.report.reason, "NOT_FINITE")


class Examples(Case):
    def test_docstrings(self):
        run = 0
        for name in ["vksolve"] + ["vksolve." + m.name for m in pkgutil.iter_modules(vksolve.__path__)]:
            results = doctest.testmod(importlib.import_module(name))
            self.assertEqual(results.failed, 0, name)
            run += results.attempted
        self.assertGreater(run, 50)

    def test_what_is_public_is_documented(self):
        for name in vksolve.__all__:
            self.assertTrue(getattr(vksolve, name).__doc__ or name.endswith("Error"), name)


if __name__ == "__main__":
    unittest.main()
