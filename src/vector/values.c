/* Values between host and device, converted if the precisions differ. */
#include "device/pair.h"
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

uint64_t first_out_of_range(vks_precision of_values, const void *values, uint64_t count)
{
    const double *v = values;
    uint64_t i = of_values == VKS_F32 ? count : 0;
    while (i < count && pair_holds(v[i]))
        i++;
    return i;
}

/* Like convert_values, to and from the device; f64 is stored as pairs of floats on a device without it. */
static void to_device(bool pairs, vks_precision from_precision, const void *from, vks_precision to_precision,
                      void *to, size_t count)
{
    if (!pairs) {
        convert_values(from_precision, from, to_precision, to, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bool narrow = from_precision == VKS_F32;
        struct pair p = pair_of(narrow ? ((const float *)from)[i] : ((const double *)from)[i]);
        memcpy((char *)to + i * sizeof p, &p, sizeof p);
    }
}

static void from_device(bool pairs, vks_precision from_precision, const void *from,
                        vks_precision to_precision, void *to, size_t count)
{
    if (!pairs) {
        convert_values(from_precision, from, to_precision, to, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct pair p;
        memcpy(&p, (const char *)from + i * sizeof p, sizeof p);
        if (to_precision == VKS_F32)
            ((float *)to)[i] = p.high;
        else
            ((double *)to)[i] = pair_value(p);
    }
}

vks_status upload_values(struct device *d, struct memory *m, vks_precision on_device, uint64_t first,
                         uint64_t count, vks_precision of_values, const void *values)
{
    uint32_t there = bytes_of(on_device), here = bytes_of(of_values);
    bool pairs = in_pairs(d, on_device);
    if (on_device == of_values && !pairs)
        return device_write(d, m, first * there, values, count * there);
    double piece[PIECE];
    for (uint64_t done = 0; done < count;) {
        uint64_t some = count - done < PIECE ? count - done : PIECE;
        to_device(pairs, of_values, (const char *)values + done * here, on_device, piece, some);
        TRY(device_write(d, m, (first + done) * there, piece, some * there));
        done += some;
    }
    return VKS_OK;
}

vks_status download_values(struct device *d, const struct memory *m, vks_precision on_device, uint64_t first,
                           uint64_t count, vks_precision of_values, void *values)
{
    uint32_t there = bytes_of(on_device), here = bytes_of(of_values);
    bool pairs = in_pairs(d, on_device);
    if (on_device == of_values && !pairs)
        return device_read(d, m, first * there, values, count * there);
    double piece[PIECE];
    for (uint64_t done = 0; done < count;) {
        uint64_t some = count - done < PIECE ? count - done : PIECE;
        TRY(device_read(d, m, (first + done) * there, piece, some * there));
        from_device(pairs, on_device, piece, of_values, (char *)values + done * here, some);
        done += some;
    }
    return VKS_OK;
}
