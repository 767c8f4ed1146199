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
    enum precision f = precision_of(from_precision), t = precision_of(to_precision);
    if (f == t)
        memcpy(to, from, count * real_bytes(t));
    else if (t == PRECISION_F64)
        scalar_read(f, from, count, to);
    else if (f == PRECISION_F64)
        scalar_write(t, to, count, from);
    else
        for (size_t i = 0; i < count; i++)
            scalar_put(t, to, i, scalar_get(f, from, i));
}

uint64_t first_out_of_range(vks_precision of_values, const void *values, uint64_t count)
{
    const double *v = values;
    uint64_t i = of_values == VKS_F32 ? count : 0;
    while (i < count && pair_holds(v[i]))
        i++;
    return i;
}

/* convert_values to and from the device; a device without f64 stores it as pairs of floats. */
static void to_device(bool pairs, vks_precision from_precision, const void *from, vks_precision to_precision,
                      void *to, size_t count)
{
    if (!pairs) {
        convert_values(from_precision, from, to_precision, to, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct pair p = pair_of(scalar_get(precision_of(from_precision), from, i));
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
        scalar_put(precision_of(to_precision), to, i, pair_value(p));
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
