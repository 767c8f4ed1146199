/* The goal of a cycle. */
#include "solvers/iterate/iterate.h"

#include <string.h>

void set_goal(struct column *c, double goal, const struct snapshot *now, uint32_t iteration)
{
    struct iteration *it = c->it;
    struct snapshot to = {0};
    double scaled = goal / c->sigma;
    if (now)
        to = *now;
    else if (it->method->numbers_at_start)
        it->method->numbers_at_start(&it->krylov, to.method);
    if (!now && it->method->corrects)
        to.numbers.rr = (c->norm / c->sigma) * (c->norm / c->sigma);
    to.control = (struct control_words){.state = STATE_RUNNING,
                                        .iteration = iteration,
                                        .limit = c->limits.iterations,
                                        .seen = c->end.control.seen};
    memset(to.words, 0, sizeof to.words);
    to.numbers.stop = scaled * scaled;
    to.numbers.ceiling = DIVERGENCE * DIVERGENCE;
    to.numbers.scale = it->refinement.is ? 1 : c->sigma;
    to.numbers.ratio = c->ratio;
    if (it->method->least_squares)
        to.method[NORMAL_GOAL] = least_goal(c) * c->tightening;
    state_set(&c->state, &to);
}
