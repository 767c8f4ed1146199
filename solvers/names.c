/* The names of methods, preconditioners, scalings and norms. */
#include "vksolve/solver.h"

struct named {
    const char *name, *text;
};

#define X(NAME, module, name, text) {name, text},
static const struct named methods[] = {{"auto", "chosen from the matrix"}, VKS_METHODS(X)};
static const struct named preconds[] = {{"auto", "chosen by the entries of A, or the diagonal"},
                                        VKS_PRECONDS(X)};
#undef X
#define X(NAME, name, text) {name, text},
static const struct named scalings[] = {{"auto", "chosen by method and diagonal"}, VKS_SCALINGS(X)};
static const struct named norms[] = {VKS_NORMS(X)};
#undef X

const char *vks_method_name(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ ? methods[method].name : "?";
}

const char *vks_method_text(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ ? methods[method].text : "?";
}

const char *vks_precond_name(vks_precond_kind precond)
{
    return (unsigned)precond < VKS_PRECOND_COUNT_ ? preconds[precond].name : "?";
}

const char *vks_precond_text(vks_precond_kind precond)
{
    return (unsigned)precond < VKS_PRECOND_COUNT_ ? preconds[precond].text : "?";
}

const char *vks_scaling_name(vks_scaling scaling)
{
    return (unsigned)scaling < VKS_SCALING_COUNT_ ? scalings[scaling].name : "?";
}

const char *vks_scaling_text(vks_scaling scaling)
{
    return (unsigned)scaling < VKS_SCALING_COUNT_ ? scalings[scaling].text : "?";
}

const char *vks_norm_name(vks_norm norm)
{
    return (unsigned)norm < VKS_NORM_COUNT_ ? norms[norm].name : "?";
}

const char *vks_norm_text(vks_norm norm)
{
    return (unsigned)norm < VKS_NORM_COUNT_ ? norms[norm].text : "?";
}
