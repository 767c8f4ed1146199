#include "support/input.h"
#include "command/models/generate_matrix.h"
#include "support/jump.h"

#include <stdlib.h>
#include <string.h>

vks_status input_load(struct message *m, const char *what, bool coordinates, struct input *in)
{
    static const char elasticity[] = "elasticity3d:";
    *in = (struct input){.what = what};
    vks_status s = problem_load_or_jump(m, what, &in->a);
    if (!s && coordinates && !strncmp(what, elasticity, sizeof elasticity - 1))
        s = generate_coordinates(m, (uint32_t)strtoul(what + sizeof elasticity - 1, NULL, 10), &in->at);
    return s;
}

void input_free(struct input *in)
{
    coordinates_free(&in->at);
    host_csr_free(&in->a);
}

bool input_take_coordinates(const struct input *in, struct precond_words *words)
{
    bool taken = false;
    for (uint32_t i = 0; i < words->count; i++) {
        vks_precond_options *o = &words->options[i];
        if (o->kind != VKS_PRECOND_AMG || o->amg.block || !in->at.nodes)
            continue;
        o->amg.dimensions = in->at.dim;
        o->amg.coordinates = in->at.value;
        taken = true;
    }
    return taken;
}
