#include "command/lapack/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* OpenBLAS often has the interface itself. */
static const char *const usual[] = {"liblapacke.so.3", "liblapacke.so", "libopenblas.so.0", "libopenblas.so",
                                    NULL};

/* ISO C has no cast from an object's address to a function's; in POSIX both have the same bytes. */
static bool find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static bool find_all(struct lapack_library *l)
{
#define FIND(name, arguments) &&find(l->handle, "LAPACKE_" #name, &l->name)
    return true LAPACK_FUNCTIONS(FIND);
#undef FIND
}

bool lapack_open(struct lapack_library *l, const char *const *names)
{
    for (names = names ? names : usual; *names; names++) {
        l->handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (l->handle && find_all(l))
            return true;
        if (l->handle)
            dlclose(l->handle);
    }
    return false;
}
