/* Preconditioners by their options, for the suites that solve with them or apply them. */
#ifndef VKS_TESTS_PRECONDS_H
#define VKS_TESTS_PRECONDS_H

#include "command/models/generate_matrix.h"
#include "tests/support/solve.h"
#include "vksolve/precond.h"

struct named_precond {
    const char *name;
    vks_precond_options options;
};

static const vks_precond_options by_blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI};

/* Preconditioners for conjugate gradients. */
static const struct named_precond linear_preconds[] = {
    {"dense", {.kind = VKS_PRECOND_DENSE}},
    {"inner", {.kind = VKS_PRECOND_INNER}},
    {"inner(steps=2,weight=0.5)",
     {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_JACOBI, .steps = 2, .weight = 0.5}},
    {"jacobi/f32", {.kind = VKS_PRECOND_JACOBI, .in_f32 = 1}},
    {"block-jacobi/f32", {.kind = VKS_PRECOND_BLOCK_JACOBI, .in_f32 = 1}},
    {"inner/f32", {.kind = VKS_PRECOND_INNER, .in_f32 = 1, .steps = 3}},
    {"dense/f32", {.kind = VKS_PRECOND_DENSE, .in_f32 = 1}},
    {"chebyshev/3", {.kind = VKS_PRECOND_CHEBYSHEV, .degree = 3}},
    {"chebyshev(inner=block-jacobi)/f32", {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &by_blocks, .in_f32 = 1}},
    {"amg", {.kind = VKS_PRECOND_AMG}},
    {"amg/f32", {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
    {"fsai", {.kind = VKS_PRECOND_FSAI}},
    {"fsai(steps=3,add=4)/f32", {.kind = VKS_PRECOND_FSAI, .steps = 3, .add = 4, .in_f32 = 1}},
    {"inner(method=richardson,weight=0.5,inner=block-jacobi)",
     {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_RICHARDSON, .weight = 0.5, .inner = &by_blocks}},
};
/* Nonlinear preconditioners. */
static const struct named_precond other_preconds[] = {
    {"inner(method=cg)", {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .steps = 5}},
    {"inner(method=cg,precond=block-jacobi)/f32",
     {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .steps = 3, .inner = &by_blocks, .in_f32 = 1}},
};
enum {
    LINEAR_PRECONDS = sizeof linear_preconds / sizeof *linear_preconds,
    OTHER_PRECONDS = sizeof other_preconds / sizeof *other_preconds,
    PRECONDS = LINEAR_PRECONDS + OTHER_PRECONDS
};

static inline const struct named_precond *precond_at(uint32_t i)
{
    return i < LINEAR_PRECONDS ? &linear_preconds[i] : &other_preconds[i - LINEAR_PRECONDS];
}

static inline struct host_csr generated(const char *kind, uint32_t size)
{
    struct message m = {0};
    struct host_csr A;
    cr_assert_eq(generate_matrix(&m, kind, size, &A), VKS_OK, "%s", m.text);
    return A;
}

#endif
