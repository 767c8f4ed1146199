/* Calls from programs compiled with headers of another version: docs/abi.md. */
#ifndef VKS_ABI_ABI_H
#define VKS_ABI_ABI_H

#include "vksolve/vksolve.h"

#include <stddef.h>
#include <string.h>

/* Checks the version of a program's headers. VKS_UNSUPPORTED: later than the library. VKS_INVALID_ARGUMENT:
 * before 0.3. `text`, of `bytes` bytes, then has the reason. */
vks_status abi_check(uint32_t header, char *text, size_t bytes);

/* The size of a struct in headers before this version, without trailing padding. */
struct abi_end {
    uint32_t before;
    size_t bytes;
};

#define SINCE(header) \
    {                 \
        header, 0     \
    }
#define BEFORE(header, type, last)                                \
    {                                                             \
        header, offsetof(type, last) + sizeof((type *)NULL)->last \
    }

/* The structs that may grow: X(struct, SINCE its first version, BEFORE a version that added members, with the
 * last member until then ...), oldest version first. Other structs never grow. */
#define ABI_STRUCTS(X)                      \
    X(vks_batch_options, SINCE(300))        \
    X(vks_batch_report, SINCE(300))         \
    X(vks_block_report, SINCE(300))         \
    X(vks_context_options, SINCE(300))      \
    X(vks_device_info, SINCE(300))          \
    X(vks_gauss_jordan_options, SINCE(300)) \
    X(vks_gauss_jordan_report, SINCE(300))  \
    X(vks_matrix_options, SINCE(300))       \
    X(vks_multiply_options, SINCE(300))     \
    X(vks_operator, SINCE(300))             \
    X(vks_operator_view, SINCE(300))        \
    X(vks_plan, SINCE(300))                 \
    X(vks_precond_facts, SINCE(300))        \
    X(vks_progress, SINCE(300))             \
    X(vks_selftest, SINCE(300))             \
    X(vks_solve_options, SINCE(300))        \
    X(vks_solve_report, SINCE(300))         \
    X(vks_sort_options, SINCE(300))         \
    X(vks_statistics, SINCE(300))

/* The size in that version; `ends` is zero-terminated, `size` is the current one. */
size_t abi_end(const struct abi_end *ends, size_t size, uint32_t header);

/* For each struct: NAME_in is the current form of a program's struct, with zeros in members that its headers
 * lack; NULL gives zeros. NAME_out writes the members that its headers have; nothing to NULL. NAME_at is
 * element i of a program's array, or NULL for NULL. Programs before the first version pass and get
 * nothing. */
#define ABI_FUNCTIONS(name, ...)                                                   \
    static inline size_t name##_end(uint32_t header)                               \
    {                                                                              \
        static const struct abi_end ends[] = {__VA_ARGS__, {0, 0}};                \
        return abi_end(ends, sizeof(name), header);                                \
    }                                                                              \
    static inline name name##_in(uint32_t header, const name *theirs)              \
    {                                                                              \
        name ours = {0};                                                           \
        if (theirs)                                                                \
            memcpy(&ours, theirs, name##_end(header));                             \
        return ours;                                                               \
    }                                                                              \
    static inline void name##_out(uint32_t header, const name *ours, name *theirs) \
    {                                                                              \
        if (theirs)                                                                \
            memcpy(theirs, ours, name##_end(header));                              \
    }                                                                              \
    static inline name *name##_at(uint32_t header, name *theirs, size_t i)         \
    {                                                                              \
        size_t a = _Alignof(name), stride = (name##_end(header) + a - 1) / a * a;  \
        return theirs ? (name *)(void *)((char *)theirs + i * stride) : NULL;      \
    }
ABI_STRUCTS(ABI_FUNCTIONS)

#endif
