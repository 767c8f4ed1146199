/* Structs that end where memory ends, for a program with the headers of any version: a library that looks
 * beyond them gets a fault. */
#ifndef TESTS_ABI_GIVEN_H
#define TESTS_ABI_GIVEN_H

#include "vksolve/vksolve.h"
#include "vksolve/vulkan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { POISON = 0xA5 };

/* `bytes` of poison before a page that nobody may touch. */
static inline void *at_the_end(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    char *pages = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + room, page, PROT_NONE))
        exit(2);
    memset(pages, POISON, room);
    return pages + room - bytes;
}

/* A struct with these members, where memory ends. With the headers of 0.1.0 the padding behind its last
 * member stays poison: later versions may have members there. */
#define GIVEN(type, ...) (*given_##type(&(type){__VA_ARGS__}))
#define GIVEN_STRUCTS(X)                      \
    X(vks_context_options, message_size)      \
    X(vks_format_options, lean)               \
    X(vks_matrix_options, storage)            \
    X(vks_operator, bytes)                    \
    X(vks_solve_options, cycle_capacity)      \
    X(vks_gauss_jordan_options, no_condition) \
    X(vks_multiply_options, drop_below)       \
    X(vks_sort_options, bits)                 \
    X(vks_vulkan_device, user)
#ifdef VKS_HEADER /* today's last member may be another one */
#define LEFT_OUT(type, last) 0
#else
#define LEFT_OUT(type, last) (sizeof(type) - offsetof(type, last) - sizeof((type *)NULL)->last)
#endif
#define X(type, last)                                        \
    static inline const type *given_##type(const type *from) \
    {                                                        \
        type *at = at_the_end(sizeof *at);                   \
        memcpy(at, from, sizeof *at - LEFT_OUT(type, last)); \
        return at;                                           \
    }
GIVEN_STRUCTS(X)
#undef X

#endif
