"""Matrix Market files."""

import gzip
import os

import numpy as np

from ._context import default_context
from ._matrix import PRECISIONS, Matrix, csr_of, reals
from ._vksolve import ffi, lib


def _is_array(path):
    """Whether a file holds an array; a file that cannot be read holds none, and the library says why."""
    try:
        with open(path, "rb") as f:
            begin = f.read(2)
        with (gzip.open if begin == b"\x1f\x8b" else open)(path, "rb") as f:
            return b"array" in f.readline(256).lower()
    except (OSError, EOFError):
        return False


def read(path):
    """Reads a Matrix Market file, also compressed with gzip.

    Parameters
    ----------
    path : str or path
        Coordinate or array; real, integer or pattern; general, symmetric or skew-symmetric. Duplicates are summed.

    Returns
    -------
    scipy.sparse.csr_matrix, or an array of 2 dimensions from an array file

    Examples
    --------
    >>> import numpy as np, tempfile, vksolve
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vksolve.write(folder + "/b.mtx.gz", np.array([[1.0, 2], [3, 0.5]]))
    ...     vksolve.read(folder + "/b.mtx.gz")
    array([[1. , 2. ],
           [3. , 0.5]])
    """
    context = default_context("host")
    name = ffi.new("char[]", os.fsencode(path))
    return _read_array(context, name) if _is_array(path) else _read_sparse(context, name)


def _read_array(context, name):
    out = ffi.new("vks_dense **")
    context.call(lib.vks_dense_read, context._pointer, name, lib.VKS_F64, out)
    try:
        rows, cols = lib.vks_dense_rows(out[0]), lib.vks_dense_cols(out[0])
        values = np.empty((rows, cols))
        context.call(lib.vks_dense_get, out[0], lib.VKS_F64, ffi.from_buffer(values), cols)
        return values
    finally:
        context.destroy(lib.vks_dense_destroy, out[0])


def _read_sparse(context, name):
    out = ffi.new("vks_matrix **")
    context.call(lib.vks_matrix_read, context._pointer, name, ffi.NULL, out)
    try:
        return csr_of(context, out[0])
    finally:
        context.destroy(lib.vks_matrix_destroy, out[0])


def write(path, A):
    """Writes a Matrix Market file: a sparse matrix as coordinates, an array of 1 or 2 dimensions as an array.

    A path that ends in ``.gz`` is compressed. Values have 17 digits, so that reading gives the same bits. The file appears whole or
    not at all.
    """
    context = default_context("host")
    name = ffi.new("char[]", os.fsencode(path))
    if isinstance(A, Matrix) or hasattr(A, "tocsr"):
        A = A if isinstance(A, Matrix) else Matrix(A, context=context)
        A.context.call(lib.vks_matrix_write, A._pointer, name)
        return
    values = reals(A, "A")
    values = np.ascontiguousarray(values.reshape(len(values), -1) if values.ndim < 2 else values, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"A has {values.ndim} dimensions; a file has at most 2")
    out = ffi.new("vks_dense **")
    context.call(lib.vks_dense_create, context._pointer, *values.shape, 0, PRECISIONS["f64"], out)
    try:
        context.call(lib.vks_dense_set, out[0], lib.VKS_F64, ffi.from_buffer(values), values.shape[1])
        context.call(lib.vks_dense_write, out[0], name)
    finally:
        context.destroy(lib.vks_dense_destroy, out[0])
