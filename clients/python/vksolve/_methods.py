"""One call for one system, as scipy.sparse.linalg has it."""

import numpy as np

from ._errors import text
from ._matrix import Matrix, is_single, reals
from ._report import Info
from ._solver import Solver, tolerance
from ._vksolve import lib
from .precond import METHODS, Prepared

ABOUT = """{about}

    Parameters
    ----------
    A : sparse matrix of scipy, or array of shape (n, n)
        Or a ``Matrix``, which stays on the device.
    b : array of shape (n,) or (n, k)
        Columns are solved one after the other.
    x0 : array, optional
        Initial guess. Default: zero.
{method}    rtol, atol : float, optional
        Converged if ``||b - A x|| <= max(rtol ||b||, atol)``, computed again from x in double precision. Default: {default}
        and 0. ``tol`` is the same as ``rtol``, as in scipy before 1.12.
    maxiter : int, optional
        The most iterations; for gmres, too, iterations, not restarts. Default: ten times the unknowns, at least 1,000 and at
        most 100,000.
    M : preconditioner, optional
        One of ``vksolve.precond``, or its name, such as "amg"; not an operator of scipy. Default: chosen automatically.
    callback : function, optional
        Called with a ``Progress`` after batches of iterations, some milliseconds each, not after each iteration; without x, which
        is on the device. Returning True ends the solve. Its exceptions are raised once the solve has ended.
    context : Context or str, optional
        The device. Default: the context of this thread.
    precision : {{"f64", "f32", "mixed"}}, optional
        Default: "f32" if A and b are in float32, else "f64"; with a ``Prepared`` M, the precision of M.
    **options
        As in ``Solver``: restart, weight, scaling, null_space, in_f32, history, verbose, format.{scipys}

    Returns
    -------
    x : array
        The shape of b, also (n, 1); float32 in precision "f32", else float64. Returned even without convergence.
    info : int
        0: converged. Above 0: not converged, the number of iterations. Below 0: breakdown, as A does not suit the method.
        ``info.report`` is the ``Report`` of the solve, and ``info.hint`` says what to try next.

    Warns
    -----
    SolveWarning
        Not converged, or the report has a warning.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, vksolve
    >>> A = scipy.sparse.diags([-1, {diagonal}, -1], [-1, 0, 1], shape=(1000, 1000)).tocsr()
    >>> b = np.ones(1000)
    >>> x, info = vksolve.{name}(A, b)
    >>> info, bool(np.linalg.norm(b - A @ x) <= {rtol} * np.linalg.norm(b))
    (0, True)
    >>> info.report.reason
    'CONVERGED'
    """

ABOUT_SCIPYS = {
    "gmres": """
    callback_type : {None, "legacy", "pr_norm"}, optional
        "legacy" and "pr_norm": the callback is called with the residual, a float. "x" is refused.""",
    "minres": """
    show, check : bool, optional
        The same as verbose; raises ValueError if A is not symmetric. ``shift`` must be 0.""",
}

METHOD = """    method : str, optional
        "auto": several methods in turn until one converges, each from the best x so far. Or one of:
""" + "".join(f"\n        - {name!r}: {text(lib.vks_method_text(number))}" for name, number in METHODS.items() if number) + "\n\n"


def _precision(b, M):
    """The precision of a solve: that of a Prepared M, "f64" for a b in double precision, or None, which leaves it to A."""
    if isinstance(M, Prepared):
        return M.matrix.precision
    return None if is_single(b) else "f64"


def _check_symmetric(A):
    """As scipy's minres with check=True."""
    if isinstance(A, Matrix):
        raise TypeError("with check=True A must be a sparse matrix of scipy's or an array, not a vksolve.Matrix")
    difference, size = abs(A - A.T), abs(A)
    if difference.max() > np.finfo(float).eps ** (1 / 3) * size.max():
        raise ValueError("A is not symmetric, as minres needs it; idrs, bicgstab and gmres take any A")


def _of_gmres(A, options, restrt=None, callback_type=None):
    if restrt is not None:
        options["restart"] = restrt
    callback = options.get("callback")
    if callback_type not in (None, "legacy", "pr_norm", "x"):
        raise ValueError(f"callback_type is {callback_type!r}; it may be None, 'legacy' or 'pr_norm'")
    if callback and callback_type == "x":
        raise ValueError("callback_type is 'x', but x is on the device: take 'pr_norm', or None for a callback with a Progress")
    if callback and callback_type:
        options["callback"] = lambda progress: callback(progress.residual) and None  # scipy ignores its result


def _of_minres(A, options, shift=0.0, show=False, check=False):
    if shift:
        raise ValueError(f"shift is {shift}; give minres the matrix A - {shift} * scipy.sparse.identity(n)")
    if check:
        _check_symmetric(A)
    if show:
        options["verbose"] = True


SCIPYS = {"gmres": (_of_gmres, ("restrt", "callback_type")), "minres": (_of_minres, ("shift", "show", "check"))}


def _take_scipys(name, A, options):
    """Removes the options of scipy's function that Solver does not have."""
    if name in SCIPYS:
        take, words = SCIPYS[name]
        take(A, options, **{word: options.pop(word) for word in words if word in options})


def _solve(method, A, b, x0, rtol, tol, M, precision, options):
    if np.ndim(b) == 2 and not np.shape(b)[1]:
        raise ValueError("b has no columns, so there is no info")
    solver = Solver(A, method, M, rtol=rtol if tol is None else tol, precision=_precision(b, M) if precision is None else precision, _kept=np.ndim(b) == 2,
                    **options)
    x = solver.solve(b, x0)
    return x, Info(solver.report)


def solve(A, b, x0=None, *, method="auto", rtol=None, atol=0.0, maxiter=None, M=None, callback=None, tol=None, context=None,
          precision=None, **options):
    options.update(atol=atol, maxiter=maxiter, callback=callback, context=context)
    return _solve(method, A, b, x0, rtol, tol, M, precision, options)


solve.__doc__ = ABOUT.format(about="Solves A x = b by any method; without one, A may be of any kind.", name="solve", rtol=1e-8,
                             diagonal="2.1", default="1e-8, in f32 1e-5,", method=METHOD, scipys="")


def _method(name, method, about, diagonal="2.1"):
    def solve(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None, tol=None, context=None, precision=None,
              **options):
        options.update(atol=atol, maxiter=maxiter, callback=callback, context=context)
        _take_scipys(name, A, options)
        return _solve(method, A, b, x0, rtol, tol, M, precision, options)

    solve.__name__ = solve.__qualname__ = name
    solve.__doc__ = ABOUT.format(about=about, name=name, rtol=1e-5, diagonal=diagonal, default="1e-5", method="",
                                 scipys=ABOUT_SCIPYS.get(name, ""))
    return solve


cg = _method("cg", "cg", "Solves A x = b by conjugate gradients. A is symmetric and positive definite.")
minres = _method("minres", "minres", "Solves A x = b by minimal residuals. A is symmetric, also indefinite or singular.", diagonal="1.5")
idrs = _method("idrs", "idr", "Solves A x = b by IDR(4). A is of any kind.")
bicgstab = _method("bicgstab", "bicgstab", "Solves A x = b by BiCGStab(4). A is of any kind.")
gmres = _method("gmres", "gmres", "Solves A x = b by GMRES(restart), 30 by default. A is of any kind.")


def _damped(A, b, damp):
    if isinstance(A, Matrix):
        raise TypeError("with damp A must be a sparse matrix of scipy's or an array, not a vksolve.Matrix")
    import scipy.sparse

    A = scipy.sparse.vstack([A, damp * scipy.sparse.identity(np.shape(A)[1])]).tocsr()
    return A, np.concatenate([b, np.zeros((A.shape[1],) + b.shape[1:])])


def lsmr(A, b, damp=0.0, atol=1e-6, btol=1e-6, conlim=1e8, maxiter=None, show=False, x0=None, *, context=None, precision="f64",
         **options):
    """Finds the x that minimizes ``||b - A x||``, as scipy's lsmr. A is of any shape and rank.

    Parameters
    ----------
    A, b, maxiter, x0
        As in ``solve``; b has as many elements as A has rows, in one column.
    atol, btol : float, optional
        Converged if ``||b - A x|| <= tol ||b||``, or ``||A^T r|| <= tol ||A|| ||r||`` with r = b - A x. tol is the smaller of
        ``atol`` and ``btol`` that is not 0.
    damp : float, optional
        Minimizes ``||b - A x||^2 + damp^2 ||x||^2`` by a larger system, to which norms refer. A must not be a ``Matrix``.
    show : bool, optional
        The same as ``verbose`` of ``Solver``.
    conlim
        Without effect.

    Returns
    -------
    x, istop, itn, normr, normar, norma, conda, normx
        As scipy's, also float64, but x has the shape (n, 1) if b has (m, 1); istop is 0 (x = 0), 1 (A x = b), 2 (least squares), 7 (maxiter) or 3 (breakdown). ``norma`` is the Frobenius norm of A;
        ``conda`` is nan. ``istop.report`` is the ``Report`` of the solve.

    Examples
    --------
    >>> import numpy as np, vksolve
    >>> A = np.array([[1.0, 0], [1, 1], [0, 1]])
    >>> x, istop = vksolve.lsmr(A, [1, 0, 0])[:2]
    >>> istop, x.round(6)
    (2, array([ 0.666667, -0.333333]))
    """
    b = reals(b, "b")
    if b.ndim == 2 and b.shape[1] != 1:
        raise ValueError(f"b has shape {b.shape}; lsmr takes one right-hand side")
    if damp:
        A, b = _damped(A, b, damp)
    atol, btol = tolerance(atol, "atol"), tolerance(btol, "btol")
    rtol = min(atol, btol) or max(atol, btol)
    options.setdefault("verbose", show)
    solver = Solver(A, "lsmr", rtol=rtol, maxiter=maxiter, _kept=False, context=context, precision=precision, **options)
    x = solver.solve(b, x0)
    r = solver.report
    istop = 3 if r.info < 0 else 7 if r.info else 0 if not x.any() else 2 if r.least_squares else 1
    norm = np.linalg.norm(solver.matrix.values())
    normr = r.true_residual * np.linalg.norm(b)
    return x, Info(r, istop), r.iterations, normr, r.normal_residual * norm * normr, norm, float("nan"), np.linalg.norm(x)
