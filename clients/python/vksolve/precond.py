"""Preconditioners: options for a solve, and objects for several solves or for scipy.

>>> import vksolve
>>> vksolve.precond.BlockJacobi(3)
vksolve.precond.BlockJacobi(block_size=3)
>>> vksolve.precond.Chebyshev(degree=3, inner=vksolve.precond.BlockJacobi(3))
vksolve.precond.Chebyshev(degree=3, inner=vksolve.precond.BlockJacobi(block_size=3))
"""

import numpy as np

from ._errors import text
from ._owner import Owner
from ._matrix import Matrix, Vector, by_columns, reals
from ._progress import Watch
from ._report import levels_of
from ._vksolve import ffi, lib

KINDS = {text(lib.vks_precond_name(k)): k for k in range(lib.VKS_PRECOND_COUNT_)}
METHODS = {text(lib.vks_method_name(k)): k for k in range(lib.VKS_METHOD_COUNT_)}


def floats(values, what):
    """An array of double, row by row."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"{what} is an array of 2 dimensions, not {array.ndim}")
    return array


class Preconditioner:
    """A kind of preconditioner and its options. ``f32=True``: in single precision, with half the memory traffic."""

    kind = "auto"

    def __init__(self, *, f32=False):
        self._set(f32)

    def _set(self, f32, **options):
        self._options = {name: value for name, value in options.items() if value is not None}
        self.f32 = bool(f32)

    def setup(self, A, context=None):
        """Sets up the preconditioner of A, for several solves or for scipy: a ``Prepared``."""
        return Prepared(self, A, context)

    def _fill(self, o, keep):
        """Fills in a vks_precond_options; ``keep`` holds references to its arrays."""
        o.kind, o.in_f32 = KINDS[self.kind], self.f32
        for name, value in self._options.items():
            if name == "inner":
                o.inner = as_options(value, keep)
            elif name == "method":
                o.method = METHODS[value]
            else:
                setattr(o, name, value)

    def __repr__(self):
        shown = dict(self._options, **({"f32": True} if self.f32 else {}))
        inside = ", ".join(f"{name}={value!r}" for name, value in shown.items())
        return f"vksolve.precond.{type(self).__name__}({inside})"


class Identity(Preconditioner):
    """No preconditioner."""

    kind = "none"


class Jacobi(Preconditioner):
    """The diagonal of A, which must be positive."""

    kind = "jacobi"


class BlockJacobi(Preconditioner):
    """Blocks on the diagonal of A: of ``block_size`` rows, 1 to 32, or natural ones, of rows with entries in the same columns."""

    kind = "block-jacobi"

    def __init__(self, block_size=None, *, f32=False):
        self._set(f32, block_size=block_size)


class Dense(Preconditioner):
    """The inverse of A by Gauss-Jordan elimination; A is small."""

    kind = "dense"


class Inner(Preconditioner):
    """``steps`` iterations of a method, with an inner preconditioner."""

    kind = "inner"

    def __init__(self, method=None, steps=None, *, weight=None, inner=None, f32=False):
        if method is not None and method not in METHODS:
            raise ValueError(f"unknown method {method!r}; expected {', '.join(METHODS)}")
        self._set(f32, method=method, steps=steps, weight=weight, inner=inner)


class Chebyshev(Preconditioner):
    """A polynomial of ``degree`` 1 to 4 in A, which is symmetric, times another preconditioner."""

    kind = "chebyshev"

    def __init__(self, degree=None, *, inner=None, f32=False):
        self._set(f32, degree=degree, inner=inner)


class AMG(Preconditioner):
    """Algebraic multigrid.

    Parameters
    ----------
    block : int, optional
        Unknowns per node, 1 to 8, in consecutive rows.
    coordinates : array of shape (nodes, 2 or 3), optional
        The nodes of an elasticity problem, in the order of their unknowns.
    near_null : array of shape (vectors, rows), optional
        Vectors that A makes small without boundary conditions.
    keep : bool, optional
        Keep aggregates and prolongators when the values of A change.
    """

    kind = "amg"

    def __init__(self, block=None, *, coordinates=None, near_null=None, keep=False, f32=False):
        self._set(f32, block=block)
        self.coordinates = None if coordinates is None else floats(coordinates, "coordinates")
        self.near_null = None if near_null is None else floats(near_null, "near_null")
        self.keep = bool(keep)

    def _fill(self, o, keep):
        o.kind, o.in_f32 = KINDS[self.kind], self.f32
        o.amg.block = self._options.get("block", 0)
        o.amg.refresh = lib.VKS_AMG_KEEP if self.keep else lib.VKS_AMG_FULL
        if self.coordinates is not None:
            o.amg.dimensions = self.coordinates.shape[1]
            o.amg.coordinates = ffi.from_buffer("double[]", self.coordinates)
        if self.near_null is not None:
            o.amg.vectors = self.near_null.shape[0]
            o.amg.near_null = ffi.from_buffer("double[]", self.near_null)
        keep.append(self)

    def _check(self, rows):
        """Refuses arrays that do not fit a matrix with that many rows. The library cannot see how long they are."""
        c, v = self.coordinates, self.near_null
        if c is not None and c.shape[0] * max(self._options.get("block", 0), c.shape[1]) != rows:
            raise ValueError(f"coordinates of {c.shape[0]} nodes with {c.shape[1]} unknowns each do not fit a matrix of {rows} rows")
        if v is not None and v.shape[1] != rows:
            raise ValueError(f"near_null has vectors of {v.shape[1]} elements, and the matrix has {rows} rows")


class ILUT(Preconditioner):
    """Incomplete factors with a threshold: at most ``fill`` entries in a row of each; blocks of ``rows`` rows, or of all."""

    kind = "ilut"

    def __init__(self, fill=None, *, drop=None, rows=None, f32=False):
        self._set(f32, fill=fill, drop=drop, rows=0xFFFFFFFF if rows == "all" else rows)


class RowSum(Preconditioner):
    """The sums of magnitudes in the rows of A."""

    kind = "row-sum"


class Saddle(Preconditioner):
    """Blocks for saddle points; ``inner`` is the preconditioner of the rows that have a diagonal."""

    kind = "saddle"

    def __init__(self, *, inner=None, f32=False):
        self._set(f32, inner=inner)


class FSAI(Preconditioner):
    """An approximate inverse in sparse factors, whose rows gain ``add`` entries in each of ``steps`` steps."""

    kind = "fsai"

    def __init__(self, steps=None, *, add=None, f32=False):
        self._set(f32, steps=steps, add=add)


CLASSES = {c.kind: c for c in Preconditioner.__subclasses__()}


def as_preconditioner(M):
    """Converts the argument M to a Preconditioner or a Prepared; None lets the library choose."""
    if M is None or (isinstance(M, str) and M == "auto"):
        return None
    if isinstance(M, str):
        if M not in CLASSES:
            raise ValueError(f"unknown preconditioner {M!r}; expected {', '.join(CLASSES)}")
        return CLASSES[M]()
    if isinstance(M, (Preconditioner, Prepared)):
        return M
    names = ", ".join(c.__name__ for c in CLASSES.values())
    raise TypeError(f"M is a {type(M).__name__}; take one of vksolve.precond ({names}), which work on the device")


def as_options(M, keep):
    """The vks_precond_options * of a Preconditioner, kept alive in ``keep``."""
    M = as_preconditioner(M)
    if isinstance(M, Prepared):
        raise TypeError("a prepared preconditioner cannot be nested in another one: give its kind and options")
    if M is None:
        return ffi.NULL
    o = ffi.new("vks_precond_options *")
    M._fill(o, keep)
    keep.append(o)
    return o


def check_arrays(M, rows):
    """Checks the arrays of M and of its inner preconditioners."""
    while isinstance(M, Preconditioner):
        if isinstance(M, AMG):
            M._check(rows)
        M = M._options.get("inner")


class Prepared(Owner):
    """A preconditioner of a matrix: ``z = P @ r``. Usable as M in this package and in scipy.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, scipy.sparse.linalg, vksolve
    >>> A = scipy.sparse.diags([-1, 4, -1], [-1, 0, 1], shape=(50, 50)).tocsr()
    >>> P = vksolve.precond.Chebyshev().setup(A)
    >>> x, info = scipy.sparse.linalg.cg(A, np.ones(50), M=P)
    >>> info, vksolve.cg(A, np.ones(50), M=P)[1]
    (0, 0)
    """

    def __init__(self, M, A, context=None):
        self.matrix = A if isinstance(A, Matrix) else Matrix(A, context=context)
        self.context, self.options = self.matrix.context, M
        check_arrays(M, self.matrix.shape[0])
        self._pointer, self._watch = None, Watch()
        self._handle = ffi.new_handle(self._watch)
        keep, out = [], ffi.new("vks_precond **")
        o = as_options(M, keep) or ffi.new("vks_precond_options *")
        o.progress, o.user = lib.vksolve_progress, self._handle
        with self._watch:
            self.context.call(lib.vks_precond_create, self.matrix._pointer, o, out)
            self._pointer = out[0]
        n, precision = self.matrix.shape[0], self.matrix.vector_precision
        self._r, self._z = Vector(self.context, n, precision), Vector(self.context, n, precision)

    def __del__(self, destroy=lib.vks_precond_destroy):
        if getattr(self, "_pointer", None):
            self.context.destroy(destroy, self._pointer)

    shape = property(lambda self: self.matrix.shape)
    dtype = property(lambda self: self.matrix.dtype)

    def matvec(self, r):
        """M^-1 r, for r with as many rows as A."""
        def apply(r):
            self._r.write(r)
            self.context.call(lib.vks_precond_apply, self._pointer, self._r._pointer, self._z._pointer)
            return self._z.read()

        n = self.matrix.shape[0]
        with self.context.held():
            return by_columns(apply, reals(r, "r"), n, n, self.dtype)

    def __matmul__(self, r):
        return self.matvec(r)

    def update(self):
        """Updates to the current values of the matrix."""
        with self._watch:
            self.context.call(lib.vks_precond_update, self._pointer)

    @property
    def report(self):
        """A dict about the set-up: ``kind``, ``reason`` ("NOT_RUN": it can be applied), ``seconds``, ``bytes``, ``levels``."""
        f = ffi.new("vks_precond_facts *")
        self.context.call(lib.vks_precond_report, self._pointer, f)
        return dict(kind=text(lib.vks_precond_name(f.kind)), reason=text(lib.vks_reason_name(f.reason)), detail=text(f.detail),
                    seconds=f.seconds_setup, bytes=f.bytes, blocks=f.blocks, levels=levels_of(f.hierarchy))

    def __repr__(self):
        return f"<{self.options!r} of {self.matrix!r}>"
