/* Decimal numbers: exactly parsed to the nearest double, ties to even, and exactly written with 17 digits. */
#ifndef VKS_MARKET_DECIMAL_H
#define VKS_MARKET_DECIMAL_H

#include "market/powers.h"
#include <stdbool.h>

/* Reads [sign] digits [. digits] [e|E|d|D [sign] digits], with at least one digit before or after the point.
 * Returns its end, or NULL if there is no such number. A value beyond DBL_MAX becomes an infinity. *whole:
 * the number has neither a point nor an exponent. */
const char *decimal_read(const struct powers *t, const char *p, double *value, bool *whole);

/* Writes a finite value like printf's %.17g in the "C" locale, without a terminating NUL. Returns the end, at
 * most DECIMAL_ROOM bytes later. */
enum { DECIMAL_ROOM = 24 };
char *decimal_write(const struct powers *t, double value, char *to);

#endif
