"""Sparse linear systems on any GPU with Vulkan, and on the CPU.

>>> import numpy as np, scipy.sparse, vksolve
>>> A = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(100, 100)).tocsr()
>>> x, info = vksolve.solve(A, np.ones(100))
>>> info
0

``solve`` chooses the method, and ``solve_batch`` solves many small systems; ``cg``, ``minres``, ``idrs``, ``bicgstab``, ``gmres``
and ``lsmr`` have the signatures of scipy. ``Solver`` serves many solves, ``precond`` has the preconditioners, ``Matrix`` and
``Context`` place data on devices, and ``read`` and ``write`` are for files.
"""

from . import precond
from ._batch import BatchReport, solve_batch
from ._context import Context, devices
from ._errors import ERRORS, Error, text
from ._files import read, write
from ._matrix import Matrix
from ._methods import bicgstab, cg, gmres, idrs, lsmr, minres, solve
from ._progress import Progress
from ._report import Report
from ._solver import Solver
from ._vksolve import lib as _lib
from ._warnings import DeviceWarning, SolveWarning

__version__ = text(_lib.vks_version())
globals().update({error.__name__: error for error in ERRORS.values()})
__all__ = ["BatchReport", "Context", "DeviceWarning", "Error", "Matrix", "Progress", "Report", "SolveWarning", "Solver", "bicgstab", "cg", "devices", "gmres", "idrs", "lsmr",
           "minres", "precond", "read", "solve", "solve_batch", "write"] + [error.__name__ for error in ERRORS.values()]
