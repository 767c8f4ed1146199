/* External text, such as file names, need not be UTF-8. */
#ifndef VKS_REPORT_UTF8_H
#define VKS_REPORT_UTF8_H

#include <stddef.h>

/* Length of the well-formed UTF-8 sequence at s, 0 if there is none: The Unicode Standard, table 3-7. s is
 * zero-terminated. */
size_t utf8_length(const unsigned char *s);

#endif
