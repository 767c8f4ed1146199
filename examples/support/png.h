/* Writes a picture: 8-bit RGB, row after row from the top. PNG with what deflate calls stored blocks, so that
 * no library is needed (RFC 1950, RFC 1951, and the PNG specification of the W3C). */
#ifndef EXAMPLE_PNG_H
#define EXAMPLE_PNG_H

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

/* width below 21,845. Returns 0 on failure. */
static inline int png_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height)
{
    struct png_file p = {.file = fopen(path, "wb"), .a = 1};
    if (!p.file)
        return 0;
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, p.file);
    png_begin(&p, "IHDR", 13);
    png_word(&p, width);
    png_word(&p, height);
    png_bytes(&p, (uint8_t[]){8, 2, 0, 0, 0}, 5);
    png_end(&p);
    png_begin(&p, "IDAT", 2 + height * (6 + 3 * width) + 4);
    png_bytes(&p, (uint8_t[]){0x78, 0x01}, 2);
    for (uint32_t y = 0; y < height; y++)
        png_row(&p, rgb + (size_t)3 * width * y, width, y + 1 == height);
    png_word(&p, p.b << 16 | p.a);
    png_end(&p);
    png_begin(&p, "IEND", 0);
    png_end(&p);
    int good = !ferror(p.file);
    return fclose(p.file) == 0 && good;
}

#endif
