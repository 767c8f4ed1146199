#include "report/words.h"
#include "scalar/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const words_precisions[] = {
#define X(NAME, name, type, element, real, stored, limits, rtol) [VKS_##NAME] = #name,
    SCALAR_TYPES(X)
#undef X
        [PRECISIONS] = NULL};

struct words words_count(uint64_t count)
{
    struct words w = {""};
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            w.text[used++] = ',';
        w.text[used++] = digits[i];
    }
    return w;
}

/* Writes at least three digits, and all digits before the decimal point. */
static struct words with_unit(double value, const char *unit)
{
    struct words w;
    int decimals = value >= 99.95 || value == 0 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(w.text, sizeof w.text, "%.*f %s", decimals, value, unit);
    return w;
}

struct words words_seconds(double seconds)
{
    if (seconds < 0.9995e-3)
        return with_unit(1e6 * seconds, "us");
    return seconds < 0.9995 ? with_unit(1e3 * seconds, "ms") : with_unit(seconds, "s");
}

static struct words scaled(double value, double step, const char *const *units)
{
    struct words w;
    if (value < 0.9995 * step) {
        snprintf(w.text, sizeof w.text, "%.0f %s", value, *units);
        return w;
    }
    for (; units[1] && value >= 0.9995 * step; units++)
        value /= step;
    return with_unit(value, *units);
}

struct words words_bytes(double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", NULL};
    return scaled(bytes, 1000, units);
}

struct words words_memory(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", NULL};
    return scaled((double)bytes, 1024, units);
}

struct words words_number(double value)
{
    struct words w;
    if (isnan(value))
        snprintf(w.text, sizeof w.text, "undefined");
    else
        snprintf(w.text, sizeof w.text, "%.3g", value);
    return w;
}

struct words words_name(const char *path)
{
    struct words w;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    static const char *const endings[] = {".gz", ".mtx"};
    for (int i = 0; i < 2; i++) {
        size_t more = strlen(endings[i]);
        if (length > more && !memcmp(name + length - more, endings[i], more))
            length -= more;
    }
    if (!strcmp(path, "-"))
        snprintf(w.text, sizeof w.text, "standard input");
    else
        snprintf(w.text, sizeof w.text, "%.*s", length < 40 ? (int)length : 40, name);
    return w;
}
