/* The detail of a failure. It travels by pointer from the public call down to where something fails; the
 * first failure of a call sticks, because what follows it is usually its consequence. */
#ifndef VKS_REPORT_MESSAGE_H
#define VKS_REPORT_MESSAGE_H

#include "vksolve/status.h"

struct team;

/* Whoever is told how far long work on the host is. */
struct watch {
    /* `what` is being done, such as "parsing", and this share of it is: 0 when it begins, ascending, 1 at its
     * end. Called by the thread that began the work. */
    void (*look)(void *user, const char *what, double share);
    void *user;
};

/* A context's message also says with which team its calls share work that no device does. */
struct message {
    char text[1024];
    int error;                 /* with VKS_FILE the errno of what failed in the system, else 0 */
    struct team *team;         /* NULL: there is none */
    const struct watch *watch; /* NULL: nobody watches */
};

/* NULL also of no message. */
static inline struct team *team_of(const struct message *m)
{
    return m ? m->team : (struct team *)0;
}

static inline void tell_share(const struct message *m, const char *what, double share)
{
    if (m && m->watch)
        m->watch->look(m->watch->user, what, share);
}

/* Writes the text, unless m is NULL or has one already. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tell(struct message *m, const char *format, ...);

/* Tells, and is `status`: `return fail(m, VKS_FORMAT, "%s:%llu: ...", ...)`. A macro so that compilers and
 * analysers see that it is never VKS_OK. */
#define fail(m, status, ...) (tell(m, __VA_ARGS__), (status))

/* Returns the status of the call from the enclosing function, unless it is VKS_OK. */
#define TRY(call)                  \
    do {                           \
        vks_status tried = (call); \
        if (tried)                 \
            return tried;          \
    } while (0)

/* fail() for a file of that name that cannot be read, opened, written ...; errno says why. VKS_FILE, or
 * VKS_OUT_OF_MEMORY where that is why. */
vks_status fail_file(struct message *m, const char *name, const char *what);

/* fail() for a host allocation of `bytes` for `what`. */
#define fail_memory(m, what, bytes) \
    fail(m, VKS_OUT_OF_MEMORY, "out of host memory: %llu bytes for %s", (unsigned long long)(bytes), what)

#endif
