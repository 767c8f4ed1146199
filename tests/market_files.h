/* Small files in a temporary directory, for the suites of the Matrix Market reader and writer. */
#ifndef TESTS_MARKET_FILES_H
#define TESTS_MARKET_FILES_H

#include "files/files.h"
#include "tests/support/own.h"

/* Changes to a new directory, and removes it with its files. For .init and .fini. */
void market_enter(void);
void market_leave(void);

/* The number of files in the working directory. */
int market_count_files(void);

void market_put(const char *path, const char *bytes, size_t size);

/* Reads "a.mtx", which must be accepted. */
/* The team that readers share their work with; NULL at first. */
extern struct team *market_team;

struct market market_take(void);

/* The same for a file of this text. */
struct market market_take_text(const char *text);

/* Unlike ==, distinguishes 0 from -0. */
bool market_same_bits(const double *a, const double *b, size_t count);

uint64_t market_random(void);

/* Finite, its bits random. */
double market_random_double(void);

#endif
