/* The twin of shaders/solver/course_state.glsl. */
#ifndef VKS_HOST_SOLVER_COURSE_STATE_H
#define VKS_HOST_SOLVER_COURSE_STATE_H

#include "host/solver/control.h"
#include "shaders/solver/course.h"

struct course {
    real marked, since;
};

static inline struct course course_after(struct course before, real rr)
{
    bool falls = before.marked == 0 || rr < (real)COURSE_SHARE * before.marked;
    return falls ? (struct course){rr, 0} : (struct course){before.marked, before.since + 1};
}

static inline uint32_t course_state(const struct control *c, uint32_t k, real rr, struct course now,
                                    real growth, uint32_t patience)
{
    if (!isfinite(rr))
        return k <= 1 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c->stop)
        return STATE_MET;
    if (rr > c->ceiling || rr > growth * now.marked)
        return STATE_DIVERGED;
    if (now.since >= (real)patience)
        return STATE_STAGNATED;
    return k >= c->limit ? STATE_LIMIT : STATE_RUNNING;
}

static inline void count_iteration(struct control *c, real *history, uint32_t kept, real rr)
{
    uint32_t k = c->iteration + 1;
    if (k <= kept)
        history[k - 1] = rr;
    c->iteration = k;
    c->seen = k;
}

#endif
