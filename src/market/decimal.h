/* Decimal numbers: to the nearest double, ties to even, and back with 17 digits; both exact. */
#ifndef VKS_MARKET_DECIMAL_H
#define VKS_MARKET_DECIMAL_H

#include "market/powers.h"
#include <stdbool.h>

/* Reads [sign] digits [. digits] [e|E|d|D [sign] digits], with a digit at least before or after the point,
 * and returns its end, NULL if there is no such number. A value beyond DBL_MAX becomes an infinity. *whole
 * tells that there is neither a point nor an exponent. */
const char *decimal_read(const struct powers *t, const char *p, double *value, bool *whole);

/* Writes a finite value as printf's %.17g does in the "C" locale, without a terminating NUL, and returns the
 * end: at most DECIMAL_ROOM bytes further. */
enum { DECIMAL_ROOM = 24 };
char *decimal_write(const struct powers *t, double value, char *to);

#endif
