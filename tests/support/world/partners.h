/* A solve of one process, whose only partner is itself, for world.h. */
#ifndef VKS_TESTS_WORLD_PARTNERS_H
#define VKS_TESTS_WORLD_PARTNERS_H

#include "vksolve/partners.h"

static inline int exchange_nothing(void *user, const void *sent, void *received)
{
    (void)user, (void)sent, (void)received;
    return 0;
}

static inline int exchanged_nothing(void *user)
{
    (void)user;
    return 0;
}

static inline int gather_own(void *user, const double *own, size_t count, double *all)
{
    (void)user;
    memcpy(all, own, count * sizeof *all);
    return 0;
}

static inline vks_status solve_with_partners(struct world *w)
{
    static const uint64_t first[] = {0, N};
    const vks_partners alone = {.processes = 1,
                                .first = first,
                                .exchange = exchange_nothing,
                                .exchanged = exchanged_nothing,
                                .gather = gather_own};
    vks_solve_options o = {.zero_guess = 1, .partners = &alone};
    vks_solve_report r;
    vks_status s = vks_solve(w->A, w->b, w->x, &o, &r);
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
    return s;
}

#endif
