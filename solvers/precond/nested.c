/* Copies of nested options, for handles that outlive the call. */
#include "report/message.h"
#include "solvers/precond.h"

#include <stdlib.h>
#include <string.h>

const vks_precond_options *precond_copy_options(struct nested_options *to, const vks_precond_options *o)
{
    uint32_t depth = 0;
    for (; o && depth < VKS_LARGEST_NESTING; o = o->inner) {
        to->of[depth] = *o;
        if (depth)
            to->of[depth - 1].inner = &to->of[depth];
        depth++;
    }
    return depth ? to->of : NULL;
}

/* Element counts of the two arrays. */
static size_t coordinates_of(const vks_amg_options *o, uint32_t rows)
{
    return o->dimensions ? rows : 0; /* a node has as many unknowns as coordinates */
}

static size_t vectors_of(const vks_amg_options *o, uint32_t rows)
{
    return (size_t)o->vectors * rows;
}

vks_status precond_copy_arrays(struct message *m, uint32_t rows, struct nested_options *to)
{
    for (uint32_t i = 0; i < VKS_LARGEST_NESTING; i++) {
        vks_amg_options *o = &to->of[i].amg;
        size_t coordinates = coordinates_of(o, rows), vectors = vectors_of(o, rows);
        uint64_t bytes = (coordinates + vectors) * sizeof(double);
        if (!bytes)
            continue;
        double *copy = to->arrays[i] = malloc(bytes);
        if (!copy)
            return fail_memory(m, "the near-null vectors of a preconditioner", bytes);
        if (coordinates)
            memcpy(copy, o->coordinates, coordinates * sizeof *copy);
        if (vectors)
            memcpy(copy + coordinates, o->near_null, vectors * sizeof *copy);
        o->coordinates = coordinates ? copy : NULL;
        o->near_null = vectors ? copy + coordinates : NULL;
    }
    return VKS_OK;
}

void precond_free_arrays(struct nested_options *to)
{
    for (uint32_t i = 0; i < VKS_LARGEST_NESTING; i++) {
        free(to->arrays[i]);
        to->arrays[i] = NULL;
    }
}
