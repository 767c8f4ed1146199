#include "cli/problem.h"
#include "cli/generate_matrix.h"
#include "cli/options.h"
#include "market/market.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_KIND = 32 };

/* "poisson3d:64" */
static bool split(const char *what, char kind[LONGEST_KIND], uint32_t *size)
{
    static const char *const kinds[] = {
#define X(name, text) #name,
        MODEL_PROBLEMS(X)
#undef X
    };
    const char *colon = strchr(what, ':');
    if (!colon || colon - what >= LONGEST_KIND)
        return false;
    snprintf(kind, LONGEST_KIND, "%.*s", (int)(colon - what), what);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i]))
            return parse_count(colon + 1, 1, UINT32_MAX, size);
    return false;
}

bool problem_is_model(const char *what)
{
    char kind[LONGEST_KIND];
    uint32_t size;
    return split(what, kind, &size);
}

vks_status problem_load(struct message *m, const char *what, struct host_csr *a)
{
    char kind[LONGEST_KIND];
    uint32_t size;
    *a = (struct host_csr){0};
    if (split(what, kind, &size))
        return generate_matrix(m, kind, size, a);
    struct market file = {0};
    vks_status s = market_read(m, what, &file);
    if (!s)
        s = host_csr_assemble(m, &file.entries, a);
    market_free(&file);
    return s;
}
