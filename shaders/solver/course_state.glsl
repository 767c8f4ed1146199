/* The end of an iteration, for methods whose residual may rise. Requires exact.glsl and control.glsl before,
 * or in C host/solver/control.h. */
#include "solver/course.h"

/* History of r . r: a value from which stagnation is counted, and the iterations since. */
STRUCT(course) {
    real marked, since;
};
#ifndef VULKAN
#define course(marked, since) ((course){marked, since})
#endif

/* Updates the history, whether or not r . r has fallen by a tenth of its norm. */
INLINE course course_after(course before, real rr)
{
    bool falls = before.marked == real(0) || rr < real(COURSE_SHARE) * before.marked;
    return falls ? course(rr, real(0)) : course(before.marked, before.since + real(1));
}

/* The state after iteration k. After the first, a value that is not finite has grown beyond the range. */
INLINE uint course_state(control c, uint k, real rr, course now, real growth, uint patience)
{
    if (!finite(rr))
        return k <= 1 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= OF(c).stop)
        return STATE_MET;
    if (rr > OF(c).ceiling || rr > growth * now.marked)
        return STATE_DIVERGED;
    if (now.since >= real(patience))
        return STATE_STAGNATED;
    return k >= OF(c).limit ? STATE_LIMIT : STATE_RUNNING;
}

/* Counts an iteration, and stores its r . r in the history, which has space for `kept` values. */
INLINE void count_iteration(control c, reals history, uint kept, real rr)
{
    uint k = OF(c).iteration + 1;
    if (k <= kept)
        AT(history, k - 1) = rr;
    OF(c).iteration = k;
    OF(c).seen = k;
}
