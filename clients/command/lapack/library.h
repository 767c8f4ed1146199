/* The library with LAPACK's C interface. It is opened on first use, so runs that do not use it do not pay for
 * its threads and memory. */
#ifndef VKS_COMMAND_LAPACK_LIBRARY_H
#define VKS_COMMAND_LAPACK_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

typedef int32_t lapack_int; /* 32-bit, as in Debian's and most other builds */

enum { LAPACK_COL_MAJOR = 102 };

/* X(name, arguments) */
#define LAPACK_FUNCTIONS(X)                                                                                 \
    X(dpotrf, (int, char, lapack_int, double *, lapack_int))                                                \
    X(dpotrs, (int, char, lapack_int, lapack_int, const double *, lapack_int, double *, lapack_int))        \
    X(dgetrf, (int, lapack_int, lapack_int, double *, lapack_int, lapack_int *))                            \
    X(dgetrs, (int, char, lapack_int, lapack_int, const double *, lapack_int, const lapack_int *, double *, \
               lapack_int))                                                                                 \
    X(dpbtrf, (int, char, lapack_int, lapack_int, double *, lapack_int))                                    \
    X(dpbtrs,                                                                                               \
      (int, char, lapack_int, lapack_int, lapack_int, const double *, lapack_int, double *, lapack_int))    \
    X(dgbtrf, (int, lapack_int, lapack_int, lapack_int, lapack_int, double *, lapack_int, lapack_int *))    \
    X(dgbtrs, (int, char, lapack_int, lapack_int, lapack_int, lapack_int, const double *, lapack_int,       \
               const lapack_int *, double *, lapack_int))                                                   \
    X(dgelsy, (int, lapack_int, lapack_int, lapack_int, double *, lapack_int, double *, lapack_int,         \
               lapack_int *, double, lapack_int *))

struct lapack_library {
    void *handle;
#define LAPACK_MEMBER_(name, arguments) lapack_int(*name) arguments;
    LAPACK_FUNCTIONS(LAPACK_MEMBER_)
#undef LAPACK_MEMBER_
};

/* Opens the first library found among `names` (NULL: the usual names); false if there is none. It stays open,
 * since its threads would not survive closing it. */
bool lapack_open(struct lapack_library *l, const char *const *names);

#endif
