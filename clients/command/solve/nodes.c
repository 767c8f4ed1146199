#include "command/solve/nodes.h"

/* The first multigrid among the nested preconditioners; NULL if there is none. */
static vks_precond_options *find_amg(struct solve_job *job)
{
    for (uint32_t i = 0; i < job->set.precond.count; i++)
        if (job->set.precond.options[i].kind == VKS_PRECOND_AMG)
            return &job->set.precond.options[i];
    return NULL;
}

/* Reordering would separate the unknowns of a node. */
static vks_status check_order(struct message *m, const struct solve_job *job, const vks_precond_options *o)
{
    if (job->set.reorder && (o->amg.block > 1 || job->set.coordinates))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "--reorder %s would separate the unknowns of a node, which amg keeps together; order the "
                    "nodes beforehand",
                    solve_orders[job->set.reorder]);
    return VKS_OK;
}

/* Whether the choice of a preconditioner for cg is left to the command. */
static bool chooses(const struct solve_job *job)
{
    return solve_by_cg(job) && job->set.precond.options[0].kind == VKS_PRECOND_AUTO;
}

/* A constant column is more often a mistake than a plane. */
static void warn_if_flat(struct solve_job *job)
{
    uint32_t flat = coordinates_flat(&job->coordinates);
    if (flat && job->coordinates.nodes > 1)
        solve_warn(job, "%s: all nodes lie %s; if those of A do not, more iterations are needed",
                   job->set.coordinates, flat + 1 == job->coordinates.dim ? "on a line" : "in a plane");
}

vks_status solve_take_nodes(struct message *m, struct solve_job *job)
{
    vks_precond_options *o = find_amg(job);
    if (!o && job->set.coordinates && chooses(job)) { /* nodes mean a vector problem */
        o = job->set.precond.options;
        *o = (vks_precond_options){.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    }
    if (!o)
        return job->set.coordinates ? fail(m, VKS_INVALID_ARGUMENT, "--coordinates is for --precond amg")
                                    : VKS_OK;
    TRY(check_order(m, job, o));
    if (!job->set.coordinates)
        return VKS_OK;
    TRY(coordinates_read(m, job->set.coordinates, job->a.rows, &job->coordinates));
    o->amg.dimensions = job->coordinates.dim;
    o->amg.coordinates = job->coordinates.value;
    warn_if_flat(job);
    return VKS_OK;
}
