/* The linear systems of bench_solve_bits: small, generated or read from matrices/, the same in every run. */
#ifndef VKS_BENCH_BITS_SYSTEMS_H
#define VKS_BENCH_BITS_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

enum bits_fault { BITS_SOUND, BITS_MISSING, BITS_SET };

struct bits_system {
    const char *name;
    /* Whether A has an entry in row i and column j, and its value. NULL: A is the file
     * matrices/NAME.mtx.gz. */
    bool (*entry)(const struct bits_system *s, uint32_t i, uint32_t j, double *value);
    uint32_t n, width, height; /* rows; points along x and y of a grid */
    uint32_t cols;             /* of the leading columns; 0: n */
    uint32_t block;            /* unknowns at each point of a grid */
    double p, q;               /* see bits_entries.c */
    double scale;              /* factor of every value; 0 means 1 */
    enum bits_fault fault;     /* of one entry, at row and col: it is omitted, or set to fault_value */
    uint32_t row, col;
    double fault_value;
};

/* X(name): bits_entries.c describes the matrix of each. */
#define BITS_ENTRIES(X)              \
    X(star)                          \
    X(box)                           \
    X(stretched)                     \
    X(free_star)                     \
    X(held_star)                     \
    X(drift)                         \
    X(nodes)                         \
    X(constant_diagonal)             \
    X(dominant)                      \
    X(constant_diagonal_unsymmetric) \
    X(dominant_unsymmetric)          \
    X(badly_scaled)                  \
    X(arrow)                         \
    X(power_law)                     \
    X(hilbert)                       \
    X(diagonal)                      \
    X(constant)                      \
    X(permutation)                   \
    X(skew)                          \
    X(lower_triangle)                \
    X(turned)                        \
    X(saddle)                        \
    X(empty)

#define BITS_ENTRY_(name) \
    bool entry_##name(const struct bits_system *s, uint32_t i, uint32_t j, double *value);
BITS_ENTRIES(BITS_ENTRY_)
#undef BITS_ENTRY_

extern const struct bits_system bits_systems[];
extern const uint32_t bits_system_count;

/* Compressed sparse rows in host memory. */
struct bits_csr {
    uint32_t rows, cols, *row, *col;
    double *val;
};

/* The matrix of a system, freed with bits_csr_free. The program exits with a message if there is no memory or
 * a file cannot be read. */
struct bits_csr bits_csr_make(const struct bits_system *s);
void bits_csr_free(struct bits_csr *a);

/* Zeroed memory for `count` elements of `bytes` bytes. The program exits with a message if there is none. */
void *bits_room(uint64_t count, uint64_t bytes);

/* Ends the program with a message about `what` and its cause. */
_Noreturn void bits_give_up(const char *what, const char *cause);

/* A number from -1 to 1, determined by the three arguments. */
double bits_random(uint64_t seed, uint64_t i, uint64_t j);

#endif
