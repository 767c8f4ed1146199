/* Values between host and device, converted on the way where the precisions differ. */
#include "vector/vector.h"

#include <string.h>

enum { PIECE = 16384 };

static uint32_t bytes_of(vks_precision p)
{
    return real_bytes(precision_of(p));
}

void convert_values(vks_precision from_precision, const void *from, vks_precision to_precision, void *to,
                    size_t count)
{
    if (from_precision == to_precision) {
        memcpy(to, from, count * bytes_of(to_precision));
    } else if (to_precision == VKS_F32) {
        const double *f = from;
        float *t = to;
        for (size_t i = 0; i < count; i++)
            t[i] = (float)f[i];
    } else {
        const float *f = from;
        double *t = to;
        for (size_t i = 0; i < count; i++)
            t[i] = f[i];
    }
}

vks_status upload_values(struct device *d, struct memory *m, vks_precision on_device, uint64_t first,
                         uint64_t count, vks_precision of_values, const void *values)
{
    uint32_t there = bytes_of(on_device), here = bytes_of(of_values);
    if (on_device == of_values)
        return device_write(d, m, first * there, values, count * there);
    double piece[PIECE];
    vks_status s = VKS_OK;
    for (uint64_t done = 0; !s && done < count;) {
        uint64_t some = count - done < PIECE ? count - done : PIECE;
        convert_values(of_values, (const char *)values + done * here, on_device, piece, some);
        s = device_write(d, m, (first + done) * there, piece, some * there);
        done += some;
    }
    return s;
}

vks_status download_values(struct device *d, const struct memory *m, vks_precision on_device, uint64_t first,
                           uint64_t count, vks_precision of_values, void *values)
{
    uint32_t there = bytes_of(on_device), here = bytes_of(of_values);
    if (on_device == of_values)
        return device_read(d, m, first * there, values, count * there);
    double piece[PIECE];
    vks_status s = VKS_OK;
    for (uint64_t done = 0; !s && done < count;) {
        uint64_t some = count - done < PIECE ? count - done : PIECE;
        s = device_read(d, m, (first + done) * there, piece, some * there);
        convert_values(on_device, piece, of_values, (char *)values + done * here, some);
        done += some;
    }
    return s;
}
