/* Common part of the two forms of conjugate gradients: one dispatch per step, or per many iterations. */
#ifndef VKS_SOLVERS_METHOD_CG_H
#define VKS_SOLVERS_METHOD_CG_H

#include "shaders/solver/cg.h"
#include "solvers/distributed/partners.h"
#include "solvers/method.h"

struct cg {
    struct vec p, q;
    struct vec z;  /* M^-1 r, if kernels cannot apply M themselves */
    uint32_t form; /* FORM_..., for kernels with a special form for equal d in all rows */
    cg_numbers w;
    /* cg_fused.c: */
    uint32_t groups, spread;    /* workgroups; up to 1 << spread tiles of 256 elements each */
    struct memory sync_words;   /* words for synchronisation */
    struct co_residency *known; /* the outcome of earlier trials on this device */
    /* With partners: */
    struct allreduce of_start, of_product, of_residual;
};

/* The form, for kernels that read d in each row. */
static inline uint32_t cg_plain_form(const struct cg *own)
{
    return own->form == FORM_ONE ? FORM_EACH : own->form;
}

static inline const struct cg *cg_of(const struct krylov *k)
{
    return k->own;
}

extern const struct fused cg_fused;

#endif
