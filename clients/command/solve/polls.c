#include "command/solve/polls.h"

void polls_add(struct polls *l, const vks_progress *p)
{
    if (l->every == 0)
        l->every = 1;
    if (l->count == MOST_POLLS) {
        for (int i = 0; 2 * i < MOST_POLLS; i++) {
            l->iteration[i] = l->iteration[2 * i];
            l->seconds[i] = l->seconds[2 * i];
        }
        l->count = MOST_POLLS / 2;
        l->every *= 2;
    }
    if (l->seen++ % l->every == 0) {
        l->iteration[l->count] = p->iteration;
        l->seconds[l->count++] = p->seconds;
    }
}

double polls_iteration(const struct polls *l, double iterations, double seconds, double time)
{
    double from = 0, begun = 0, to = iterations, ended = seconds;
    int next = 0;
    while (next < l->count && l->seconds[next] <= time)
        next++;
    if (next > 0) {
        from = l->iteration[next - 1];
        begun = l->seconds[next - 1];
    }
    if (next < l->count) {
        to = l->iteration[next];
        ended = l->seconds[next];
    }
    return ended > begun ? from + (to - from) * (time - begun) / (ended - begun) : from;
}
