#include "command/models/problem.h"
#include "command/models/generate_matrix.h"
#include "command/models/powerlaw.h"
#include "command/shared/options.h"
#include "files/files.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

static const char *const models[] = {
#define X(name, text) #name,
    MODEL_PROBLEMS(X)
#undef X
};
enum { MODELS = sizeof models / sizeof *models };

static const struct {
    const char *name;
    enum powerlaw_kind kind;
    uint32_t mean; /* the default */
} graphs[] = {{"powerlaw", POWERLAW_DIRECTED, 16}, {"powerlawspd", POWERLAW_SPD, 8}};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* "poisson3d:64" or "powerlaw:1024:8" */
struct name {
    char kind[LONGEST], size[LONGEST], mean[LONGEST];
    bool has_mean;
    int model, graph; /* by the lists above; MODELS, GRAPHS: neither */
};

/* Whether `what` names a model problem or a graph. */
static bool read_name(const char *what, struct name *n)
{
    size_t kind = strcspn(what, ":");
    *n = (struct name){.model = 0};
    if (!what[kind] || kind >= LONGEST)
        return false;
    snprintf(n->kind, LONGEST, "%.*s", (int)kind, what);
    while (n->model < MODELS && strcmp(n->kind, models[n->model]))
        n->model++;
    while (n->graph < GRAPHS && strcmp(n->kind, graphs[n->graph].name))
        n->graph++;
    const char *size = what + kind + 1;
    size_t length = n->graph < GRAPHS ? strcspn(size, ":") : strlen(size);
    snprintf(n->size, LONGEST, "%.*s", (int)length, size);
    n->has_mean = size[length] != 0;
    if (n->has_mean)
        snprintf(n->mean, LONGEST, "%s", size + length + 1);
    return n->model < MODELS || n->graph < GRAPHS;
}

bool problem_is_model(const char *what)
{
    struct name name;
    return read_name(what, &name);
}

static vks_status make(struct message *m, const char *what, const struct name *name, struct host_csr *a)
{
    uint32_t size, mean;
    if (!parse_count(name->size, 1, UINT32_MAX, &size))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%s: '%s' is not a size of a model problem, a whole number from 1 to %u", what,
                    name->size, UINT32_MAX);
    if (name->model < MODELS)
        return generate_matrix(m, name->kind, size, a);
    mean = graphs[name->graph].mean;
    if (name->has_mean && !parse_count(name->mean, 1, UINT32_MAX, &mean))
        return fail(m, VKS_INVALID_ARGUMENT, "%s: '%s' is not a mean length of rows, a whole number from 1",
                    what, name->mean);
    return powerlaw(m, graphs[name->graph].kind, size, mean, a);
}

vks_status problem_load(struct message *m, const char *what, struct host_csr *a)
{
    struct name name;
    *a = (struct host_csr){0};
    if (read_name(what, &name))
        return make(m, what, &name, a);
    struct market file = {0};
    vks_status s = files_read_matrix(m, what, &file);
    IF_OK(s, host_csr_assemble(m, &file.entries, a));
    market_free(&file);
    return s;
}
