/* Compares decimal numbers with strtod and printf's %.17g, by libFuzzer. */
#include "market/decimal.h"
#include "market_oracle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct powers powers;

static void must(bool good, const char *what, const char *text, double got, double want)
{
    if (good)
        return;
    fprintf(stderr, "FINDING: %s \"%s\": %a instead of %a\n", what, text, got, want);
    abort();
}

static void compare_read(const char *text)
{
    bool whole = false, want_whole = false;
    size_t length = oracle_number(text, &want_whole);
    OWNED(char) *line = malloc(strlen(text) + 2), *number = malloc(length + 1);
    double value = 0;
    must(line && number, "no memory for", text, 0, 0);
    sprintf(line, "%s\n", text);
    memcpy(number, text, length);
    number[length] = 0;
    const char *end = decimal_read(&powers, line, &value, &whole);
    must(end ? end == line + length : !length, "the length of", text, end ? (double)(end - line) : 0,
         (double)length);
    if (end) {
        double want = oracle_value(number);
        must(!memcmp(&value, &want, sizeof want), "reading", text, value, want);
        must(whole == want_whole, "whole", text, whole, want_whole);
    }
}

static void compare_written(double v)
{
    char got[DECIMAL_ROOM + 1], want[64];
    *decimal_write(&powers, v, got) = 0;
    snprintf(want, sizeof want, "%.17g", v);
    must(!strcmp(got, want), "writing", got, v, strtod(want, NULL));
    compare_read(got);
}

/* The midpoint of two doubles, printed with a number of digits: below it, above it, or the midpoint
 * itself. */
static void compare_middle(double v, int digits)
{
    char text[1300];
    double next = nextafter(v, INFINITY);
    if (!isfinite(next) || sizeof(long double) <= sizeof(double))
        return;
    snprintf(text, sizeof text, "%.*Le", digits, ((long double)v + next) / 2);
    compare_read(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char alphabet[] = "0123456789.e+-d0";
    char text[1024];
    size_t length = size < sizeof text - 1 ? size : sizeof text - 1;
    if (!powers.high[0])
        powers_fill(&powers);
    for (size_t at = 0; at + 8 <= size && at < 64; at += 8) {
        double v;
        memcpy(&v, data + at, 8);
        if (isfinite(v)) {
            compare_written(v);
            compare_middle(v, 10 + data[at] % 64 * 16);
        }
    }
    for (size_t i = 0; i < length; i++)
        text[i] = alphabet[data[i] & 15];
    text[length] = 0;
    compare_read(text);
    return 0;
}
