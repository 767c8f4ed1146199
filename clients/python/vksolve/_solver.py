"""A solver for many solves."""

import numpy as np

from ._context import default_context
from ._errors import text
from ._owner import Owner
from ._matrix import Matrix, Vector, check_range, name_of, reals
from ._progress import Watch
from ._report import Report
from ._vksolve import ffi, lib
from ._warnings import SolveWarning, warn
from .precond import METHODS, Prepared, as_options, as_preconditioner, check_arrays

SCALINGS = {text(lib.vks_scaling_name(k)): k for k in range(lib.VKS_SCALING_COUNT_)}
NORMS = {text(lib.vks_norm_name(k)): k for k in range(lib.VKS_NORM_COUNT_)}
AUTO_OPTIONS = {"device=any": "any_device", "direct=no": "no_direct"}  # of the method auto, in brackets
LONGEST_HISTORY, MOST_CYCLES = 1 << 22, 200


def number(value, what):
    """A number as float."""
    if isinstance(value, str) or np.ndim(value):
        raise TypeError(f"{what} is {value!r}; it must be a number")
    return float(value)


def count(value, what):
    """A whole number from 1 to 4294967295; None becomes 0, the library's default."""
    if value is None:
        return 0
    if not 1 <= number(value, what) < 2**32 or value != int(value):
        raise ValueError(f"{what} is {value}; it must be a whole number from 1 to 4294967295")
    return int(value)


def tolerance(value, what):
    """An absolute tolerance; 0 for the values with which scipy requests none."""
    if value is None or (isinstance(value, str) and value == "legacy"):
        return 0.0
    if not 0 <= number(value, what) < np.inf:
        raise ValueError(f"{what} is {value}; it must be a finite number, 0 or more")
    return float(value)


def relative_tolerance(value):
    """A relative tolerance for C; None becomes 0, the library's default, and 0 the least one."""
    if value is None:
        return 0
    value = number(value, "rtol") or np.finfo(float).tiny
    if 1 < value < np.inf:
        raise ValueError(f"rtol is {value:g}; it must be 1 or less, since x = 0 meets any larger one")
    return value


def weight_of(value):
    """The weight for C; None becomes 0, the library's default."""
    if value is None or value == "auto":
        return lib.VKS_WEIGHT_AUTO if value else 0
    if isinstance(value, str) or not value > 0:
        raise ValueError(f"weight is {value!r}; it must be above 0, or 'auto'")
    return value


def method_of(text):
    """The name of a method, and the options of auto in brackets as members of ``vks_solve_options``."""
    name, bracket, inside = text.partition("(") if isinstance(text, str) else (text, "", "")
    name_of(name, METHODS, "method")
    given = inside.removesuffix(")").replace(" ", "").split(",") if bracket else []
    if given and not (name == "auto" and inside.endswith(")") and all(o in AUTO_OPTIONS for o in given)):
        raise ValueError(f"the options of auto are {', '.join(AUTO_OPTIONS)}, as in 'auto(device=any,direct=no)', and not {text!r}")
    return name, {AUTO_OPTIONS[o]: 1 for o in given}


class Solver(Owner):
    """A solver of A x = b, set up once for many right-hand sides and for new values of A.

    Parameters
    ----------
    A : Matrix, sparse matrix of scipy, or array
        Square, or of any shape for "lsmr" and "auto".
    method : str, optional
        As in ``solve``. "direct" keeps its factors until A has new values; "gauss-jordan" eliminates for each solve, and for
        each column of b. "auto(device=any,direct=no)" gives the same bits on every device: the attempts are those of a GPU on the
        host, too, without sparse factors; each option may be given alone.
    M : preconditioner, optional
        One of ``vksolve.precond``, its name such as "amg", or a ``Prepared`` one. Default: chosen automatically.
    rtol, atol : float, optional
        Converged if ``||b - A x|| <= max(rtol ||b||, atol)``. Default: 1e-8 (in f32 1e-5) and 0.
    maxiter : int, optional
        Default: ten times the unknowns, at least 1,000 and at most 100,000.
    restart : int, optional
        Of gmres: iterations between restarts, 1 to 100. Default: 30.
    weight : float or "auto", optional
        Of jacobi and richardson; "auto" of jacobi alone. Default: 1.
    scaling : {"auto", "none", "ruiz", "match"}, optional
        Of rows and columns, for idr, minres, bicgstab and gmres.
    norm : {"both", "plain", "scaled"}, optional
        The norms of ``b - A x`` that decide. "both": also the one with the rows divided by their largest magnitudes in A, where
        these differ by 1024 or more.
    null_space : "constants" or array of shape (vectors, n), optional
        Of a symmetric singular A: x is the solution of least norm.
    in_f32 : bool, optional
        The method iterates in f32, and x is refined in f64.
    history : bool, optional
        Keep the residuals of all iterations in ``report.history``.
    callback : function, optional
        Called with a ``Progress`` after batches of iterations, some milliseconds each. Returning True ends the solve.
    verbose : bool, optional
        Show progress in a line on standard error, at most ten times a second, and then how the solve ended.
    precision, format, context
        As in ``Matrix``, if A is not a ``Matrix``. With ``in_f32`` the default is "f64".

    Attributes
    ----------
    report : Report
        The last solve; for several columns, the first that failed, else the one with the most iterations.
    reports : list of Report
        One for each column of the last b.

    Warns
    -----
    SolveWarning
        Not converged, or the report has a warning; once for each reason and warning of a Solver.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, vksolve
    >>> A = scipy.sparse.diags([-1, 2.1, -1], [-1, 0, 1], shape=(100, 100)).tocsr()
    >>> solver = vksolve.Solver(A, "cg", M="jacobi")
    >>> x = solver.solve(np.ones(100))
    >>> bool(np.allclose(A @ x, 1)), solver.report.reason
    (True, 'CONVERGED')
    >>> solver.update(2 * A)              # new values, the same pattern
    >>> X = solver.solve(np.eye(100, 3))  # several columns
    >>> X.shape, bool(np.allclose(2 * A @ X, np.eye(100, 3)))
    ((100, 3), True)
    """

    def __init__(self, A, method="auto", M=None, *, rtol=None, atol=0.0, maxiter=None, restart=None, weight=None, scaling="auto",
                 norm="both", null_space=None, in_f32=False, history=False, callback=None, verbose=False, precision=None, format="auto",
                 context=None, _kept=True):
        method, self._of_auto = method_of(method)
        name_of(scaling, SCALINGS, "scaling")
        name_of(norm, NORMS, "norm")
        if not (callback is None or callable(callback)):
            raise TypeError(f"callback is {callback!r}, which cannot be called")
        self._pointer, self.report, self.reports = None, None, []
        M = as_preconditioner(M)
        context = M.context if isinstance(M, Prepared) and context is None else context
        if precision is None and in_f32:
            precision = "f64"
        self.matrix = A if isinstance(A, Matrix) else Matrix(A, precision=precision, format=format, context=default_context(context))
        self.context, self.method, self.M = self.matrix.context, method, M
        self._device = self.context.device["name"]
        self._watch = Watch(callback, verbose)
        self._warned = set()
        self._handle = ffi.new_handle(self._watch)
        self._keep = []
        self._options = self._fill(rtol, atol, maxiter, restart, weight_of(weight), scaling, norm, null_space, in_f32, history)
        rows, cols = self.matrix.shape
        precision = self.matrix.vector_precision
        self._b, self._x = Vector(self.context, rows, precision), Vector(self.context, cols, precision)
        if _kept:
            out = ffi.new("vks_solver **")
            with self._watch:
                self.context.call(lib.vks_solver_create, self.matrix._pointer, self._options, out)
                self._pointer = out[0]

    def _fill(self, rtol, atol, maxiter, restart, weight, scaling, norm, null_space, in_f32, history):
        # To the library, 0 means its default; the least positive number means no relative tolerance.
        rtol = relative_tolerance(rtol)
        self._cycles = ffi.new("vks_cycle[]", MOST_CYCLES)
        maxiter, restart = count(maxiter, "maxiter"), count(restart, "restart")
        o = ffi.new("vks_solve_options *", dict(method=METHODS[self.method], rtol=rtol, atol=tolerance(atol, "atol"), max_iterations=maxiter,
                                                restart=restart, weight=weight, scaling=SCALINGS[scaling], norm=NORMS[norm], iterate_in_f32=in_f32,
                                                progress=lib.vksolve_progress, user=self._handle, cycles=self._cycles,
                                                cycle_capacity=MOST_CYCLES, **self._of_auto))
        if isinstance(self.M, Prepared):
            o.shared_precond = self.M._pointer
        else:
            check_arrays(self.M, self.matrix.shape[0])
            o.precond_options = as_options(self.M, self._keep)
        if null_space is not None:
            o.singular = 1
            if not isinstance(null_space, str):
                self._take_null_space(o, null_space)
            elif null_space != "constants":
                raise ValueError(f"null_space is 'constants' or an array of vectors, not {null_space!r}")
        self._history = np.empty(min(o.max_iterations or 100000, LONGEST_HISTORY)) if history else None
        if history:
            o.history, o.history_capacity = ffi.from_buffer("double[]", self._history), len(self._history)
        return o

    def _take_null_space(self, o, vectors):
        rows, precision = self.matrix.shape[0], self.matrix.vector_precision
        for values in np.atleast_2d(reals(vectors, "null_space")):
            v = Vector(self.context, rows, precision)
            v.write(values, "a vector of null_space")
            self._keep.append(v)
        pointers = ffi.new("const vks_vector *[]", [v._pointer for v in self._keep if isinstance(v, Vector)])
        self._keep.append(pointers)
        o.null_space, o.null_space_count = pointers, len(pointers)

    def __del__(self, destroy=lib.vks_solver_destroy):
        if getattr(self, "_pointer", None):
            self.context.destroy(destroy, self._pointer)

    def update(self, A):
        """Updates the values of A in place, as ``Matrix.update``."""
        self.matrix.update(A)
        if isinstance(self.M, Prepared) and self.M.matrix is self.matrix:
            self.M.update()

    def solve(self, b, x0=None):
        """Solves A x = b, from x0 or from zero. b of shape (n, k): column by column.

        Returns x, even without convergence, in the shape of b; float32 if A is in precision "f32", else float64.
        """
        b = reals(b, "b")
        if b.ndim not in (1, 2) or b.shape[0] != self.matrix.shape[0]:
            raise ValueError(f"b has shape {b.shape}, and A {self.matrix.shape}")
        x = np.zeros((self.matrix.shape[1],) + b.shape[1:], self.matrix.dtype)
        if x0 is not None:
            x0 = reals(x0, "x0")
            if x0.shape != x.shape and not (x0.shape[:1] == x.shape[:1] and x0.size == x.size):  # (n,) and (n, 1) are interchangeable
                raise ValueError(f"x0 has shape {x0.shape}, and x has {x.shape}")
            x[...] = x0.reshape(x.shape)
        columns = [()] if b.ndim == 1 else [(slice(None), k) for k in range(b.shape[1])]
        with self.context.held():  # threads that share the solver take turns, so that reports and errors belong to one solve
            self.reports = []
            for at in columns:
                x[at] = self._solve_one(b[at], x[at])
            self.report = max(self.reports, key=lambda r: (not r.converged, r.iterations)) if self.reports else None
            reports = self.reports
        self._warn(reports)
        return x

    def _warn(self, reports):
        """Warns once for each cause. The text has no iteration counts, so that Python prints it once for a line."""
        for r in reports:
            failure = "" if r.converged or r.reason == "CANCELLED" else f"{r.reason}: {r.reason_text} ({r.by})"
            what = "; ".join(part for part in (failure, r.warning) if part)
            if what and what not in self._warned:
                self._warned.add(what)
                warn(what + (f"; hint: {r.hint}" if r.hint else ""), SolveWarning)

    def _solve_one(self, b, x0):
        check_range(b, self.matrix.dtype, "b")
        report = ffi.new("vks_solve_report *")
        self._b.write(b, "b")
        self._x.write(x0, "x0")
        with self._watch as watch:
            if self._pointer:
                self.context.call(lib.vks_solver_solve, self._pointer, self._b._pointer, self._x._pointer, report)
            else:
                self.context.call(lib.vks_solve, self.matrix._pointer, self._b._pointer, self._x._pointer, self._options, report)
            x = self._x.read()
            self.reports.append(Report(report, self._device, self._history, self._cycles))
            watch.line.end(self.reports[-1])
        return x

    def __repr__(self):
        return f"<vksolve.Solver: {self.method}{f' with {self.M!r}' if self.M else ''}, {self.matrix!r}>"
