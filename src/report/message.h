/* The detail of a failure. It is passed by pointer from the public call to the place of failure. The first
 * failure of a call sticks, because later ones are usually its consequences. */
#ifndef VKS_REPORT_MESSAGE_H
#define VKS_REPORT_MESSAGE_H

#include "vksolve/status.h"

struct team;

/* A progress callback for long work on the host. */
struct watch {
    /* Reports the work, such as "parsing", and the fraction done: 0 at the start, ascending, 1 at the end.
     * Called on the thread that began the work. */
    void (*report)(void *user, const char *what, double share);
    void *user;
};

/* A context's message also holds the team that shares the host work of its calls. */
struct message {
    char text[1024];
    int error;                 /* with VKS_FILE the errno of the failed system call, else 0 */
    struct team *team;         /* NULL: no team */
    const struct watch *watch; /* NULL: no callback */
};

/* The team of the message's context; NULL if m is NULL. */
static inline struct team *team_of(const struct message *m)
{
    return m ? m->team : (struct team *)0;
}

static inline void report_share(const struct message *m, const char *what, double share)
{
    if (m && m->watch)
        m->watch->report(m->watch->user, what, share);
}

/* Writes the text, unless m is NULL or already has a text. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void set_message(struct message *m, const char *format, ...);

/* Writes the message and evaluates to `status`: `return fail(m, VKS_FORMAT, "%s:%llu: ...", ...)`. It is a
 * macro, so that compilers and analysers see that it is never VKS_OK. */
#define fail(m, status, ...) (set_message(m, __VA_ARGS__), (status))

/* Returns the status of the call from the enclosing function, unless it is VKS_OK. */
#define TRY(call)                  \
    do {                           \
        vks_status tried = (call); \
        if (tried)                 \
            return tried;          \
    } while (0)

/* Makes the call if all earlier calls succeeded, in functions that release something at their end:
 *     vks_status s = allocate(...);
 *     IF_OK(s, fill(...));
 *     release(...);
 *     return s; */
#define IF_OK(status, call)    \
    do {                       \
        if (!(status))         \
            (status) = (call); \
    } while (0)

/* fail() for a file that cannot be read, opened, written ...; errno holds the reason. Returns VKS_FILE, or
 * VKS_OUT_OF_MEMORY if that is the reason. */
vks_status fail_file(struct message *m, const char *name, const char *what);

/* fail() for a host allocation of `bytes` for `what`. */
#define fail_memory(m, what, bytes) \
    fail(m, VKS_OUT_OF_MEMORY, "out of host memory: %llu bytes for %s", (unsigned long long)(bytes), what)

#endif
