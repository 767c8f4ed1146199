/* Recognises UTF-8: external text, such as file names, may be invalid. */
#ifndef VKS_REPORT_UTF8_H
#define VKS_REPORT_UTF8_H

#include <stddef.h>

/* Length of the well-formed UTF-8 sequence at s, else 0: The Unicode Standard, table 3-7. s is
 * zero-terminated. */
size_t utf8_length(const unsigned char *s);

#endif
