/* The driver's pipeline cache, kept on disk for each device and driver. It is optional: nothing fails without
 * it, and a damaged or incomplete file is ignored. */
#define _GNU_SOURCE /* mkostemp */
#include "device/vulkan/vulkan.h"
#include "report/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "vksolve1";

struct header {
    char magic[sizeof magic];
    uint64_t bytes;    /* of the data that follows */
    uint64_t checksum; /* of that data */
};

enum { MOST_BYTES = 256 << 20 };

/* FNV-1a. It detects damage, not malice: files of other users are not read. */
static uint64_t checksum(const unsigned char *data, uint64_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (uint64_t i = 0; i < bytes; i++)
        sum = (sum ^ data[i]) * 1099511628211u;
    return sum;
}

static char *join(const char *a, const char *b)
{
    size_t bytes = strlen(a) + strlen(b) + 1;
    char *text = malloc(bytes);
    if (text)
        snprintf(text, bytes, "%s%s", a, b);
    return text;
}

/* The cache's folder, or NULL. The XDG specification says to ignore relative folders. */
static char *find_folder(const struct device_options *o)
{
    if (o->cache_folder)
        return join(o->cache_folder, "");
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (xdg && xdg[0] == '/')
        return join(xdg, "/vksolve");
    return home && home[0] == '/' ? join(home, "/.cache/vksolve") : NULL;
}

static char *find_path(const struct vulkan *v, const struct device_options *o)
{
    const VkPhysicalDeviceProperties *p = &v->profile.properties;
    char name[128];
    int used = snprintf(name, sizeof name, "/%08x-%08x-%08x-", p->vendorID, p->deviceID, p->driverVersion);
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++)
        used += snprintf(name + used, sizeof name - (size_t)used, "%02x", p->pipelineCacheUUID[i]);
    snprintf(name + used, sizeof name - (size_t)used, ".pipelines");
    char *folder = find_folder(o);
    char *path = folder ? join(folder, name) : NULL;
    free(folder);
    return path;
}

static bool read_all(int file, void *to, uint64_t bytes)
{
    unsigned char *at = to;
    while (bytes > 0) {
        ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (uint64_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, uint64_t bytes)
{
    const unsigned char *at = from;
    while (bytes > 0) {
        ssize_t put = write(file, at, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        bytes -= (uint64_t)put;
    }
    return true;
}

/* Whether Vulkan's own header matches this device: not every driver checks it. */
static bool fits(const struct vulkan *v, const unsigned char *data, uint64_t bytes)
{
    const VkPhysicalDeviceProperties *p = &v->profile.properties;
    uint32_t start[4]; /* header length and version, vendor, device; the UUID follows */
    if (bytes < sizeof start + VK_UUID_SIZE)
        return false;
    memcpy(start, data, sizeof start);
    return start[0] >= sizeof start + VK_UUID_SIZE && start[0] <= bytes &&
           start[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && start[2] == p->vendorID &&
           start[3] == p->deviceID && memcmp(data + sizeof start, p->pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

static unsigned char *load_open(const struct vulkan *v, int file, uint64_t *bytes)
{
    struct stat status;
    struct header h;
    if (fstat(file, &status) || !S_ISREG(status.st_mode) || status.st_uid != geteuid())
        return NULL;
    if (!read_all(file, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) != 0 || h.bytes > MOST_BYTES ||
        (uint64_t)status.st_size != sizeof h + h.bytes)
        return NULL;
    unsigned char *data = malloc(h.bytes ? h.bytes : 1);
    if (data && read_all(file, data, h.bytes) && checksum(data, h.bytes) == h.checksum &&
        fits(v, data, h.bytes)) {
        *bytes = h.bytes;
        return data;
    }
    free(data);
    return NULL;
}

static unsigned char *load(const struct vulkan *v, uint64_t *bytes)
{
    *bytes = 0;
    int file = v->cache.path ? open(v->cache.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0)
        return NULL;
    unsigned char *data = load_open(v, file, bytes);
    close(file);
    return data;
}

vks_status vulkan_cache_open(struct vulkan *v, const struct device_options *o)
{
    struct cache *c = &v->cache;
    if (!o->no_pipeline_cache)
        c->path = find_path(v, o);
    unsigned char *data = load(v, &c->loaded);
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = c->loaded,
        .pInitialData = data,
    };
    VkResult r = v->instance.vk.CreatePipelineCache(v->logical, &info, NULL, &c->handle);
    free(data);
    if (r && c->loaded) { /* the driver refuses the data: retry without it */
        c->loaded = 0;
        info.initialDataSize = 0;
        info.pInitialData = NULL;
        r = v->instance.vk.CreatePipelineCache(v->logical, &info, NULL, &c->handle);
    }
    return r ? vulkan_fail(v, r, "making the pipeline cache") : VKS_OK;
}

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Writes and renames a temporary file: no reader sees half of it. A file size limit raises no signal. */
static void save(const char *path, const unsigned char *data, uint64_t bytes)
{
    struct quiet quiet;
    struct header h = {.bytes = bytes, .checksum = checksum(data, bytes)};
    memcpy(h.magic, magic, sizeof magic);
    char *beside = join(path, ".XXXXXX");
    int file = beside ? mkostemp(beside, O_CLOEXEC) : -1;
    quiet_begin(&quiet);
    if (file >= 0) {
        bool whole = write_all(file, &h, sizeof h) && write_all(file, data, bytes);
        whole &= close(file) == 0;
        if (!whole || rename(beside, path))
            unlink(beside);
    }
    quiet_end(&quiet);
    free(beside);
}

void vulkan_cache_close(struct vulkan *v)
{
    const struct vulkan_api *vk = &v->instance.vk;
    struct cache *c = &v->cache;
    size_t bytes = 0;
    bool wanted = c->path && v->made_pipelines && !v->lost &&
                  !vk->GetPipelineCacheData(v->logical, c->handle, &bytes, NULL) && bytes > c->loaded &&
                  bytes <= MOST_BYTES;
    unsigned char *data = wanted ? malloc(bytes) : NULL;
    if (data && !vk->GetPipelineCacheData(v->logical, c->handle, &bytes, data)) {
        make_folders(c->path);
        save(c->path, data, bytes);
    }
    free(data);
    free(c->path);
    vk->DestroyPipelineCache(v->logical, c->handle, NULL);
}
