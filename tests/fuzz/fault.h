/* What can be made to fail in a program, by fault.c, which is loaded before it. The program's environment
 * says what: VKS_FAULT="KIND AT FOREVER"   the AT-th call of a kind, counted from 1, fails; FOREVER is 1: and
 * all after it VKS_FAULT_COUNTS=FILE         how many calls of each kind there were, written at the end Only
 * calls by the program's own code count: those within libraries are theirs to survive. */
#ifndef VKS_TESTS_FUZZ_FAULT_H
#define VKS_TESTS_FUZZ_FAULT_H

#include <errno.h>

/* X(NAME, text, errno; 0: the call does a part of what it should) */
#define FAULTS(X)                                     \
    X(MEMORY, "an allocation", ENOMEM)                \
    X(OPEN, "open", EMFILE)                           \
    X(READ, "read", EIO)                              \
    X(READ_INTERRUPTED, "read, interrupted", EINTR)   \
    X(READ_SHORT, "read, of a part", 0)               \
    X(PREAD, "pread", EIO)                            \
    X(PREAD_INTERRUPTED, "pread, interrupted", EINTR) \
    X(PREAD_SHORT, "pread, of a part", 0)             \
    X(WRITE, "write", ENOSPC)                         \
    X(WRITE_INTERRUPTED, "write, interrupted", EINTR) \
    X(WRITE_SHORT, "write, of a part", 0)             \
    X(CLOSE, "close", EIO)                            \
    X(RENAME, "rename", EACCES)                       \
    X(STAT, "stat or fstat", EIO)                     \
    X(ACCESS, "access", EACCES)                       \
    X(FCHMOD, "fchmod", EPERM)                        \
    X(LSEEK, "lseek", EIO)                            \
    X(MMAP, "mmap", ENOMEM)                           \
    X(MKSTEMP, "mkostemp", EACCES)                    \
    X(TMPFILE, "tmpfile", EMFILE)                     \
    X(FOPEN, "fopen", EMFILE)                         \
    X(FFLUSH, "fflush", ENOSPC)                       \
    X(FCLOSE, "fclose", ENOSPC)                       \
    X(DLOPEN, "dlopen", ENOMEM)                       \
    X(SPAWN, "posix_spawnp", EAGAIN)

enum fault {
#define X(NAME, text, error) FAULT_##NAME,
    FAULTS(X)
#undef X
        FAULT_COUNT
};

#endif
