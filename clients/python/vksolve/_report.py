"""Reports of solves."""

import functools

import numpy as np

from ._errors import text
from ._vksolve import ffi, lib


LONGEST_TEXT = 8192
NAMES = {"vks_method": lib.vks_method_name, "vks_precond_kind": lib.vks_precond_name, "vks_scaling": lib.vks_scaling_name,
         "vks_reason": lib.vks_reason_name, "vks_precision": lambda p: ffi.new("char[]", (b"f64", b"f32", b"mixed")[p])}


@functools.lru_cache(maxsize=None)
def _readers(type_):
    """The reported members, and the conversion of their values; None: unchanged."""
    readers = []
    for name, field in type_.fields:
        kind = field.type
        if kind.kind == "enum":
            naming = NAMES[kind.cname.replace("enum ", "")]
            readers.append((name, lambda value, naming=naming: text(naming(value))))
        elif kind.kind == "array" and kind.item.cname == "char":
            readers.append((name, text))
        elif kind.kind == "primitive":
            readers.append((name, bool if kind.cname == "int" else None))
    return readers


def members(struct):
    """The numbers, names and texts of a struct of the library, with flags as bool; structs, arrays and pointers are omitted."""
    return {name: getattr(struct, name) if become is None else become(getattr(struct, name))
            for name, become in _readers(ffi.typeof(struct))}


def levels_of(h):
    return [dict(rows=h.level[i].rows, entries=h.level[i].entries, seconds=h.level[i].seconds) for i in range(h.levels)]


def attempts_of(r):
    return [members(r.attempt[i]) for i in range(r.attempts)]


def written(write, report):
    """A text that a call of the library writes about a report, in the terms of this package."""
    room = ffi.new("char[]", LONGEST_TEXT)
    write(report, lib.VKS_FOR_PYTHON, room, LONGEST_TEXT)
    return text(room)


def course_of(r):
    written = ffi.new("char[]", 2048)
    lib.vks_solve_course(r, written, len(written))
    return text(written)


def _same(a, b):
    """Whether numbers, texts, arrays, and lists and dicts of them are equal; nan equals nan."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=True)
    return a == b or (a != a and b != b)


class Report:
    """The report of a solve.

    Attributes
    ----------
    converged : bool
        ``||b - A x||``, computed again from the x that was returned, meets the tolerance.
    reason, detail : str
        How the solve ended: "CONVERGED", "ITERATION_LIMIT", "STAGNATED", "NOT_POSITIVE_DEFINITE" ..., with particulars.
    warning, choice : str
        A problem with the matrix or the solution, and the reason for the choice of ``auto``; or "".
    hint : str
        What to try next, in options of this package; or "".
    method, precond, scaling : str
    course : str
        Which iterations ran: "468 iterations of cg with jacobi, then 5 of cg with amg/f32".
    iterations, restarts, refinements : int
    initial_residual, residual, true_residual : float
        Relative to ``||b||``; ``residual`` is the method's own estimate.
    history : array
        The estimates, from the start; empty unless requested.
    cycles : list of dict
        The true residuals at which iterations started and restarted.
    attempts, levels : list of dict
        The attempts of ``auto``, and the levels of multigrid.
    seconds_setup, seconds_solve, bytes_per_iteration : float
    scaled_residual : float
        The same with the rows divided by their largest magnitudes in A, relative to b likewise; nan where rows do not differ by 1024.
    backward_error : float
        ``max |b - A x| / (|A| |x| + |b|)``; ``backward_error_row`` is the row, from 0, or None.
    rounding_level : float
        The ``true_residual`` that rounding the exact x may leave.
    least_squares : bool
        Of lsmr: x minimizes ``||b - A x||``.
    normal_residual : float
        Of lsmr: ``||A^T r|| / (||A|| ||r||)``; else nan.
    device : str

    The other members of ``vks_solve_report`` (vksolve/solver.h) are attributes, too. ``print(report)`` prints the report of the command.
    """

    def __init__(self, r, device, history, cycles):
        self.__dict__.update(members(r[0]))
        self.reason_text, self.course = text(lib.vks_reason_text(r.reason)), course_of(r)
        self.row = None if r.row == 0xFFFFFFFF else r.row
        self.backward_error_row = None if r.backward_error_row == 0xFFFFFFFF else r.backward_error_row
        self.attempts, self.levels, self.hierarchy = attempts_of(r), levels_of(r.hierarchy), members(r.hierarchy)
        self.cycles = [members(cycles[i]) for i in range(min(r.cycle_count, len(cycles)))]
        self.converged, self.exit_code = self.reason == "CONVERGED", lib.vks_reason_exit_code(r.reason)
        self.hint = "; ".join(written(lib.vks_solve_hints, r).splitlines())
        self._text = written(lib.vks_solve_report_text, r)
        self.device, self.history = device, np.empty(0)
        if history is not None:
            self.history = np.concatenate([[r.initial_residual], history[: r.history_count]])

    def __eq__(self, other):
        return _same(vars(self), vars(other)) if isinstance(other, Report) else NotImplemented

    def __hash__(self):
        return hash((self.reason, self.course, self.true_residual))

    @property
    def info(self):
        """As in scipy. 0: converged; above 0: not converged, the number of iterations; below 0: breakdown."""
        if self.converged:
            return 0
        return max(self.iterations, 1) if self.exit_code == 2 else -1

    @property
    def by(self):
        """The method and the preconditioner: "cg with jacobi"."""
        return self.method if self.precond == "none" else f"{self.method} with {self.precond}"

    def __str__(self):
        return f"{self._text}device      {self.device}"

    def __repr__(self):
        detail = f" ({self.detail})" if self.detail else ""
        return (f"<vksolve.Report: {self.reason}{detail} after {self.course} on {self.device}, "
                f"true residual {self.true_residual:.3g}, {self.seconds_setup:.3g} s + {self.seconds_solve:.3g} s>")


class Info(int):
    """The ``info`` of scipy's solvers, with the ``report`` of the solve and its ``hint``. It can be copied and pickled."""

    def __new__(cls, report, number=None):
        self = super().__new__(cls, report.info if number is None else number)
        self.report = report
        return self

    def __reduce_ex__(self, protocol):
        return type(self), (self.report, int(self))

    @property
    def hint(self):
        return self.report.hint
