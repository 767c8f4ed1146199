/* Parts of the command: JSON, words for numbers, the estimate of the progress line, the choice of a
 * device. */
#include "command/solve/device_choice.h"
#include "command/solve/live.h"
#include "command/solve/polls.h"
#include "json_valid.h"
#include "report/json.h"
#include "report/words.h"
#include "tests/support/own.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static void expect_written(struct json *j, const char *text)
{
    OWNED(char) *written = json_take(j);
    cr_assert(written);
    cr_expect(json_valid(written));
    cr_expect_eq(strncmp(written, text, strlen(text)), 0, "%s instead of %s", written, text);
    cr_expect_str_eq(written + strlen(text), "\n");
}

static void expect_string(const char *value, const char *text)
{
    struct json j = {0};
    json_string(&j, NULL, value);
    expect_written(&j, text);
}

Test(json, strings)
{
    expect_string("", "\"\"");
    expect_string(NULL, "null");
    expect_string("a/b", "\"a/b\"");
    expect_string("\"\\\b\f\n\r\t", "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    expect_string("\x01\x1F\x7F", "\"\\u0001\\u001f\\u007f\"");
    expect_string("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x99\x82", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x99\x82\"");
    /* stray, overlong, surrogate, beyond U+10FFFF, cut off */
    expect_string("\x80", "\"\xEF\xBF\xBD\"");
    expect_string("\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    expect_string("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    expect_string("\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    expect_string("a\xE2\x82", "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void expect_number(double value, const char *text)
{
    struct json j = {0};
    json_number(&j, NULL, value);
    expect_written(&j, text);
}

Test(json, numbers)
{
    expect_number(0, "0");
    expect_number(-0.0, "-0");
    expect_number(0.1, "0.1");
    expect_number(1.0 / 3, "0.3333333333333333");
    expect_number(2.0 / 3 * 0.1, "0.06666666666666667");
    expect_number(0.1 + 0.2, "0.30000000000000004");
    expect_number(1e-8, "1e-08");
    expect_number(5e-324, "4.94065645841247e-324");
    expect_number(1.7976931348623157e308, "1.7976931348623157e+308");
    expect_number(NAN, "null");
    expect_number(-INFINITY, "null");
}

Test(json, numbers_in_other_locales)
{
    const char *const names[] = {"de_DE.UTF-8", "fa_IR.UTF-8", "ps_AF.UTF-8"};
    for (int i = 0; i < 3; i++)
        if (setlocale(LC_ALL, names[i])) /* if it is installed */
            expect_number(-0.5, "-0.5");
}

Test(json, nesting)
{
    struct json j = {0};
    json_object(&j, NULL);
    json_array(&j, "empty");
    json_end_array(&j);
    json_array(&j, "list");
    for (uint64_t i = 0; i < 1000; i++)
        json_count(&j, NULL, i);
    json_object(&j, NULL);
    json_end_object(&j);
    json_end_array(&j);
    json_bool(&j, "yes", true);
    json_null(&j, "nothing");
    json_end_object(&j);
    OWNED(char) *text = json_take(&j);
    cr_assert(text);
    cr_expect(json_valid(text));
    cr_expect(strstr(text, "\"empty\": [],") && strstr(text, "999,") && strstr(text, "{}"));
}

Test(json, the_reader_of_these_tests)
{
    const char *const good[] = {"{}", "[1, -2.5e-3, \"\\u00e4\"]", " {\"a\": {\"b\": [null, true]}} "};
    const char *const bad[] = {"",   "{",      "{}{}", "[1,]",   "{\"a\" 1}", "01",
                               "1.", "\"\n\"", "nul",  "{a: 1}", "NaN"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(json_valid(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(json_valid(bad[i]), "%s", bad[i]);
}

Test(words, numbers)
{
    cr_expect_str_eq(words_count(0).text, "0");
    cr_expect_str_eq(words_count(999).text, "999");
    cr_expect_str_eq(words_count(1000).text, "1,000");
    cr_expect_str_eq(words_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
    cr_expect_str_eq(words_seconds(0).text, "0 us");
    cr_expect_str_eq(words_seconds(31.24e-6).text, "31.2 us");
    cr_expect_str_eq(words_seconds(0.99951).text, "1.00 s");
    cr_expect_str_eq(words_seconds(7412.3).text, "7412 s");
    cr_expect_str_eq(words_bytes(12).text, "12 bytes");
    cr_expect_str_eq(words_bytes(3.61e6).text, "3.61 MB");
    cr_expect_str_eq(words_bytes(999.9e9).text, "1.00 TB");
    cr_expect_str_eq(words_memory((uint64_t)16 << 30).text, "16.0 GiB");
    cr_expect_str_eq(words_number(NAN).text, "undefined");
    cr_expect_str_eq(words_name("a/b.c/bcsstk14.mtx.gz").text, "bcsstk14");
    cr_expect_str_eq(words_name(".mtx").text, ".mtx");
    cr_expect_str_eq(words_name("-").text, "standard input");
}

/* A residual that falls by a tenth each second, with fluctuations. */
Test(live, estimate)
{
    struct trail t = {.smallest = INFINITY};
    vks_progress p = {.residual = 1, .target = 1e-8};
    cr_expect_lt(trail_estimate(&t, &p), 0);
    for (int i = 0; i < 40000; i++) {
        p.seconds = i * 1e-4;
        p.residual = pow(10, -p.seconds) * (i % 3 == 0 ? 1 : 5);
        trail_add(&t, &p);
    }
    cr_expect_float_eq(trail_estimate(&t, &p), 4, 0.2);
    p.residual = NAN;
    trail_add(&t, &p);
    cr_expect_float_eq(trail_estimate(&t, &p), 4, 0.2);
    for (int i = 0; i < 400000; i++) { /* it stagnates */
        p.seconds += 1e-4;
        p.residual = 1e-4;
        trail_add(&t, &p);
    }
    cr_expect_lt(trail_estimate(&t, &p), 0);
}

/* Shares are reported at once, then ten times a second; a phase begins with its first report. */
Test(live, time_left_of_a_share)
{
    struct live l = {.on = true};
    char left[LIVE_LEFT] = "";
    cr_expect_not(live_share(&l, "reading", 0, 100, left));
    cr_assert(live_share(&l, "reading", 0.25, 101, left));
    cr_expect_str_eq(left, "about 3 s to go");
    cr_expect_not(live_share(&l, "reading", 0.26, 101.05, left));
    cr_assert(live_share(&l, "reading", 0.5, 110, left));
    cr_expect_str_eq(left, "about 10 s to go");
    cr_expect_not(live_share(&l, "parsing", 0, 110, left));
    cr_assert(live_share(&l, "parsing", 0.01, 120, left));
    cr_expect_str_eq(left, "about 16 min to go");
    cr_expect_not(live_share(&l, "parsing", 1, 130, left));
    l.on = false;
    cr_expect_not(live_share(&l, "parsing", 0.5, 140, left));
}

/* Grids of five points, one of long rows, and eliminations. */
static const struct choice {
    struct solve_size size;
    uint32_t threads;
    bool host;
} choices[] = {
    {{1000, 4872, VKS_F64, false}, 1, true},
    {{1000, 4872, VKS_F64, false}, 2, true},
    {{2000, 9820, VKS_F64, false}, 2, true},
    {{5000, 24716, VKS_F64, false}, 2, false},
    {{4000, 19744, VKS_F32, false}, 2, true},
    {{1000, 4872, VKS_F64, false}, 16, true},
    {{600, 2900, VKS_F64, false}, 4, true},
    {{5000, 24716, VKS_F64, false}, 16, false},
    {{648, 36864, VKS_F64, false}, 2, true},
    {{20000, 99434, VKS_F64, false}, 16, false},
    {{1000, 100000, VKS_F64, false}, 2, false},
    {{50000, 249104, VKS_F64, false}, 256, false},
    {{2000000, 14000000, VKS_F64, false}, 256, false},
    {{1, 1, VKS_F64, false}, 1, true},
    {{0, 0, VKS_F64, false}, 1, true},
    {{300, 90000, VKS_F64, true}, 2, true},
    {{1000, 1000, VKS_F64, true}, 2, false},
    {{1000, 1000, VKS_F64, true}, 16, true},
    {{4000, 4000, VKS_F64, true}, 16, false},
};

Test(device_choice, small_systems_stay_on_the_host)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct choice *c = &choices[i];
        struct solve_costs costs = solve_expect(&c->size, c->threads);
        cr_expect_eq(costs.host <= costs.gpu, c->host, "%u rows, %u threads: %g s on the host, %g on a GPU",
                     c->size.rows, c->threads, costs.host, costs.gpu);
    }
}

/* So there is one size up to which the host is chosen. */
Test(device_choice, a_larger_system_never_moves_back_to_the_host)
{
    bool beyond = false;
    for (uint32_t n = 1; n < 1u << 31; n += n / 16 + 1) {
        struct solve_costs costs = solve_expect(&(struct solve_size){n, 5 * (uint64_t)n, VKS_F64, false}, 4);
        cr_expect(!beyond || costs.host > costs.gpu, "%u", n);
        beyond = costs.host > costs.gpu;
    }
    cr_expect(beyond);
}

static struct polls poll_often(uint32_t count)
{
    struct polls l = {.count = 0};
    for (uint32_t i = 0; i < count; i++)
        polls_add(&l, &(vks_progress){.iteration = 10 * (i + 1), .seconds = 0.5 * (i + 1)});
    return l;
}

Test(polls, are_kept_evenly_when_there_are_many)
{
    static const uint32_t counts[] = {1,    MOST_POLLS, MOST_POLLS + 1, 2 * MOST_POLLS, 2 * MOST_POLLS + 1,
                                      1000, 100000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct polls l = poll_often(counts[k]);
        cr_expect_eq(l.seen, counts[k]);
        cr_assert_eq((uint32_t)l.count, (counts[k] + l.every - 1) / l.every, "%u: %d", counts[k], l.count);
        cr_expect(l.every == 1 || l.count >= MOST_POLLS / 2);
        for (int i = 0; i < l.count; i++)
            cr_assert(l.iteration[i] == 10.0 * (l.every * (uint32_t)i + 1) &&
                      l.seconds[i] == l.iteration[i] / 20);
    }
}

Test(polls, tell_the_iteration_at_a_time)
{
    struct polls none = {.count = 0}, l = {.count = 3, .iteration = {10, 10, 40}, .seconds = {1, 2, 5}};
    cr_expect_eq(polls_iteration(&none, 50, 2, 0.5), 12.5);
    static const double times[] = {0, 0.5, 1, 1.5, 2, 3, 5, 6, 7},
                        want[] = {0, 5, 10, 10, 10, 20, 40, 45, 50};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        cr_expect_float_eq(polls_iteration(&l, 50, 7, times[i]), want[i], 1e-12, "at %g", times[i]);
    cr_expect_eq(polls_iteration(&none, 50, 0, 0), 0, "a solve that took no time");
}
