"""What owns memory of the library or of a device."""


class Owner:
    """An object with a pointer of C, which it alone destroys: copy, deepcopy and pickle, which ask for this, are refused."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a vksolve.{type(self).__name__} owns memory of the library, and can neither be copied nor pickled: make another one from its arguments")
