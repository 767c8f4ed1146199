/* The end of an iteration, for methods whose residual may rise. Requires exact.glsl and control.glsl before. */
#include "solver/course.h"

/* History of r . r: a value from which stagnation is counted, and the iterations since. */
struct course {
    real marked, since;
};

/* Updates the history, whether or not r . r has fallen by a tenth of its norm. */
course course_after(course before, real rr)
{
    bool falls = before.marked == real(0) || rr < real(COURSE_SHARE) * before.marked;
    return falls ? course(rr, real(0)) : course(before.marked, before.since + real(1));
}

/* The state after iteration k. After the first, a value that is not finite has grown beyond the range. */
uint course_state(control c, uint k, real rr, course now, real growth, uint patience)
{
    if (!finite(rr))
        return k <= 1 ? STATE_NOT_FINITE : STATE_DIVERGED;
    if (rr <= c.stop)
        return STATE_MET;
    if (rr > c.ceiling || rr > growth * now.marked)
        return STATE_DIVERGED;
    if (now.since >= real(patience))
        return STATE_STAGNATED;
    return k >= c.limit ? STATE_LIMIT : STATE_RUNNING;
}

/* Counts an iteration, and stores its r . r in the history, which has space for `kept` values. */
void count_iteration(control c, reals history, uint kept, real rr)
{
    uint k = c.iteration + 1;
    if (k <= kept)
        history.at[k - 1] = rr;
    c.iteration = k;
    c.seen = k;
}
