/* A first lesson in GPU computing: lists the devices, and adds two arrays on one, timed by its own clock. */
#include <stdio.h>
#include <stdlib.h>
#include <vksolve/vksolve.h>

enum { N = 1 << 22, MOST_DEVICES = 16 };

static void list_devices(void)
{
    vks_device_info device[MOST_DEVICES];
    uint32_t count = 0;
    vks_device_list(device, MOST_DEVICES, &count);
    for (uint32_t i = 0; i < count && i < MOST_DEVICES; i++)
        printf("  %u: %s (%s)%s\n", i, device[i].name, vks_device_kind_text(device[i].kind),
               device[i].usable ? "" : ", not usable");
}

/* y = x + y on the device; *seconds is the time that it took there. */
static vks_status add(vks_context *c, const float *x, float *y, double *seconds)
{
    vks_vector *a = NULL, *b = NULL;
    vks_status s = vks_vector_create(c, N, VKS_F32, &a);
    s = s ? s : vks_vector_create(c, N, VKS_F32, &b);
    s = s ? s : vks_vector_write(a, 0, N, VKS_F32, x);
    s = s ? s : vks_vector_write(b, 0, N, VKS_F32, y);
    s = s ? s : vks_vector_axpy(1, a, b);
    s = s ? s : vks_context_kernel_seconds(c, seconds);
    s = s ? s : vks_vector_read(b, 0, N, VKS_F32, y);
    vks_vector_destroy(a);
    vks_vector_destroy(b);
    return s;
}

int main(int argc, char **argv)
{
    list_devices();
    static float x[N], y[N];
    char message[256] = "";
    vks_context_options o = {
        .device = argc > 1 ? argv[1] : NULL, .timestamps = 1, .message = message, .message_size = 256};
    vks_context *c;
    if (vks_context_create(&o, &c)) {
        fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < N; i++)
        y[i] = 2 * (x[i] = (float)i);
    double seconds = 0;
    int wrong = 0, failed = add(c, x, y, &seconds) != VKS_OK;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (float)(3.0 * i);
    if (failed)
        fprintf(stderr, "%s\n", vks_context_message(c));
    else
        printf("%d additions in %.3g ms, %.3g GB/s; %d wrong\n", N, 1e3 * seconds,
               3e-9 * sizeof(float) * N / seconds, wrong);
    vks_context_destroy(c);
    return failed || wrong;
}
