"""Files of matrices and arrays."""

import os
import sys

import numpy as np

from ._context import default_context
from ._errors import c_string
from ._matrix import PRECISIONS, Matrix, csr_of, reals
from ._vksolve import ffi, lib


def read(path):
    """Reads a file, which is opened once and may be a pipe; "-" is standard input.

    Parameters
    ----------
    path : str or path
        A Matrix Market file, coordinate or array; real, integer or pattern; general, symmetric or skew-symmetric. Duplicates are summed.
        Also a Harwell-Boeing or Rutherford-Boeing file, output of ``scipy.sparse.save_npz`` and ``numpy.save``, and columns of
        numbers. The format is detected from the content, which may be compressed with gzip.

    Returns
    -------
    scipy.sparse.csr_matrix, or an array of 2 dimensions from a file that holds an array

    Examples
    --------
    >>> import numpy as np, tempfile, vksolve
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vksolve.write(folder + "/b.mtx.gz", np.array([[1.0, 2], [3, 0.5]]))
    ...     vksolve.read(folder + "/b.mtx.gz")
    array([[1. , 2. ],
           [3. , 0.5]])
    """
    context, name = default_context("host"), c_string(path)
    matrix, array = ffi.new("vks_matrix **"), ffi.new("vks_dense **")
    context.call(lib.vks_file_read, context._pointer, name, matrix, array, path=path)
    try:
        return _array_of(context, array[0]) if array[0] else csr_of(context, matrix[0])
    finally:
        context.destroy(lib.vks_dense_destroy, array[0])
        context.destroy(lib.vks_matrix_destroy, matrix[0])


def _array_of(context, array):
    rows, cols = lib.vks_dense_rows(array), lib.vks_dense_cols(array)
    values = np.empty((rows, cols))
    context.call(lib.vks_dense_get, array, lib.VKS_F64, ffi.from_buffer(values), cols)
    return values


def _is_stdout(path):
    """Whether a path names standard output, also as /dev/stdout."""
    try:
        return os.fsencode(path) == b"-" or os.path.samefile(path, 1)
    except OSError:  # one of them does not exist
        return False


def write(path, A):
    """Writes a Matrix Market file: a sparse matrix as coordinates, an array of 1 or 2 dimensions as an array.

    A path that ends in ``.gz`` is compressed; "-" is standard output. Values have 17 digits, so that reading gives the same bits. The
    file appears whole or not at all, unless it can only be written in place: a pipe, a mounted file, one in a folder that is read-only.
    """
    context, name = default_context("host"), c_string(path)
    if sys.stdout and _is_stdout(path):
        sys.stdout.flush()  # so that the program's earlier output comes first
    if isinstance(A, Matrix) or hasattr(A, "tocsr"):
        A = A if isinstance(A, Matrix) else Matrix(A, context=context)
        A.context.call(lib.vks_matrix_write, A._pointer, name, path=path)
        return
    values = reals(A, "A")
    if values.ndim > 2:
        raise ValueError(f"A has {values.ndim} dimensions; a file has at most 2")
    values = np.ascontiguousarray(values if values.ndim == 2 else values.reshape(-1, 1), dtype=np.float64)
    out = ffi.new("vks_dense **")
    context.call(lib.vks_dense_create, context._pointer, *values.shape, 0, PRECISIONS["f64"], out)
    try:
        context.call(lib.vks_dense_set, out[0], lib.VKS_F64, ffi.from_buffer(values), values.shape[1])
        context.call(lib.vks_dense_write, out[0], name, path=path)
    finally:
        context.destroy(lib.vks_dense_destroy, out[0])
