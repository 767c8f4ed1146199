"""Progress of long calls into C, and how they end early: by a callback, or by an exception."""

import sys
import time

import numpy as np

from ._vksolve import ffi


class Progress:
    """The argument of a callback: ``iteration``, ``residual``, ``target`` (both relative to ``||b||``) and ``seconds``."""

    def __init__(self, p):
        self.iteration, self.residual, self.target, self.seconds = p.iteration, p.residual, p.target, p.seconds

    def __repr__(self):
        return f"<vksolve.Progress: iteration {self.iteration:,}, residual {self.residual:.3g} of {self.target:.3g}>"


class Line:
    """A line on standard error, updated up to ten times a second on terminals and in notebooks."""

    seconds = 0.1

    def __init__(self, wanted):
        self.wanted, self.next, self.length = wanted, 0.0, 0

    def live(self):
        return self.wanted and ("ipykernel" in sys.modules or sys.stderr.isatty())

    def write(self, words, end=""):
        begin, blanks = ("\r" if self.length else ""), " " * (self.length - len(words))
        sys.stderr.write(begin + words + blanks + end)
        sys.stderr.flush()
        self.length = 0 if end else len(words)

    def show(self, p):
        now = time.monotonic()
        if now < self.next or not self.live():
            return
        self.next = now + self.seconds
        if np.isnan(p.residual):
            self.write(f"vksolve: set-up, step {p.iteration:,}, {p.seconds:.1f} s")
        else:
            self.write(f"vksolve: iteration {p.iteration:,}, residual {p.residual:.2e} of {p.target:.2e}, {p.seconds:.1f} s")

    def leave(self):
        """After an exception: ends the line, so that later output starts on its own."""
        if self.length:
            self.write("", "\n")

    def end(self, r):
        if self.wanted:
            self.write(f"vksolve: {r.reason} after {r.course}, residual {r.true_residual:.2e}, "
                       f"{r.seconds_setup + r.seconds_solve:.2f} s", "\n")


class Watch:
    """Passes the progress of a solve on. Exceptions are kept, and raised at the end of a `with` around the call of C. Python's signal
    handlers, such as that of Ctrl-C, run during `ask`."""

    def __init__(self, callback=None, verbose=False):
        self.callback, self.raised, self.line = callback, None, Line(verbose)

    def ask(self, progress):
        try:
            self.line.show(progress)
            setting_up = np.isnan(progress.residual)
            return bool(self.callback and not setting_up and self.callback(Progress(progress)))
        except BaseException as error:
            self.raised = error
            return True

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        raised, self.raised = self.raised, None
        if raised is not None or kind is not None:
            self.line.leave()
        try:
            if raised is not None:
                raise raised
        finally:
            del raised  # its traceback refers to this frame


def _lost(kind, error, trace):
    """Keeps an exception raised between C and Watch.ask, such as a Ctrl-C."""
    watch = ffi.from_handle(trace.tb_frame.f_locals["user"]) if trace and "user" in trace.tb_frame.f_locals else None
    if watch and watch.raised is None:
        watch.raised = error


@ffi.def_extern(error=1, onerror=_lost)
def vksolve_progress(user, progress):
    return ffi.from_handle(user).ask(progress)
