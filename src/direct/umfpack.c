#include "direct/umfpack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ISO C has no cast from an object's address to a function's; POSIX has them in the same bytes. */
static bool find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static bool find_all(struct umfpack *u)
{
#define FIND(name, type, arguments) &&find(u->handle, "umfpack_dl_" #name, &u->name)
    return true UMFPACK_FUNCTIONS(FIND);
#undef FIND
}

static bool open_one(struct umfpack *u, const char *name)
{
    u->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (u->handle && find_all(u))
        return true;
    if (u->handle)
        dlclose(u->handle);
    return false;
}

/* The usual library is looked for once: in vain, that takes longer than a small solve. */
static struct umfpack usual;
static bool has_usual;

static void open_usual(void)
{
    has_usual = open_one(&usual, "libumfpack.so.6") || open_one(&usual, "libumfpack.so.5");
}

bool umfpack_open(struct umfpack *u)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *chosen = getenv("VKSOLVE_UMFPACK");
    if (chosen && *chosen)
        return open_one(u, chosen);
    pthread_once(&once, open_usual);
    *u = usual;
    return has_usual;
}
