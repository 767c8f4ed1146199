"""Solves random systems, and checks each CONVERGED by its residual in exact rational arithmetic.

    PYTHONPATH=build/release/python python3 tests/python/test_truth.py FIRST_SEED LAST_SEED

The kinds are singular systems that have solutions, nearly singular ones, and those whose rows differ in size: rows times powers of
ten, penalties, Dirichlet rows beside a small stiffness, unknowns in different units. Prints a line for each system that is not fine,
and a table of the kinds:

    FALSE    CONVERGED, and ||b - A x|| is above 1.05 of the tolerance, or, where rows differ by 2^10, so is that norm with the rows
             divided by their largest magnitudes, rounded to powers of two; a warning that rows differ allows it for one of the two;
             or x is not finite
    LOST     not CONVERGED by the automatic method, though A is singular and b = A x in whole numbers
    UNTRUE   CONVERGED without a warning, and the reported residual is another, by a twentieth and a tenth of the tolerance

Returns 1 if there is any. As a test it runs 1,000 of them."""

import math
import sys
import unittest
import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import scipy.sparse

import vksolve

RTOL = 1e-8
UNIT = 1 << 1074  # all doubles times this are integers


def whole(values):
    return [int(Fraction(float(v)) * UNIT) for v in np.ravel(values)]


class Exact:
    """A and b in exact arithmetic."""

    def __init__(self, A, b):
        self.rows = [[(j, int(Fraction(float(a)) * UNIT)) for j, a in enumerate(row) if a] for row in A]
        self.b = [v * UNIT for v in whole(b)]
        sizes = [max((abs(a) for a in row), default=0.0) for row in A]
        self.exponent = [round(math.log2(s)) if s else 0 for s in sizes]
        some = [s for s in sizes if s]
        self.differ = bool(some) and max(some) >= 1024 * min(some)

    def residual(self, x):
        x = whole(x)
        return [b - sum(a * x[j] for j, a in row) for row, b in zip(self.rows, self.b)]

    def ratio(self, r, scaled):
        """||r|| / ||b||, or of both with rows divided by their sizes."""
        most = max(self.exponent)
        shift = [most - e if scaled else 0 for e in self.exponent]
        r2, b2 = (sum((v << s) ** 2 for v, s in zip(vector, shift)) for vector in (r, self.b))
        return math.inf if not b2 and r2 else root(Fraction(r2, b2)) if b2 else 0.0


def root(square):
    """The square root of a fraction, beyond the range of doubles, too."""
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2 if square else 0
    return math.ldexp(math.sqrt(square / Fraction(4) ** shift), shift) if shift < 1000 else math.inf


def nearly_singular(rng, n):
    """A sum of fewer products than rows, and a change of it near or below rounding."""
    rank = int(rng.integers(1, n))
    left, right = rng.integers(-3, 4, (n, rank)).astype(float), rng.integers(-3, 4, (rank, n)).astype(float)
    A = left @ (left.T if rng.integers(2) else right)
    if rng.integers(2):
        A += 10.0 ** rng.uniform(-18, -6) * np.diag(rng.standard_normal(n))
    return A


def singular(rng, n):
    """Of fewer products than rows, in whole numbers, and at times with columns that are empty."""
    rank = int(rng.integers(1, n))
    A = (rng.integers(-2, 3, (n, rank)) @ rng.integers(-2, 3, (rank, n))).astype(float)
    A[:, rng.random(n) < (0.1 if rng.integers(2) else 0)] = 0
    return A


def spring_chain(rng, n):
    A = np.zeros((n, n))
    for i in range(n - 1):
        k = 10.0 ** rng.uniform(-1, 1)
        A[i : i + 2, i : i + 2] += k * np.array([[1, -1], [-1, 1]])
    return A + np.diag(10.0 ** rng.uniform(-3, 0, n))


def dominant(rng, n):
    A = np.where(rng.random((n, n)) < 0.4, rng.standard_normal((n, n)), 0)
    return A + np.diag((np.abs(A).sum(1) + rng.random(n)) * rng.choice([-1, 1], n))


def rows_scaled(rng, n):
    A = dominant(rng, n) if rng.integers(2) else spring_chain(rng, n)
    return 10.0 ** rng.uniform(-12, 12, n)[:, None] * A


def penalties(rng, n):
    A = spring_chain(rng, n)
    some = rng.choice(n, int(rng.integers(1, max(2, n // 3))), replace=False)
    A[some, some] += 10.0 ** rng.uniform(6, 30)
    return A


def dirichlet(rng, n):
    A = spring_chain(rng, n) * 10.0 ** rng.uniform(-12, 12)
    for i in rng.choice(n, int(rng.integers(1, max(2, n // 3))), replace=False):
        A[i] = 0
        if rng.integers(2):
            A[:, i] = 0
        A[i, i] = 1
    return A


def mixed_units(rng, n):
    d = np.where(np.arange(n) % int(rng.integers(2, 4)) == 0, 10.0 ** rng.uniform(-6, 6), 1)
    return d[:, None] * (spring_chain(rng, n) if rng.integers(2) else dominant(rng, n)) * d[None, :]


KINDS = [singular, nearly_singular, rows_scaled, penalties, dirichlet, mixed_units]
METHODS = ["auto"] * 6 + ["cg", "gmres", "idr", "bicgstab", "minres", "direct", "gauss-jordan"]


def right_side(rng, A, kind):
    n = len(A)
    if kind is singular:
        return A @ rng.integers(-5, 6, n)
    x = [rng.standard_normal(n), np.ones(n)][rng.integers(2)]
    return rng.standard_normal(n) if rng.integers(4) == 0 else A @ x


def solve(rng, A, b):
    method = METHODS[rng.integers(len(METHODS))]
    in_f32 = method in ("cg", "idr") and rng.integers(3) == 0
    sparse = scipy.sparse.csr_matrix(A)
    s = vksolve.Solver(sparse, method, rtol=RTOL, maxiter=3000 if method != "auto" else None, in_f32=in_f32)
    return s.solve(b), s.report, method


def verdict(exact, x, report, must_converge):
    if not np.all(np.isfinite(x)):
        return "FALSE", math.nan, math.nan
    r = exact.residual(x)
    plain = exact.ratio(r, False)
    scaled = exact.ratio(r, True) if exact.differ else 0.0
    one_of_two = "rows of A differ" in report.warning
    if report.reason == "CONVERGED" and (min if one_of_two else max)(plain, scaled) > 1.05 * RTOL:
        return "FALSE", plain, scaled
    if report.reason == "CONVERGED" and not report.warning and abs(plain - report.true_residual) > 0.05 * plain + 0.1 * RTOL:
        return "UNTRUE", plain, scaled
    if must_converge and report.reason != "CONVERGED":
        return "LOST", plain, scaled
    return "fine", plain, scaled


def walk(first, last):
    count, bad = Counter(), 0
    warnings.simplefilter("ignore", vksolve.SolveWarning)
    for seed in range(first, last + 1):
        rng = np.random.default_rng(seed)
        kind = KINDS[seed % len(KINDS)]
        A = kind(rng, int(rng.integers(2, 31)))
        b = right_side(rng, A, kind)
        if not np.any(b):
            continue
        try:
            x, report, method = solve(rng, A, b)
        except vksolve.Error:
            count[kind.__name__, "refused"] += 1
            continue
        word, plain, scaled = verdict(Exact(A, b), x, report, kind is singular and method == "auto")
        ended = "CONVERGED" if report.reason == "CONVERGED" else "not solved"
        count[kind.__name__, ended + (" with a warning" if report.warning and ended == "CONVERGED" else "")] += 1
        if word != "fine":
            bad += 1
            print(f"{seed}\t{kind.__name__}\t{method}\t{report.reason}\t{plain:.3g}\t{scaled:.3g}\t{report.true_residual:.3g}\t"
                  f"{report.scaled_residual:.3g}\t{report.warning}\t{word}")
    for (kind, what), k in sorted(count.items()):
        print(f"{kind:16} {what:24} {k}")
    return bad


class Converged(unittest.TestCase):
    def test_is_true_in_exact_arithmetic(self):
        self.assertEqual(walk(1, 1000), 0)


if __name__ == "__main__":
    sys.exit(walk(int(sys.argv[1]), int(sys.argv[2])) > 0)
