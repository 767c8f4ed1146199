/* Scans text in which every line ends in '\n', in any locale. */
#ifndef VKS_MARKET_SCAN_H
#define VKS_MARKET_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BANNER "%%MatrixMarket"

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ends_word(char c)
{
    return is_blank(c) || c == '\n';
}

static inline const char *skip_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

static inline const char *skip_word(const char *p)
{
    while (!ends_word(*p))
        p++;
    return p;
}

static inline char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Letters match in either case. */
static inline bool begins_with(const char *p, const char *prefix)
{
    for (; *prefix; p++, prefix++)
        if (lower_case(*p) != lower_case(*prefix))
            return false;
    return true;
}

/* Reads [+]digits and returns their end, or NULL without digits. A number beyond 32 bits remains beyond 32
 * bits, so that it can be compared with limits, but is not exact. */
static inline const char *scan_whole(const char *p, uint64_t *value)
{
    p += *p == '+';
    const char *first = p;
    uint64_t v = 0;
    for (; is_digit(*p); p++)
        v = v <= UINT32_MAX ? 10 * v + (uint64_t)(*p - '0') : v;
    *value = v;
    return p > first ? p : NULL;
}

/* A word for a message: shortened, and without control characters. */
struct shown {
    char text[44];
};
struct shown show_word(const char *word);

#endif
