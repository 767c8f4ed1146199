"""What the tests share: real matrices, and residuals."""

import inspect
import os
import unittest
import warnings

import numpy as np
import scipy.io
import scipy.sparse
import scipy.sparse.linalg

import vksolve

MATRICES = os.path.join(os.path.dirname(__file__), "..", "..", "matrices")
RTOL = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol"  # the name from scipy 1.12 on
warnings.simplefilter("ignore", vksolve.SolveWarning)
os.environ.setdefault("VKSOLVE_DEVICE", "host")


def matrix(name):
    return scipy.sparse.csr_matrix(scipy.io.mmread(os.path.join(MATRICES, name + ".mtx.gz")))


def random(n, columns=None, seed=1):
    return np.random.default_rng(seed).standard_normal(n if columns is None else (n, columns))


class Case(unittest.TestCase):
    def assert_solves(self, A, x, b, rtol):
        """By the residual in double precision, with a hundredth for rounding."""
        residual = np.linalg.norm(b - A @ x) / np.linalg.norm(b)
        self.assertLessEqual(residual, 1.01 * rtol)

    def refuses(self, error, words, function, *arguments, **options):
        with self.assertRaises(error) as caught:
            function(*arguments, **options)
        self.assertIn(words, str(caught.exception))
        return caught.exception


__all__ = ["Case", "MATRICES", "RTOL", "matrix", "np", "os", "random", "scipy", "unittest", "vksolve"]
