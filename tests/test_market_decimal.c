/* Decimal numbers: strtod and printf in the "C" locale are the oracles. */
#include "market/decimal.h"
#include "market_files.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40000, LONGEST = 4000 };

static struct powers powers;

static void fill(void)
{
    powers_fill(&powers);
}

TestSuite(market_decimal, .init = fill);

/* The number, followed by a newline as in a file, must give the bits that strtod gives. */
static void expect_strtod(const char *number)
{
    char line[LONGEST];
    double value = NAN, oracle = strtod(number, NULL);
    bool whole;
    snprintf(line, sizeof line, "%s\n", number);
    const char *end = decimal_read(&powers, line, &value, &whole);
    cr_assert(end && *end == '\n', "%s", number);
    cr_assert(market_same_bits(&value, &oracle, 1), "%s: %a, not %a", number, value, oracle);
}

static void expect_printf(double value)
{
    char text[DECIMAL_ROOM + 1], oracle[64];
    char *end = decimal_write(&powers, value, text);
    cr_assert(end - text <= DECIMAL_ROOM);
    *end = 0;
    snprintf(oracle, sizeof oracle, "%.17g", value);
    cr_assert_str_eq(text, oracle);
}

Test(market_decimal, reads_all_shapes)
{
    char number[LONGEST];
    for (int i = 0; i < ROUNDS; i++) {
        double value = market_random_double();
        unsigned long long a = market_random() >> market_random() % 64,
                           b = market_random() >> market_random() % 64;
        snprintf(number, sizeof number, "%.17g", value);
        expect_strtod(number);
        snprintf(number, sizeof number, "%.*e", (int)(market_random() % 30), value);
        expect_strtod(number);
        snprintf(number, sizeof number, "%llu.%03llue%d", a, b, (int)(market_random() % 700) - 350);
        expect_strtod(number);
        snprintf(number, sizeof number, "-%llue%d", a, (int)(market_random() % 60) - 30);
        expect_strtod(number);
        snprintf(number, sizeof number, "%.*f", (int)(market_random() % 30),
                 ldexp((double)(a >> 11), (int)(b % 160) - 120));
        expect_strtod(number);
        snprintf(number, sizeof number, "%d.%02d", (int)(a % 1000), (int)(b % 100));
        expect_strtod(number);
    }
}

/* "0." and the digits of (2 m + 1) / 2^(bits), which are as many as `bits`: exact, by doubling in decimal. */
static void print_fraction(uint64_t numerator, int bits, char *to)
{
    static unsigned char digit[LONGEST];
    memset(digit, 0, sizeof digit);
    for (int bit = 0; bit < bits; bit++) { /* from the lowest: add it to the units, and halve */
        unsigned rest = (unsigned)(bit < 64 ? numerator >> bit & 1 : 0);
        for (int i = 0; i < bits; i++) {
            rest = 10 * (rest & 1) + digit[i];
            digit[i] = (unsigned char)(rest / 2);
        }
    }
    to += sprintf(to, "0.");
    for (int i = 0; i < bits; i++)
        *to++ = (char)('0' + digit[i]);
    *to = 0;
}

/* The midpoint of two neighbouring doubles, and numbers that differ from it in late digits. */
static void expect_strtod_around_middle(uint64_t mantissa, int bits)
{
    char number[LONGEST];
    print_fraction(2 * mantissa + 1, bits, number);
    size_t length = strlen(number);
    expect_strtod(number);
    memset(number + length, '0', 1000);
    strcpy(number + length + 1000, "1");
    expect_strtod(number);
    strcpy(number + length - 1, "49999999999999999999999");
    expect_strtod(number);
}

Test(market_decimal, reads_middles)
{
    for (int i = 0; i < 300; i++)
        expect_strtod_around_middle(market_random() >> 11 | UINT64_C(1) << 52,
                                    54 + (int)(market_random() % 200));
    for (int i = 0; i < 10; i++) /* denormals and their upper limit */
        expect_strtod_around_middle(market_random() >> (11 + 5 * i), 1075);
    expect_strtod_around_middle(0, 1075);
    expect_strtod_around_middle((UINT64_C(1) << 52) - 1, 1075);
    for (int i = 0; i < ROUNDS; i++) { /* short ones */
        char number[64];
        uint64_t middle = 2 * (market_random() >> 11 | UINT64_C(1) << 52) + 1;
        snprintf(number, sizeof number, "%llu.0e0", (unsigned long long)middle);
        expect_strtod(number);
        snprintf(number, sizeof number, "%llu5e-1", (unsigned long long)(middle / 2));
        expect_strtod(number);
    }
}

Test(market_decimal, reads_the_ends_of_the_range)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "0.0",
        ".0e9",
        "0e99999999999999999999",
        "1e-400",
        "-1e-400",
        "1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.5e-324",
        "9007199254740993",
        "9007199254740993.00000000000000000000000001",
        "9007199254740992.99999999999999999999999999",
        "1.",
        "+.5",
        "0000000000000000000000000000001e-28",
        "1e23",
        "8.442911973260991817129021e22",
        "0.0000000000000000000000000000000000000000000000001e80",
        "18446744073709551615",
        "18446744073709551616",
        "9999999999999999999",
        "99999999999999999999",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expect_strtod(numbers[i]);
    for (int e = -345; e <= 310; e++) {
        char number[64];
        snprintf(number, sizeof number, "1e%d", e);
        expect_strtod(number);
        snprintf(number, sizeof number, "9999999999999999999e%d", e);
        expect_strtod(number);
    }
}

Test(market_decimal, reads_only_numbers)
{
    static const char *const words[] = {"\n",   "+\n",   "-\n",   ".\n",   "e5\n",
                                        "1e\n", "1e+\n", "nan\n", "inf\n", "+-1\n"};
    double value;
    bool whole;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_assert_null(decimal_read(&powers, words[i], &value, &whole), "%s", words[i]);
    cr_assert(decimal_read(&powers, "12\n", &value, &whole) && whole);
    cr_assert(decimal_read(&powers, "12.\n", &value, &whole) && !whole);
    cr_assert(decimal_read(&powers, "12e0\n", &value, &whole) && !whole);
}

Test(market_decimal, writes_all_shapes)
{
    for (int i = 0; i < ROUNDS; i++) {
        expect_printf(market_random_double());
        expect_printf((double)(market_random() >> 11) * 0x1p-53);
        expect_printf((double)((int64_t)(market_random() % 200000) - 100000) / 1000);
        expect_printf((double)(market_random() >> market_random() % 64));
    }
    for (int e = -1074; e < 1024; e++) {
        double power = ldexp(1, e);
        expect_printf(power);
        expect_printf(nextafter(power, 0));
        expect_printf(-nextafter(power, INFINITY));
    }
    for (int e = -323; e <= 308; e++) {
        char number[16];
        snprintf(number, sizeof number, "1e%d", e);
        double power = strtod(number, NULL);
        expect_printf(power);
        expect_printf(nextafter(power, 0));
        expect_printf(nextafter(power, INFINITY));
    }
    expect_printf(0.0);
    expect_printf(-0.0);
}

/* A locale with a decimal comma, made here as the machine may have none. */
static bool set_comma_locale(void)
{
    static const char source[] = "LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"<U002E>\"\n"
                                 "grouping 3;3\nEND LC_NUMERIC\n";
    market_put("source", source, sizeof source - 1);
    /* localedef fails for the missing categories, but makes this one. */
    int failed = system("localedef -c -i source -f UTF-8 ./comma >localedef.log 2>&1");
    (void)failed;
    return setenv("LOCPATH", ".", 1) == 0 && setlocale(LC_NUMERIC, "comma");
}

Test(market_decimal, does_not_depend_on_the_locale)
{
    market_enter();
    bool made = set_comma_locale(), whole;
    cr_assert(!system("rm -rf comma"));
    market_leave();
    if (!made)
        cr_skip_test("no locale with a decimal comma can be made here");
    char text[64];
    double value;
    snprintf(text, sizeof text, "%.1f", 1.5);
    cr_assert_str_eq(text, "1,5");
    /* The last three use strtod and printf. */
    cr_assert(decimal_read(&powers, "1.5\n", &value, &whole) && value == 1.5);
    cr_assert(decimal_read(&powers, "9007199254740993.000000000000000000000001\n", &value, &whole));
    cr_assert_eq(value, 9007199254740994.0);
    *decimal_write(&powers, 0x1p-60, text) = 0;
    cr_assert_str_eq(text, "8.6736173798840355e-19");
    *decimal_write(&powers, 5e-324, text) = 0;
    cr_assert_str_eq(text, "4.9406564584124654e-324");
}
