/* Queries on the list of options. */
#include "solvers/precond_options.h"

#include <string.h>

const struct precond_option precond_options[] = {
#define X(NAME, member, key, words, type, largest, value, text) \
    {key, words, PRECOND_##type, offsetof(vks_precond_options, member), largest},
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

uint32_t precond_largest(vks_precond_kind kind, const struct precond_option *p)
{
    bool grows = kind == VKS_PRECOND_FSAI && p == &precond_options[PRECOND_PLACE_STEPS];
    return grows ? VKS_LARGEST_PATTERN : p->largest;
}

unsigned precond_options_set(const vks_precond_options *o)
{
    unsigned set = 0;
#define X(NAME, member, key, words, type, largest, value, text) set |= o->member ? OPTION_##NAME : 0u;
    PRECOND_OPTIONS(X)
#undef X
    return set;
}

bool precond_has_arrays(const vks_precond_options *o)
{
    return o->amg.dimensions || o->amg.coordinates || o->amg.vectors || o->amg.near_null;
}

vks_status precond_options_check(struct message *m, const vks_precond_options *o)
{
    static const uint64_t zeros[sizeof o->reserved / sizeof *o->reserved];
    unsigned foreign = precond_options_set(o) & ~precond_takes(o->kind);
    if (memcmp(o->reserved, zeros, sizeof zeros))
        return fail(m, VKS_INVALID_ARGUMENT, "vks_precond_options.reserved is not zero");
    for (int i = 0; i < PRECOND_OPTION_COUNT; i++)
        if (foreign >> i & 1)
            return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner %s has no %s", vks_precond_name(o->kind),
                        precond_options[i].words);
    if (o->kind != VKS_PRECOND_AMG && precond_has_arrays(o))
        return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner %s has no coordinates or near-null vectors",
                    vks_precond_name(o->kind));
    if (o->kind != VKS_PRECOND_AMG && o->amg.refresh)
        return fail(m, VKS_INVALID_ARGUMENT, "the preconditioner %s has no levels to keep for new values",
                    vks_precond_name(o->kind));
    return VKS_OK;
}
