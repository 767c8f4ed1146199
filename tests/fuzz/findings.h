/* Reports of a harness, with the command that reproduces them. */
#ifndef VKS_TESTS_FUZZ_FINDINGS_H
#define VKS_TESTS_FUZZ_FINDINGS_H

#include <stdint.h>

/* Sets the words before the seed in the command that reproduces a finding. */
void findings_begin(int argc, char **argv, int options);

/* Sets the current seed. A seed that takes longer than `seconds`, or crashes, is a finding that ends the
 * program. */
void findings_seed(uint64_t seed, unsigned seconds);

/* Prints a finding. */
__attribute__((format(printf, 1, 2))) void finding(const char *format, ...);

unsigned long findings_count(void);

/* Ends the program if the harness itself cannot continue. */
__attribute__((format(printf, 1, 2), noreturn)) void cannot_go_on(const char *format, ...);

#endif
