#include "device/rehearsal.h"

#include <stdlib.h>

/* The least number of host cores: one for the work, one for the rehearsal, some for the pipelines. */
enum { FEWEST_CORES = 4 };

struct rehearsal {
    struct errand errand;
    struct device *of;
    struct script script;
};

bool rehearsal_is_due(const struct device *d, uint64_t key)
{
    const struct rehearsals *all = &d->rehearsals;
    bool is_due = all->are_due && d->helpers && team_size(d->team) >= FEWEST_CORES;
    for (uint32_t i = 0; is_due && i < all->count; i++)
        is_due = all->key[i] != key;
    return is_due && all->count < MOST_REHEARSALS;
}

static void play(const struct script *s, struct device *d)
{
    struct message m = {0};
    struct device *stand_in = NULL;
    const atomic_bool *ended = d ? &d->rehearsals.ended : NULL;
    if (d && device_stand_in_create(&m, d, ended, &stand_in))
        stand_in = NULL;
    s->play(s->of, stand_in, ended, &m);
}

static void run(struct errand *j)
{
    struct rehearsal *r = (struct rehearsal *)(void *)j;
    play(&r->script, r->of);
    free(r);
}

static void drop(struct errand *j)
{
    struct rehearsal *r = (struct rehearsal *)(void *)j;
    play(&r->script, NULL);
    free(r);
}

void rehearsal_start(struct device *d, uint64_t key, const struct script *s)
{
    struct rehearsal *r = rehearsal_is_due(d, key) ? malloc(sizeof *r) : NULL;
    if (!r) {
        play(s, NULL);
        return;
    }
    *r = (struct rehearsal){{run, drop, NULL}, d, *s};
    d->rehearsals.key[d->rehearsals.count++] = key;
    helpers_add(d->helpers, &r->errand, true);
}
