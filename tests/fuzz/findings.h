/* What a harness has found, with the command that repeats it. */
#ifndef VKS_TESTS_FUZZ_FINDINGS_H
#define VKS_TESTS_FUZZ_FINDINGS_H

#include <stdint.h>

/* The words before the seed of the command that repeats a finding. */
void findings_begin(int argc, char **argv, int options);

/* The seed from now on. One that takes longer than `seconds`, or crashes, is a finding that ends the program.
 */
void findings_seed(uint64_t seed, unsigned seconds);

/* Prints a finding. */
__attribute__((format(printf, 1, 2))) void finding(const char *format, ...);

unsigned long findings_count(void);

/* Ends the program where the harness itself cannot go on. */
__attribute__((format(printf, 1, 2), noreturn)) void cannot_go_on(const char *format, ...);

#endif
