#include "verify/verifying.h"
#include "verify/named.h"

#include <inttypes.h>
#include <stdio.h>

vks_context *verifying_open(const char *program, const char *device)
{
    char message[1024] = "";
    vks_context *c;
    vks_context_options options = {.device = device, .message = message, .message_size = sizeof message};
    if (vks_context_create(&options, &c))
        fprintf(stderr, "%s: %s\n", program, message);
    return c;
}

static vks_status verify_argument(const char *program, vks_context *c, verify_one *verify,
                                  const void *options, const char *what, struct tally *t)
{
    struct message m = {0};
    struct paths p;
    vks_status s = paths_of(&m, what, &p);
    if (s)
        fprintf(stderr, "%s: %s\n", program, m.text);
    for (size_t i = 0; i < p.count && !s; i++)
        s = verify(c, options, p.path[i], p.count > 1, t);
    paths_free(&p);
    return s;
}

int verifying_run(const char *program, vks_context *c, verify_one *verify, const void *options, int count,
                  char *const *what)
{
    struct tally t = {0};
    vks_status s = VKS_OK;
    for (int i = 0; i < count && !s; i++)
        s = verify_argument(program, c, verify, options, what[i], &t);
    vks_context_destroy(c);
    fprintf(stderr,
            "%" PRIu32 " verified, %" PRIu32 " break a bound, %" PRIu32
            " files left out (not square, no rows, too large, or not readable)\n",
            t.verified, t.broken, t.left_out);
    return s ? 1 : t.broken ? 2 : 0;
}
