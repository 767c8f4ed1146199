"""The errors of calls, and their strings."""

import os

from ._vksolve import ffi, lib


class Error(Exception):
    """A call of the library failed. ``status`` is the name of its status, such as ``"LIMIT"``."""

    status = "?"


def text(c):
    """A C string as str; '' for NULL."""
    return ffi.string(c).decode(errors="replace") if c else ""


def c_string(name):
    """A name or a path as bytes for C."""
    name = os.fsencode(name)
    if b"\0" in name:
        raise ValueError("embedded null byte")
    return ffi.new("char[]", name)


def _class(name, bases, **members):
    return type(name, bases, {"__module__": "vksolve", **members})


def _kinds():
    """The exception class of each status, also derived from a matching built-in exception if there is one."""
    bases = {"INVALID_ARGUMENT": ValueError, "FORMAT": ValueError, "LIMIT": ValueError, "FILE": OSError, "TIMEOUT": TimeoutError,
             "OUT_OF_MEMORY": MemoryError, "DEVICE_MEMORY": MemoryError, "UNSUPPORTED": NotImplementedError}
    names = {number: text(lib.vks_status_name(number)) for number in range(1, lib.VKS_STATUS_COUNT_)}
    return {number: _class("".join(word.title() for word in name.split("_")) + "Error",
                           (Error, bases[name]) if name in bases else (Error,), status=name)
            for number, name in names.items()}


ERRORS = _kinds()
_FILE = ERRORS[lib.VKS_FILE]
_FILE.__str__ = lambda self: vars(self).get("message") or OSError.__str__(self)

# A FileError is also a FileNotFoundError and so on, if Python has such a class for its errno; it then has the name of that
# class, which pickle uses.
FILE_ERRORS = {error: _class(error.__name__, (_FILE, error))
               for error in (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError, NotADirectoryError, InterruptedError,
                             BlockingIOError, BrokenPipeError)}
globals().update((c.__name__, c) for c in FILE_ERRORS.values())
for _kind in FILE_ERRORS.values():
    _kind.__module__ = __name__


def fail(status, message, errno=0, path=None):
    """Raises the error of a status. File errors have errno and filename, as from open()."""
    kind, message = ERRORS[status], message or text(lib.vks_status_text(status))
    if kind is not _FILE or not errno:
        raise kind(message)
    error = FILE_ERRORS.get(type(OSError(errno, "")), kind)(errno, os.strerror(errno), path)
    error.message = message
    raise error
