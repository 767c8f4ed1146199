/* The options of preconditioners, judged by their list. */
#include "solvers/precond_options.h"

#include <math.h>

const struct precond_option precond_options[] = {
#define X(NAME, member, key, type, largest, value, text) \
    {key, PRECOND_##type, offsetof(vks_precond_options, member), largest},
    PRECOND_OPTIONS(X)
#undef X
};

const struct precond_option *precond_number(vks_precond_kind kind)
{
    unsigned takes = precond_takes(kind);
    for (int i = 0; i < PRECOND_OPTION_COUNT; i++)
        if (takes >> i & 1 && precond_options[i].type == PRECOND_NUMBER)
            return &precond_options[i];
    return NULL;
}

unsigned precond_options_set(const vks_precond_options *o)
{
    unsigned set = 0;
#define X(NAME, member, key, type, largest, value, text) set |= o->member ? OPTION_##NAME : 0u;
    PRECOND_OPTIONS(X)
#undef X
    return set;
}

/* An option that is set. */
static vks_status check_range(struct message *m, vks_precond_options o, const struct precond_option *p)
{
    const char *name = vks_precond_name(o.kind);
    const void *at = precond_option_in(&o, p);
    switch (p->type) {
    case PRECOND_NUMBER: {
        uint32_t number = *(const uint32_t *)at;
        return number <= p->largest ? VKS_OK
                                    : fail(m, VKS_INVALID_ARGUMENT, "the %s of %s, %u, must be from 1 to %u",
                                           p->key, name, number, p->largest);
    }
    case PRECOND_METHOD: {
        vks_method method = *(const vks_method *)at;
        return (unsigned)method < VKS_METHOD_COUNT_
                   ? VKS_OK
                   : fail(m, VKS_INVALID_ARGUMENT, "the %s of %s, %d: no such thing", p->key, name,
                          (int)method);
    }
    case PRECOND_WEIGHT: {
        double weight = *(const double *)at;
        return weight == VKS_WEIGHT_AUTO || (weight > 0 && isfinite(weight))
                   ? VKS_OK
                   : fail(m, VKS_INVALID_ARGUMENT, "the %s of %s, %g, must be above zero, or VKS_WEIGHT_AUTO",
                          p->key, name, weight);
    }
    default:
        return VKS_OK;
    }
}

vks_status precond_options_check(struct message *m, const vks_precond_options *o)
{
    unsigned set = precond_options_set(o), takes = precond_takes(o->kind);
    vks_status s = VKS_OK;
    for (int i = 0; i < PRECOND_OPTION_COUNT && !s; i++)
        if (set >> i & 1 && !(takes >> i & 1))
            s = fail(m, VKS_INVALID_ARGUMENT, "the preconditioner %s has no %s", vks_precond_name(o->kind),
                     precond_options[i].key);
        else if (set >> i & 1)
            s = check_range(m, *o, &precond_options[i]);
    return s;
}
