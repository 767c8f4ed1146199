#include "device/rehearsal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* A device has no more than these; a program that asks for more has made most of its pipelines. */
enum { MOST_REHEARSALS = 16 };
/* Cores of the host: one for the work, one for the rehearsal, some for the pipelines. */
enum { FEWEST_CORES = 4 };

struct rehearsals {
    struct rehearsal {
        struct device *of;
        uint64_t key;
        struct script script;
        atomic_bool *ended;
        pthread_t thread;
    } at[MOST_REHEARSALS];
    uint32_t count;
    atomic_bool ended;
};

bool rehearsal_is_due(const struct device *d, uint64_t key)
{
    const struct rehearsals *all = d->rehearsals;
    bool is_due = d->rehearses && team_size(d->team) >= FEWEST_CORES;
    for (uint32_t i = 0; all && is_due && i < all->count; i++)
        is_due = all->at[i].key != key;
    return is_due && (!all || all->count < MOST_REHEARSALS);
}

static void *play(void *of)
{
    const struct rehearsal *r = of;
    struct message m = {0};
    struct device *stand_in = NULL;
    if (device_stand_in_create(&m, r->of, r->ended, &stand_in))
        stand_in = NULL;
    r->script.play(r->script.of, stand_in, &m);
    return NULL;
}

static bool start_thread(struct rehearsal *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool starts = !pthread_create(&r->thread, NULL, play, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return starts;
}

void rehearsal_start(struct device *d, uint64_t key, const struct script *s)
{
    if (!d->rehearsals)
        d->rehearsals = calloc(1, sizeof *d->rehearsals);
    struct rehearsals *all = d->rehearsals;
    struct rehearsal *r = all && all->count < MOST_REHEARSALS ? &all->at[all->count] : NULL;
    if (r)
        *r = (struct rehearsal){.of = d, .key = key, .script = *s, .ended = &all->ended};
    if (r && start_thread(r))
        all->count++;
    else
        s->play(s->of, NULL, d->message);
}

void rehearsals_close(struct device *d)
{
    struct rehearsals *all = d->rehearsals;
    if (!all)
        return;
    atomic_store(&all->ended, true);
    for (uint32_t i = 0; i < all->count && d->pid == getpid(); i++)
        pthread_join(all->at[i].thread, NULL);
    free(all);
    d->rehearsals = NULL;
}
