/* A picture of values on triangles, written as PNG with stored blocks of deflate, so that no library is
 * needed (RFC 1950, RFC 1951, and the PNG specification of the W3C). */
#ifndef EXAMPLE_PICTURE_H
#define EXAMPLE_PICTURE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct png_file {
    FILE *file;
    uint32_t crc, a, b; /* of the chunk; Adler-32 of the picture */
};

static inline void png_bytes(struct png_file *p, const void *data, size_t count)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < count; i++) {
        p->crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            p->crc = p->crc >> 1 ^ (p->crc & 1 ? 0xEDB88320u : 0);
    }
    fwrite(data, 1, count, p->file);
}

static inline void png_word(struct png_file *p, uint32_t v)
{
    png_bytes(p, (uint8_t[]){(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v}, 4);
}

static inline void png_begin(struct png_file *p, const char *type, uint32_t bytes)
{
    png_word(p, bytes);
    p->crc = UINT32_MAX;
    png_bytes(p, type, 4);
}

static inline void png_end(struct png_file *p)
{
    png_word(p, ~p->crc);
}

/* A row of the picture is one stored block: the byte 0 (no filter) and the pixels. */
static inline void png_row(struct png_file *p, const uint8_t *rgb, uint32_t width, int last)
{
    uint32_t length = 3 * width + 1;
    uint8_t head[6] = {(uint8_t)last,    (uint8_t)length,         (uint8_t)(length >> 8),
                       (uint8_t)~length, (uint8_t)(~length >> 8), 0};
    png_bytes(p, head, 6);
    png_bytes(p, rgb, 3 * width);
    p->b = (p->b + p->a) % 65521;
    for (uint32_t i = 0; i < 3 * width; i++) {
        p->a = (p->a + rgb[i]) % 65521;
        p->b = (p->b + p->a) % 65521;
    }
}

enum { PICTURE_WIDEST = 1000, PICTURE_HIGHEST = 1000 };

/* 8-bit RGB, row after row from the top. */
struct picture {
    uint32_t width, height;
    uint8_t rgb[3 * PICTURE_WIDEST * PICTURE_HIGHEST];
};

struct picture_corner {
    double x, y, value; /* in pixels, from the top left; value is from 0 to 1 */
};

static inline void picture_clear(struct picture *p, uint32_t width, uint32_t height)
{
    p->width = width;
    p->height = height;
    memset(p->rgb, 200, sizeof p->rgb);
}

/* From white (0) through yellow and red to black (1); contour lines at each tenth. */
static inline void picture_colour(double value, uint8_t *rgb)
{
    double t = fmin(fmax(value, 0), 1);
    double line = t > 0.05 && fabs(t * 10 - round(t * 10)) < 0.04 ? 0.6 : 1;
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(255 * line * fmin(fmax((2 - i) * 0.5 + 1 - 2 * t, 0), 1));
}

static inline int picture_limit(double v, uint32_t limit)
{
    return v < 0 ? 0 : v > limit ? (int)limit : (int)v;
}

/* Draws the pixels whose centre lies in the triangle. */
static inline void picture_triangle(struct picture *p, const struct picture_corner c[3])
{
    double x = c[0].x - 0.5, y = c[0].y - 0.5, ax = c[1].x - c[0].x, ay = c[1].y - c[0].y;
    double bx = c[2].x - c[0].x, by = c[2].y - c[0].y, twice = ax * by - bx * ay;
    int left = picture_limit(floor(fmin(x, fmin(x + ax, x + bx))), p->width);
    int right = picture_limit(ceil(fmax(x, fmax(x + ax, x + bx)) + 1), p->width);
    int top = picture_limit(floor(fmin(y, fmin(y + ay, y + by))), p->height);
    int bottom = picture_limit(ceil(fmax(y, fmax(y + ay, y + by)) + 1), p->height);
    for (int i = top; i < bottom; i++)
        for (int j = left; j < right; j++) {
            double u = ((j - x) * by - bx * (i - y)) / twice, v = (ax * (i - y) - (j - x) * ay) / twice;
            if (u > -1e-9 && v > -1e-9 && u + v < 1 + 1e-9)
                picture_colour(c[0].value + u * (c[1].value - c[0].value) + v * (c[2].value - c[0].value),
                               p->rgb + 3 * ((uint32_t)i * p->width + (uint32_t)j));
        }
}

/* Returns 0 on failure, after reporting the reason on standard error. */
static inline int picture_write(const struct picture *picture, const char *path)
{
    uint32_t width = picture->width, height = picture->height;
    struct png_file p = {.file = fopen(path, "wb"), .a = 1};
    if (!p.file) {
        perror(path);
        return 0;
    }
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, p.file);
    png_begin(&p, "IHDR", 13);
    png_word(&p, width);
    png_word(&p, height);
    png_bytes(&p, (uint8_t[]){8, 2, 0, 0, 0}, 5);
    png_end(&p);
    png_begin(&p, "IDAT", 2 + height * (6 + 3 * width) + 4);
    png_bytes(&p, (uint8_t[]){0x78, 0x01}, 2);
    for (uint32_t y = 0; y < height; y++)
        png_row(&p, picture->rgb + (size_t)3 * width * y, width, y + 1 == height);
    png_word(&p, p.b << 16 | p.a);
    png_end(&p);
    png_begin(&p, "IEND", 0);
    png_end(&p);
    int bad = ferror(p.file);
    if (fclose(p.file))
        bad = 1;
    if (bad)
        perror(path);
    return !bad;
}

#endif
