#include "cli/problem.h"
#include "cli/generate_matrix.h"
#include "cli/options.h"
#include "market/market.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_KIND = 32 };

/* The kind of "poisson3d:64", and what stands behind the colon; NULL: it names no model problem. */
static const char *split(const char *what, char kind[LONGEST_KIND])
{
    static const char *const kinds[] = {
#define X(name, text) #name,
        MODEL_PROBLEMS(X)
#undef X
    };
    const char *colon = strchr(what, ':');
    if (!colon || colon - what >= LONGEST_KIND)
        return NULL;
    snprintf(kind, LONGEST_KIND, "%.*s", (int)(colon - what), what);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i]))
            return colon + 1;
    return NULL;
}

bool problem_is_model(const char *what)
{
    char kind[LONGEST_KIND];
    return split(what, kind) != NULL;
}

vks_status problem_load(struct message *m, const char *what, struct host_csr *a)
{
    char kind[LONGEST_KIND];
    const char *given = split(what, kind);
    uint32_t size;
    *a = (struct host_csr){0};
    if (given && !parse_count(given, 1, UINT32_MAX, &size))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: '%s' is no size of a model problem, a whole number from 1 to %u", what, given,
                    UINT32_MAX);
    if (given)
        return generate_matrix(m, kind, size, a);
    struct market file = {0};
    vks_status s = market_read(m, what, &file);
    if (!s)
        s = host_csr_assemble(m, &file.entries, a);
    market_free(&file);
    return s;
}
