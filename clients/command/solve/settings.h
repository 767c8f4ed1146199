/* The options of `vksolve solve`, as the user gave them. */
#ifndef VKS_COMMAND_SOLVE_SETTINGS_H
#define VKS_COMMAND_SOLVE_SETTINGS_H

#include "command/shared/formats.h"
#include "command/shared/options.h"
#include "command/shared/preconds.h"
#include "solvers/report_text.h"
#include "vksolve/methods.h"

/* --compare: the same system by another solver, on the CPU. */
enum { COMPARE_NONE, COMPARE_LAPACK, COMPARE_DIRECT };
extern const char *const solve_comparisons[]; /* ends with NULL */
extern const char *const solve_orders[];      /* for --reorder; ends with NULL */

struct solve_settings {
    const char *rhs, *output, *history, *plot, *json, *device, *coordinates; /* NULL if not given */
    const char *method_text, *format_text, *precond_text;                    /* as they were given */
    struct format_word format;
    struct precond_words precond;
    bool any_device, no_direct; /* options of auto */
    int method, scaling, norm, precision, compare,
        reorder; /* indices in the lists of words; precision -1: not given */
    double rtol, atol, weight, padding;
    uint32_t max_iterations, block_size, restart;
    uint64_t lapack_memory;
    bool singular, quiet, validate, explain;
};

/* Fills in *set, and the index of the first matrix in argv. PARSED_WRONG: an error message has been
 * printed. */
enum parsed solve_parse(int argc, char **argv, struct solve_settings *set, int *first);

#endif
