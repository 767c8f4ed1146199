/* Pictures as gnuplot writes them: PNG of 8-bit RGB or RGBA, not interlaced. */
#ifndef SUPPORT_PNG_H
#define SUPPORT_PNG_H

#include <stddef.h>
#include <stdint.h>

struct png {
    uint32_t wide, high;
    unsigned char *grey; /* 0 is black, 255 white; row after row; free() it */
};

/* Fails the test if the file is not such a picture, or is truncated. */
struct png png_read(const char *path);

static inline int png_at(const struct png *p, uint32_t x, uint32_t y)
{
    return p->grey[(size_t)y * p->wide + x];
}

#endif
