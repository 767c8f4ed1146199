/* The cases of bench_solve_bits for each system: a table of calls and options. */
#ifndef VKS_BENCH_BITS_CASES_H
#define VKS_BENCH_BITS_CASES_H

#include "vksolve/solver.h"

/* Precisions: each has a bit in bits_case.in. */
struct bits_precision {
    const char *name;
    vks_precision precision; /* of A; vectors of VKS_MIXED are of VKS_F64 */
    bool without_f64;        /* on the device, acting as one without 64-bit floats */
};

enum bits_in { IN_F64 = 1, IN_F32 = 2, IN_MIXED = 4, IN_PAIRS = 8, IN_F32_ALONE = 16 };
enum { BITS_PRECISIONS = 5 };
extern const struct bits_precision bits_precisions[BITS_PRECISIONS];

enum bits_call {
    CALL_SOLVE,       /* vks_solve */
    CALL_FIXED_POINT, /* vks_fixed_point_solve of A divided by 1.25 times its largest row sum of magnitudes */
    CALL_FIXED_AS_IS, /* of A itself */
    CALL_KEPT,        /* two solves of a solver, the second with b in reverse */
    CALL_UPDATED,     /* the same, with other values of A for the second */
    CALL_LIMITS,      /* the same, with other limits for the second */
    CALL_SUBMITTED,   /* a solve that is submitted, then waited for */
    CALL_MANY,        /* two systems in one call */
    CALL_ONE_OFF,     /* vks_solve_csr, which uses the automatic device */
    CALL_OPERATOR,    /* vks_solve of an operator that adds up the entries of A */
    CALL_OPERATOR_D,  /* of one that also has a function for its diagonal */
    CALL_DENSE,       /* vks_gauss_jordan_solve with three right-hand sides */
    CALL_INVERSE      /* vks_gauss_jordan_invert */
};

enum bits_rhs {
    RHS_RANDOM,    /* random b and x0 */
    RHS_PRODUCT,   /* b = A times ones, x0 = 0 */
    RHS_ZERO,      /* b = 0, random x0 */
    RHS_BOTH_ZERO, /* b = 0, x0 = 0 */
    RHS_NAN,       /* random, with a NaN in b */
    RHS_INFINITE,  /* with an infinity in x0 */
    RHS_HUGE,      /* b times 1e200 */
    RHS_TINY,      /* b times 1e-200 */
    RHS_SHORT      /* b has one element fewer than A has rows */
};

struct bits_case {
    const char *form;
    unsigned in;         /* bits of enum bits_in */
    vks_solve_options o; /* its own pointers: precond_options; max_iterations 0: 300, to save time */
    enum bits_call call;
    enum bits_rhs rhs;
    vks_format_options storage; /* format 0: CSR */
    uint32_t share;             /* n: only with every n-th system; 0: with all */
    bool reordered;             /* rows are numbered from the end */
    bool halves;                /* singular: the null space is spanned by the two halves of the ones */
};

extern const struct bits_case bits_cases[];
extern const uint32_t bits_case_count;

#endif
