"""What C tells of long work, and how it is ended: by a callback, or by what is raised meanwhile."""

import numpy as np

from ._vksolve import ffi


class Progress:
    """What a callback is told: ``iteration``, ``residual``, ``target`` (both relative to ``||b||``) and ``seconds``."""

    def __init__(self, p):
        self.iteration, self.residual, self.target, self.seconds = p.iteration, p.residual, p.target, p.seconds

    def __repr__(self):
        return f"<vksolve.Progress: iteration {self.iteration:,}, residual {self.residual:.3g} of {self.target:.3g}>"


class Watch:
    """Passes the progress of a solve on. What is raised meanwhile is kept, and raised at the end of a `with` around the call of C. Python's handlers of signals,
    Ctrl-C among them, run while it is asked."""

    def __init__(self, callback=None):
        self.callback, self.raised = callback, None

    def ask(self, progress):
        try:
            setting_up = np.isnan(progress.residual)
            return bool(self.callback and not setting_up and self.callback(Progress(progress)))
        except BaseException as error:
            self.raised = error
            return True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        raised, self.raised = self.raised, None
        try:
            if raised is not None:
                raise raised
        finally:
            del raised  # its trace has this frame, too


def _lost(kind, error, trace):
    """What is raised between C and Watch.ask: a Ctrl-C at the wrong moment."""
    watch = ffi.from_handle(trace.tb_frame.f_locals["user"]) if trace and "user" in trace.tb_frame.f_locals else None
    if watch and watch.raised is None:
        watch.raised = error


@ffi.def_extern(error=1, onerror=_lost)
def vksolve_progress(user, progress):
    return ffi.from_handle(user).ask(progress)
