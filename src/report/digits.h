/* Doubles in decimal. */
#ifndef VKS_REPORT_DIGITS_H
#define VKS_REPORT_DIGITS_H

struct digits_text {
    char text[32];
};

/* The fewest digits, at least 15 unless they are trailing zeros, that read back as the same double; in the
 * form of %g, with the decimal point of the locale. */
struct digits_text digits_exact(double value);

#endif
