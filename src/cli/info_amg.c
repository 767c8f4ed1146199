#include "cli/info_amg.h"
#include "cli/coordinates.h"
#include "cli/devices.h"
#include "cli/hierarchy.h"
#include "cli/words.h"
#include "vksolve/vksolve.h"

#include <stdio.h>

static vks_status ask(vks_context *c, const vks_device_info *d, const struct host_csr *a,
                      const vks_amg_options *nodes, vks_precond_facts *out)
{
    vks_matrix_options options = {.precision = d->f64 ? VKS_F64 : VKS_F32};
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1, .amg = *nodes};
    vks_matrix *A = NULL;
    vks_precond *M = NULL;
    vks_status s = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &options, &A);
    if (!s)
        s = vks_precond_create(A, &amg, &M);
    if (!s)
        s = vks_precond_report(M, out);
    vks_precond_destroy(M);
    vks_matrix_destroy(A);
    return s;
}

static vks_status open_and_ask(struct message *m, const char *device, const struct host_csr *a,
                               const vks_amg_options *nodes, vks_precond_facts *out)
{
    vks_context *c = NULL;
    vks_device_info found;
    vks_status s = device_open(m, device ? device : "host", &(vks_context_options){0}, &c, &found);
    if (!s) {
        s = ask(c, &found, a, nodes, out);
        if (s)
            snprintf(m->text, sizeof m->text, "%s", vks_context_message(c));
    }
    vks_context_destroy(c);
    return s;
}

vks_status info_amg(struct message *m, const char *device, const struct host_csr *a, struct info_nodes nodes,
                    vks_precond_facts *out)
{
    struct coordinates at = {0};
    vks_status s = nodes.coordinates ? coordinates_read(m, nodes.coordinates, a->rows, &at) : VKS_OK;
    vks_amg_options o = {.block = nodes.block, .dimensions = at.dim, .coordinates = at.value};
    if (!s)
        s = open_and_ask(m, device, a, &o, out);
    coordinates_free(&at);
    return s;
}

void info_amg_print(const vks_precond_facts *x)
{
    const vks_hierarchy *h = &x->hierarchy;
    if (x->reason) {
        printf("multigrid   %s: %s\n", vks_reason_name(x->reason), x->detail);
        return;
    }
    printf("multigrid   %u level%s in f32, set up in %s\n", h->levels, h->levels == 1 ? "" : "s",
           words_seconds(x->seconds_setup).text);
    hierarchy_print(h, x->bytes, stdout);
}

void info_amg_json(const vks_precond_facts *x, struct json *j)
{
    json_object(j, "amg");
    json_string(j, "reason", x->reason ? vks_reason_name(x->reason) : NULL);
    json_string(j, "detail", x->detail);
    json_count(j, "bytes", x->bytes);
    json_number(j, "seconds", x->seconds_setup);
    hierarchy_to_json(&x->hierarchy, j);
    json_end_object(j);
}
