"""Devices."""

import operator
import os
import threading

from ._errors import c_string, fail, text
from ._owner import Owner
from ._vksolve import ffi, lib
from ._warnings import DeviceWarning, warn


class Context(Owner):
    """A device: the processor, or a GPU.

    Parameters
    ----------
    device : str or int, optional
        ``"auto"`` (the first GPU, else the host), ``"host"``, ``"gpu"``, or the index, a part of the name, the UUID or the PCI
        address that ``devices`` lists. Default: the environment variable ``VKSOLVE_DEVICE``, else ``"auto"``.
    threads : int, optional
        Threads on the processor. 0: ``OMP_NUM_THREADS``, else the cores granted to the process.
    validate : bool, optional
        With Vulkan's validation layer, whose messages go to standard error.

    Notes
    -----
    Threads may share a context: calls wait for each other. By default, each thread has its own. After ``os.fork`` a context
    of the parent is refused; a child without a named context gets its own.

    Examples
    --------
    >>> import vksolve
    >>> vksolve.Context("host").device["kind"]
    'host'
    """

    def __init__(self, device=None, *, threads=0, validate=False):
        name = ffi.NULL if device is None else c_string(device_name(device))
        message, out = ffi.new("char[1024]"), ffi.new("vks_context **")
        self.threads = threads
        options = ffi.new("vks_context_options *", dict(device=name, threads=threads, validate=validate, message=message,
                                                        message_size=1024))
        self._lock, self._doomed, self._process, self._pointer = threading.RLock(), [], os.getpid(), ffi.NULL
        status = lib.vks_context_create(options, out)
        if status:
            fail(status, text(message))
        self._pointer = out[0]
        if message[0] != b"\0":
            warn(text(message), DeviceWarning)

    def held(self):
        """The lock of the context, for `with`."""
        if self._process != os.getpid():
            fail(lib.VKS_UNSUPPORTED, "this context was made before fork(), and belongs to the parent process: make another one")
        return self._lock

    def call(self, function, *arguments, path=None):
        """Calls ``function`` and raises its error; ``path`` names the file, if any. Then destroys the objects that had to
        wait for the call."""
        try:
            with self.held():
                status = function(*arguments)
                if status:
                    fail(status, text(lib.vks_context_message(self._pointer)), lib.vks_context_errno(self._pointer), path)
        finally:
            self._sweep()

    def destroy(self, function, pointer):
        """Destroys now, or after the call that another thread has in progress."""
        if pointer:
            self._doomed.append((function, pointer))
            self._sweep()

    def _sweep(self):
        """Destroys waiting objects, unless another thread has the lock: that one sweeps after its call."""
        while self._doomed and self._lock.acquire(blocking=False):
            try:
                while self._doomed:
                    function, pointer = self._doomed.pop()
                    function(pointer)
            finally:
                self._lock.release()

    def __del__(self, destroy=lib.vks_context_destroy):
        pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer:
            for function, doomed in self._doomed:
                function(doomed)
            destroy(pointer)

    @property
    def device(self):
        """The device: a dict with ``kind``, ``name``, ``driver``, ``memory`` and so on."""
        info = ffi.new("vks_device_info *")
        self.call(lib.vks_context_device, self._pointer, info)
        return _describe(info)

    def __repr__(self):
        device = self.device
        return f"<vksolve.Context: {device['kind']}, {device['name']}>"


def device_name(device):
    """The name of a device, or its index, as str."""
    if not isinstance(device, str):
        try:
            if isinstance(device, bool):
                raise TypeError
            device = str(operator.index(device))
        except TypeError:
            raise TypeError(f"device is {device!r}; it must be a name as str, or the index of a device") from None
    return device


def _describe(info):
    return dict(kind=text(lib.vks_device_kind_text(info.kind)), name=text(info.name), driver=text(info.driver), index=info.index,
                uuid=text(info.uuid), pci=text(info.pci),
                usable=bool(info.usable), f64=bool(info.f64), memory=info.memory, why_not=text(info.why_not))


def devices():
    """The Vulkan devices: a list of dicts, as ``Context.device``.

    >>> import vksolve
    >>> all(set(d) >= {"name", "kind", "usable"} for d in vksolve.devices())
    True
    """
    count = ffi.new("uint32_t *")
    if status := lib.vks_device_list(ffi.NULL, 0, count):
        fail(status, "")
    room = max(count[0], 1)
    list_ = ffi.new("vks_device_info[]", room)
    if status := lib.vks_device_list(list_, room, count):
        fail(status, "")
    return [_describe(list_[i]) for i in range(min(count[0], room))]


_returned = []  # contexts of threads that have ended, for reuse: opening a device takes time
_local = threading.local()


class _Shelf:
    """The contexts of a thread. Returns them for reuse when the thread ends."""

    def __init__(self):
        self.contexts = {}

    def __del__(self, returned=_returned):
        returned.extend(self.contexts.items())


def default_context(device=None):
    """The context of this thread, for a device."""
    if isinstance(device, Context):
        return device
    name = device if device is not None else os.environ.get("VKSOLVE_DEVICE")  # the library reads it, too
    if device is not None and not isinstance(device, str):
        raise TypeError(f"context is {device!r}; it must be a Context, or the name of a device as str")
    shelf = getattr(_local, "shelf", None)
    if shelf is None:
        shelf = _local.shelf = _Shelf()
    if name not in shelf.contexts:
        shelf.contexts[name] = _take(name) or Context(device)
    return shelf.contexts[name]


def _take(device):
    for entry in reversed(list(_returned)):
        if entry[0] == device:
            try:
                _returned.remove(entry)
            except ValueError:  # another thread has removed it
                continue
            return entry[1]
    return None


def _forget():
    """In the child of a fork: drops the contexts of the parent, which it cannot use."""
    _local.__dict__.clear()  # this returns the contexts
    _returned.clear()


os.register_at_fork(after_in_child=_forget)
