#include "command/shared/amg.h"
#include "command/shared/coordinates.h"
#include "command/shared/device.h"
#include "report/words.h"
#include "solvers/hierarchy_text.h"
#include "vksolve/vksolve.h"

#include <stdio.h>

/* The matrix, the options of the hierarchy, and a callback. */
struct question {
    const struct host_csr *a;
    vks_precond_options amg;
    hierarchy_seen *seen;
};

static vks_status ask(struct message *m, vks_context *c, const vks_device_info *d, const struct question *q,
                      vks_precond_facts *out)
{
    vks_matrix_options options = {.precision = d->f64 ? VKS_F64 : VKS_F32};
    const struct host_csr *a = q->a;
    vks_matrix *A = NULL;
    vks_precond *M = NULL;
    vks_status s = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &options, &A);
    IF_OK(s, vks_precond_create(A, &q->amg, &M));
    IF_OK(s, vks_precond_report(M, out));
    if (!s && q->seen)
        s = q->seen(m, M, out);
    if (s)
        set_message(m, "%s", vks_context_message(c));
    vks_precond_destroy(M);
    vks_matrix_destroy(A);
    return s;
}

vks_status amg_make(struct message *m, const char *device, const struct host_csr *a, struct amg_nodes nodes,
                    bool in_f32, hierarchy_seen *seen, vks_precond_facts *out)
{
    struct coordinates at = {0};
    vks_context *c = NULL;
    vks_device_info found;
    vks_status s = nodes.coordinates ? coordinates_read(m, nodes.coordinates, a->rows, &at) : VKS_OK;
    struct question q = {a,
                         {.kind = VKS_PRECOND_AMG,
                          .in_f32 = in_f32,
                          .amg = {.block = nodes.block, .dimensions = at.dim, .coordinates = at.value}},
                         seen};
    IF_OK(s, device_open_or_host(m, device, &c, &found));
    IF_OK(s, ask(m, c, &found, &q, out));
    vks_context_destroy(c);
    coordinates_free(&at);
    return s;
}

void amg_print(const vks_precond_facts *x)
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

void amg_to_json(const vks_precond_facts *x, struct json *j)
{
    json_object(j, "amg");
    json_string(j, "reason", x->reason ? vks_reason_name(x->reason) : NULL);
    json_string(j, "detail", x->detail);
    json_count(j, "bytes", x->bytes);
    json_number(j, "seconds", x->seconds_setup);
    hierarchy_to_json(&x->hierarchy, j);
    json_end_object(j);
}
