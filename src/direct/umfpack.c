#include "direct/umfpack.h"
#include "report/memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ISO C cannot cast an object pointer to a function pointer; POSIX guarantees equal representations. */
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

/* UMFPACK's BLAS is often OpenBLAS, which starts a thread for each core when it is opened. Each thread
 * requests a buffer of 128 MiB in an arena, whose creation needs as much again, and retries for ever without
 * memory. */
static uint64_t bytes_of_threads(void)
{
    static const uint64_t of_thread = UINT64_C(256) << 20;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return of_thread * (uint64_t)(cores > 0 ? cores : 1);
}

/* The usual library is searched for only once: a failed search takes longer than a small solve. */
static struct umfpack usual;
static bool has_room, has_usual;

static void open_usual(void)
{
    has_room = bytes_of_threads() <= memory_of_address_space();
    has_usual = has_room && (open_one(&usual, "libumfpack.so.6") || open_one(&usual, "libumfpack.so.5"));
}

static vks_status found_or_not(struct message *m, bool is_open)
{
    return is_open ? VKS_OK : fail(m, VKS_UNSUPPORTED, UMFPACK_MISSING);
}

vks_status umfpack_open(struct message *m, struct umfpack *u)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *chosen = getenv("VKSOLVE_UMFPACK");
    if (chosen && *chosen)
        return found_or_not(m, open_one(u, chosen));
    pthread_once(&once, open_usual);
    *u = usual;
    if (!has_room)
        return memory_lacks(m, "UMFPACK", "the threads of its BLAS", bytes_of_threads());
    return found_or_not(m, has_usual);
}
