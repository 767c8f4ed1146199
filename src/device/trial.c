#include "device/trial.h"
#include "device/record.h"
#include "device/room.h"
#include "shaders/primitive/trial.h"

#include <math.h>
#include <string.h>

/* The most polls of a trial: a few milliseconds, spent only if the workgroups are not co-resident. */
enum { TRIAL_POLLS = 1 << 12 };

/* The trial's results in one precision. */
struct found {
    bool fuses, exchanges, polls;
};

/* a, b and c of a case. Even cases: 1 + k 2^-h, 1 + (2 k + 1) 2^-h with h = bits / 2 + 1, and -a b rounded.
 * Odd cases: a tiny a b, and an odd multiple of an ulp whose sum with it is next to a midpoint. */
struct operands {
    double a, b, c;
};

/* In even cases the result is exactly the rounding error of the product. Odd cases lie so close to the
 * midpoint of two numbers that a sum in a wider precision, rounded again, gives the wrong number. */
static struct operands operands_of(uint32_t i, enum precision p)
{
    int bits = scalar_types[p].digits;
    const uint32_t pair = 1 + i / 2;
    double ulp = ldexp(1, -bits), k = pair;
    if (i % 2) {
        double c = 1 + (2 * k + 1) * ulp, sign = i % 4 == 1 ? 1 : -1;
        return (struct operands){ldexp(1 + sign * ulp, -bits - 1), 1 - sign * ulp, c};
    }
    double a = 1 + ldexp(k, -bits / 2 - 1), b = 1 + ldexp(2 * k + 1, -bits / 2 - 1);
    return (struct operands){a, b, -scalar_round(p, a * b)};
}

static double right_of(struct operands x, enum precision p)
{
    return p == PRECISION_F64 ? fma(x.a, x.b, x.c) : (double)fmaf((float)x.a, (float)x.b, (float)x.c);
}

/* Bytes of one array of a trial's numbers. Shared memory holds a, b, c and the results, then the words. */
static uint64_t numbers_bytes(enum precision p)
{
    return (uint64_t)TRIAL_CASES * real_bytes(p);
}

static void fill(const struct memory *m, enum precision p)
{
    char *at = m->mapped;
    memset(at, 0, m->bytes);
    for (uint32_t i = 0; i < TRIAL_CASES; i++) {
        struct operands x = operands_of(i, p);
        scalar_put(p, at, i, x.a);
        scalar_put(p, at, TRIAL_CASES + i, x.b);
        scalar_put(p, at, 2 * TRIAL_CASES + i, x.c);
    }
    uint32_t *words = (void *)(at + 4 * numbers_bytes(p));
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        words[TRIAL_PLACES + i] = TRIAL_WRONG;
}

static void record(struct rec *r, const struct memory *m)
{
    uint64_t bytes = numbers_bytes(r->precision);
    run(r, trial, TRIAL_GROUPS, .a = (reals)(uintptr_t)m->address,
        .b = (reals)(uintptr_t)(m->address + bytes), .c = (reals)(uintptr_t)(m->address + 2 * bytes),
        .fused = (reals)(uintptr_t)(m->address + 3 * bytes), .words = words_in(m, bytes),
        .polls = r->device->info.polls ? TRIAL_POLLS : 0);
}

static struct found find(const struct memory *m, enum precision p, uint32_t groups)
{
    const char *at = m->mapped;
    const uint32_t *words = (const void *)(at + 4 * numbers_bytes(p));
    struct found f = {true, true, words[TRIAL_CO_RESIDENT] == groups};
    for (uint32_t i = 0; i < TRIAL_CASES; i++)
        f.fuses = f.fuses && scalar_get(p, at, 3 * TRIAL_CASES + i) == right_of(operands_of(i, p), p);
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        f.exchanges = f.exchanges && words[TRIAL_PLACES + i] == i % 256;
    return f;
}

static void correct(struct device_info *info, const struct memory m[], uint32_t precisions, bool without_fma)
{
    uint32_t groups =
        info->kind == DEVICE_HOST || TRIAL_GROUPS < info->max_groups ? TRIAL_GROUPS : info->max_groups;
    info->fuses = !without_fma;
    for (uint32_t p = 0; p < precisions; p++) {
        struct found f = find(&m[p], p, groups);
        info->fuses &= f.fuses;
        info->subgroups &= info->fuses && f.exchanges;
        info->polls = f.polls ? info->polls : 0;
    }
}

vks_status device_trial(struct device *d, const struct device_options *o)
{
    uint32_t precisions = d->info.f64 ? REAL_PRECISIONS : 1;
    struct memory m[REAL_PRECISIONS] = {{0}};
    struct room w = {.device = d};
    struct rec r = rec_once(d, PRECISION_F32);
    for (uint32_t p = 0; p < precisions; p++) {
        uint64_t bytes = 4 * numbers_bytes(p) + 4 * (uint64_t)TRIAL_WORDS;
        m[p] = room_memory(&w, MEMORY_SHARED, bytes, "a trial");
        if (w.status)
            break;
        fill(&m[p], p);
        r.precision = p;
        record(&r, &m[p]);
    }
    vks_status s = w.status ? w.status : rec_try(&r);
    if (!s)
        correct(&d->info, m, precisions, o->without_fma);
    rec_destroy(&r);
    room_close(&w);
    return s;
}
