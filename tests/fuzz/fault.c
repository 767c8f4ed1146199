/* Makes calls of a program fail (fault.h). Needs glibc, whose allocator is reachable under other names. */
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static const int error_of[] = {
#define X(NAME, text, error) error,
    FAULTS(X)
#undef X
};

static atomic_long calls[FAULT_COUNT];
static long at;
static int kind = -1, forever;
static const char *own_begin, *own_end; /* the code of the program */

/* The first object is the program. */
static int find_own_code(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            own_begin = (const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            own_end = own_begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("VKS_FAULT");
    if (fault && sscanf(fault, "%d %ld %d", &kind, &at, &forever) != 3)
        kind = -1;
    dl_iterate_phdr(find_own_code, NULL);
    unsetenv("LD_PRELOAD"); /* faults do not apply to its children */
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("VKS_FAULT_COUNTS");
    own_begin = own_end = NULL;
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    for (int k = 0; k < FAULT_COUNT; k++)
        fprintf(f, "%ld\n", (long)calls[k]);
    fclose(f);
}

/* Whether this call must fail; sets errno. A permanent interruption strikes every other time. */
static bool strikes(enum fault k, const void *caller)
{
    if ((const char *)caller < own_begin || (const char *)caller >= own_end)
        return false;
    long call = ++calls[k];
    bool now = k == (enum fault)kind && (call == at || (forever && call > at));
    if (now && error_of[k] == EINTR && (call - at) % 2)
        return false;
    if (now && error_of[k])
        errno = error_of[k];
    return now;
}

#define CALLER __builtin_return_address(0)
#define REAL(name) (__extension__(__typeof__(&(name))) dlsym(RTLD_NEXT, #name))

void *malloc(size_t size)
{
    return strikes(FAULT_MEMORY, CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return strikes(FAULT_MEMORY, CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return strikes(FAULT_MEMORY, CALLER) ? NULL : __libc_realloc(p, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    *p = strikes(FAULT_MEMORY, CALLER) ? NULL : __libc_memalign(alignment, size);
    return *p ? 0 : ENOMEM;
}

#define WRAP(KIND, result, failure, name, parameters, arguments) \
    result name parameters                                       \
    {                                                            \
        if (strikes(FAULT_##KIND, CALLER))                       \
            return failure;                                      \
        return REAL(name) arguments;                             \
    }

/* Functions that allocate. */
WRAP(MEMORY, char *, NULL, strdup, (const char *text), (text))
WRAP(MEMORY, char *, NULL, realpath, (const char *path, char *room), (path, room))
WRAP(MEMORY, FILE *, NULL, open_memstream, (char **text, size_t *size), (text, size))

WRAP(RENAME, int, -1, rename, (const char *from, const char *to), (from, to))
WRAP(STAT, int, -1, stat, (const char *path, struct stat *s), (path, s))
WRAP(STAT, int, -1, fstat, (int file, struct stat *s), (file, s))
WRAP(ACCESS, int, -1, access, (const char *path, int mode), (path, mode))
WRAP(FCHMOD, int, -1, fchmod, (int file, mode_t mode), (file, mode))
WRAP(LSEEK, off_t, -1, lseek, (int file, off_t to, int from), (file, to, from))
WRAP(MMAP, void *, MAP_FAILED, mmap, (void *to, size_t size, int how, int flags, int file, off_t from),
     (to, size, how, flags, file, from))
WRAP(MKSTEMP, int, -1, mkostemp, (char *path, int flags), (path, flags))
WRAP(TMPFILE, FILE *, NULL, tmpfile, (void), ())
WRAP(FOPEN, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
WRAP(FFLUSH, int, EOF, fflush, (FILE * file), (file))
WRAP(DLOPEN, void *, NULL, dlopen, (const char *path, int how), (path, how))
WRAP(SPAWN, int, error_of[FAULT_SPAWN], posix_spawnp,
     (pid_t *restrict id, const char *restrict path, const posix_spawn_file_actions_t *restrict files,
      const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
      char *const *restrict environment),
     (id, path, files, attributes, argv, environment))

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    return strikes(FAULT_OPEN, CALLER) ? -1 : REAL(open)(path, flags, mode);
}

/* Functions that close do so before they fail. */
int close(int file)
{
    if (!strikes(FAULT_CLOSE, CALLER))
        return REAL(close)(file);
    REAL(close)(file);
    errno = error_of[FAULT_CLOSE];
    return -1;
}

int fclose(FILE *file)
{
    if (!strikes(FAULT_FCLOSE, CALLER))
        return REAL(fclose)(file);
    REAL(fclose)(file);
    errno = error_of[FAULT_FCLOSE];
    return EOF;
}

#define TRANSFER(KIND, name, parameters, arguments)                                       \
    ssize_t name parameters                                                               \
    {                                                                                     \
        if (strikes(FAULT_##KIND, CALLER) || strikes(FAULT_##KIND##_INTERRUPTED, CALLER)) \
            return -1;                                                                    \
        if (strikes(FAULT_##KIND##_SHORT, CALLER))                                        \
            size = (size + 1) / 2;                                                        \
        return REAL(name) arguments;                                                      \
    }
TRANSFER(READ, read, (int file, void *to, size_t size), (file, to, size))
TRANSFER(PREAD, pread, (int file, void *to, size_t size, off_t from), (file, to, size, from))
TRANSFER(WRITE, write, (int file, const void *bytes, size_t size), (file, bytes, size))
