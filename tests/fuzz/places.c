#include "places.h"
#include "device/context.h"
#include "findings.h"
#include "tests/support/gpu_name.h"

#include <math.h>
#include <string.h>

static const struct place all[] = {
    {.name = "host with 1 thread", .threads = 1},
    {.name = "host with 3 threads", .threads = 3, .kept = true},
    {.name = "lavapipe", .threads = 2, .vulkan = true},
    {.name = "lavapipe without waiting kernels", .threads = 2, .vulkan = true, .kept = true},
};

void places_open(struct places *p, bool host_only, bool validate)
{
    *p = (struct places){.count = host_only ? 2 : 4};
    for (int i = 0; i < p->count; i++) {
        char message[1024];
        vks_context_options o = {.device = all[i].vulkan ? gpu_name() : "host",
                                 .validate = all[i].vulkan && validate,
                                 .threads = all[i].threads,
                                 .no_waiting = i == 3,
                                 .message = message,
                                 .message_size = sizeof message};
        p->place[i] = all[i];
        if (vks_context_create(&o, &p->place[i].context))
            cannot_go_on("%s: %s", all[i].name, message);
    }
}

void places_check(const struct places *p)
{
    static uint32_t before[sizeof all / sizeof *all];
    for (int i = 0; i < p->count; i++) {
        uint32_t now = device_vulkan_messages(p->place[i].context->device);
        if (now != before[i])
            finding("%u messages of the validation layer on %s", now - before[i], p->place[i].name);
        before[i] = now;
    }
}

void places_close(struct places *p)
{
    for (int i = 0; i < p->count; i++)
        vks_context_destroy(p->place[i].context);
}

vks_vector *place_vector(const struct place *p, vks_precision precision, const double *values, uint32_t n)
{
    vks_vector *v = NULL;
    vks_status s = vks_vector_create(p->context, n, precision == VKS_F32 ? VKS_F32 : VKS_F64, &v);
    if (!s)
        s = vks_vector_write(v, 0, n, VKS_F64, values);
    if (s)
        cannot_go_on("a vector on %s: %s", p->name, vks_context_message(p->context));
    return v;
}

vks_matrix *place_matrix(const struct place *p, const struct system *s, const vks_format_options *storage,
                         vks_status *status)
{
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = s->precision, .storage = *storage};
    *status = vks_matrix_from_csr(p->context, s->rows, s->cols, s->row, s->col, s->val, &o, &A);
    if (*status && *status != VKS_LIMIT && *status != VKS_UNSUPPORTED)
        finding("a matrix on %s: %s: %s", p->name, vks_status_name(*status), vks_context_message(p->context));
    return A;
}

bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}
