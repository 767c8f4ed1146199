"""Base of objects that own memory of the library or of a device."""


class Owner:
    """The only owner of a C pointer, which it destroys; copy, deepcopy and pickle call this, and are refused."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"a vksolve.{type(self).__name__} owns memory of the library, and cannot be copied or pickled: make another one from its arguments")
