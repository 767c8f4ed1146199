/* Text files of numbers: their count, then the numbers, separated by white space. */
#ifndef VKS_COMMAND_SORT_NUMBERS_H
#define VKS_COMMAND_SORT_NUMBERS_H

#include "report/message.h"
#include "vksolve/array.h"

struct numbers {
    vks_type type;
    uint32_t count;
    void *values; /* of `type` */
};

/* Reads a file of numbers. numbers_free is required even after a failure. "-" is standard input. VKS_FORMAT
 * names file and line: a word that is not a number of the type, or fewer or more numbers than the count says.
 * Also VKS_LIMIT, VKS_FILE, VKS_OUT_OF_MEMORY. Floats are rounded to nearest; inf and nan are numbers. */
vks_status numbers_read(struct message *m, const char *path, vks_type type, struct numbers *out);

/* Writes the numbers without their count, one per line. The file appears whole or not at all. Floats have
 * enough digits to read back as the same number. "-" is standard output. */
vks_status numbers_write(struct message *m, const char *path, const struct numbers *numbers);

void numbers_free(struct numbers *numbers);

#endif
