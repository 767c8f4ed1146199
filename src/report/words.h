/* Numbers for people: few digits, a suitable unit. */
#ifndef VKS_REPORT_WORDS_H
#define VKS_REPORT_WORDS_H

#include <stdint.h>

struct words {
    char text[48];
};

struct words words_count(uint64_t count);   /* "5,489" */
struct words words_seconds(double seconds); /* "31.2 us", "0.42 s", "75.3 s" */
struct words words_bytes(double bytes);     /* in powers of 1000, for traffic: "3.61 MB" */
struct words words_memory(uint64_t bytes);  /* in powers of 1024: "15.6 GiB" */
struct words words_number(double value);    /* three digits: "9.73e-09", "0.5", "undefined" */
struct words words_name(const char *path);  /* "folder/bcsstk14.mtx.gz" is "bcsstk14" */

extern const char *const words_precisions[]; /* by vks_precision; ends with NULL */

#endif
