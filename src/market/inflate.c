#include "market/text.h"
#include "report/memory.h"

#include <string.h>
#include <zlib.h>

/* zlib counts in unsigned int: larger data are passed in steps, shorter ones for a progress callback. */
enum { STEP = 1 << 30, WATCHED_STEP = 1 << 22, GZIP_WINDOW = 15 + 16 };

static size_t step(size_t size, size_t most)
{
    return size < most ? size : most;
}

/* After a member, gzip allows further members or zeros. */
static vks_status next_member(struct message *m, const char *name, z_stream *z, size_t rest, int *done)
{
    const unsigned char *p = z->next_in;
    size_t zeros = 0;
    while (zeros < rest && !p[zeros])
        zeros++;
    *done = zeros == rest;
    if (*done)
        return VKS_OK;
    if (rest < 2 || p[0] != 0x1F || p[1] != 0x8B)
        return fail(m, VKS_FORMAT, "%s: something else follows the gzip data", name);
    inflateReset(z);
    return VKS_OK;
}

static vks_status inflate_all(struct message *m, const struct text *packed, z_stream *z, struct text *out)
{
    const char *end = packed->begin + packed->size;
    for (int done = 0; !done;) {
        vks_status status = out->size == out->room ? text_grow(m, out) : VKS_OK;
        if (status)
            return status;
        size_t left = (size_t)(end - (const char *)z->next_in);
        size_t most = step(out->room - out->size, m && m->watch ? WATCHED_STEP : STEP);
        z->avail_in = (uInt)step(left, STEP);
        z->avail_out = (uInt)most;
        z->next_out = (Bytef *)out->begin + out->size;
        int code = inflate(z, Z_NO_FLUSH);
        out->size += most - z->avail_out;
        left = (size_t)(end - (const char *)z->next_in);
        report_share(m, "inflating", 1 - (double)left / (double)packed->size);
        if (code == Z_STREAM_END)
            status = next_member(m, out->name, z, left, &done);
        else if (code == Z_MEM_ERROR)
            status = memory_lacks(m, out->name, "inflating it", 1 << 16);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            status =
                fail(m, VKS_FORMAT, "%s: the gzip data are damaged (%s)", out->name, z->msg ? z->msg : "?");
        else if (!left && z->avail_out)
            status = fail(m, VKS_FORMAT, "%s: the gzip data are cut off", out->name);
        if (status)
            return status;
    }
    return VKS_OK;
}

vks_status text_inflate(struct message *m, struct text *t)
{
    struct text out = {.name = t->name};
    z_stream z = {.next_in = (Bytef *)t->begin};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return memory_lacks(m, t->name, "inflating it", 1 << 16);
    report_share(m, "inflating", 0);
    vks_status status = inflate_all(m, t, &z, &out);
    inflateEnd(&z);
    text_free(t);
    *t = out;
    return status;
}
