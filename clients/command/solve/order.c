#include "command/solve/order.h"
#include "entries/rcm.h"
#include "report/clock.h"
#include "report/words.h"

#include <stdlib.h>

static vks_status reorder(struct message *m, const struct solve_job *job, struct solve_order *o)
{
    const struct host_csr *a = &job->a;
    size_t n = a->rows;
    uint32_t *place = malloc(n * sizeof *place + 1);
    o->order = malloc(n * sizeof *o->order + 1);
    o->b = malloc(n * sizeof *o->b + 1);
    vks_status status = place && o->order && o->b ? rcm_order(m, a, o->order)
                                                  : fail_memory(m, "the order of the unknowns",
                                                                n * (2 * sizeof *place + sizeof *o->b));
    if (!status) {
        rcm_invert(a->rows, o->order, place);
        o->before = rcm_band(a, NULL);
        o->after = rcm_band(a, place);
        status = host_csr_permute(m, a, place, &o->a);
    }
    free(place);
    return status;
}

vks_status solve_reorder(struct message *m, struct solve_job *job)
{
    if (!job->set.reorder)
        return VKS_OK;
    if (solves_at_once(job->set.method)) {
        solve_warn(job, "A is not reordered: %s",
                   job->set.method == VKS_METHOD_DIRECT ? "UMFPACK does this itself"
                                                        : "gauss-jordan takes it as a dense matrix");
        return VKS_OK;
    }
    double begun = clock_seconds();
    vks_status status = reorder(m, job, &job->order);
    job->order.seconds = clock_seconds() - begun;
    return status;
}

const double *solve_order_there(const struct solve_order *o, uint32_t n, const double *b)
{
    if (!o->order)
        return b;
    for (uint32_t i = 0; i < n; i++)
        o->b[i] = b[o->order[i]];
    return o->b;
}

void solve_order_back(const struct solve_order *o, uint32_t n, double *x)
{
    if (!o->order)
        return;
    for (uint32_t i = 0; i < n; i++)
        o->b[i] = x[i];
    for (uint32_t i = 0; i < n; i++)
        x[o->order[i]] = o->b[i];
}

void solve_order_free(struct solve_order *o)
{
    host_csr_free(&o->a);
    free(o->order);
    free(o->b);
    *o = (struct solve_order){0};
}

static uint32_t width(struct band b)
{
    return b.lower > b.upper ? b.lower : b.upper;
}

void solve_order_print(const struct solve_job *job, FILE *to)
{
    const struct solve_order *o = &job->order;
    if (!o->order)
        return;
    bool gained = width(o->after) < width(o->before) || o->after.mean < o->before.mean;
    fprintf(to, "order       %s in %s: bandwidth %s, was %s; mean |i - j| %.4g, was %.4g%s\n",
            solve_orders[job->set.reorder], words_seconds(o->seconds).text, words_count(width(o->after)).text,
            words_count(width(o->before)).text, o->after.mean, o->before.mean, gained ? "" : " (no gain)");
}

void solve_order_to_json(const struct solve_job *job, struct json *j)
{
    const struct solve_order *o = &job->order;
    if (!o->order) {
        json_null(j, "reorder");
        return;
    }
    json_object(j, "reorder");
    json_string(j, "name", solve_orders[job->set.reorder]);
    json_number(j, "seconds", o->seconds);
    json_count(j, "bandwidth_before", width(o->before));
    json_count(j, "bandwidth", width(o->after));
    json_number(j, "mean_distance_before", o->before.mean);
    json_number(j, "mean_distance", o->after.mean);
    json_end_object(j);
}
