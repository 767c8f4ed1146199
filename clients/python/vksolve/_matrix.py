"""Matrices and vectors on a device."""

import concurrent.futures
import os
import zlib

import numpy as np

from ._context import default_context
from ._errors import ERRORS, text
from ._owner import Owner
from ._vksolve import ffi, lib

PRECISIONS = {"f64": lib.VKS_F64, "f32": lib.VKS_F32, "mixed": lib.VKS_MIXED}
DTYPES = {lib.VKS_F64: np.dtype(np.float64), lib.VKS_F32: np.dtype(np.float32)}
FORMATS = {text(lib.vks_format_name(k)): k for k in range(lib.VKS_FORMAT_COUNT_)}
LARGEST = 0xFF000000


def reals(values, what):
    """A contiguous array of float64 or float32; copied only if needed. Whole numbers become float64."""
    if hasattr(values, "tocsr"):
        raise TypeError(f"{what} is sparse; give an array, such as {what}.toarray()")
    if np.ma.is_masked(values):
        raise ValueError(f"{what} has masked values")
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise TypeError(f"{what} has complex values; vksolve has real numbers only")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what} has values of type {array.dtype}, which are not numbers")
    return np.asarray(array, dtype=np.float32 if array.dtype == np.float32 else np.float64, order="C")


def name_of(value, names, what):
    """Checks that a word is in a list of the library."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is {value!r}; it must be one of {', '.join(names)}")
    if value not in names:
        raise ValueError(f"unknown {what} {value!r}; expected {', '.join(names)}")
    return value


def precision_of(array):
    return lib.VKS_F32 if array.dtype == np.float32 else lib.VKS_F64


def check_range(values, dtype, what):
    """Raises if float64 values are too large for float32, or if all of them would become zeros, which every x = 0 would solve."""
    if dtype != np.float32 or values.dtype == np.float32:
        return
    with np.errstate(over="ignore", under="ignore"):
        narrow = values.astype(np.float32)
    lost = np.isinf(narrow) & np.isfinite(values)
    if not narrow.any():
        lost = values != 0
    if lost.any():
        value = values.flat[np.flatnonzero(lost)[0]]
        raise ValueError(f"{what} has the value {value:g}, which is beyond the range of f32; use precision=\"f64\"")


def is_single(values):
    """Whether a matrix or an array is in float32. Lists are not: numpy makes float64 of them."""
    return getattr(values, "dtype", None) == np.float32


def indices(array, what):
    """An array of uint32; int32 is reinterpreted without a copy."""
    if array.dtype not in (np.int32, np.uint32):
        if array.dtype.kind not in "iu":
            raise TypeError(f"{what} are of type {array.dtype}, and not whole numbers")
        if array.size and (int(array.min()) < 0 or int(array.max()) > LARGEST):
            raise ValueError(f"{what} are not all from 0 to {LARGEST:,}")
        array = array.astype(np.uint32)
    return ffi.from_buffer("uint32_t[]", np.ascontiguousarray(array))


def compressed(A):
    """The shape, indptr, indices and values of a sparse matrix or an array. The entries of a row may be in any order. Programs can
    exchange the arrays of a csr_matrix one by one, so their lengths are checked."""
    if hasattr(A, "tocsr"):
        if len(A.shape) != 2:
            raise ValueError(f"A has {len(A.shape)} dimensions; a matrix has 2")
        A = A.tocsr()
        count = int(A.indptr[-1]) if len(A.indptr) == A.shape[0] + 1 else -1
        if not 0 <= count <= min(len(A.indices), len(A.data)):
            raise ValueError(f"the arrays of A do not fit together: {len(A.indptr)} places for {A.shape[0]} rows, "
                             f"{len(A.indices)} columns, {len(A.data)} values")
        return A.shape, A.indptr, A.indices[:count], reals(A.data[:count], "A")
    if hasattr(A, "matvec"):
        raise TypeError(f"A is a {type(A).__name__}, which has no entries; vksolve takes sparse matrices and arrays")
    array = reals(A, "A")
    if array.ndim != 2:
        raise ValueError(f"A has {array.ndim} dimensions; a matrix has 2")
    rows, cols = np.nonzero(array)
    pointers = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=array.shape[0]))])
    return array.shape, pointers, cols, array[rows, cols]


def summed(A):
    """A copy of a scipy matrix with duplicates summed; None if its arrays are not a matrix, which scipy does not check."""
    A = A.tocsr()
    fits = A.indptr[0] == 0 and (np.diff(A.indptr) >= 0).all() and ((A.indices >= 0) & (A.indices < A.shape[1])).all()
    if not fits:
        return None
    A = A.copy()
    A.sum_duplicates()
    return A


PIECE = 1 << 22  # bytes


def pattern(indptr, columns, threads):
    """Identifies a pattern and the order of its entries: checksums of pieces of the arrays. Up to 8 threads share large arrays, as an
    upload takes less time than one thread's checksum."""
    pieces = [a[k:k + PIECE] for a in (memoryview(ffi.buffer(a)) for a in (indptr, columns)) for k in range(0, len(a), PIECE)]
    threads = min(len(pieces), threads or len(os.sched_getaffinity(0)), 8)
    if len(pieces) > 2 and threads > 1:
        try:
            with concurrent.futures.ThreadPoolExecutor(threads) as pool:
                return len(columns), *pool.map(zlib.crc32, pieces)
        except RuntimeError:  # no thread can be started, or the interpreter is ending
            pass
    return len(columns), *map(zlib.crc32, pieces)


def csr_of(context, matrix, dtype=np.float64):
    """A csr_matrix of scipy from a vks_matrix."""
    from scipy.sparse import csr_matrix

    rows, cols, entries = (f(matrix) for f in (lib.vks_matrix_rows, lib.vks_matrix_cols, lib.vks_matrix_entries))
    row, col, values = np.empty(rows + 1, np.uint32), np.empty(entries, np.uint32), np.empty(entries, dtype)
    context.call(lib.vks_matrix_to_csr, matrix, ffi.from_buffer("uint32_t[]", row), ffi.from_buffer("uint32_t[]", col),
                 precision_of(values), ffi.from_buffer(values))
    small = max(entries, rows, cols) < 2**31
    row, col = (a.view(np.int32) if small else a.astype(np.int64) for a in (row, col))
    return csr_matrix((values, col, row), shape=(rows, cols))


class Matrix(Owner):
    """A sparse matrix on a device.

    Parameters
    ----------
    A : sparse matrix of scipy, or array of shape (rows, cols)
        Duplicates are summed. Arrays of scipy's csr_matrix are read without a copy.
    precision : {"f64", "f32", "mixed"}, optional
        "mixed": f64, with the values stored in f32 if all of them survive that. Default: "f32" of an A in float32, else "f64".
    format : str, optional
        Storage for products: "auto", "csr", "sell", "bsr", "ell", "coo", "balanced" ...
    context : Context or str, optional
        The device. Default: the context of this thread.

    Examples
    --------
    >>> import numpy as np, scipy.sparse, vksolve
    >>> A = vksolve.Matrix(scipy.sparse.eye(3, format="csr") * 2)
    >>> A @ np.array([1, 2, 3])
    array([2., 4., 6.])
    """

    def __init__(self, A, *, precision=None, format="auto", context=None):
        if precision is None:
            precision = "f32" if is_single(A) else "f64"
        name_of(precision, PRECISIONS, "precision")
        name_of(format, FORMATS, "format")
        self._pointer, self.context, self.precision = None, default_context(context), precision
        options = ffi.new("vks_matrix_options *", dict(precision=PRECISIONS[precision], storage=dict(format=FORMATS[format]),
                                                       unsorted=True))
        self._summed = False
        try:
            self._upload(options, *compressed(A))
        except ERRORS[lib.VKS_INVALID_ARGUMENT]:
            once = summed(A) if hasattr(A, "tocsr") else None
            if once is None or once.nnz == A.nnz:
                raise
            self._upload(options, *compressed(once))
            self._summed = True

    def _upload(self, options, shape, indptr, columns, values):
        if max(shape) > LARGEST:
            raise ValueError(f"A is {shape[0]:,} x {shape[1]:,}; at most {LARGEST:,} rows and columns may be")
        check_range(values, self.dtype, "A")
        out = ffi.new("vks_matrix **")
        options.of_values = precision_of(values)
        indptr, columns = indices(indptr, "places of rows"), indices(columns, "columns")
        self.context.call(lib.vks_matrix_from_csr, self.context._pointer, *shape, indptr, columns, ffi.from_buffer(values), options,
                          out)
        self._pointer = out[0]  # first, so that it is destroyed even if later lines raise
        self.shape, self._pattern = shape, pattern(indptr, columns, self.context.threads)

    def __del__(self, destroy=lib.vks_matrix_destroy):
        if getattr(self, "_pointer", None):
            self.context.destroy(destroy, self._pointer)

    @property
    def dtype(self):
        """The type of vectors: float32 in precision "f32", else float64."""
        return DTYPES[self.vector_precision]

    @property
    def vector_precision(self):
        return lib.VKS_F32 if self.precision == "f32" else lib.VKS_F64

    @property
    def nnz(self):
        return lib.vks_matrix_entries(self._pointer)

    @property
    def format(self):
        """The storage format: "csr", "sell" ..."""
        return text(lib.vks_format_name(lib.vks_matrix_format(self._pointer)))

    def update(self, A):
        """Updates the values in place, from a matrix with the same pattern or from an array of values.

        Entries are in the order of the matrix that this one was made from, even if its rows were not sorted; rows with
        duplicates are in ascending order.
        """
        if hasattr(A, "tocsr") or np.ndim(A) == 2:
            shape, indptr, columns, values = compressed(summed(A) if self._summed and hasattr(A, "tocsr") else A)
            new = pattern(*(indices(a, "places of entries") for a in (indptr, columns)), self.context.threads)
            if shape != self.shape or new != self._pattern:
                raise ValueError("the new matrix has another pattern than the old one, or another order of entries; make a new Matrix or Solver")
        else:
            values = reals(A, "the new values")
            if values.shape != (self.nnz,):
                raise ValueError(f"there are {values.size} new values, and the matrix has {self.nnz} entries")
        check_range(values, self.dtype, "A")
        self.context.call(lib.vks_matrix_set_values, self._pointer, precision_of(values), ffi.from_buffer(values))

    def values(self):
        """A copy of the values on the host, row by row."""
        values = np.empty(self.nnz, self.dtype)
        self.context.call(lib.vks_matrix_to_csr, self._pointer, ffi.NULL, ffi.NULL, precision_of(values), ffi.from_buffer(values))
        return values

    def tocsr(self):
        """A copy on the host, as a csr_matrix of scipy."""
        return csr_of(self.context, self._pointer, self.dtype)

    def matvec(self, x):
        """A x, for x of shape (cols,) or (cols, k)."""
        return self._multiply(lib.vks_spmv, x, *self.shape)

    def rmatvec(self, x):
        """A^T x. The first call makes the transpose, which the matrix keeps."""
        return self._multiply(lib.vks_spmv_transpose, x, *self.shape[::-1])

    def _multiply(self, function, x, rows, cols):
        v, y = Vector(self.context, cols, self.vector_precision), Vector(self.context, rows, self.vector_precision)

        def multiply(x):
            v.write(x)
            self.context.call(function, self._pointer, v._pointer, y._pointer)
            return y.read()

        return by_columns(multiply, reals(x, "x"), rows, cols, self.dtype)

    def __matmul__(self, x):
        return self.matvec(x)

    def __repr__(self):
        rows, cols = self.shape
        return f"<vksolve.Matrix: {rows:,} x {cols:,}, {self.nnz:,} entries, {self.precision}, {self.format}>"


def by_columns(function, x, rows, cols, dtype):
    """Maps an array of shape (cols,), or each column of one of shape (cols, k), to one with that many rows."""
    if x.ndim not in (1, 2) or x.shape[0] != cols:
        raise ValueError(f"x has shape {x.shape}; ({cols},) or ({cols}, k) is expected")
    if x.ndim == 1:
        return function(x)
    y = np.empty((rows, x.shape[1]), dtype)
    for k in range(x.shape[1]):
        y[:, k] = function(x[:, k])
    return y


class Vector(Owner):
    """A vector on a device; internal, users pass arrays."""

    def __init__(self, context, length, precision):
        self._pointer, self.context, self.length, self.dtype = None, context, length, DTYPES[precision]
        out = ffi.new("vks_vector **")
        context.call(lib.vks_vector_create, context._pointer, length, precision, out)
        self._pointer = out[0]

    def __del__(self, destroy=lib.vks_vector_destroy):
        if getattr(self, "_pointer", None):
            self.context.destroy(destroy, self._pointer)

    def write(self, values, what="a vector"):
        values = reals(values, what)
        if values.shape != (self.length,):
            raise ValueError(f"{what} has {values.size} elements, and {self.length} are wanted")
        values = np.ascontiguousarray(values)
        self.context.call(lib.vks_vector_write, self._pointer, 0, self.length, precision_of(values), ffi.from_buffer(values))

    def read(self):
        values = np.empty(self.length, self.dtype)
        self.context.call(lib.vks_vector_read, self._pointer, 0, self.length, precision_of(values), ffi.from_buffer(values))
        return values
