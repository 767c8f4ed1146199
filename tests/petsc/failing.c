#define _GNU_SOURCE /* dl_iterate_phdr */
#include "failing.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

enum { PLACES = 1 << 16 }; /* many more than there are ever blocks */

struct failing memory;
static void *block[PLACES]; /* our blocks that are not freed, at their hash or after it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t place_of(const void *p)
{
    uint32_t at = (uint32_t)((uintptr_t)p >> 4) * 2654435761u >> 16;
    while (block[at] && block[at] != p)
        at = (at + 1) % PLACES;
    return at;
}

static PetscBool fails(PetscBool ours)
{
    PetscBool now;
    if (!ours)
        return PETSC_FALSE;
    pthread_mutex_lock(&lock);
    now = ++memory.calls == memory.fail_call ? PETSC_TRUE : PETSC_FALSE;
    memory.failures += now;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *remembered(void *p, PetscBool ours)
{
    if (!p || !ours)
        return p;
    pthread_mutex_lock(&lock);
    block[place_of(p)] = p;
    memory.live++;
    pthread_mutex_unlock(&lock);
    return p;
}

static void forget(const void *p)
{
    if (!p || !memory.end)
        return;
    pthread_mutex_lock(&lock);
    uint32_t at = place_of(p);
    if (block[at]) {
        block[at] = NULL;
        memory.live--;
        for (at = (at + 1) % PLACES; block[at]; at = (at + 1) % PLACES) {
            void *other = block[at];
            block[at] = NULL;
            block[place_of(other)] = other;
        }
    }
    pthread_mutex_unlock(&lock);
}

static PetscBool by_library(const void *caller)
{
    return (uintptr_t)caller >= memory.first && (uintptr_t)caller < memory.end ? PETSC_TRUE : PETSC_FALSE;
}

EXPORT void *malloc(size_t size)
{
    PetscBool ours = by_library(__builtin_return_address(0));
    return fails(ours) ? NULL : remembered(__libc_malloc(size), ours);
}

EXPORT void *calloc(size_t count, size_t size)
{
    PetscBool ours = by_library(__builtin_return_address(0));
    return fails(ours) ? NULL : remembered(__libc_calloc(count, size), ours);
}

EXPORT void *realloc(void *p, size_t size)
{
    PetscBool ours = by_library(__builtin_return_address(0));
    if (fails(ours))
        return NULL;
    forget(p);
    return remembered(__libc_realloc(p, size), ours);
}

EXPORT int posix_memalign(void **p, size_t alignment, size_t size)
{
    PetscBool ours = by_library(__builtin_return_address(0));
    *p = fails(ours) ? NULL : remembered(__libc_memalign(alignment, size), ours);
    return *p ? 0 : ENOMEM;
}

EXPORT void free(void *p)
{
    forget(p);
    __libc_free(p);
}

/* PETSc's functions, which get the name of the calling file. */
static PetscErrorCode allocate(size_t size, PetscBool clear, int line, const char function[],
                               const char file[], void **p)
{
    PetscBool ours = file && strstr(file, "clients/petsc/") && memory.end ? PETSC_TRUE : PETSC_FALSE;
    *p = NULL;
    if (!size)
        return 0;
    if (!fails(ours))
        *p = remembered(clear ? __libc_calloc(1, size) : __libc_malloc(size), ours || memory.all);
    if (!*p)
        return PetscError(PETSC_COMM_SELF, line, function, file, PETSC_ERR_MEM, PETSC_ERROR_INITIAL,
                          "no memory");
    return 0;
}

static PetscErrorCode release(void *p, int line, const char function[], const char file[])
{
    (void)line, (void)function, (void)file;
    free(p);
    return 0;
}

static PetscErrorCode reallocate(size_t size, int line, const char function[], const char file[], void **p)
{
    (void)line, (void)function, (void)file;
    forget(*p);
    *p = __libc_realloc(*p, size);
    return 0;
}

PetscErrorCode failing_begin(void)
{
    return PetscMallocSet(allocate, release, reallocate);
}

/* Finds the address range of its code. */
static int find(struct dl_phdr_info *info, size_t size, void *found)
{
    struct failing *f = found;
    (void)size;
    if (!strstr(info->dlpi_name, "/libvksolve.so"))
        return 0;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_LOAD && info->dlpi_phdr[k].p_flags & PF_X) {
            f->first = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
            f->end = f->first + info->dlpi_phdr[k].p_memsz;
        }
    return 1;
}

PetscErrorCode failing_find_library(void)
{
    struct failing found = {0};
    PetscFunctionBeginUser;
    dl_iterate_phdr(find, &found);
    PetscCheck(found.end, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the library is not loaded");
    memory = found;
    PetscFunctionReturn(0);
}
