"""Many small systems in one call."""

import numpy as np

from ._context import default_context
from ._errors import text
from ._matrix import DTYPES, PRECISIONS, Vector, check_range, indices, is_single, name_of, precision_of, reals, summed
from ._owner import Owner
from ._solver import count, relative_tolerance, tolerance
from ._vksolve import ffi, lib
from ._warnings import SolveWarning, warn
from .precond import METHODS

METHODS_OF_BATCHES = {"cg": METHODS["cg"], "bicgstab": METHODS["bicgstab"], "direct": METHODS["gauss-jordan"]}
PRECONDS_OF_BATCHES = {"none": lib.VKS_PRECOND_NONE, "jacobi": lib.VKS_PRECOND_JACOBI}
NO_ROW = 2**32 - 1


class BatchReport:
    """How the systems of a batch ended: an array of each member, with an element for each system.

    Attributes
    ----------
    converged : array of bool
    reason : list of str
        "CONVERGED", "ITERATION_LIMIT", "SINGULAR" ...
    iterations, restarts : array of int
    residual, true_residual : array of float
        The method's own estimate, and ``||b - A x|| / ||b||`` of the x returned.
    row : array of int
        The row that is the reason, from 0; -1: none.
    """

    def __init__(self, reports):
        self.reason = [text(lib.vks_reason_name(r.reason)) for r in reports]
        self.converged = np.array([r.reason == lib.VKS_REASON_CONVERGED for r in reports], bool)
        self.iterations = np.array([r.iterations for r in reports], np.int64)
        self.restarts = np.array([r.restarts for r in reports], np.int64)
        self.row = np.array([-1 if r.row == NO_ROW else r.row for r in reports], np.int64)
        self.residual = np.array([r.residual for r in reports], float)
        self.true_residual = np.array([r.true_residual for r in reports], float)

    def __repr__(self):
        return f"<vksolve.BatchReport: {int(self.converged.sum())} of {len(self.reason)} systems converged>"


def _sorted_csr(A, k):
    """Entries of a square matrix of scipy's, sorted, without duplicates."""
    if not hasattr(A, "tocsr"):
        raise TypeError(f"system {k} is a {type(A).__name__}; a list has sparse matrices of scipy's")
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"system {k} has shape {A.shape}; systems are square")
    once = summed(A)
    if once is None:
        raise ValueError(f"the arrays of system {k} are not a matrix")
    return once.indptr, once.indices, reals(once.data, "A")


def _of_array(A):
    """The pattern and the values of an array of shape (batch, n, n): entries that any of its matrices has."""
    A = reals(A, "A")
    if A.ndim != 3 or A.shape[1] != A.shape[2]:
        raise ValueError(f"A has shape {A.shape}; (batch, n, n) is wanted, a list of sparse matrices, or a pattern with values")
    rows, columns = np.nonzero((A != 0).any(axis=0))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=A.shape[1]))])
    return (indptr, columns), A[:, rows, columns]


def _of_pattern(A):
    """Those of a sparse matrix, whose values do not count, and an array of shape (batch, entries) in its order."""
    pattern, values = A
    if not hasattr(pattern, "tocsr"):
        raise TypeError(f"the pattern is a {type(pattern).__name__}; it is a sparse matrix of scipy's")
    pattern, values = pattern.tocsr(), reals(values, "the values")
    if pattern.shape[0] != pattern.shape[1]:
        raise ValueError(f"the pattern has shape {pattern.shape}; systems are square")
    if values.ndim != 2 or values.shape[1] != pattern.nnz:
        raise ValueError(f"the values have shape {values.shape}; (batch, {pattern.nnz}) is wanted")
    return (pattern.indptr, pattern.indices), values


def _is_symmetric(pattern, values):
    """Whether all matrices of a shared pattern equal their transposes, and have a positive diagonal."""
    indptr, columns = pattern
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    order = np.lexsort((rows, columns))
    if not (np.array_equal(rows[order], columns) and np.array_equal(columns[order], rows)):
        return False
    on_diagonal = rows == columns
    return on_diagonal.sum() == len(indptr) - 1 and bool((values[:, on_diagonal] > 0).all() and (values[:, order] == values).all())


class _Systems:
    """The matrices of a call: a shared pattern and values of shape (batch, entries), or a pattern and values for each."""

    def __init__(self, A):
        self.shared, self.own = None, None
        if isinstance(A, tuple):
            self.shared = _of_pattern(A)
        elif hasattr(A, "shape") or not len(A) or not hasattr(A[0], "tocsr"):
            self.shared = _of_array(A)
        else:
            self.own = [_sorted_csr(one, k) for k, one in enumerate(A)]
        if self.shared:
            self.sizes = [len(self.shared[0][0]) - 1] * len(self.shared[1])
        else:
            self.sizes = [len(one[0]) - 1 for one in self.own]
        self.values = [self.shared[1]] if self.shared else [one[2] for one in self.own]
        self.single = all(v.dtype == np.float32 for v in self.values)

    def symmetric(self):
        return _is_symmetric(*self.shared) if self.shared else all(_is_symmetric(one[:2], one[2][None]) for one in self.own)

    def split(self, x):
        """x of all systems, in the form of A."""
        return x.reshape(len(self.sizes), len(self.shared[0][0]) - 1) if self.shared else np.split(x, np.cumsum(self.sizes)[:-1])


class Batch(Owner):
    """A batch of the library."""

    def __init__(self, context, options, systems):
        self._pointer, self.context = None, context
        out = ffi.new("vks_batch **")
        if systems.shared:
            (indptr, columns), values = systems.shared
            values = np.ascontiguousarray(values)
            context.call(lib.vks_batch_create, context._pointer, len(values), len(indptr) - 1, indices(np.asarray(indptr), "places of rows"),
                         indices(np.asarray(columns), "columns"), precision_of(values), ffi.from_buffer(values), options, out)
        else:
            dtype, keep = np.float32 if systems.single else np.float64, []
            list_ = ffi.new("vks_batch_system[]", len(systems.own))
            for system, (indptr, columns, values) in zip(list_, systems.own):
                values = np.ascontiguousarray(values, dtype)
                keep.append((indices(indptr, "places of rows"), indices(columns, "columns"), ffi.from_buffer(values)))
                system.n, (system.row, system.col, system.values) = len(indptr) - 1, keep[-1]
            context.call(lib.vks_batch_create_of, context._pointer, len(list_), list_, precision_of(np.empty(0, dtype)), options, out)
        self._pointer = out[0]

    def __del__(self, destroy=lib.vks_batch_destroy):
        if getattr(self, "_pointer", None):
            self.context.destroy(destroy, self._pointer)

    def solve(self, b, x0, precision):
        """x of all systems, one after the other, and a report."""
        reports = ffi.new("vks_batch_report[]", lib.vks_batch_systems(self._pointer))
        rows = lib.vks_batch_rows(self._pointer)
        device_b, device_x = Vector(self.context, rows, precision), Vector(self.context, rows, precision)
        device_b.write(b, "b")
        if x0 is not None:
            device_x.write(x0, "x0")
        self.context.call(lib.vks_batch_solve, self._pointer, device_b._pointer, device_x._pointer, reports)
        return device_x.read(), BatchReport(reports)


def _joined(vectors, sizes, what):
    """The elements of all systems, one after the other."""
    if len(vectors) != len(sizes):
        raise ValueError(f"{what} has {len(vectors)} systems, and A has {len(sizes)}")
    for k, (v, n) in enumerate(zip(vectors, sizes)):
        if np.shape(v) != (n,):
            raise ValueError(f"{what} of system {k} has shape {np.shape(v)}; ({n},) is wanted")
    return np.concatenate([reals(v, what) for v in vectors]) if len(vectors) else np.empty(0)


def solve_batch(A, b, x0=None, *, method="auto", rtol=None, atol=0.0, maxiter=None, precond=None, precision=None, context=None):
    """Solves many small systems A x = b at once, of up to 1,024 unknowns each.

    Parameters
    ----------
    A : array of shape (batch, n, n), list of sparse matrices, or (pattern, values)
        The matrices of a list may have different sizes. ``pattern`` is a sparse matrix of shape (n, n) with sorted entries, and
        ``values``, of shape (batch, entries), has those of each system in its order.
    b : array of shape (batch, n), or list of arrays
    x0 : as b, optional
        Where to start. Default: zero.
    method : {"auto", "cg", "bicgstab", "direct"}, optional
        "auto": "cg" if all matrices are symmetric with a positive diagonal, else "bicgstab". "direct": cyclic reduction if all systems
        are tridiagonal, else elimination with pivots, of up to 64 unknowns each.
    rtol, atol : float, optional
        A system has converged where ``||b - A x|| <= max(rtol ||b||, atol)``, computed again from x in higher precision. Default:
        1e-8, in f32 1e-5, and 0.
    maxiter : int, optional
        Iterations of a system at most. Default: ten times the unknowns of the largest, at least 1,000.
    precond : {"jacobi", "none"}, optional
        Default: "jacobi", with method "direct" "none".
    precision : {"f64", "f32"}, optional
        Default: "f32" if A and b are in float32, else "f64".
    context : Context or str, optional
        The device. Default: that of this thread.

    Returns
    -------
    x : array of shape (batch, n), or list of arrays
        As b; also where a system has not converged.
    report : BatchReport

    Warns
    -----
    SolveWarning
        A system has not converged.

    Examples
    --------
    >>> import numpy as np, vksolve
    >>> A = np.array([[[2.0, -1], [-1, 2]], [[4, 1], [1, 3]]])
    >>> x, report = vksolve.solve_batch(A, [[1, 1], [5, 4]])
    >>> x.round(6) + 0.0
    array([[1., 1.],
           [1., 1.]])
    >>> report.converged
    array([ True,  True])
    """
    systems = _Systems(A)
    if precision is None:
        precision = "f32" if systems.single and all(is_single(v) for v in ([b] if hasattr(b, "dtype") else b)) else "f64"
    name_of(precision, {name: None for name in PRECISIONS if name != "mixed"}, "precision")
    if name_of(method, {"auto": None, **METHODS_OF_BATCHES}, "method") == "auto":
        method = "cg" if systems.symmetric() else "bicgstab"
    b, x0 = _joined(b, systems.sizes, "b"), None if x0 is None else _joined(x0, systems.sizes, "x0")
    for values in systems.values:
        check_range(values, DTYPES[PRECISIONS[precision]], "A")
    check_range(b, DTYPES[PRECISIONS[precision]], "b")
    preconds = {None: lib.VKS_PRECOND_AUTO, **PRECONDS_OF_BATCHES}
    options = ffi.new("vks_batch_options *", dict(
        precision=PRECISIONS[precision], method=METHODS_OF_BATCHES[method],
        precond=preconds[None if precond is None else name_of(precond, PRECONDS_OF_BATCHES, "precond")],
        rtol=relative_tolerance(rtol), atol=tolerance(atol, "atol"), max_iterations=count(maxiter, "maxiter"),
        zero_guess=x0 is None))
    if not systems.sizes:
        return systems.split(np.empty(0, DTYPES[PRECISIONS[precision]])), BatchReport([])
    x, report = Batch(default_context(context), options, systems).solve(b, x0, PRECISIONS[precision])
    if not report.converged.all():
        first = int(np.argmin(report.converged))
        warn(f"{int((~report.converged).sum())} of {len(systems.sizes)} systems have not converged; the first is {first}: {report.reason[first]}",
             SolveWarning)
    return systems.split(x), report
