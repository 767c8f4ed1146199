/* The goal of a cycle. */
#include "solvers/iterate/iterate.h"

#include <string.h>

void set_goal(struct iteration *it, double goal, const struct snapshot *now, uint32_t iteration)
{
    const struct progress *p = &it->progress;
    struct snapshot to = {0};
    double scaled = goal / p->sigma;
    if (now)
        to = *now;
    else if (it->method->numbers_at_start)
        it->method->numbers_at_start(&it->krylov, to.method);
    if (!now && it->method->corrects)
        to.numbers.rr = (p->norm / p->sigma) * (p->norm / p->sigma);
    to.control = (struct control_words){.state = STATE_RUNNING,
                                        .iteration = iteration,
                                        .limit = it->limits.iterations,
                                        .seen = p->end.control.seen};
    memset(to.words, 0, sizeof to.words);
    to.numbers.stop = scaled * scaled;
    to.numbers.ceiling = DIVERGENCE * DIVERGENCE;
    to.numbers.scale = it->refinement.is ? 1 : p->sigma;
    to.numbers.ratio = p->ratio;
    if (it->method->least_squares)
        to.method[NORMAL_GOAL] = least_goal(it) * p->tightening;
    state_set(&it->state, &to);
}
