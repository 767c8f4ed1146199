/* Options that only some preconditioners accept. The library uses this list to check options, the command to
 * read and write them. */
#ifndef VKS_SOLVERS_PRECOND_OPTIONS_H
#define VKS_SOLVERS_PRECOND_OPTIONS_H

#include "report/message.h"
#include "vksolve/block.h"
#include "vksolve/precond.h"

#include <stddef.h>

/* X(NAME, member of vks_precond_options, key, words, type, largest NUMBER, value, text) */
#define PRECOND_OPTIONS(X)                                                                          \
    X(BLOCK_SIZE, block_size, "block-size", "block size", NUMBER, VKS_LARGEST_INVERTED_BLOCK, "N",  \
      "of block-jacobi, rows of a block, 1 to 32 (default: natural blocks)")                        \
    X(DEGREE, degree, "degree", "degree", NUMBER, VKS_LARGEST_DEGREE, "N",                          \
      "of chebyshev, products with A, 1 to 4 (default: 2)")                                         \
    X(METHOD, method, "method", "method", METHOD, 0, "NAME",                                        \
      "of inner, one that iterates (default: jacobi)")                                              \
    X(STEPS, steps, "steps", "number of steps", NUMBER, VKS_LARGEST_STEPS, "N",                     \
      "of inner, its iterations, 1 to 64 (default: 4);\n    of fsai, how often rows grow, 1 to 32 " \
      "(default: 8)")                                                                               \
    X(WEIGHT, weight, "weight", "weight", WEIGHT, 0, "W|auto",                                      \
      "of inner by jacobi or richardson, as in --weight (default: auto, of richardson 1)")          \
    X(INNER, inner, "inner", "inner preconditioner", PRECOND, 0, "PRECOND",                         \
      "of chebyshev and inner (default: auto), and of saddle (default: amg)")                       \
    X(BLOCK, amg.block, "block", "unknowns of a node", NUMBER, VKS_LARGEST_NODE, "N",               \
      "of amg, unknowns of a node, 1 to 8 (default: 1, or those of --coordinates)")                 \
    X(FILL, fill, "fill", "fill", NUMBER, VKS_LARGEST_FILL, "N",                                    \
      "of ilut, the most entries of a row in L and in U (default: 10)")                             \
    X(DROP, drop, "drop", "threshold", SHARE, 0, "T",                                               \
      "of ilut, the share of a row below which entries are dropped (default: 1e-3)")                \
    X(ROWS, rows, "rows", "rows of a block", ROWS, 1024, "N|all",                                   \
      "of ilut, rows of a block, 1 to 1024, or all (default: 1024)")                                \
    X(ADD, add, "add", "number of entries to add", NUMBER, VKS_LARGEST_PATTERN, "N",                \
      "of fsai, entries that a row gains each time; steps times add is 32 at most (default: 2)")

enum {
#define X(NAME, member, key, words, type, largest, value, text) PRECOND_PLACE_##NAME,
    PRECOND_OPTIONS(X)
#undef X
        PRECOND_OPTION_COUNT
};

/* A bit for each option. */
enum {
#define X(NAME, member, key, words, type, largest, value, text) OPTION_##NAME = 1 << PRECOND_PLACE_##NAME,
    PRECOND_OPTIONS(X)
#undef X
};

/* The types of options in C: uint32_t from 1, the same or VKS_ALL_ROWS, vks_method, double, double between 0
 * and 1, const vks_precond_options *. */
enum precond_type {
    PRECOND_NUMBER,
    PRECOND_ROWS,
    PRECOND_METHOD,
    PRECOND_WEIGHT,
    PRECOND_SHARE,
    PRECOND_PRECOND
};

struct precond_option {
    const char *key, *words; /* for the command line, and in a sentence */
    enum precond_type type;
    size_t member; /* its offset in vks_precond_options */
    uint32_t largest;
};
extern const struct precond_option precond_options[PRECOND_OPTION_COUNT];

static inline void *precond_option_in(vks_precond_options *o, const struct precond_option *p)
{
    return (char *)o + p->member;
}

/* Bits of the options that a kind accepts; none for AUTO. */
unsigned precond_takes(vks_precond_kind kind);
/* The option that a number without a key sets: the first NUMBER that the kind accepts. NULL: none. */
const struct precond_option *precond_number(vks_precond_kind kind);
/* The largest NUMBER that this option may have for this kind. */
uint32_t precond_largest(vks_precond_kind kind, const struct precond_option *p);
/* Whether INNER can run steps of the method. */
bool precond_takes_steps_of(vks_method method);
/* Bits of the options that are not zero. */
unsigned precond_options_set(const vks_precond_options *o);
/* Whether coordinates, near-null vectors, or counts of these are given. */
bool precond_has_arrays(const vks_precond_options *o);
/* VKS_INVALID_ARGUMENT: an option is set that o->kind does not accept. The kind itself checks ranges. */
vks_status precond_options_check(struct message *m, const vks_precond_options *o);

#endif
